import { recordingsApi } from '@zhuguan/contract/features/recordings/recordings.api.ts'
import { APART_S, type Stretch } from '@zhuguan/contract/features/recordings/recordings.record.ts'

import { DayField } from '../../kit/form/DayField.tsx'
import { ReasonField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { dayOf, full, lasting, nowSeconds } from '../../kit/time.ts'

const USUAL_S = 90 * 86_400

/** What is held, and what is not there to be held. */
function heldWords({ seconds, missing }: { seconds: number; missing: number }): string {
  if (seconds === 0) return '已留存，但这段时间还没有录像；以后补传的会留下来'
  const span = (s: number) => (s < 60 ? `${s} 秒` : lasting(s))
  const held = `已留存 ${span(seconds)}录像`
  return missing > APART_S ? `${held}；另有 ${span(missing)}没有录像` : held
}

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
    <FormDrawer
      {...p}
      form={form}
      title={`留存录像：${sn}`}
      done={(held) => ({ text: heldWords(held) })}
      narrow
    >
      <p className="quiet lead">
        {full(stretch.from)} – {full(stretch.to).slice(11)}
      </p>
      <DayField of={form} name="until" from={today} hint="到这一天为止，到了保留天数也不删除。" />
      <ReasonField of={form} name="reason" example="业主投诉，等处理完" />
    </FormDrawer>
  )
}
