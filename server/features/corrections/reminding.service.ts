import { correctionTurn } from '@zhuguan/contract/features/corrections/corrections.record.ts'

import type { Tx } from '../../database/connect.ts'
import { personReaches } from '../../kit/person-reach.ts'
import { row, text, type RowOf, uuid, uuids } from '../../kit/row.ts'
import type { ReminderSource } from '../notifications/reminders.service.ts'
import { COLUMNS, JOINS } from './corrections.queries.ts'

const { correct } = correctionTurn.code
/** Hours before it is due, hours after it, and how long ago it may be to be told at all. */
const SOON = 2
const LATE = 24
const PAST = 48

const late = row({
  id: uuid,
  source: text,
  turn: text,
  problem: text,
  siteName: text,
  site_id: uuid,
  assignee_id: uuid.null,
  reminder: text,
  leaders: uuids,
  supervisors: uuids,
})
/** Steps of this clock that have not been told; a clock that begins anew has steps of its own. */
async function steps(tx: Tx, tenant: string, alarms: boolean) {
  const { rows } = await tx.query(
    'corrections.remind',
    late,
    `SELECT q.id, q.source, q.turn, q.problem, q."siteName", q.site_id, q.assignee_id, q.reminder,
       array_remove(ARRAY[w.manager_id, w.steward_id], NULL) AS leaders,
       ARRAY(
         SELECT u.id
         FROM users u
         WHERE u.tenant_id = $1 AND u.bc_id = q.bc_id AND q.reminder LIKE 'late:%' AND EXISTS (
           SELECT 1
           FROM user_roles ur
           JOIN roles r ON r.tenant_id = $1 AND r.id = ur.role_id AND r.status = 1
           JOIN role_powers p ON p.tenant_id = $1 AND p.role_id = r.id AND p.label = $3
           WHERE ur.tenant_id = $1 AND ur.user_id = u.id AND ${personReaches('$1', 'u', 'r', 'w')})) AS supervisors
     FROM (
       SELECT ${COLUMNS}, x.reminder
       FROM corrections k
       ${JOINS}
       CROSS JOIN LATERAL (SELECT CASE
         WHEN k.due_at > :now THEN 'soon:'
         WHEN k.due_at > :now - interval '${LATE} hours' THEN 'due:'
         ELSE 'late:' END || floor(extract(epoch FROM k.due_at))::text AS reminder) x
       WHERE k.tenant_id = $1 AND k.correction_status IN (1, 2) AND (k.source = 'alarm') = $2
         AND k.due_at BETWEEN :now - interval '${PAST} hours' AND :now + interval '${SOON} hours'
         AND NOT EXISTS (
           SELECT 1
           FROM reminders m
           WHERE m.tenant_id = $1 AND m.cause_kind = CASE WHEN $2 THEN 'alarm' ELSE 'correction' END
             AND m.cause_id = k.id::text AND m.step = x.reminder)
       ORDER BY k.id
       LIMIT 500
       FOR UPDATE OF k SKIP LOCKED) q
     JOIN sites w ON w.tenant_id = $1 AND w.id = q.site_id`,
    [tenant, alarms, alarms ? 'alarm:supervise' : 'correction:supervise'],
  )
  return rows
}

/** Before it is due whoever corrects hears, at its time whoever's turn it is, a day later who supervises. */
function told(c: RowOf<typeof late>): { user: string[]; title: string } {
  const what = `${c.siteName} 的“${c.problem}”`
  const theirs = c.turn === correct && c.assignee_id ? [c.assignee_id] : c.leaders
  const todo = c.turn === correct ? '整改' : '处理'
  if (c.reminder.startsWith('soon:'))
    return { user: c.turn === correct ? theirs : [], title: `${what}快到截止时间，请${todo}` }
  if (c.reminder.startsWith('due:')) return { user: theirs, title: `${what}已超期，请${todo}` }
  return { user: [...theirs, ...c.supervisors], title: `${what}超期已满一天，仍未办结` }
}

const source = (kind: 'alarm' | 'correction', page: string): ReminderSource => ({
  kind,
  async due(tx, tenant) {
    const rows = await steps(tx, tenant, kind === 'alarm')
    return rows.map((c) => ({
      ...told(c),
      id: c.id,
      step: c.reminder,
      link: `${page}?id=${c.id}`,
      site: c.site_id,
    }))
  },
})
export const correctionReminders: readonly ReminderSource[] = [
  source('alarm', '/image/AlarmEvent'),
  source('correction', '/patrol/Correction'),
]
