import { examineKind, examineState } from '@zhuguan/contract/features/examine/examine.record.ts'

import type { Tx } from '../../database/connect.ts'
import { float8, row, text, uuid } from '../../kit/row.ts'
import { epoch } from '../../kit/statement.ts'
import type { ReminderSource } from '../notifications/reminders.service.ts'
import { whoseTurn } from '../notifications/turns.service.ts'
import { nameOf, noticeOf } from './examine.service.ts'

const { waiting } = examineState.code
/** Hours after its time until who supervises hears of it, and how long ago it may be to be told at all. */
const LATE = 24
const PAST = 24 * 14

/** Requests whose time is over, each with the reminder that has not been told; nothing is ever approved by time. */
async function overdue(tx: Tx, tenant: string) {
  const { rows } = await tx.query(
    'examine.remind',
    row({
      id: uuid,
      kind: text.of(examineKind),
      number: text,
      bc_id: uuid,
      store_id: uuid.null,
      submitted_by: uuid,
      dueAt: float8,
      step: text,
    }),
    `SELECT x.id, x.kind, x.number, x.bc_id, x.store_id, x.submitted_by, ${epoch('x.due_at')} AS "dueAt", s.step
     FROM examine_requests x
     CROSS JOIN LATERAL (SELECT CASE
       WHEN x.due_at > :now - interval '${LATE} hours' THEN 'due' ELSE 'late' END AS step) s
     WHERE x.tenant_id = $1 AND x.state = ${waiting} AND x.withdrawn_at IS NULL
       AND x.due_at BETWEEN :now - interval '${PAST} hours' AND :now
       AND NOT EXISTS (
         SELECT 1
         FROM reminders m
         WHERE m.tenant_id = $1 AND m.cause_kind = 'examine' AND m.cause_id = x.id::text AND m.step = s.step)
     ORDER BY x.id
     LIMIT 500
     FOR UPDATE OF x SKIP LOCKED`,
    [tenant],
  )
  return rows
}

/** At its time who may judge it hears; a day later who supervises too. */
export const examineReminders: ReminderSource = {
  kind: 'examine',
  async due(tx, tenant) {
    const rows = await overdue(tx, tenant)
    const reminders = []
    for (const r of rows) {
      const isLate = r.step === 'late'
      const about = { ...noticeOf(r), tenant, named: { submitter: r.submitted_by } }
      reminders.push({
        id: r.id,
        step: r.step,
        user: [...(await whoseTurn(tx, 'examine', isLate ? 'late' : 'due', about)).keys()],
        title: isLate ? `${nameOf(r)} 超过审核期限已满一天，仍未审核` : `${nameOf(r)} 已到审核期限，请审核`,
        link: about.link,
      })
    }
    return reminders
  },
}
