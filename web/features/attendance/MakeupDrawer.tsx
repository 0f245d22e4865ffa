import { attendanceApi } from '@zhuguan/contract/features/attendance/attendance.api.ts'
import { NIGHT_ENDS } from '@zhuguan/contract/features/attendance/attendance.record.ts'

import { call } from '../../kit/api.ts'
import { DayField, TimeField } from '../../kit/form/DayField.tsx'
import { ReasonField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { message } from '../../kit/notices.ts'
import { dayOf, nowSeconds } from '../../kit/time.ts'
import { SiteField, WorkerField } from '../../parts/pickFields.tsx'

interface Named {
  id: string
  name: string
}
/** The values that are known when the drawer opens; from a row, everything but the time. */
export interface Missed {
  worker: Named | null
  site: Named | null
  day: string | null
}

/** Comes when it is first opened. */
export default function MakeupDrawer({ missed, ...p }: DrawerProps & { missed: Missed }) {
  const today = dayOf(nowSeconds())
  const form = useForm(attendanceApi.makeup, {
    worker_id: missed.worker?.id,
    site_id: missed.site?.id,
    day: missed.day ?? today,
    in: '',
    out: '',
    reason: '',
  })
  async function undo(ids: readonly string[]) {
    try {
      for (const id of ids) await call(attendanceApi.withdraw, { body: { id, reason: '补错了，当场撤销' } })
    } catch (error) {
      message.error((error as Error).message)
    }
    p.onDone()
  }
  return (
    <FormDrawer
      {...p}
      form={form}
      title={missed.worker ? `补卡：${missed.worker.name}` : '补卡'}
      done={({ ids }) => ({ text: '已补卡', action: { label: '撤销', run: () => void undo(ids) } })}
    >
      {missed.worker ? (
        <p className="quiet lead">
          {missed.site?.name} · {form.values.day}
        </p>
      ) : (
        <>
          <WorkerField of={form} name="worker_id" />
          <SiteField of={form} name="site_id" />
          <DayField of={form} name="day" to={today} />
        </>
      )}
      <div className="pair">
        <TimeField of={form} name="in" />
        <TimeField of={form} name="out" hint={`至少填一个；夜班离场早于进场的算次日，最晚 ${NIGHT_ENDS}`} />
      </div>
      <ReasonField
        of={form}
        name="reason"
        example="考勤机断电"
        hint="补卡会标明来源、原因和经手人；原始打卡不会改动，补错了可以撤回。"
      />
    </FormDrawer>
  )
}
