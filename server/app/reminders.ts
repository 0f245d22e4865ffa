import { caseReminders } from '../features/cases/case-reminders.service.ts'
import { correctionReminders } from '../features/corrections/reminding.service.ts'
import { customerReminders } from '../features/customers/customers-back.service.ts'
import { retrievalReminders } from '../features/devices/retrievals.service.ts'
import { pickupReminders } from '../features/dispatch/pickup-reminders.service.ts'
import { examineReminders } from '../features/examine/examine-reminders.service.ts'
import { feedbackReminders } from '../features/feedback/ladder.service.ts'
import { answerReminders } from '../features/goods/answer-reminders.service.ts'
import type { ReminderSource } from '../features/notifications/reminders.service.ts'
import { orderReminders } from '../features/orders/order-reminders.service.ts'
import { promiseReminders } from '../features/promises/promise-reminders.service.ts'
import { questionReminders } from '../features/questions/question-reminders.service.ts'
import { threadReminders } from '../features/threads/thread-reminders.service.ts'
import { objectionReminders } from '../features/violations/objection-reminders.service.ts'
import { warningReminders } from '../features/warnings/warning-reminders.service.ts'

/** The person who reminds of what still waits, one line a feature. */
export const REMINDERS: readonly ReminderSource[] = [
  ...correctionReminders,
  ...customerReminders,
  retrievalReminders,
  examineReminders,
  orderReminders,
  pickupReminders,
  answerReminders,
  objectionReminders,
  promiseReminders,
  caseReminders,
  warningReminders,
  questionReminders,
  feedbackReminders,
  threadReminders,
]
