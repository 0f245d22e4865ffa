import type { statementsApi } from '@zhuguan/contract/features/statements/statements.api.ts'
import {
  chargeKind,
  chargeSide,
  chargeState,
  owingSide,
  statementState,
  type StatementDetail,
} from '@zhuguan/contract/features/statements/statements.record.ts'
import type { DataOf, QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { bool, float8, int4, json, row, type RowOf, text, there, uuid } from '../../kit/row.ts'
import { ownSide, scopedParties } from '../../kit/scoped.ts'
import { contains, epoch, listOf, type PageOf } from '../../kit/statement.ts'

/** Stands for the branch of a statement of the whole group: no branch's reach contains it. */
export const WHOLE_GROUP = '00000000-0000-0000-0000-000000000000'
const { agreed, draft, disputed, dropped } = statementState.code

/** Lines `w` of the ledger that a statement `s` is about: what it took up, or what nobody has until it is sent. */
const BELONGS = `w.tenant_id = $1 AND (w.statement_id = s.id OR (s.state IN ('${draft}', '${disputed}')
           AND w.statement_id IS NULL AND w.receiver_id = s.receiver_id
           AND (s.bc_id = '${WHOLE_GROUP}' OR w.bc_id = s.bc_id)
           AND w.month <= s.month))`
const HAND = 'w.line_id IS NULL'
const TOTALS = `coalesce(sum(w.amount) FILTER (WHERE NOT (${HAND}) AND w.quantity > 0), 0.00) AS sold,
         coalesce(-sum(w.amount) FILTER (WHERE NOT (${HAND}) AND w.quantity < 0), 0.00) AS returned,
         coalesce(sum(w.amount) FILTER (WHERE ${HAND}), 0.00) AS by_hand, coalesce(sum(w.amount), 0.00) AS due`
const SUMS = `CROSS JOIN LATERAL (SELECT ${TOTALS} FROM owed_lines w WHERE ${BELONGS}) m
     CROSS JOIN LATERAL (SELECT coalesce(sum(y.amount), 0.00) AS paid
       FROM owed_payments y
       WHERE y.tenant_id = $1 AND y.statement_id = s.id AND y.reversed_at IS NULL) k`
const OPEN = `CASE WHEN s.state = '${agreed}' THEN m.due - k.paid ELSE 0.00 END`
/** What is left to pay of an agreed statement `s`. */
export const UNPAID = `((SELECT coalesce(sum(w.amount), 0.00) FROM owed_lines w WHERE ${BELONGS})
           - (SELECT coalesce(sum(y.amount), 0.00) FROM owed_payments y
             WHERE y.tenant_id = $1 AND y.statement_id = s.id AND y.reversed_at IS NULL))`
const columns = (sides: { buyer: string; receiver: string }) =>
  `s.id, s.code, s.receiver_id, s.receiver_name AS "receiverName",
       CASE WHEN s.bc_id = '${WHOLE_GROUP}' THEN '' ELSE s.bc_id::text END AS bc_id, s.bc_name,
       to_char(s.month, 'YYYY-MM') AS month, m.sold::text AS "acceptedAmount", m.returned::text AS "returnedAmount",
       m.by_hand::text AS "handAmount", m.due::text AS due, k.paid::text AS paid, (${OPEN})::text AS open, s.state,
       s.round, coalesce(s.sent_by::text, '') AS sent_by,
       CASE WHEN ${sides.buyer} THEN '${owingSide.code.owe}' ELSE '${owingSide.code.owed}' END AS side,
       ${sides.buyer} AS buyer, ${sides.receiver} AS receiver,
       s.version`
const statement = {
  id: uuid,
  code: text,
  receiver_id: uuid,
  receiverName: text,
  bc_id: text,
  bc_name: text,
  month: text,
  acceptedAmount: text,
  returnedAmount: text,
  handAmount: text,
  due: text,
  paid: text,
  open: text,
  state: text.of(statementState),
  round: int4,
  sent_by: text,
  side: text.of(owingSide),
  buyer: bool,
  receiver: bool,
  version: int4,
}
/** What the receiver may see: nothing before it is sent, and nothing that was dropped before it was. */
const shown = (sides: { buyer: string }) => `(${sides.buyer} OR s.sent_at IS NOT NULL)`

export function statementPage(scope: Scope, q: QueryOf<(typeof statementsApi)['list']>): PageOf {
  const { where, ...sides } = scopedParties(scope, 's', { site: false })
  where
    .plain(shown(sides))
    .when(q.bc_id, (p) => `s.bc_id = ${p}::uuid`)
    .when(q.receiver_id, (p) => `s.receiver_id = ${p}::uuid`)
    .when(
      q.month,
      (p) => `s.month = ${p}::date`,
      (month) => `${month}-01`,
    )
    .when(q.state, (p) => `s.state = ANY(${p}::text[])`)
    .when(q.ids, (p) => `s.id = ANY(${p}::uuid[])`)
    .when(q.keyword || undefined, (p) => `lower(s.code || ' ' || s.receiver_name) LIKE ${p}`, contains)
  return {
    name: 'statements.page',
    base: 'statements s',
    columns: columns(sides),
    joins: SUMS,
    where,
    sort: q.sort,
    otherwise: ['s.month DESC', 's.code DESC'],
    tie: 's.id DESC',
    sortable: { code: 's.code', month: 's.month' },
    filled: ['code', 'month'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

/** The lines of the ledger that a condition chooses, those of an ordered line and sheet of one direction as one. */
const linesOf = (condition: string, objections: string) =>
  `coalesce((SELECT json_agg(json_build_object('id', g.id, 'at', ${epoch('g.at')}, 'kind', g.kind,
         'order_id', g.order_id, 'orderCode', g.order_code, 'sheetCode', g.sheet, 'name', g.name, 'detail', g.detail,
         'unit', g.unit, 'quantity', CASE WHEN g.quantity = 0 THEN '' ELSE trim_scale(g.quantity)::text END,
         'price', CASE WHEN g.quantity = 0 THEN '' ELSE trim_scale(g.price)::text END, 'amount', g.amount::text,
         'words', g.words, 'objection', ${objections}) ORDER BY g.at, g.seq)
       FROM (
         SELECT (array_agg(w.id ORDER BY w.seq))[1] AS id, min(w.seq) AS seq, max(w.at) AS at, w.kind,
           coalesce(w.order_id::text, '') AS order_id, coalesce(o.code, '') AS order_code,
           coalesce(d.sheet_code, '') AS sheet, coalesce(l.name, '') AS name, coalesce(l.detail, '') AS detail,
           coalesce(l.unit, '') AS unit, sum(w.quantity) AS quantity, w.price, sum(w.amount) AS amount, w.words
         FROM owed_lines w
         LEFT JOIN order_lines l ON l.tenant_id = $1 AND l.id = w.line_id
         LEFT JOIN orders o ON o.tenant_id = $1 AND o.id = w.order_id
         LEFT JOIN dispatches d ON d.tenant_id = $1 AND d.id = w.note_id
         WHERE ${condition}
         GROUP BY w.kind, w.order_id, o.code, d.sheet_code, w.line_id, l.name, l.detail, l.unit, w.price, w.words,
           CASE WHEN w.line_id IS NULL THEN w.id END) g), '[]')`
const OBJECTION = `coalesce((SELECT x.words FROM statement_objections x
           WHERE x.tenant_id = $1 AND x.statement_id = s.id AND x.line_id = g.id AND s.state <> '${agreed}'
             AND x.round >= s.round - 1
           ORDER BY x.round DESC LIMIT 1), '')`
const charges = (condition: string) =>
  listOf(
    `'id', c.id, 'code', c.code, 'kind', c.kind, 'side', c.side, 'amount', c.amount::text, 'reason', c.reason,
         'state', c.state, 'made_by', c.made_by, 'madeBy', c.made_name, 'madeAt', ${epoch('c.made_at')},
         'version', c.version`,
    `owed_charges c WHERE c.tenant_id = $1 AND c.state = '${chargeState.code.waiting}' AND ${condition}`,
    'c.made_at, c.code',
  )
const PAYMENTS = listOf(
  `'id', y.id, 'code', y.code, 'amount', y.amount::text, 'method', y.method, 'paidOn', y.paid_on::text,
         'payee', y.payee, 'remark', y.remark, 'by', y.made_name, 'at', ${epoch('y.at')},
         'reversedAt', ${epoch('y.reversed_at')}, 'reversedBy', y.reversed_name, 'reverseReason', y.reverse_reason,
         'version', y.version`,
  'owed_payments y WHERE y.tenant_id = $1 AND y.statement_id = s.id',
  'y.at, y.code',
)

export async function statementDetail(
  tx: Tx,
  scope: Scope,
  id: string,
): Promise<StatementDetail | undefined> {
  const { where, ...sides } = scopedParties(scope, 's', { site: false })
  where.plain(shown(sides)).add((p) => `s.id = ${p}::uuid`, id)
  const ofStatement = charges(
    `c.receiver_id = s.receiver_id AND c.month <= s.month AND (s.bc_id = '${WHOLE_GROUP}' OR c.bc_id = s.bc_id)`,
  )
  const { rows } = await tx.query(
    'statements.details',
    row<StatementDetail>({
      ...statement,
      madeBy: text,
      sentBy: text,
      sentAt: float8.null,
      answeredBy: text,
      answeredAt: float8.null,
      reason: text,
      lines: json<StatementDetail['lines']>(),
      charges: json<StatementDetail['charges']>(),
      payments: json<StatementDetail['payments']>(),
    }),
    `SELECT ${columns(sides)}, s.made_name AS "madeBy", s.sent_name AS "sentBy", ${epoch('s.sent_at')} AS "sentAt",
       s.answered_name AS "answeredBy", ${epoch('s.answered_at')} AS "answeredAt", s.reason,
       ${linesOf(BELONGS, OBJECTION)} AS lines, CASE WHEN ${sides.buyer} THEN ${ofStatement} ELSE '[]' END AS charges,
       ${PAYMENTS} AS payments
     FROM statements s
     ${SUMS}
     WHERE ${where.text}`,
    where.values,
  )
  return rows[0]
}

type Preview = DataOf<(typeof statementsApi)['preview']>
/** The statements of a receiver in a month, in the caller's reach. */
export async function previewOf(
  tx: Tx,
  scope: Scope,
  q: QueryOf<(typeof statementsApi)['preview']>,
): Promise<Preview | undefined> {
  const { where, ...sides } = scopedParties(scope, 'w', { site: false })
  where.plain(ownSide(sides)).add((p) => `w.receiver_id = ${p}::uuid`, q.receiver_id)
  const of = `$${where.values.length}::uuid`
  const month = `$${where.values.push(`${q.month}-01`)}`
  where.when(q.bc_id, (p) => `w.bc_id = ${p}::uuid`)
  const branch = q.bc_id ? `c.bc_id = $${where.values.length}::uuid` : 'true'
  const waiting = scopedParties(scope, 'c', { site: false, after: where })
  const ofMonth = [
    `c.receiver_id = ${of} AND c.month = ${month}::date`,
    `${waiting.where.text} AND ${waiting.buyer} AND ${branch}`,
  ].join(' AND ')
  const papers = scopedParties(scope, 's', { site: false, after: waiting.where })
  const within = `${where.text} AND w.month = ${month}::date`
  const { rows } = await tx.query(
    'statements.preview',
    row({
      receiverName: text.null,
      scope: text,
      acceptedAmount: text,
      returnedAmount: text,
      handAmount: text,
      due: text,
      rest: text,
      loose: int4,
      lines: json<Preview['lines']>(),
      charges: json<Preview['charges']>(),
      made: json<Preview['made']>(),
    }),
    `SELECT coalesce((SELECT t.name FROM stores t WHERE t.tenant_id = $1 AND t.id = ${of}),
         (SELECT b.bc_name FROM companies b WHERE b.tenant_id = $1 AND b.bc_id = ${of}),
         (SELECT max(o.receiver_name) FROM orders o WHERE o.tenant_id = $1 AND o.receiver_id = ${of}))
         AS "receiverName",
       coalesce((SELECT string_agg(b.bc_name, '、' ORDER BY b.sort, b.bc_name) FROM companies b
         WHERE b.tenant_id = $1 AND EXISTS (SELECT 1 FROM owed_lines w WHERE ${within} AND w.bc_id = b.bc_id)), '')
         AS scope,
       m.sold::text AS "acceptedAmount", m.returned::text AS "returnedAmount", m.by_hand::text AS "handAmount",
       m.due::text AS due, u.rest::text AS rest, u.loose::int AS loose, ${linesOf(within, `''`)} AS lines,
       ${charges(ofMonth)} AS charges,
       ${listOf(
         `'id', s.id, 'code', s.code, 'bc_name', s.bc_name, 'month', to_char(s.month, 'YYYY-MM'), 'due', m.due::text`,
         `statements s ${SUMS} WHERE s.tenant_id = $1 AND s.receiver_id = ${of} AND s.state <> '${dropped}'
           AND (s.month = ${month}::date
             OR EXISTS (SELECT 1 FROM owed_lines w WHERE ${within} AND w.statement_id = s.id))
           AND ${papers.where.text} AND ${shown(papers)}`,
         's.month, s.code',
       )} AS made
     FROM (SELECT ${TOTALS} FROM owed_lines w WHERE ${within}) m,
       (SELECT coalesce(sum(w.amount), 0.00) AS rest, count(*) AS loose FROM owed_lines w
        WHERE ${where.text} AND w.month <= ${month}::date AND w.statement_id IS NULL) u`,
    papers.where.values,
  )
  const { receiverName, ...rest } = rows[0]!
  return receiverName === null ? undefined : { ...rest, receiverName, month: q.month }
}

const locked = row({ ...statement, bc: uuid, made_by: uuid })
export type LockedStatement = RowOf<typeof locked>
/** A statement in reach, locked; as `statementDetail` shows it, with both sides of it. */
export async function lockStatement(tx: Tx, scope: Scope, id: string): Promise<LockedStatement | undefined> {
  const { where, ...sides } = scopedParties(scope, 's', { site: false })
  where.plain(shown(sides)).add((p) => `s.id = ${p}::uuid`, id)
  await tx.query(
    'statements.lock',
    there,
    `SELECT 1 FROM statements s WHERE ${where.text} FOR UPDATE`,
    where.values,
  )
  const { rows } = await tx.query(
    'statements.locked',
    locked,
    `SELECT ${columns(sides)}, s.bc_id AS bc, s.made_by FROM statements s ${SUMS} WHERE ${where.text}`,
    where.values,
  )
  return rows[0]
}

/** What it is about stands in it from now on: a line that comes later is one of the next. */
export const takeUp = (tx: Tx, tenant: string, id: string) =>
  tx.run(
    'statements.takeup',
    `UPDATE owed_lines w SET statement_id = s.id FROM statements s WHERE s.tenant_id = $1 AND s.id = $2 AND ${BELONGS}`,
    [tenant, id],
  )
export const letGo = (tx: Tx, tenant: string, id: string) =>
  tx.run(
    'statements.letgo',
    'UPDATE owed_lines w SET statement_id = NULL WHERE w.tenant_id = $1 AND w.statement_id = $2',
    [tenant, id],
  )

const charge = row({
  id: uuid,
  code: text,
  bc_id: uuid,
  receiver_id: uuid,
  receiverName: text,
  kind: text.of(chargeKind),
  side: text.of(chargeSide),
  amount: text,
  reason: text,
  month: text,
  state: text.of(chargeState),
  made_by: uuid,
  version: int4,
})
export type LockedCharge = RowOf<typeof charge>
export async function lockCharge(tx: Tx, scope: Scope, id: string): Promise<LockedCharge | undefined> {
  const { where, buyer } = scopedParties(scope, 'c', { site: false })
  where.plain(buyer).add((p) => `c.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'statements.lockcharge',
    charge,
    `SELECT c.id, c.code, c.bc_id, c.receiver_id, c.receiver_name AS "receiverName", c.kind, c.side,
       c.amount::text AS amount, c.reason, to_char(c.month, 'YYYY-MM') AS month, c.state, c.made_by, c.version
     FROM owed_charges c
     WHERE ${where.text}
     FOR UPDATE`,
    where.values,
  )
  return rows[0]
}
