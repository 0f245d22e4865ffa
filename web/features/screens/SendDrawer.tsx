import { useQuery } from '@tanstack/react-query'
import { arrangementsApi } from '@zhuguan/contract/features/screens/arrangements.api.ts'
import type { ArrangementRow } from '@zhuguan/contract/features/screens/arrangements.record.ts'
import { screensApi } from '@zhuguan/contract/features/screens/screens.api.ts'
import { screenKind, screenState } from '@zhuguan/contract/features/screens/screens.record.ts'

import { call } from '../../kit/api.ts'
import { ManyField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'

const { paired, silent } = screenState.code

/** To one wall or to many of its branch; where it may not be shown, the choice says why. */
export default function SendDrawer({ row, ...p }: DrawerProps & { row: ArrangementRow }) {
  const form = useForm(arrangementsApi.send, { id: row.id, version: row.version, screens: [] })
  const { data } = useQuery({
    queryKey: [screensApi.list.path, 'send', row.bc_id],
    queryFn: ({ signal }) =>
      call(
        screensApi.list,
        { query: { bc_id: [row.bc_id], state: [paired, silent], pageSize: 100 } },
        signal,
      ),
  })
  const options = (data?.list ?? []).map((s) => {
    const isBarred = row.staffOnly && s.kind === screenKind.code.public
    return {
      value: s.id,
      label: `${s.name}（${s.storeName}，${screenKind.label(s.kind)}，${screenState.label(s.state)}）`,
      disabled: isBarred,
      ...(isBarred && { title: '对外的屏幕不能放只给内部看的场景' }),
    }
  })
  return (
    <FormDrawer {...p} narrow form={form} title={`下发 ${row.name}`} done="已下发，几秒内换上">
      <ManyField
        of={form}
        name="screens"
        options={options}
        hint={data && options.length === 0 ? '这个分公司还没有配对的屏幕' : '换下来的编排记在操作日志里'}
      />
    </FormDrawer>
  )
}
