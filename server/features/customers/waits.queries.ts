import {
  customerHeld,
  customerStep,
  customerWait,
} from '@zhuguan/contract/features/customers/customers.record.ts'
import { followKind } from '@zhuguan/contract/features/customers/follow-ups.record.ts'

import type { Tx } from '../../database/connect.ts'
import { float8, row, text, uuid } from '../../kit/row.ts'
import { scopedStores } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { dayBegins, epoch, TODAY } from '../../kit/statement.ts'
import { NOTICE_DAYS } from './holding.queries.ts'

const { assigned } = customerHeld.code
const { deposit } = customerStep.code
/** So many stand on the page. */
const MOST = 100
/** A deposit that old without a signature is asked about. */
const DEPOSIT_DAYS = 7

/**
 * What waits for the caller, the worst first: leads that nobody answered (their clock), follow-ups that are overdue,
 * those of today, customers that go back soon, deposits that age. For who is away, for who stands in.
 */
export async function waitsOf(tx: Tx, { now, user }: Call) {
  const mine = [user.id, ...user.standsFor]
  const where = scopedStores(user.scope, 'k')
    .plain(`k.held = '${assigned}'`)
    .add((p) => `k.consultant_id = ANY (${p}::uuid[])`, mine)
  const { rows } = await tx.query(
    'customers.waits',
    row({
      id: uuid,
      wait: text.of(customerWait),
      name: text,
      community: text,
      at: float8,
      kind: text.of(followKind).null,
      content: text,
      follow_id: uuid.null,
    }),
    `SELECT x.id, x.wait, x.name, x.community, ${epoch('x.at')} AS at, x.kind, x.content, x.follow_id
     FROM (
       SELECT k.id, 'answer' AS wait, 1 AS place, k.name, k.community, k.answer_due AS at, NULL AS kind,
         k.why AS content, NULL::uuid AS follow_id
       FROM customers k
       WHERE ${where.text} AND k.answer_due IS NOT NULL AND k.step = 1
       UNION ALL
       SELECT k.id, CASE WHEN f.at < ${dayBegins(TODAY)} THEN 'overdue' ELSE 'today' END,
         CASE WHEN f.at < ${dayBegins(TODAY)} THEN 2 ELSE 3 END, k.name, k.community, f.at, f.kind, f.content, f.id
       FROM customers k
       JOIN follow_ups f ON f.tenant_id = $1 AND f.customer_id = k.id AND f.state = 'planned'
       WHERE ${where.text} AND f.at < ${dayBegins(`(${TODAY} + 1)`)}
       UNION ALL
       SELECT k.id, 'back', 4, k.name, k.community, k.back_due, NULL, '', NULL
       FROM customers k
       WHERE ${where.text} AND k.back_due < :now + interval '${NOTICE_DAYS} days' AND k.next_at IS NULL
         AND k.step < ${deposit} AND NOT k.refuses AND (k.answer_due IS NULL OR k.step > 1)
       UNION ALL
       SELECT k.id, 'deposit', 5, k.name, k.community, d.at, NULL, '', NULL
       FROM customers k
       CROSS JOIN LATERAL (
         SELECT min(r.at) AS at
         FROM contracts c
         JOIN contract_receipts r ON r.tenant_id = $1 AND r.contract_id = c.id
         WHERE c.tenant_id = $1 AND c.customer_id = k.id AND c.signing_progress = 2 AND c.state = 'live') d
       WHERE ${where.text} AND k.step = ${deposit} AND d.at < :now - interval '${DEPOSIT_DAYS} days') x
     ORDER BY x.place, x.at, x.id`,
    where.values,
  )
  const list = rows.slice(0, MOST).map(({ content, kind, ...w }) => ({
    ...w,
    text: [kind && followKind.label(kind), content].filter(Boolean).join('：'),
  }))
  return { at: Math.floor(now().getTime() / 1000), n: rows.length, list }
}
