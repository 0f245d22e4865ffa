import { caseState } from '@zhuguan/contract/features/cases/cases.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import { row, text, uuid } from '../../kit/row.ts'
import { dayBegins, TODAY } from '../../kit/statement.ts'
import type { Reminder, ReminderSource } from '../notifications/reminders.service.ts'
import { whoseIt, whoseTurn } from '../notifications/turns.service.ts'
import { noticeOf } from './cases.ledger.ts'

const { consented, published } = caseState.code
const MORNING = 8
const DAYS = 30

/** Thirty days before it is over, once: the home is asked anew in time, and nothing is taken for granted. */
export const caseReminders: ReminderSource = {
  kind: 'case',
  many: (n) => ({
    title: `${n} 个案例的业主授权 ${DAYS} 天内到期，要继续公开请重新征求`,
    link: linkTo('CaseList', { state: [consented, published], sort: 'until' }),
  }),
  async due(tx, tenant) {
    const { rows } = await tx.query(
      'cases.remind',
      row({
        id: uuid,
        bc_id: uuid,
        site_id: uuid,
        title: text,
        until: text,
        steward_id: uuid.null,
        step: text,
      }),
      `SELECT k.id, k.bc_id, k.site_id, k.title, k.until::text AS until, w.steward_id, x.step
       FROM cases k
       JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
       CROSS JOIN LATERAL (SELECT 'soon:' || k.until::text AS step) x
       WHERE k.tenant_id = $1 AND k.state IN ('${consented}', '${published}')
         AND k.until BETWEEN ${TODAY} AND ${TODAY} + ${DAYS}
         AND :now >= ${dayBegins(TODAY)} + interval '${MORNING} hours'
         AND NOT EXISTS (
           SELECT 1 FROM reminders m
           WHERE m.tenant_id = $1 AND m.cause_kind = 'case' AND m.cause_id = k.id::text AND m.step = x.step)
       ORDER BY k.until, k.id
       LIMIT 200
       FOR UPDATE OF k SKIP LOCKED`,
      [tenant],
    )
    const reminders: Reminder[] = []
    for (const k of rows) {
      const { link, place } = noticeOf(k)
      const named = { steward: k.steward_id }
      const people = await whoseTurn(tx, 'case', 'soon', { tenant, place, link, named })
      reminders.push({
        id: k.id,
        step: k.step,
        user: [...people.keys()],
        title: `案例“${k.title}”的业主授权 ${k.until} 到期，要继续公开请重新征求`,
        link,
        site: k.site_id,
        whose: whoseIt('case', 'soon', named),
      })
    }
    return reminders
  },
}
