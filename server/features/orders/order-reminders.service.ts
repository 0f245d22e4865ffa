import { receiveState } from '@zhuguan/contract/features/orders/orders.record.ts'

import { row, text, uuid } from '../../kit/row.ts'
import type { ReminderSource } from '../notifications/reminders.service.ts'
import { whoseIt, whoseTurn } from '../notifications/turns.service.ts'
import { noticeOf } from './orders.service.ts'

/** How many days ago it may have been due to be told at all. */
const PAST = 14

/** At the end of the answer time the receiver and who placed it hear; no order is accepted by time. */
export const orderReminders: ReminderSource = {
  kind: 'order',
  async due(tx, tenant) {
    const { rows } = await tx.query(
      'orders.remind',
      row({
        id: uuid,
        code: text,
        bc_id: uuid,
        place_id: uuid,
        receiver_id: uuid,
        receiver: text,
        made_by: uuid,
      }),
      `SELECT o.id, o.code, o.bc_id, o.site_id AS place_id, o.receiver_id, o.receiver_name AS receiver, o.made_by
       FROM orders o
       WHERE o.tenant_id = $1 AND o.receive_state = ${receiveState.code.waiting} AND o.ended = ''
         AND o.due_at BETWEEN :now - interval '${PAST} days' AND :now
         AND NOT EXISTS (
           SELECT 1
           FROM reminders m
           WHERE m.tenant_id = $1 AND m.cause_kind = 'order' AND m.cause_id = o.id::text AND m.step = 'due')
       ORDER BY o.id
       LIMIT 500
       FOR UPDATE OF o SKIP LOCKED`,
      [tenant],
    )
    const reminders = []
    for (const o of rows) {
      const about = { ...noticeOf(o), tenant, named: { author: o.made_by } }
      reminders.push({
        id: o.id,
        step: 'due',
        user: [...(await whoseTurn(tx, 'order', 'late', about)).keys()],
        title: `订单 ${o.code} 超过接单期限，${o.receiver} 还没有答复`,
        link: about.link,
        whose: whoseIt('order', 'late', about.named),
      })
    }
    return reminders
  },
}
