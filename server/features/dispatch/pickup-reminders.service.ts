import { dispatchState } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import { deliveryMethod } from '@zhuguan/contract/features/orders/orders.record.ts'

import type { Tx } from '../../database/connect.ts'
import { bool, row, text, uuid } from '../../kit/row.ts'
import { TODAY } from '../../kit/statement.ts'
import type { Reminder, ReminderSource } from '../notifications/reminders.service.ts'
import { whoseTurn } from '../notifications/turns.service.ts'
import { noticeOf } from './dispatch.service.ts'

/** So many days before the last one the site is told; so many after it nothing is told any more. */
const BEFORE = 1
const PAST = 14

/** Goods that wait in a store: before their last day the site hears, after it both parties; nothing happens by time. */
export const pickupReminders: ReminderSource = {
  kind: 'dispatch',
  async due(tx: Tx, tenant: string): Promise<Reminder[]> {
    const { rows } = await tx.query(
      'dispatch.remindpickup',
      row({
        id: uuid,
        code: text,
        store: text,
        until: text,
        over: bool,
        bc_id: uuid,
        site_id: uuid,
        receiver_id: uuid,
        made_by: uuid,
        manager_id: uuid.null,
      }),
      `SELECT d.id, d.code, d.pickup_store AS store, d.pickup_until::text AS until, d.pickup_until < ${TODAY} AS over,
         d.bc_id, d.site_id, d.receiver_id, o.made_by, w.manager_id
       FROM dispatches d
       JOIN orders o ON o.tenant_id = $1 AND o.id = d.order_id
       JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id
       WHERE d.tenant_id = $1 AND d.state = ${dispatchState.code.shipped} AND d.method = ${deliveryMethod.code.pickup}
         AND d.pickup_until BETWEEN ${TODAY} - ${PAST} AND ${TODAY} + ${BEFORE}
         AND NOT EXISTS (
           SELECT 1
           FROM reminders m
           WHERE m.tenant_id = $1 AND m.cause_kind = 'dispatch' AND m.cause_id = d.id::text
             AND m.step = CASE WHEN d.pickup_until < ${TODAY} THEN 'pickupOver' ELSE 'pickupSoon' END)
       ORDER BY d.id
       LIMIT 500
       FOR UPDATE OF d SKIP LOCKED`,
      [tenant],
    )
    const reminders: Reminder[] = []
    for (const n of rows) {
      const about = { ...noticeOf(n), tenant, named: { author: n.made_by, manager: n.manager_id } }
      const place = n.store || '门店'
      reminders.push({
        id: n.id,
        step: n.over ? 'pickupOver' : 'pickupSoon',
        user: [...(await whoseTurn(tx, 'dispatch', n.over ? 'pickupOver' : 'pickupSoon', about)).keys()],
        title: n.over
          ? `自提单 ${n.code} 过了最晚自提日 ${n.until}，还没有来取：请联系取货，或按“逾期未取”整单退回`
          : `自提单 ${n.code} 最晚 ${n.until} 到${place}自提，还没有取`,
        link: about.link,
      })
    }
    return reminders
  },
}
