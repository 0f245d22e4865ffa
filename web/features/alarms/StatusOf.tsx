import {
  type AlarmRow,
  alarmType,
  correctionStatus,
  correctionStep,
} from '@zhuguan/contract/features/alarms/alarms.record.ts'
import type { ReactNode } from 'react'

import { NOTHING } from '../../kit/list/columnsOf.tsx'
import { State, type Tone } from '../../kit/State.tsx'
import { full, lasting, nowSeconds, short } from '../../kit/time.ts'

const { open, correcting } = correctionStatus.code
/** Its type, and how often it was seen. */
export const nameOf = (a: Pick<AlarmRow, 'type' | 'seen'>): string =>
  alarmType.label(a.type) + (a.seen > 1 ? ` ×${a.seen}` : '')
const overdue = (a: AlarmRow) => a.dueAt !== null && a.closedAt === null && a.dueAt < nowSeconds()
const TONE: Record<number, Tone> = { 1: 'bad', 2: 'wait', 3: 'ok', 4: 'grey' }
export const StatusOf = ({ alarm }: { alarm: AlarmRow }) => (
  <State tone={overdue(alarm) ? 'bad' : (TONE[alarm.correctionStatus] ?? 'grey')}>
    {correctionStatus.label(alarm.correctionStatus) +
      (alarm.correctionStatus === correcting && alarm.step ? ` · ${correctionStep.label(alarm.step)}` : '') +
      (alarm.disputed ? ' · 申诉中' : '') +
      (overdue(alarm) ? ' · 超期' : '')}
  </State>
)

/** What the clock that runs asks for. */
function askedFor(a: AlarmRow): string {
  if (a.correctionStatus === open) return '指派'
  return a.step === correctionStep.code.submitted ? '复核' : '整改'
}
/** Until when something has to be done with it, and what; nothing where nothing has to be. */
export function dueOf(alarm: AlarmRow, long = false): ReactNode {
  if (alarm.dueAt === null || alarm.closedAt !== null) return NOTHING
  const apart = alarm.dueAt - nowSeconds()
  const left = apart < 0 ? `超 ${lasting(-apart)}` : `剩 ${lasting(apart)}`
  return (
    <span
      className={overdue(alarm) ? 'late' : undefined}
      title={`${full(alarm.dueAt)} 前应${askedFor(alarm)}，${left}`}
    >
      {short(alarm.dueAt)} 应{askedFor(alarm)}
      {long && `，${left}`}
    </span>
  )
}
