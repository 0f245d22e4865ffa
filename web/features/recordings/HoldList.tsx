import { recordingsApi } from '@zhuguan/contract/features/recordings/recordings.api.ts'
import { holdFor, type RecordingDay } from '@zhuguan/contract/features/recordings/recordings.record.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { message } from '../../kit/notices.ts'
import { dayOf, full } from '../../kit/time.ts'
import { Granted } from '../../parts/granted.tsx'

const AskDialog = lazyPart(() => import('../../kit/AskDialog.tsx'))
type Hold = RecordingDay['holds'][number]
const clock = (second: number) => full(second).slice(11)

/** The part of the day that is held beyond its days, with who holds it and why. */
export function HoldList({
  day,
  onSeek,
  onReleased,
}: {
  day: RecordingDay
  onSeek: (second: number) => unknown
  onReleased: () => void
}) {
  const [asked, setAsked] = useState<Hold | null>(null)
  const [busy, setBusy] = useState(false)
  async function release(hold: Hold, reason: string) {
    setBusy(true)
    try {
      await call(recordingsApi.release, { body: { id: hold.id, reason } })
      message.success('已解除留存')
      setAsked(null)
      onReleased()
    } catch (error) {
      message.error((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  if (day.holds.length === 0) return null
  return (
    <ul className="video-holds" aria-label="留存">
      {day.holds.map((h) => (
        <li key={h.id}>
          <i className="day-key kept" />
          <button onClick={() => void onSeek(Math.max(h.from, day.from))}>
            {clock(h.from)}–{clock(h.to)}
          </button>
          <span>
            {holdFor.label(h.for)} · 留存到 {dayOf(h.until - 1)} · {h.by}：{h.reason}
          </span>
          <Granted needs="recording:hold">
            <button onClick={() => setAsked(h)}>解除留存</button>
          </Granted>
        </li>
      ))}
      {asked && (
        <AskDialog
          action={{
            key: 'release',
            label: '解除留存',
            reason: true,
            confirm: `解除 ${clock(asked.from)}–${clock(asked.to)} 的留存：过了保留天数的录像当晚就会删除。请写明原因`,
          }}
          busy={busy}
          onCancel={() => setAsked(null)}
          onOk={(reason) => void release(asked, reason)}
        />
      )}
    </ul>
  )
}
