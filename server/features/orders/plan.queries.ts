import { changeStatus } from '@zhuguan/contract/features/contracts/changes.record.ts'
import type { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import { orderState } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { int2, row, type RowOf, text, texts, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { contains, type PageOf, TODAY, Where } from '../../kit/statement.ts'
import { CONTRACT_DUE } from '../contracts/contracts.reads.ts'
import { settingSql } from '../settings/settings.reads.ts'

type PlanFilters = QueryOf<(typeof ordersApi)['plan']>
const { toOrder } = orderState.code

const LEAD = `coalesce(d.lead_days, g.lead_days, h.lead_days, j.lead_days, 0)::int`
const SUGGESTED = `(t.planned_start - ${LEAD})`
/** Its name while it takes orders, whatever branch it is of. */
const RECEIVER = 'receiver_name($1, i.receiver)'
const CHANGING = `EXISTS (SELECT 1 FROM contract_change_lines x
         JOIN contract_changes y ON y.tenant_id = $1 AND y.id = x.change_id
         WHERE x.tenant_id = $1 AND x.item_id = i.id AND y.status = ${changeStatus.code.waiting})`
const UNPAID = `((${settingSql('payFirst', '$1', 'c.bc_id')})::boolean AND ${CONTRACT_DUE} > c.paid)`
/** Why an item cannot be ordered yet (docs/product.md, Goods). */
const BARS = `array_remove(ARRAY[
         CASE WHEN i.product_id IS NULL AND i.contract_attribute = 1 THEN 'product' END,
         CASE WHEN ${CHANGING} THEN 'change' END,
         CASE WHEN ${UNPAID} THEN 'money' END,
         CASE WHEN ${RECEIVER} IS NULL THEN 'receiver' END,
         CASE WHEN i.cost IS NULL THEN 'cost' END], NULL)`
const SOURCES = `JOIN contract_items i ON i.tenant_id = $1 AND i.id = k.id
     JOIN contracts c ON c.tenant_id = $1 AND c.id = i.contract_id
     JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
     LEFT JOIN site_stages t ON t.tenant_id = $1 AND t.site_id = k.site_id AND t.stage = i.stage
     LEFT JOIN products d ON d.tenant_id = $1 AND d.id = i.product_id
     LEFT JOIN product_categories g ON g.tenant_id = $1 AND g.id = d.category_id
     LEFT JOIN product_categories h ON h.tenant_id = $1 AND h.id = g.parent_id
     LEFT JOIN product_categories j ON j.tenant_id = $1 AND j.id = h.parent_id
     LEFT JOIN site_arrivals a ON a.tenant_id = $1 AND a.site_id = k.site_id`
const JOINS = `JOIN companies b ON b.tenant_id = $1 AND b.bc_id = k.bc_id`
const open = (conditions: string) => `(SELECT p.tenant_id, p.item_id AS id, p.bc_id, p.site_id,
         sum(p.quantity) FILTER (WHERE p.place = 'open') AS quantity,
         sum(p.quantity) FILTER (WHERE p.place = 'held') AS held
       FROM pieces p
       WHERE ${conditions} AND p.order_state = ${toOrder}
       GROUP BY p.tenant_id, p.item_id, p.bc_id, p.site_id)`

/** What of a contract's goods is still to be ordered, an item a row; what is late first. */
export function planPage(scope: Scope, q: PlanFilters): PageOf {
  const inner = scoped(scope, 'p')
    .when(q.bc_id, (p) => `p.bc_id = ${p}::uuid`)
    .when(q.site_id, (p) => `p.site_id = ${p}::uuid`)
    .when(
      q.manager_id,
      (p) => `EXISTS (SELECT 1 FROM sites m
         WHERE m.tenant_id = $1 AND m.id = p.site_id AND m.manager_id = ${p}::uuid)`,
    )
  const outer = new Where()
  outer.values.push(...inner.values)
  outer
    .when(q.keyword || undefined, (p) => `e.words LIKE ${p}`, contains)
    .when(q.stage, (p) => `e.stage = ANY(${p}::text[])`)
    .when(q.category_id, (p) => `${p}::uuid IN (e.category_id, e.upper_id, e.top_id)`)
    .when(q.receiver_id, (p) => `e.receiver_id = ${p}::uuid`)
    .plain(q.late === true && `e.suggested_on < ${TODAY}`)
    .plain(q.late === false && `coalesce(e.suggested_on >= ${TODAY}, true)`)
    .plain(q.ready === true && `e.bars = '{}' AND e.quantity > 0`)
    .plain(q.ready === false && `(e.bars <> '{}' OR e.quantity = 0)`)
  return {
    name: 'orders.plan',
    alias: 'e',
    base: `(SELECT k.id, k.bc_id, k.site_id, w.ws_name, c.id AS contract_id, c.code AS "contractCode", i.stage, i.room,
       concat_ws(' / ', j.name, h.name, g.name) AS category, g.id AS category_id, h.id AS upper_id, j.id AS top_id,
       i.code, i.name, i.detail, i.unit, i.attribute, coalesce(k.quantity, 0) AS quantity, coalesce(k.held, 0) AS held,
       i.pack, i.receiver AS receiver_id, i.receiver_name AS "receiverName", ${LEAD} AS "leadDays",
       t.planned_start AS stage_on, ${SUGGESTED} AS suggested_on, a.ready_on, ${BARS} AS bars,
       lower(concat_ws(' ', w.ws_name, c.code, i.code, i.name, i.detail)) AS words
     FROM ${open(inner.text)} k ${SOURCES}) e`,
    columns: `e.id, e.bc_id, b.bc_name, e.site_id, e.ws_name, e.contract_id, e."contractCode", e.stage, e.room,
       e.category, e.code, e.name, e.detail, e.unit, e.attribute, trim_scale(e.quantity)::text AS quantity,
       trim_scale(e.held)::text AS held, trim_scale(e.pack)::text AS pack, e.receiver_id, e."receiverName",
       e."leadDays", e.stage_on::text AS "stageOn", e.suggested_on::text AS "suggestedOn",
       coalesce(e.suggested_on < ${TODAY}, false) AS late, e.ready_on::text AS "readyOn", ${toOrder} AS "orderState",
       e.bars`,
    joins: JOINS.replaceAll('k.', 'e.'),
    where: outer,
    // Each item stands on one line of one contract of one site: without a filter its sources need not be asked.
    known: outer.text === 'true' ? `SELECT count(*) FROM ${open(inner.text)} k` : undefined,
    sort: q.sort,
    otherwise: ['e.suggested_on ASC NULLS LAST', 'e.site_id ASC', 'e.stage ASC'],
    tie: 'e.id ASC',
    sortable: { suggestedOn: 'e.suggested_on', stageOn: 'e.stage_on', quantity: 'e.quantity' },
    filled: ['quantity'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

const item = row({
  id: uuid,
  bc_id: uuid,
  site_id: uuid,
  contract_id: uuid,
  stage: text.null,
  product_id: uuid.null,
  code: text,
  name: text,
  detail: text,
  unit: text,
  receiver_id: uuid.null,
  receiverName: text,
  cost: text.null,
  pack: text.null,
  siteStatus: int2,
  bars: texts,
})
export type PlanItem = RowOf<typeof item>
/** Items in reach that somebody wants to order, with why they cannot be. */
export async function itemsToOrder(tx: Tx, scope: Scope, ids: readonly string[]): Promise<PlanItem[]> {
  const inner = scoped(scope, 'p').add((p) => `p.item_id = ANY (${p}::uuid[])`, ids)
  const { rows } = await tx.query(
    'orders.items',
    item,
    `SELECT k.id, k.bc_id, k.site_id, i.contract_id, i.stage, i.product_id, i.code, i.name, i.detail, i.unit,
       i.receiver AS receiver_id, coalesce(${RECEIVER}, i.receiver_name) AS "receiverName",
       trim_scale(i.cost)::text AS cost,
       trim_scale(i.pack)::text AS pack,
       w.status AS "siteStatus", ${BARS} AS bars
     FROM ${open(inner.text)} k ${SOURCES}`,
    inner.values,
  )
  return rows
}
/** Of these items those that are in reach, whatever became of their goods. */
export async function knownItems(tx: Tx, scope: Scope, ids: readonly string[]): Promise<Set<string>> {
  const where = scoped(scope, 'p').add((p) => `p.item_id = ANY (${p}::uuid[])`, ids)
  const { rows } = await tx.query(
    'orders.known',
    row({ id: uuid }),
    `SELECT DISTINCT p.item_id AS id FROM pieces p WHERE ${where.text}`,
    where.values,
  )
  return new Set(rows.map((r) => r.id))
}
