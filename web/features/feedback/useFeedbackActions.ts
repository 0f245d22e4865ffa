import { feedbackActions } from '@zhuguan/contract/features/feedback/feedback.actions.ts'
import { feedbackApi } from '@zhuguan/contract/features/feedback/feedback.api.ts'
import type { FeedbackRow } from '@zhuguan/contract/features/feedback/feedback.record.ts'

import { actionsOf } from '../../kit/actionsOf.ts'
import { call } from '../../kit/api.ts'
import type { RowAction } from '../../kit/RowActions.tsx'
import { useActor } from '../../parts/session.ts'
import { nameOf } from './feedbackTable.tsx'

/** Commands that ask for more than a reason, each with a drawer. */
const ASKING = [
  'accept',
  'answer',
  'close',
  'correct',
  'transfer',
  'raise',
  'lower',
  'pause',
  'thank',
  'cancel',
  'score',
  'callback',
] as const
export interface Asking {
  kind: (typeof ASKING)[number]
  feedback: FeedbackRow
}

/** What this person may do to a feedback. */
export function useFeedbackActions(ask: (a: Asking) => void): (feedback: FeedbackRow) => RowAction[] {
  const actor = useActor()
  return (f) => {
    const one = { id: f.id, version: f.version }
    const open = (kind: Asking['kind']) => ({ open: () => ask({ kind, feedback: f }) })
    return actionsOf(feedbackActions, f, actor, {
      accept: open('accept'),
      answer: open('answer'),
      close: open('close'),
      correct: open('correct'),
      transfer: open('transfer'),
      raise: open('raise'),
      lower: open('lower'),
      pause: open('pause'),
      thank: open('thank'),
      cancel: open('cancel'),
      score: open('score'),
      callback: open('callback'),
      escalate: {
        confirm: `升级${nameOf(f)}：上一级会收到通知并跟进，责任人不变`,
        run: (reason) => call(feedbackApi.escalate, { body: { ...one, reason } }),
      },
      resume: {
        confirm: `恢复${nameOf(f)}的计时`,
        run: () => call(feedbackApi.resume, { body: one }),
      },
      reopen: {
        confirm: `替业主重新打开${nameOf(f)}：等级提高一级，重新计时，原来的满意度作废`,
        run: (reason) => call(feedbackApi.reopen, { body: { ...one, reason } }),
      },
      release: {
        confirm: `解除${nameOf(f)}的回避：它说到的管家从现在起看得到全部内容`,
        run: () => call(feedbackApi.release, { body: one }),
      },
    })
  }
}
