import { customerHeld } from '@zhuguan/contract/features/customers/customers.record.ts'
import { quotationStatus } from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../../database/connect.ts'
import { float8, row, text, uuid } from '../../kit/row.ts'
import { epoch } from '../../kit/statement.ts'
import type { Reminder, ReminderSource } from '../notifications/reminders.service.ts'
import { passTurn, whoseIt, whoseTurn } from '../notifications/turns.service.ts'
import { settingSql } from '../settings/settings.reads.ts'
import { systemCall } from '../userlogs/system.service.ts'
import { noticeOf } from './customers.ledger.ts'
import { lockCustomer } from './customers.queries.ts'
import { cancelFollowUps } from './follow-ups.writes.ts'
import { NOTICE_DAYS } from './holding.queries.ts'
import { hold } from './holding.service.ts'

const { assigned, pool } = customerHeld.code
/** What is planned within so many days keeps a customer where it is. */
const PLANNED_DAYS = 14
/** Held by nothing: no deposit, no contract, no quotation that is examined, nothing planned soon. */
const LOOSE = `k.held = '${assigned}' AND k.step < 5
       AND NOT EXISTS (SELECT FROM quotations q
         WHERE q.tenant_id = $1 AND q.customer_id = k.id AND q.status = ${quotationStatus.code.waiting})
       AND NOT coalesce(k.next_at BETWEEN :now AND :now + interval '${PLANNED_DAYS} days', false)`
/** Which notice it is: followed up meanwhile, it has days of its own. */
const STEP = `'back:' || ${epoch('k.back_due')}::bigint::text`
/** After so many tries at once the rest waits for the next look. */
const MOST = 500

/** The person whom nobody answered in time, and who goes back to the pool in three days. */
export const customerReminders: readonly ReminderSource[] = [
  {
    kind: 'customer',
    many: (n) => ({ title: `${n} 条新线索过了联系期限`, link: linkTo('CustomerList', { overdue: true }) }),
    async due(tx, tenant) {
      const { rows } = await tx.query(
        'customers.remindanswer',
        row({ id: uuid, bc_id: uuid, store_id: uuid.null, name: text, consultant_id: uuid.null, step: text }),
        `SELECT k.id, k.bc_id, k.store_id, k.name, k.consultant_id, x.step
         FROM customers k
         CROSS JOIN LATERAL (SELECT 'answer:' || ${epoch('k.answer_due')}::bigint::text AS step) x
         WHERE k.tenant_id = $1 AND k.answer_due <= :now AND k.held = '${assigned}'
           AND NOT EXISTS (SELECT FROM reminders m
             WHERE m.tenant_id = $1 AND m.cause_kind = 'customer' AND m.cause_id = k.id::text AND m.step = x.step)
         ORDER BY k.answer_due, k.id
         LIMIT ${MOST}
         FOR UPDATE OF k SKIP LOCKED`,
        [tenant],
      )
      return remindersOf(tx, tenant, 'lateAnswer', rows, (k) => `新线索 ${k.name} 过了期限还没有联系`)
    },
  },
  {
    kind: 'customer',
    many: (n) => ({ title: `${n} 位客户将退回公海`, link: linkTo('CustomerList', { held: assigned }) }),
    async due(tx, tenant) {
      const { rows } = await tx.query(
        'customers.remindback',
        row({ id: uuid, bc_id: uuid, store_id: uuid.null, name: text, consultant_id: uuid.null, step: text }),
        `SELECT k.id, k.bc_id, k.store_id, k.name, k.consultant_id, ${STEP} AS step
         FROM customers k
         WHERE k.tenant_id = $1 AND k.back_due <= :now + interval '${NOTICE_DAYS} days' AND ${LOOSE}
           AND NOT EXISTS (SELECT FROM reminders m
             WHERE m.tenant_id = $1 AND m.cause_kind = 'customer' AND m.cause_id = k.id::text AND m.step = ${STEP})
         ORDER BY k.back_due, k.id
         LIMIT ${MOST}
         FOR UPDATE OF k SKIP LOCKED`,
        [tenant],
      )
      return remindersOf(
        tx,
        tenant,
        'soonBack',
        rows,
        (k) => `${NOTICE_DAYS} 天内没有跟进，客户 ${k.name} 将退回公海`,
      )
    },
  },
]
interface Due {
  id: string
  bc_id: string
  store_id: string | null
  name: string
  consultant_id: string | null
  step: string
}
async function remindersOf(
  tx: Tx,
  tenant: string,
  change: 'lateAnswer' | 'soonBack',
  rows: readonly Due[],
  title: (k: Due) => string,
): Promise<Reminder[]> {
  const reminders: Reminder[] = []
  for (const k of rows) {
    const { link, place } = noticeOf(k)
    const named = { consultant: k.consultant_id }
    const people = await whoseTurn(tx, 'customer', change, { tenant, place, link, named })
    const whose = whoseIt('customer', change, named)
    reminders.push({ id: k.id, step: k.step, user: [...people.keys()], title: title(k), link, whose })
  }
  return reminders
}

/**
 * Whoever was not followed up for the branch's days goes back to the pool of the store, if that was said three days
 * before and nothing holds them. Answers how many went back.
 */
export async function returnCustomers(tx: Tx, tenant: string): Promise<number> {
  const { rows } = await tx.query(
    'customers.back',
    row({ id: uuid, days: float8 }),
    `SELECT k.id, (${settingSql('leadDays', '$1', 'k.bc_id')} #>> '{}')::float8 AS days
     FROM customers k
     WHERE k.tenant_id = $1 AND k.back_due <= :now AND ${LOOSE}
       AND EXISTS (SELECT FROM reminders m
         WHERE m.tenant_id = $1 AND m.cause_kind = 'customer' AND m.cause_id = k.id::text AND m.step = ${STEP}
           AND m.at <= :now - interval '${NOTICE_DAYS} days')
     ORDER BY k.id
     LIMIT ${MOST}
     FOR UPDATE OF k SKIP LOCKED`,
    [tenant],
  )
  const system = systemCall(tx, tenant)
  for (const { days, id } of rows) {
    const k = await lockCustomer(tx, system.user.scope, id)
    if (!k) continue
    const why = `${days} 个工作日未跟进，由系统退回`
    const held = { held: pool, consultant_id: null, why }
    await hold(tx, system, k, held, { act: 'back', text: why, bySystem: true })
    await cancelFollowUps(tx, system, k.id, '客户已退回公海')
    await passTurn(tx, 'customer', 'back', {
      tenant,
      title: `客户 ${k.name} 已退回公海：${why}`,
      named: { relieved: k.consultant_id },
      ...noticeOf(k),
    })
  }
  return rows.length
}
