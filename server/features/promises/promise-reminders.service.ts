import { promiseState } from '@zhuguan/contract/features/promises/promises.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import { float8, row, text, uuid } from '../../kit/row.ts'
import { dayBegins, TODAY } from '../../kit/statement.ts'
import type { Reminder, ReminderSource } from '../notifications/reminders.service.ts'
import { whoseIt, whoseTurn } from '../notifications/turns.service.ts'
import { OPEN } from './open-promises.reads.ts'
import { namedIn, noticeOf, whatOf } from './promises.ledger.ts'

const { extended, open } = promiseState.code

/** The hour from which on people are reminded, and for how many days one that was missed is still told. */
const MORNING = 8
const PAST = 3

/** On the morning of its day, and once on the morning after; put off, it has days of its own. */
export const promiseReminders: ReminderSource = {
  kind: 'promise',
  many: (n) => ({
    title: `${n} 条承诺今天到期或已到期，请兑现或督促`,
    link: linkTo('PromiseList', { state: [open, extended] }),
  }),
  async due(tx, tenant) {
    const { rows } = await tx.query(
      'promises.remind',
      row({
        id: uuid,
        bc_id: uuid,
        site_id: uuid,
        siteName: text,
        content: text,
        due: text,
        responsible_id: uuid.null,
        step: text,
        days: float8,
      }),
      `SELECT p.id, p.bc_id, p.site_id, w.ws_name AS "siteName", p.content, p.due::text AS due, p.responsible_id,
         x.step, x.days
       FROM promises p
       JOIN sites w ON w.tenant_id = $1 AND w.id = p.site_id
       CROSS JOIN LATERAL (SELECT (${TODAY} - p.due)::float8 AS days,
         CASE WHEN p.due = ${TODAY} THEN 'today:' ELSE 'late:' END || p.due::text AS step) x
       WHERE p.tenant_id = $1 AND ${OPEN} AND p.due BETWEEN ${TODAY} - ${PAST} AND ${TODAY}
         AND :now >= ${dayBegins(TODAY)} + interval '${MORNING} hours'
         AND NOT EXISTS (
           SELECT 1 FROM reminders m
           WHERE m.tenant_id = $1 AND m.cause_kind = 'promise' AND m.cause_id = p.id::text AND m.step = x.step)
       ORDER BY p.due, p.id
       LIMIT 500
       FOR UPDATE OF p SKIP LOCKED`,
      [tenant],
    )
    const reminders: Reminder[] = []
    for (const p of rows) {
      const { link, place } = noticeOf(p)
      const change = p.days > 0 ? 'late' : 'today'
      const named = namedIn(p.responsible_id)
      const people = await whoseTurn(tx, 'promise', change, { tenant, place, link, named })
      reminders.push({
        id: p.id,
        step: p.step,
        user: [...people.keys()],
        title: `${whatOf(p)}${p.days > 0 ? `已于 ${p.due} 到期，还没有兑现` : '今天到期'}`,
        link,
        site: p.site_id,
        whose: whoseIt('promise', change, named),
      })
    }
    return reminders
  },
}
