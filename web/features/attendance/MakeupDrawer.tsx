import { attendanceApi } from '@zhuguan/contract/features/attendance/attendance.api.ts'
import { Input } from 'antd'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { AskDrawer, Field } from '../../kit/AskDrawer.tsx'
import { dayOf, nowSeconds } from '../../kit/time.ts'
import { SitePicker } from '../../parts/pickers.tsx'
import { WorkerPicker } from '../../parts/WorkerPicker.tsx'

interface Named {
  id: string
  name: string
}
/** What is known when the drawer opens; from a row, everything but the time. */
export interface Missed {
  worker: Named | null
  site: Named | null
  day: string | null
}

/** Comes when it is first opened. */
export default function MakeupDrawer({
  missed,
  ...p
}: {
  missed: Missed
  onClose: () => void
  onDone: () => void
}) {
  const today = dayOf(nowSeconds())
  const [worker, setWorker] = useState(missed.worker?.id ?? null)
  const [site, setSite] = useState(missed.site?.id ?? null)
  const [day, setDay] = useState(missed.day ?? today)
  const [times, setTimes] = useState({ in: '', out: '' })
  const [reason, setReason] = useState('')
  const ready = !!worker && !!site && !!day && !!(times.in || times.out) && reason.trim().length >= 2
  return (
    <AskDrawer
      {...p}
      title={missed.worker ? `补卡：${missed.worker.name}` : '补卡'}
      done="已补卡"
      ready={ready}
      send={() =>
        call(attendanceApi.makeup, {
          body: { worker_id: worker!, site_id: site!, day, in: times.in, out: times.out, reason },
        })
      }
    >
      {(errors) => (
        <>
          {missed.worker ? (
            <p className="quiet lead">
              {missed.site?.name} · {day}
            </p>
          ) : (
            <>
              <Field label="工人" error={errors.worker_id}>
                <WorkerPicker value={worker} onChange={setWorker} />
              </Field>
              <Field label="工地" error={errors.site_id}>
                <SitePicker label="工地" value={site} onChange={setSite} />
              </Field>
            </>
          )}
          {(!missed.worker || errors.day) && (
            <Field label="日期" error={errors.day}>
              <Input type="date" max={today} value={day} onChange={(e) => setDay(e.target.value)} />
            </Field>
          )}
          <Field label="进场时间" error={errors.in}>
            <Input
              type="time"
              value={times.in}
              onChange={(e) => setTimes({ ...times, in: e.target.value })}
            />
          </Field>
          <Field label="离场时间" error={errors.out}>
            <Input
              type="time"
              value={times.out}
              onChange={(e) => setTimes({ ...times, out: e.target.value })}
            />
          </Field>
          <Field label="原因" error={errors.reason}>
            <Input.TextArea
              rows={3}
              maxLength={200}
              showCount
              value={reason}
              placeholder="至少 2 个字，例如：考勤机断电"
              onChange={(e) => setReason(e.target.value)}
            />
          </Field>
          <p className="quiet">补卡会标明来源、原因和经手人；原始打卡不会改动，补错了可以撤回。</p>
        </>
      )}
    </AskDrawer>
  )
}
