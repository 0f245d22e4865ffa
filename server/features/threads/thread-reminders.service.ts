import { bool, int4, row, text, uuid } from '../../kit/row.ts'
import type { Reminder, ReminderSource } from '../notifications/reminders.service.ts'
import { whoseTurn } from '../notifications/turns.service.ts'
import { holdersOf } from '../users/role-holders.reads.ts'
import { namedIn, noticeOf } from './speaking.service.ts'

/** The keeper of the home when the answer is due; its manager and the service after as much time again. Each once. */
export const threadReminders: ReminderSource = {
  kind: 'thread',
  async due(tx, tenant) {
    const { rows } = await tx.query(
      'threads.remind',
      row({
        id: uuid,
        bc_id: uuid,
        siteName: text,
        manager_id: uuid.null,
        steward_id: uuid.null,
        from: int4.null,
        late: bool,
        step: text,
      }),
      `SELECT t.site_id AS id, t.bc_id, w.ws_name AS "siteName", w.manager_id, w.steward_id, t.waiting_from AS from,
         x.late, x.step
       FROM threads t
       JOIN sites w ON w.tenant_id = $1 AND w.id = t.site_id
       CROSS JOIN LATERAL (VALUES
         ('due:' || t.waiting_from, false, t.due_at),
         ('late:' || t.waiting_from, true, t.late_at)) x(step, late, at)
       WHERE t.tenant_id = $1 AND t.due_at <= :now AND x.at <= :now
         AND NOT EXISTS (
           SELECT FROM reminders m
           WHERE m.tenant_id = $1 AND m.cause_kind = 'thread' AND m.cause_id = t.site_id::text AND m.step = x.step)
       ORDER BY x.at, t.site_id
       LIMIT 500
       FOR UPDATE OF t SKIP LOCKED`,
      [tenant],
    )
    const reminders: Reminder[] = []
    for (const t of rows) {
      const { link, place } = noticeOf(t)
      const service = t.late
        ? await holdersOf(tx, {
            tenant,
            site: t.id,
            role: 'service',
            right: 'thread:reply',
            except: [t.steward_id],
          })
        : []
      const named = { ...namedIn(t), service: service.map((p) => p.id) }
      const people = await whoseTurn(tx, 'thread', t.late ? 'late' : 'due', { tenant, place, link, named })
      reminders.push({
        id: t.id,
        step: t.step,
        user: [...people.keys()],
        title: `${t.siteName} 的业主留言${t.late ? '超过期限很久还没有人回复，请督促' : '到期限还没有回复，请回复'}`,
        link,
        site: t.id,
      })
    }
    return reminders
  },
}
