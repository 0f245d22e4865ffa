import { useQuery } from '@tanstack/react-query'
import { arrangementsApi } from '@zhuguan/contract/features/screens/arrangements.api.ts'
import { screenKind, type ScreenRow } from '@zhuguan/contract/features/screens/screens.record.ts'

import { call } from '../../kit/api.ts'
import { OneField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'

/** What this one wall is to show. */
export default function SendHereDrawer({ row, ...p }: DrawerProps & { row: ScreenRow }) {
  const { data } = useQuery({
    queryKey: [arrangementsApi.list.path, 'send', row.bc_id],
    queryFn: ({ signal }) =>
      call(arrangementsApi.list, { query: { bc_id: [row.bc_id], pageSize: 100 } }, signal),
  })
  const form = useForm(arrangementsApi.send, { id: '', version: 0, screens: [row.id] }, { need: ['id'] })
  const all = data?.list ?? []
  return (
    <FormDrawer {...p} narrow form={form} title={`下发到 ${row.name}`} done="已下发，几秒内换上">
      <OneField
        of={form}
        name="id"
        also={(id) => ({ version: all.find((a) => a.id === id)?.version ?? 0 })}
        options={all.map((a) => {
          const isBarred = a.staffOnly && row.kind === screenKind.code.public
          return {
            value: a.id,
            label: `${a.name}（${a.storeName}）`,
            disabled: isBarred,
            ...(isBarred && { title: '里面有只给内部看的场景' }),
          }
        })}
        nothing="这个分公司还没有编排"
      />
    </FormDrawer>
  )
}
