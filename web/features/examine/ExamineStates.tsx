import { type ExamineRow, examineState } from '@zhuguan/contract/features/examine/examine.record.ts'

import { State, type Tone } from '../../kit/State.tsx'
import { full, lasting, nowSeconds } from '../../kit/time.ts'

const { approved, rejected } = examineState.code
const TONE: Record<number, Tone> = { [approved]: 'ok', [rejected]: 'bad' }

export const StateOf = ({ of }: { of: Pick<ExamineRow, 'examineState'> }) => (
  <State tone={TONE[of.examineState] ?? 'wait'}>{examineState.label(of.examineState)}</State>
)
/** How long it has waited, or did; late in words as well. */
export function WaitOf({ of }: { of: Pick<ExamineRow, 'submittedAt' | 'judgedAt' | 'dueAt'> }) {
  const waited = lasting((of.judgedAt ?? nowSeconds()) - of.submittedAt)
  const isLate = of.judgedAt === null && of.dueAt < nowSeconds()
  return (
    <span className={isLate ? 'examine-late' : undefined} title={`应在 ${full(of.dueAt)} 前审核`}>
      {waited}
      {isLate && '，已超时'}
    </span>
  )
}
