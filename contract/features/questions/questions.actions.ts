import { defineActions } from '../../kit/actions.ts'
import { type QuestionRow, questionState } from './questions.record.ts'

const { answered, open, withdrawn } = questionState.code
export type QuestionStanding = Pick<QuestionRow, 'state' | 'askedAnew'>

/** docs/states.md; an owner answers by the link, without an account. */
export const questionActions = defineActions<QuestionStanding>()('state', questionState, {
  record: { label: '代录答复', from: [open], to: answered, permission: 'question:ask', asks: true },
  withdraw: { label: '撤回', from: [open], to: withdrawn, permission: 'question:ask', reason: true },
  again: {
    label: '重新询问',
    from: [answered, withdrawn],
    to: { [answered]: answered, [withdrawn]: withdrawn },
    permission: 'question:ask',
    asks: true,
    absent: ({ askedAnew }) => (askedAnew ? '这个问题已经重新询问过' : undefined),
  },
})
export type QuestionAction = (typeof questionActions.names)[number]
