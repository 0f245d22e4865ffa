import { type AlarmTodo, alarmTodo } from '@zhuguan/contract/features/alarms/alarms.record.ts'

import { reachOf } from '../../kit/reach.ts'
import type { SessionUser } from '../../kit/serve.ts'
import type { Scope } from '../../kit/tx.ts'

/** Past its time and not closed; on the table alias `a`. */
export const OVERDUE = '(a.correction_status IN (1, 2) AND a.due_at < :now)'

/**
 * What waits for the person of `p`, on the table alias `a`: handed to them and not yet submitted, or submitted by
 * somebody else (docs/states.md). Rows of `todoScope` only.
 */
export const waitsFor = (todo: AlarmTodo, p: string): string =>
  todo === alarmTodo.code.correct
    ? `(a.correction_status = 2 AND a.assignee_id = ${p}::uuid AND a.step IN ('assigned', 'doing'))`
    : `(a.correction_status = 2 AND a.step = 'submitted' AND a.corrector_id <> ${p}::uuid)`

/** What is to be verified waits where its person may verify; the rest on all of the list. */
export const todoScope = (user: SessionUser, list: Scope, todo: AlarmTodo | undefined): Scope =>
  todo === alarmTodo.code.verify ? (reachOf(user, 'alarm:review') ?? { ...list, bcs: [], sites: [] }) : list
