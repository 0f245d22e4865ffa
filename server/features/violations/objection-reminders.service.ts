import { violationStatus, violationType } from '@zhuguan/contract/features/violations/violations.record.ts'

import { float8, row, text, uuid } from '../../kit/row.ts'
import type { Reminder, ReminderSource } from '../notifications/reminders.service.ts'
import { whoseTurn } from '../notifications/turns.service.ts'
import { noticeOf } from './violations.service.ts'

/** A reminder that was due longer ago than so many hours, while nobody could send it, is not told any more. */
const PAST = 24

/** From the end of its time on, every day until somebody decides; it is never decided by time. */
export const objectionReminders: ReminderSource = {
  kind: 'violation',
  async due(tx, tenant) {
    const { rows } = await tx.query(
      'violations.remind',
      row({
        id: uuid,
        bc_id: uuid,
        site_id: uuid,
        siteName: text,
        name: text,
        type: text.of(violationType),
        entered_id: uuid.null,
        handled_id: uuid.null,
        objected_id: uuid.null,
        step: text,
        days: float8,
      }),
      `SELECT v.id, v.bc_id, v.site_id, w.ws_name AS "siteName", k.w_name AS name, v.type, v.entered_id, v.handled_id,
         v.objected_id, x.step, d.days
       FROM violations v
       JOIN workers k ON k.tenant_id = $1 AND k.id = v.worker_id
       JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
       CROSS JOIN LATERAL (SELECT floor(extract(epoch FROM (:now - v.due_at)) / 86400)::float8 AS days) d
       CROSS JOIN LATERAL (
         SELECT 'late' || d.days::text || ':' || floor(extract(epoch FROM v.due_at))::text AS step) x
       WHERE v.tenant_id = $1 AND v.status = ${violationStatus.code.objected} AND v.due_at <= :now
         AND :now - v.due_at - d.days * interval '1 day' <= interval '${PAST} hours'
         AND NOT EXISTS (
           SELECT 1 FROM reminders m
           WHERE m.tenant_id = $1 AND m.cause_kind = 'violation' AND m.cause_id = v.id::text AND m.step = x.step)
       ORDER BY v.id
       LIMIT 500
       FOR UPDATE OF v SKIP LOCKED`,
      [tenant],
    )
    const reminders: Reminder[] = []
    for (const v of rows) {
      const { link, place } = noticeOf(v)
      const concerned = [v.objected_id, v.handled_id, v.entered_id]
      const people = await whoseTurn(tx, 'violation', 'late', { tenant, place, link, named: { concerned } })
      const past = v.days > 0 ? `超过裁定期限 ${v.days} 天` : '已到裁定期限'
      reminders.push({
        id: v.id,
        step: v.step,
        user: [...people.keys()],
        title: `${v.siteName} ${v.name}的违规（${violationType.label(v.type)}）申诉${past}，请裁定`,
        link,
        site: v.site_id,
      })
    }
    return reminders
  },
}
