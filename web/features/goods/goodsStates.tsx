import { examineState } from '@zhuguan/contract/features/examine/examine.record.ts'
import { type GoodsChangeRow, goodsChangeState } from '@zhuguan/contract/features/goods/goods.record.ts'
import { checkState } from '@zhuguan/contract/features/pieces/pieces.record.ts'

import { State, type Tone } from '../../kit/State.tsx'
import { nowSeconds, short } from '../../kit/time.ts'

const CHECK: Record<number, Tone> = { [checkState.code.all]: 'ok' }
export const CheckOf = ({ state }: { state: number }) => (
  <State tone={CHECK[state] ?? 'wait'}>{checkState.label(state)}</State>
)
const { closed, open, unsolved } = goodsChangeState.code
const CHANGE: Record<string, Tone> = { [open]: 'wait', [closed]: 'ok', [unsolved]: 'bad' }
export const ChangeState = ({ of: g }: { of: Pick<GoodsChangeRow, 'state' | 'toReduce'> }) => (
  <State tone={CHANGE[g.state] ?? 'grey'}>
    {g.state === open && g.toReduce ? '等减项' : goodsChangeState.label(g.state)}
  </State>
)
const EXAMINE: Record<number, Tone> = {
  [examineState.code.approved]: 'ok',
  [examineState.code.rejected]: 'bad',
}
export const ExamineOf = ({ of: g }: { of: Pick<GoodsChangeRow, 'examineState' | 'state'> }) => (
  <State tone={g.state === goodsChangeState.code.withdrawn ? 'grey' : (EXAMINE[g.examineState] ?? 'wait')}>
    {examineState.label(g.examineState)}
  </State>
)
/** The time that the merchant still has for an answer. */
export function DueOf({
  of: g,
}: {
  of: Pick<GoodsChangeRow, 'answer' | 'answerDue' | 'examineState' | 'state'>
}) {
  const waits = g.state === open && g.answer === '' && g.examineState === examineState.code.waiting
  if (!waits) return null
  const isLate = g.answerDue < nowSeconds()
  return (
    <span className={isLate ? 'late' : 'quiet'}>
      {isLate ? `答复已超时（${short(g.answerDue)} 截止）` : `请在 ${short(g.answerDue)} 前答复`}
    </span>
  )
}
