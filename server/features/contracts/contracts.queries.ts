import type { contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import {
  contractState,
  type ContractRow,
  refundStatus,
  signingProgress,
} from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { siteNamed } from '../../kit/home-address.ts'
import { bool, int2, int4, row, type RowOf, text, uuid } from '../../kit/row.ts'
import { scopedStores } from '../../kit/scoped.ts'
import { contains, type PageOf, TODAY, type Where } from '../../kit/statement.ts'
import { settingSql } from '../settings/settings.reads.ts'

export type ContractFilters = QueryOf<(typeof contractsApi)['list']>
const { ended, ending, finishing, live, settled } = contractState.code
export const FINISHED = `'${finishing}', '${settled}'`
/** Their instalments fall due one after the other. */
export const IN_PLAN = `'${live}', '${finishing}', '${settled}'`

/** A payment is in time for so many days. */
export const PAY_DAYS = `(${settingSql('payDays', '$1', 'c.bc_id')})::int`
/** The day on which an instalment `i` of `c` falls due, with its stage `g`. */
export const DUE_ON = `CASE WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
         WHEN i.stage IS NULL THEN c.signed_on
         ELSE coalesce(g.actual_start, c.finished_on) END`
const LATE = `(${DUE_ON} + ${PAY_DAYS} < ${TODAY} OR (i.amount < 0 AND ${DUE_ON} IS NOT NULL))`
const FALLEN = `(${DUE_ON} <= ${TODAY} OR (i.amount < 0 AND ${DUE_ON} IS NOT NULL))`
const LATE_END = `CASE WHEN (c.end_at AT TIME ZONE 'Asia/Shanghai')::date + ${PAY_DAYS} < ${TODAY}
         THEN c.end_value ELSE 0 END`
/**
 * What has fallen due of a contract, or what of it is late; what reduces it counts at once. A void one owes nothing, an
 * ending one what it comes to.
 */
const fallen = (
  late: boolean,
) => `(CASE WHEN c.state IN (${IN_PLAN}) THEN (SELECT coalesce(sum(i.amount), 0.00)
         FROM contract_instalments i
         LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = c.site_id AND g.stage = i.stage
         WHERE i.tenant_id = $1 AND i.contract_id = c.id AND ${late ? LATE : FALLEN})
       WHEN c.state = '${ending}' THEN ${late ? LATE_END : 'c.end_value'}
       WHEN c.state = '${ended}' THEN c.end_value
       ELSE 0.00 END)`
export const DUE = fallen(false)
const owing = (due: string) =>
  `(CASE WHEN c.state = 'void' THEN 0.00 ELSE greatest(${due} - c.paid, 0.00) END)`
const OVERDUE = owing(fallen(true))
const OWED = owing(DUE)
/** The amount that we owe the customer of `c`: received beyond what it comes to. */
export const BACK = `(CASE c.state WHEN 'void' THEN c.paid
       ELSE greatest(c.paid - coalesce(c.end_value, c.total), 0.00) END)`
/** Of the warranty money: what was paid counts for everything else first. */
export const WARRANTY_OPEN = `(CASE WHEN c.warranty_on IS NOT NULL AND c.state IN (${FINISHED})
       THEN least(c.warranty, greatest(c.total - c.paid, 0.00)) END)`
/** The instalments of `c`. Money counts for what fell due first; what reduces the amount stands as paid by itself. */
export const SCHEDULE = `(SELECT y.*, CASE WHEN y.amount <= 0 THEN y.amount
           ELSE greatest(0.00, least(y.amount, c.paid + y.less - y.before)) END AS covered
       FROM (SELECT i.id, i.name, i.stage, i.percent, i.change_id, i.amount, i.sort, i.warranty, ${DUE_ON} AS due,
             g.planned_start AS planned, ${PAY_DAYS} AS days,
             coalesce(sum(greatest(i.amount, 0)) OVER (ORDER BY ${DUE_ON} NULLS LAST, i.sort, i.id
               ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before,
             -sum(least(i.amount, 0)) OVER () AS less
           FROM contract_instalments i
           LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = c.site_id AND g.stage = i.stage
           WHERE i.tenant_id = $1 AND i.contract_id = c.id) y)`
export const END_DAY = `(c.end_at AT TIME ZONE 'Asia/Shanghai')::date`
const FIRST_OWED = `(CASE WHEN c.state IN (${IN_PLAN}) THEN (SELECT min(s.due) FROM ${SCHEDULE} s
         WHERE s.due <= ${TODAY} AND s.covered < s.amount)
       WHEN c.state = '${ending}' AND c.paid < c.end_value THEN ${END_DAY} END)`
/** A refund of `c` waits to be judged. */
export const WAITS = `EXISTS (SELECT 1 FROM contract_refunds r
         WHERE r.tenant_id = $1 AND r.contract_id = c.id AND r.status = ${refundStatus.code.waiting})`

/** What stands accepted of the orders of `c`, as merchants are owed it. */
export const GOODS_COST = `(SELECT coalesce(sum(z.amount), 0.00)
         FROM owed_lines z
         JOIN orders o ON o.tenant_id = $1 AND o.id = z.order_id
         WHERE z.tenant_id = $1 AND o.contract_id = c.id)`
const isOther = `i.tenant_id = $1 AND i.contract_id = c.id AND i.kind NOT IN ('main', 'auxiliary')
           AND i.left_over > 0`
/** Work and fees of `c`, as they were quoted, and how many of them nobody has said a cost of. */
export const OTHER_COST = `(SELECT coalesce(sum(round(i.left_over * i.cost, 2)), 0.00) FROM contract_items i
         WHERE ${isOther})`
export const UNCOSTED = `(SELECT count(*)::int FROM contract_items i WHERE ${isOther} AND i.cost IS NULL)`
/** The sum of `c` without its tax. */
export const UNTAXED = `(coalesce(c.end_value, c.total)
         - round(coalesce(c.end_value, c.total) * c.tax_percent / (100 + c.tax_percent), 2))`
const OVER = `c.state IN ('${finishing}', '${settled}', '${ending}', '${ended}')`
/** Of what was signed, frozen, and of a home that is over as it really came; without it where a cost is missing. */
const margins = (costs: boolean): string =>
  costs
    ? `(SELECT v.margin::text FROM quotation_versions v WHERE v.tenant_id = $1 AND v.id = c.signed_version)
         AS "quotedMargin",
       CASE WHEN ${OVER} AND ${UNTAXED} > 0 AND ${UNCOSTED} = 0
         THEN round((${UNTAXED} - ${GOODS_COST} - ${OTHER_COST}) * 100 / ${UNTAXED}, 2)::text END AS "realMargin"`
    : `NULL::text AS "quotedMargin", NULL::text AS "realMargin"`

export const columnsFor = (
  costs: boolean,
  name = 'u.name',
) => `c.id, c.code, c.bc_id, b.bc_name, c.store_id, coalesce(t.name, '') AS "storeName",
       c.customer_id, ${name} AS "customerName", c.quotation_id, c.site_id, coalesce(w.ws_name, '') AS ws_name,
       w.status AS "siteStatus", c.package_name AS "packageName", trim_scale(c.area)::text AS area,
       c.total::text AS total, c.paid::text AS paid, ${OWED}::text AS owed, ${OVERDUE}::text AS overdue,
       ${BACK}::text AS back, ${FIRST_OWED}::text AS "dueOn", c.end_value::text AS "endValue",
       c.signing_progress AS "signingProgress", c.state, c.signed_on::text AS "signedOn", c.changes,
       c.void_asked AS "voidAsked", ${WAITS} AS refunding, c.billed_at IS NOT NULL AS billed,
       c.bill_signed_on IS NOT NULL AS "billSigned", ${WARRANTY_OPEN}::text AS "warrantyOpen",
       ${margins(costs)}, c.version`
export const CONTRACT_JOINS = `JOIN companies b ON b.tenant_id = $1 AND b.bc_id = c.bc_id
     JOIN customers u ON u.tenant_id = $1 AND u.id = c.customer_id
     LEFT JOIN stores t ON t.tenant_id = $1 AND t.id = c.store_id
     LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = c.site_id`

/** By its number, its customer or its site. */
export function matching(scope: Scope, keyword: string | undefined, where = scopedStores(scope, 'c')): Where {
  const named = siteNamed(where, scope, 's')
  return where.when(
    keyword || undefined,
    (p) => `(lower(c.code) LIKE ${p}
       OR EXISTS (SELECT 1 FROM customers k WHERE k.tenant_id = $1 AND k.id = c.customer_id AND lower(k.name) LIKE ${p})
       OR EXISTS (SELECT 1 FROM sites s WHERE s.tenant_id = $1 AND s.id = c.site_id AND ${named(p)}))`,
    contains,
  )
}
/** What is over stands in the list where somebody asks for it, or where money is owed of it. */
const isAtWork = (q: ContractFilters) =>
  !q.state && !q.keyword && !q.ids && !q.customer_id && !q.site_id && !q.back && !q.owing && !q.overdue
/** Contracts of today's figures, unless others are asked for. */
export const contractPage = (scope: Scope, q: ContractFilters, costs = false): PageOf => ({
  name: 'contracts.page',
  base: 'contracts c',
  columns: columnsFor(costs),
  joins: CONTRACT_JOINS,
  where: matching(scope, q.keyword)
    .when(q.bc_id, (p) => `c.bc_id = ${p}::uuid`)
    .when(q.store_id, (p) => `c.store_id = ${p}::uuid`)
    .when(q.customer_id, (p) => `c.customer_id = ${p}::uuid`)
    .when(q.site_id, (p) => `c.site_id = ${p}::uuid`)
    .when(q.ids, (p) => `c.id = ANY(${p}::uuid[])`)
    .when(q.signingProgress, (p) => `c.signing_progress = ANY(${p}::smallint[])`)
    .when(q.state, (p) => `c.state = ANY(${p}::text[])`)
    .when(q.signedFrom, (p) => `c.signed_on >= ${p}::date`)
    .when(q.signedTo, (p) => `c.signed_on <= ${p}::date`)
    .when(q.voidedFrom, (p) => `c.signed_on IS NOT NULL AND c.voided_on >= ${p}::date`)
    .when(q.voidedTo, (p) => `c.voided_on <= ${p}::date`)
    .plain(q.owing === true && `${OWED} > 0`)
    .plain(q.owing === false && `${OWED} = 0`)
    .plain(q.back === true && `${BACK} > 0`)
    .plain(q.back === false && `${BACK} = 0`)
    .plain(q.overdue === true && `${OVERDUE} > 0`)
    .plain(q.overdue === false && `${OVERDUE} = 0`)
    .plain(isAtWork(q) && `c.state IN ('${live}', '${finishing}', '${ending}')`),
  sort: q.sort,
  otherwise: 'c.made_at DESC',
  tie: 'c.id DESC',
  sortable: {
    code: 'c.code',
    total: 'c.total',
    paid: 'c.paid',
    owed: OWED,
    overdue: OVERDUE,
    back: BACK,
    dueOn: FIRST_OWED,
    signedOn: 'c.signed_on',
    changes: 'c.changes',
  },
  filled: ['code', 'total', 'paid', 'owed', 'overdue', 'back', 'changes'],
  pageNo: q.pageNo,
  pageSize: q.pageSize,
})

export const contractColumns = row<ContractRow>({
  id: uuid,
  code: text,
  bc_id: uuid,
  bc_name: text,
  store_id: uuid.null,
  storeName: text,
  customer_id: uuid,
  customerName: text,
  quotation_id: uuid,
  site_id: uuid.null,
  ws_name: text,
  siteStatus: int2.of(siteStatus).null,
  packageName: text,
  area: text,
  total: text,
  paid: text,
  owed: text,
  overdue: text,
  back: text,
  dueOn: text.null,
  endValue: text.null,
  signingProgress: int2.of(signingProgress),
  state: text.of(contractState),
  signedOn: text.null,
  changes: int4,
  voidAsked: bool,
  refunding: bool,
  billed: bool,
  billSigned: bool,
  warrantyOpen: text.null,
  quotedMargin: text.null,
  realMargin: text.null,
  version: int4,
})
const locked = row({
  ...contractColumns,
  base: text,
  owner_id: uuid.null,
  deposit_version: uuid.null,
  signed_version: uuid.null,
  made_by: uuid,
  made_at: text,
})
export type LockedContract = RowOf<typeof locked>
/** A contract in reach; it is locked until the transaction ends. */
export async function lockContract(tx: Tx, scope: Scope, id: string): Promise<LockedContract | undefined> {
  const where = scopedStores(scope, 'c').add((p) => `c.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'contracts.lock',
    locked,
    `SELECT ${columnsFor(false)}, c.base::text AS base, c.owner_id, c.deposit_version, c.signed_version, c.made_by,
       c.made_at::text AS made_at
     FROM contracts c ${CONTRACT_JOINS}
     WHERE ${where.text}
     FOR UPDATE OF c`,
    where.values,
  )
  return rows[0]
}

/** What is kept beside a contract of its documents; whoever changes one of them keeps it, in the same transaction. */
export const keepPaid = (tx: Tx, tenant: string, id: string) =>
  tx.run(
    'contracts.paid',
    `UPDATE contracts c
     SET paid = (SELECT coalesce(sum(r.amount), 0) FROM contract_receipts r
         WHERE r.tenant_id = $1 AND r.contract_id = c.id)
       - (SELECT coalesce(sum(f.amount), 0) FROM contract_refunds f
         WHERE f.tenant_id = $1 AND f.contract_id = c.id AND f.status = ${refundStatus.code.approved}),
       version = c.version + 1
     WHERE c.tenant_id = $1 AND c.id = $2`,
    [tenant, id],
  )
/** Its commands leave it as another version. */
export const touch = (tx: Tx, tenant: string, id: string) =>
  tx.run(
    'contracts.touch',
    'UPDATE contracts c SET version = c.version + 1 WHERE c.tenant_id = $1 AND c.id = $2',
    [tenant, id],
  )

export async function pickContracts(tx: Tx, scope: Scope, q: QueryOf<(typeof contractsApi)['pick']>) {
  const where = matching(scope, q.keyword).when(q.id, (p) => `c.id = ${p}::uuid`)
  const { rows } = await tx.query(
    'contracts.pick',
    row({ id: uuid, code: text, customerName: text, state: text.of(contractState) }),
    `SELECT c.id, c.code, u.name AS "customerName", c.state
     FROM contracts c
     JOIN customers u ON u.tenant_id = $1 AND u.id = c.customer_id
     WHERE ${where.text}
     ORDER BY c.made_at DESC, c.id
     LIMIT 20`,
    where.values,
  )
  return rows
}
