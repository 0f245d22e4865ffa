import { useQuery } from '@tanstack/react-query'
import { arrangementsApi } from '@zhuguan/contract/features/screens/arrangements.api.ts'
import { screensApi } from '@zhuguan/contract/features/screens/screens.api.ts'
import { screenKind } from '@zhuguan/contract/features/screens/screens.record.ts'
import { useEffect } from 'react'

import { call } from '../../kit/api.ts'
import { ChoiceField, OneField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { AskingBrowser } from './AskingBrowser.tsx'
import { useStores } from './useBoardStores.ts'

import './screens.css'

/** A wall becomes a screen: whose, for whom, and what it shows. */
export default function PairDrawer({ code, ...p }: DrawerProps & { code: string }) {
  const stores = useStores()
  const form = useForm(screensApi.pair, {
    code,
    name: '',
    store_id: null,
    kind: screenKind.code.public,
    arrangement_id: null,
  })
  const { kind, store_id } = form.values
  const store = stores.find((s) => s.id === store_id)
  const only = stores.length === 1 ? stores[0]!.id : null
  useEffect(() => {
    if (only && !store_id) form.raw.preset('store_id', only)
  }, [only])
  const { data } = useQuery({
    queryKey: [arrangementsApi.list.path, 'pair', store?.bc_id],
    enabled: !!store,
    queryFn: ({ signal }) =>
      call(arrangementsApi.list, { query: { bc_id: [store!.bc_id], pageSize: 100 } }, signal),
  })
  const arrangements = (data?.list ?? []).map((a) => ({
    value: a.id,
    label: `${a.name}（${a.storeName}）`,
    disabled: a.staffOnly && kind === screenKind.code.public,
  }))
  return (
    <FormDrawer {...p} form={form} title="配对屏幕" done="已配对，屏幕几秒内开始播放">
      <TextField of={form} name="code" upper focus={!code} hint="屏幕上的 6 位字母和数字" />
      <AskingBrowser code={String(form.values.code ?? '')} />
      <TextField of={form} name="name" example="前厅大屏" />
      <OneField
        of={form}
        name="store_id"
        also={() => ({ arrangement_id: null })}
        options={stores.map((s) => ({ value: s.id, label: `${s.name}（${s.bc_name}）` }))}
      />
      <ChoiceField
        of={form}
        name="kind"
        codes={screenKind}
        hint="对外：客人看得到的；内部：只有员工看得到的。配对以后不能改"
      />
      <OneField
        of={form}
        name="arrangement_id"
        clear
        options={arrangements}
        placeholder="先显示门店名"
        nothing={store ? '这个分公司还没有编排' : '请先选门店'}
      />
    </FormDrawer>
  )
}
