import { logisticsApi } from '@zhuguan/contract/features/dispatch/logistics.api.ts'
import type { LogisticsRow } from '@zhuguan/contract/features/dispatch/logistics.record.ts'

import { TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'

/** Somebody says how far goods have come. */
export default function NodeDrawer({ leg, ...p }: DrawerProps & { leg: LogisticsRow }) {
  const { id, version } = leg
  const form = useForm(logisticsApi.node, { id, version, title: '', place: '', at: null })
  return (
    <FormDrawer {...p} narrow form={form} title={`更新节点 · ${leg.code}`} done="已更新">
      {leg.nodeText && <p className="quiet lead">最近：{leg.nodeText}</p>}
      <TextField of={form} name="title" example="已到杭州转运中心" focus />
      <TextField of={form} name="place" example="萧山" />
    </FormDrawer>
  )
}
