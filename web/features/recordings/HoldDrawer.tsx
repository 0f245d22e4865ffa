import { recordingsApi } from '@zhuguan/contract/features/recordings/recordings.api.ts'
import type { Stretch } from '@zhuguan/contract/features/recordings/recordings.record.ts'

import { DayField } from '../../kit/form/DayField.tsx'
import { ReasonField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { dayOf, full, nowSeconds } from '../../kit/time.ts'

const USUAL_S = 90 * 86_400

/** Comes when it is first opened. */
export default function HoldDrawer({
  device,
  sn,
  stretch,
  ...p
}: DrawerProps & { device: string; sn: string; stretch: Stretch }) {
  const today = dayOf(nowSeconds())
  const form = useForm(recordingsApi.hold, {
    device_id: device,
    ...stretch,
    until: dayOf(nowSeconds() + USUAL_S),
    reason: '',
  })
  return (
    <FormDrawer {...p} form={form} title={`留存录像：${sn}`} done="已留存" narrow>
      <p className="quiet lead">
        {full(stretch.from)} – {full(stretch.to).slice(11)}
      </p>
      <DayField of={form} name="until" from={today} hint="到这一天为止，到了保留天数也不删除。" />
      <ReasonField of={form} name="reason" example="业主投诉，等处理完" />
    </FormDrawer>
  )
}
