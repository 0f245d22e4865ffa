import type { Tx } from '../../database/connect.ts'
import { row, text, uuid } from '../../kit/row.ts'
import type { Reminder, ReminderSource } from '../notifications/reminders.service.ts'
import { whoseIt, whoseTurn } from '../notifications/turns.service.ts'
import { noticeOf } from './changing.service.ts'
import { UNANSWERED } from './goods.reads.ts'

/** How many days ago it may have been due to be told at all. */
const PAST = 14

/** At the end of the time for an answer both sides hear of it; it is judged without one then, never by itself. */
export const answerReminders: ReminderSource = {
  kind: 'goods',
  async due(tx: Tx, tenant: string): Promise<Reminder[]> {
    const { rows } = await tx.query(
      'goods.remind',
      row({
        id: uuid,
        code: text,
        bc_id: uuid,
        site_id: uuid,
        receiver_id: uuid,
        receiver: text,
        made_by: uuid,
      }),
      `SELECT g.id, g.code, o.bc_id, o.site_id, g.receiver_id, o.receiver_name AS receiver, g.made_by
       FROM goods_changes g
       JOIN orders o ON o.tenant_id = $1 AND o.id = g.order_id
       WHERE g.tenant_id = $1 AND ${UNANSWERED} AND g.answer_due > :now - interval '${PAST} days'
         AND NOT EXISTS (
           SELECT 1
           FROM reminders m
           WHERE m.tenant_id = $1 AND m.cause_kind = 'goods' AND m.cause_id = g.id::text AND m.step = 'due')
       ORDER BY g.id
       LIMIT 500
       FOR UPDATE OF g SKIP LOCKED`,
      [tenant],
    )
    const reminders: Reminder[] = []
    for (const g of rows) {
      const about = { ...noticeOf(g), tenant, named: { author: g.made_by } }
      reminders.push({
        id: g.id,
        step: 'due',
        user: [...(await whoseTurn(tx, 'goods', 'late', about)).keys()],
        title: `退换补 ${g.code} 超过答复期限，${g.receiver} 还没有答复；可以不等答复直接审核`,
        link: about.link,
        whose: whoseIt('goods', 'late', about.named),
      })
    }
    return reminders
  },
}
