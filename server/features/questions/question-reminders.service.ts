import { float8, row, text, uuid } from '../../kit/row.ts'
import { dayBegins, TODAY } from '../../kit/statement.ts'
import type { Reminder, ReminderSource } from '../notifications/reminders.service.ts'
import { whoseTurn } from '../notifications/turns.service.ts'
import { noticeOf, whatOf } from './question-telling.ts'
import { OPEN } from './undecided.reads.ts'

/** The hour from which on people are reminded, and for how many days one that was missed is still told. */
const MORNING = 8
const PAST = 3

/** On the morning before its day, unless it was asked since, and once when its day is over. */
export const questionReminders: ReminderSource = {
  kind: 'question',
  async due(tx, tenant) {
    const { rows } = await tx.query(
      'questions.remind',
      row({
        id: uuid,
        bc_id: uuid,
        site_id: uuid,
        siteName: text,
        words: text,
        neededBy: text,
        asker_id: uuid,
        steward_id: uuid.null,
        step: text,
        days: float8,
      }),
      `SELECT q.id, q.bc_id, q.site_id, w.ws_name AS "siteName", q.words, q.needed_by::text AS "neededBy", q.asker_id,
         w.steward_id, x.step, x.days
       FROM questions q
       JOIN sites w ON w.tenant_id = $1 AND w.id = q.site_id
       CROSS JOIN LATERAL (SELECT (${TODAY} - q.needed_by)::float8 AS days,
         CASE WHEN q.needed_by > ${TODAY} THEN 'soon' ELSE 'late' END AS step) x
       WHERE q.tenant_id = $1 AND ${OPEN} AND :now >= ${dayBegins(TODAY)} + interval '${MORNING} hours'
         AND (q.needed_by = ${TODAY} + 1 AND q.asked_at < ${dayBegins(TODAY)}
           OR q.needed_by BETWEEN ${TODAY} - ${PAST} AND ${TODAY} - 1)
         AND NOT EXISTS (
           SELECT 1 FROM reminders m
           WHERE m.tenant_id = $1 AND m.cause_kind = 'question' AND m.cause_id = q.id::text AND m.step = x.step)
       ORDER BY q.needed_by, q.id
       LIMIT 500
       FOR UPDATE OF q SKIP LOCKED`,
      [tenant],
    )
    const reminders: Reminder[] = []
    for (const q of rows) {
      const { link, named, place } = noticeOf(q)
      const people = await whoseTurn(tx, 'question', q.days > 0 ? 'late' : 'soon', {
        tenant,
        place,
        link,
        named,
      })
      reminders.push({
        id: q.id,
        step: q.step,
        user: [...people.keys()],
        title:
          q.days > 0
            ? `${whatOf(q)}已过 ${q.neededBy}，业主还没有答复，请催一下`
            : `${whatOf(q)}明天是最后一天，业主还没有答复`,
        link,
        site: q.site_id,
      })
    }
    return reminders
  },
}
