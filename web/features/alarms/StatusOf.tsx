import {
  type AlarmRow,
  correctionStatus,
  correctionStep,
} from '@zhuguan/contract/features/alarms/alarms.record.ts'

import { State, type Tone } from '../../kit/State.tsx'
import { nowSeconds } from '../../kit/time.ts'

const overdue = (a: AlarmRow) => a.dueAt !== null && a.closedAt === null && a.dueAt < nowSeconds()
const TONE: Record<number, Tone> = { 1: 'bad', 2: 'wait', 3: 'ok', 4: 'grey' }
export const StatusOf = ({ alarm }: { alarm: AlarmRow }) => (
  <State tone={overdue(alarm) ? 'bad' : (TONE[alarm.correctionStatus] ?? 'grey')}>
    {correctionStatus.label(alarm.correctionStatus) +
      (alarm.correctionStatus === 2 && alarm.step ? ` · ${correctionStep.label(alarm.step)}` : '') +
      (overdue(alarm) ? ' · 超期' : '')}
  </State>
)
