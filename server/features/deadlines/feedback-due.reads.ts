import { feedbackStatus } from '@zhuguan/contract/features/feedback/feedback.record.ts'

const { handling, open } = feedbackStatus.code

/** The end of the clock that is read now, of `f`: to be answered, then to be closed; a pause holds the second alone. */
export const FEEDBACK_DUE = `CASE f.status
  WHEN ${open} THEN f.answer_due_at
  WHEN ${handling} THEN least(
    CASE WHEN f.answered_at IS NULL THEN f.answer_due_at END,
    CASE WHEN f.paused_at IS NULL THEN f.close_due_at END) END`
