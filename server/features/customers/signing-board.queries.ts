import {
  refundKind,
  refundStatus,
  signingProgress,
} from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { customerSource, lostReason } from '@zhuguan/contract/features/customers/customers.record.ts'
import type { signingBoardApi } from '@zhuguan/contract/features/customers/signing-board.api.ts'
import {
  type FunnelRow,
  funnelBy,
  funnelDimension,
  type TargetRow,
} from '@zhuguan/contract/features/customers/signing-board.record.ts'
import { examineState } from '@zhuguan/contract/features/examine/examine.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { float8, int4, row, text, uuid } from '../../kit/row.ts'
import { scopedStores } from '../../kit/scoped.ts'
import { dayBegins, TODAY, type Where } from '../../kit/statement.ts'

type Asked = Omit<QueryOf<(typeof signingBoardApi)['read']>, 'by' | 'from' | 'to'>
export interface Span {
  from: string
  to: string
}
const narrowed = (scope: Scope, q: Asked): Where =>
  scopedStores(scope, 'k')
    .plain(`k.held <> 'merged'`)
    .when(q.bc_id, (p) => `k.bc_id = ANY(${p}::uuid[])`)
    .when(q.store_id, (p) => `k.store_id = ANY(${p}::uuid[])`)
    .when(q.consultant_id, (p) => `k.consultant_id = ${p}::uuid`)
    .when(q.source, (p) => `k.source = ANY(${p}::text[])`)

/** The moments that a customer's steps were reached first, each from what made it; never from the step itself. */
const MOMENTS = `SELECT k.source, k.store_id, k.consultant_id, k.created_at AS came,
         (SELECT min(f.at) FROM follow_ups f
          WHERE f.tenant_id = $1 AND f.customer_id = k.id AND f.state = 'done') AS contacted,
         (SELECT min(f.at) FROM follow_ups f
          WHERE f.tenant_id = $1 AND f.customer_id = k.id AND f.state = 'done'
            AND f.kind IN ('store', 'measure')) AS met,
         (SELECT min(v.judged_at) FROM quotations q
          JOIN quotation_versions v ON v.tenant_id = $1 AND v.quotation_id = q.id
          WHERE q.tenant_id = $1 AND q.customer_id = k.id
            AND v.examine_state = ${examineState.code.approved}) AS quoted,
         (SELECT min(r.at) FROM contracts c
          JOIN contract_receipts r ON r.tenant_id = $1 AND r.contract_id = c.id
          WHERE c.tenant_id = $1 AND c.customer_id = k.id) AS deposit,
         (SELECT min(c.signed_on)::timestamp AT TIME ZONE 'Asia/Shanghai' FROM contracts c
          WHERE c.tenant_id = $1 AND c.customer_id = k.id AND c.signed_on IS NOT NULL AND c.state <> 'void') AS signed,
         CASE WHEN k.held = 'lost' THEN (SELECT max(e.at) FROM customer_events e
          WHERE e.tenant_id = $1 AND e.customer_id = k.id AND e.act = 'lose') END AS lost,
         k.lost_reason`
/** Something of a customer fell into the span: only these are looked at, whenever they came. */
const touched = (from: string, to: string) =>
  `(k.created_at >= ${from} AND k.created_at < ${to}
       OR EXISTS (SELECT FROM follow_ups f
         WHERE f.tenant_id = $1 AND f.customer_id = k.id AND f.state = 'done' AND f.at >= ${from} AND f.at < ${to})
       OR EXISTS (SELECT FROM customer_events e
         WHERE e.tenant_id = $1 AND e.customer_id = k.id AND e.at >= ${from} AND e.at < ${to})
       OR EXISTS (SELECT FROM quotations q WHERE q.tenant_id = $1 AND q.customer_id = k.id))`

const STEPS = ['contacted', 'met', 'quoted', 'deposit', 'signed'] as const
const FORMER = {
  contacted: 'came',
  met: 'contacted',
  quoted: 'met',
  deposit: 'quoted',
  signed: 'deposit',
} as const
const funnel = row<FunnelRow>({
  dimension: text.of(funnelDimension),
  key: text.null,
  label: text,
  came: int4,
  contacted: int4,
  met: int4,
  quoted: int4,
  deposit: int4,
  signed: int4,
  lost: int4,
  contactedDays: float8.null,
  metDays: float8.null,
  quotedDays: float8.null,
  depositDays: float8.null,
  signedDays: float8.null,
})

/** The customers of a span with their moments, as a source of statements; and which of a moment count. */
function source(scope: Scope, q: Asked, by: FunnelBy, { from, to }: Span) {
  const where = narrowed(scope, q)
  const begins = dayBegins(`$${where.values.push(from)}`)
  const ends = dayBegins(`($${where.values.push(to)}::date + 1)`)
  const isCame = by === funnelBy.code.came
  const among = isCame ? `k.created_at >= ${begins} AND k.created_at < ${ends}` : touched(begins, ends)
  return {
    values: where.values,
    from: `(${MOMENTS} FROM customers k WHERE ${where.text} AND ${among}) m`,
    counts: (moment: string) =>
      isCame ? `m.${moment} IS NOT NULL` : `m.${moment} >= ${begins} AND m.${moment} < ${ends}`,
  }
}
type FunnelBy = (typeof funnelBy.values)[number]

/** All of them, and by source, store and consultant; who has more is told first. */
export async function funnelOf(
  tx: Tx,
  scope: Scope,
  q: Asked,
  by: FunnelBy,
  span: Span,
): Promise<FunnelRow[]> {
  const s = source(scope, q, by, span)
  const n = (moment: string) => `count(*) FILTER (WHERE ${s.counts(moment)})::int AS ${moment}`
  const half = (step: (typeof STEPS)[number]) =>
    `round((percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM m.${step} - m.${FORMER[step]}) / 86400)
         FILTER (WHERE ${s.counts(step)} AND m.${step} >= m.${FORMER[step]}))::numeric, 1)::float8 AS "${step}Days"`
  const { rows } = await tx.query(
    'signing.funnel',
    funnel,
    `SELECT x.dimension, x.key, coalesce(t.name, u.nickname, '') AS label, x.came, x.contacted, x.met, x.quoted,
       x.deposit, x.signed, x.lost, x."contactedDays", x."metDays", x."quotedDays", x."depositDays",
       x."signedDays"
     FROM (
       SELECT CASE WHEN grouping(m.source) = 0 THEN 'source' WHEN grouping(m.store_id) = 0 THEN 'store'
           WHEN grouping(m.consultant_id) = 0 THEN 'consultant' ELSE 'all' END AS dimension,
         coalesce(m.source, m.store_id::text, m.consultant_id::text) AS key, m.store_id, m.consultant_id,
         ${n('came')}, ${STEPS.map(n).join(', ')}, ${n('lost')}, ${STEPS.map(half).join(',\n         ')}
       FROM ${s.from}
       GROUP BY GROUPING SETS ((), (m.source), (m.store_id), (m.consultant_id))) x
     LEFT JOIN stores t ON t.tenant_id = $1 AND t.id = x.store_id
     LEFT JOIN users u ON u.tenant_id = $1 AND u.id = x.consultant_id
     ORDER BY x.came + x.signed DESC, x.key`,
    s.values,
  )
  return rows.map((r) => ({ ...r, label: labelOf(r) }))
}
function labelOf({ dimension, key, label }: FunnelRow): string {
  if (dimension === 'source' && key) return customerSource.label(key)
  if (dimension === 'store') return label || '分公司本部'
  return dimension === 'consultant' ? label || '没有顾问' : '合计'
}

export async function lostOf(tx: Tx, scope: Scope, q: Asked, by: FunnelBy, span: Span) {
  const s = source(scope, q, by, span)
  const { rows } = await tx.query(
    'signing.lost',
    row({ reason: text.of(lostReason), n: int4 }),
    `SELECT m.lost_reason AS reason, count(*)::int AS n
     FROM ${s.from}
     WHERE ${s.counts('lost')}
     GROUP BY m.lost_reason
     ORDER BY n DESC, m.lost_reason`,
    s.values,
  )
  return rows
}

/** The days of deposits that wait for a signature; the last bucket has no end. */
const AGES = [0, 8, 16, 31] as const
export async function depositsOf(tx: Tx, scope: Scope, q: Asked) {
  const where = narrowed(scope, q)
  const { rows } = await tx.query(
    'signing.deposits',
    row({ bucket: int4, n: int4, money: text }),
    `SELECT b.bucket, count(c.id)::int AS n, coalesce(sum(c.paid), 0)::text AS money
     FROM unnest(ARRAY[${AGES.join(', ')}], ARRAY[${AGES.slice(1).join(', ')}, 100000]) AS b(bucket, past)
     LEFT JOIN LATERAL (
       SELECT c.id, c.paid
       FROM customers k
       JOIN contracts c ON c.tenant_id = $1 AND c.customer_id = k.id AND c.state = 'live'
         AND c.signing_progress = ${signingProgress.code.deposit}
       CROSS JOIN LATERAL (SELECT floor(extract(epoch FROM :now - min(r.at)) / 86400) AS days
         FROM contract_receipts r WHERE r.tenant_id = $1 AND r.contract_id = c.id) a
       WHERE ${where.text} AND a.days >= b.bucket AND a.days < b.past) c ON true
     GROUP BY b.bucket
     ORDER BY b.bucket`,
    where.values,
  )
  return rows.map(({ bucket: from, money, n }, i) => ({
    from,
    to: i + 1 < AGES.length ? AGES[i + 1]! - 1 : null,
    n,
    money,
  }))
}

/** Money as the contracts have it: signed and not void, given back, and contracts that were declared void. */
export async function moneyOf(tx: Tx, scope: Scope, q: Asked, { from, to }: Span) {
  const where = narrowed(scope, q)
  const [begin, end] = [from, to].map((day) => `$${where.values.push(day)}::date`)
  const { rows } = await tx.query(
    'signing.money',
    row({ money: text, refunds: int4, refunded: text, voided: int4 }),
    `SELECT coalesce(sum(c.total) FILTER (WHERE c.signed_on BETWEEN ${begin} AND ${end} AND c.state <> 'void'), 0)::text
         AS money,
       coalesce(sum(b.n), 0)::int AS refunds, coalesce(sum(b.money), 0)::text AS refunded,
       (count(*) FILTER (WHERE c.signed_on BETWEEN ${begin} AND ${end} AND c.state = 'void'))::int AS voided
     FROM customers k
     JOIN contracts c ON c.tenant_id = $1 AND c.customer_id = k.id
     LEFT JOIN LATERAL (
       SELECT count(*) AS n, sum(f.amount - f.kept) AS money
       FROM contract_refunds f
       WHERE f.tenant_id = $1 AND f.contract_id = c.id AND f.status = ${refundStatus.code.approved}
         AND f.kind <> '${refundKind.code.moved}'
         AND (f.at AT TIME ZONE 'Asia/Shanghai')::date BETWEEN ${begin} AND ${end}) b ON true
     WHERE ${where.text}`,
    where.values,
  )
  return rows[0]!
}

const target = row<TargetRow>({
  id: uuid,
  bc_id: uuid,
  bc_name: text,
  store_id: uuid.null,
  storeName: text,
  consultant_id: uuid.null,
  consultantName: text,
  people: int4,
  money: text,
  signed: int4,
  signedMoney: text,
  expected: int4,
  expectedMoney: text,
  version: int4,
})
/** Targets of a month in reach beside what was signed in it and what has a deposit now. */
export async function targetsOf(
  tx: Tx,
  scope: Scope,
  q: { month: string; bc_id?: readonly string[] | undefined },
): Promise<TargetRow[]> {
  const where = scopedStores(scope, 'g').when(q.bc_id, (p) => `g.bc_id = ANY(${p}::uuid[])`)
  const month = `$${where.values.push(`${q.month}-01`)}::date`
  const { rows } = await tx.query(
    'signing.targets',
    target,
    `SELECT g.id, g.bc_id, b.bc_name, g.store_id, coalesce(s.name, '') AS "storeName", g.consultant_id,
       coalesce(u.nickname, '') AS "consultantName", g.people, g.money::text AS money, d.signed,
       d.money AS "signedMoney", d.expected, d.expected_money AS "expectedMoney", g.version
     FROM signing_targets g
     JOIN companies b ON b.tenant_id = $1 AND b.bc_id = g.bc_id
     LEFT JOIN stores s ON s.tenant_id = $1 AND s.id = g.store_id
     LEFT JOIN users u ON u.tenant_id = $1 AND u.id = g.consultant_id
     CROSS JOIN LATERAL (
       SELECT count(*) FILTER (WHERE x.signed)::int AS signed,
         coalesce(sum(x.total) FILTER (WHERE x.signed), 0)::text AS money,
         count(*) FILTER (WHERE x.expected)::int AS expected,
         coalesce(sum(x.total) FILTER (WHERE x.expected), 0)::text AS expected_money
       FROM (
         SELECT c.total, coalesce(c.state <> 'void' AND c.signed_on >= g.month
             AND c.signed_on < (g.month + interval '1 month')::date, false) AS signed,
           c.state = 'live' AND c.signing_progress = ${signingProgress.code.deposit}
             AND g.month = date_trunc('month', ${TODAY})::date AS expected
         FROM contracts c
         JOIN customers k ON k.tenant_id = $1 AND k.id = c.customer_id
         WHERE c.tenant_id = $1 AND c.bc_id = g.bc_id AND (g.store_id IS NULL OR k.store_id = g.store_id)
           AND (g.consultant_id IS NULL OR k.consultant_id = g.consultant_id)) x) d
     WHERE ${where.text} AND g.month = ${month}
     ORDER BY b.code, g.store_id NULLS FIRST, g.consultant_id NULLS FIRST`,
    where.values,
  )
  return rows
}
