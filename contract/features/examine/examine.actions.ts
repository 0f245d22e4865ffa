import { defineActions } from '../../kit/actions.ts'
import type { Actor } from '../../kit/permits.ts'
import { type ExamineRow, examineState } from './examine.record.ts'

const { approved, rejected, waiting } = examineState.code
type State = Pick<ExamineRow, 'examineState' | 'submitted_by'>

const unlessOwn = (r: State, actor: Actor): string | undefined =>
  r.submitted_by === actor.id ? '自己提交的不能自己审核，请由他人审核' : undefined

/** docs/states.md */
export const examineActions = defineActions<State>()('examineState', examineState, {
  pass: { label: '通过', from: [waiting], to: approved, permission: 'examine:judge', unless: unlessOwn },
  reject: {
    label: '驳回',
    from: [waiting],
    to: rejected,
    permission: 'examine:judge',
    reason: true,
    unless: unlessOwn,
  },
})
export type ExamineAction = (typeof examineActions.names)[number]
