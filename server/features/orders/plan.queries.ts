import { changeStatus } from '@zhuguan/contract/features/contracts/changes.record.ts'
import type { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import { orderState } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { int2, row, type RowOf, text, texts, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { contains, type PageOf, TODAY, type Where } from '../../kit/statement.ts'
import { CONTRACT_DUE } from '../contracts/contracts.reads.ts'
import { settingSql } from '../settings/settings.reads.ts'

type PlanFilters = QueryOf<(typeof ordersApi)['plan']>
const { toOrder } = orderState.code

/** Its name while it takes orders, whatever branch it is of. */
const RECEIVER = 'receiver_name($1, i.receiver)'
const CHANGING = `EXISTS (SELECT 1 FROM contract_change_lines x
         JOIN contract_changes y ON y.tenant_id = $1 AND y.id = x.change_id
         WHERE x.tenant_id = $1 AND x.item_id = i.id AND y.status = ${changeStatus.code.waiting})`
const UNPAID = `((${settingSql('payFirst', '$1', 'c.bc_id')})::boolean AND ${CONTRACT_DUE} > c.paid)`
/** The reason why an item cannot be ordered yet (docs/product.md, Goods). */
const BARS = `array_remove(ARRAY[
         CASE WHEN i.product_id IS NULL AND i.contract_attribute = 1 THEN 'product' END,
         CASE WHEN ${CHANGING} THEN 'change' END,
         CASE WHEN ${UNPAID} THEN 'money' END,
         CASE WHEN ${RECEIVER} IS NULL THEN 'receiver' END,
         CASE WHEN i.cost IS NULL THEN 'cost' END], NULL)`
const SOURCES = `JOIN contract_items i ON i.tenant_id = $1 AND i.id = k.item_id
     JOIN contracts c ON c.tenant_id = $1 AND c.id = i.contract_id
     JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id`
const CATEGORIES = `LEFT JOIN products d ON d.tenant_id = $1 AND d.id = k.product_id
     LEFT JOIN product_categories g ON g.tenant_id = $1 AND g.id = d.category_id
     LEFT JOIN product_categories h ON h.tenant_id = $1 AND h.id = g.parent_id
     LEFT JOIN product_categories j ON j.tenant_id = $1 AND j.id = h.parent_id`
/** What is known of an item elsewhere, asked for the rows that other conditions leave. */
const about = (condition: string) =>
  `EXISTS (SELECT FROM (SELECT k.*) k ${SOURCES} ${CATEGORIES} WHERE ${condition})`

const placed = (scope: Scope, q: Pick<PlanFilters, 'bc_id' | 'stage'>) =>
  scoped(scope, 'k')
    .when(q.bc_id, (p) => `k.bc_id = ${p}::uuid`)
    .when(q.stage, (p) => `k.stage = ANY(${p}::text[])`)

/** Of whole branches a plan without other filters is counted a stage, as it changes. */
const knownTotal = (scope: Scope, q: PlanFilters, where: Where): string | undefined =>
  !scope.sites && where.text === placed(scope, q).text
    ? `SELECT coalesce(sum(k.count), 0) FROM to_order_counts k WHERE ${where.text}`
    : undefined

/** What of a contract's goods is still to be ordered, an item a row; what is late first. */
export function planPage(scope: Scope, q: PlanFilters): PageOf {
  const where = placed(scope, q)
    .when(q.site_id, (p) => `k.site_id = ${p}::uuid`)
    .plain(q.late === true && `k.suggested_on < ${TODAY}`)
    .plain(q.late === false && `coalesce(k.suggested_on >= ${TODAY}, true)`)
    .when(q.manager_id, (p) => about(`w.manager_id = ${p}::uuid`))
    .when(q.category_id, (p) => about(`${p}::uuid IN (g.id, h.id, j.id)`))
    .when(q.receiver_id, (p) => about(`i.receiver = ${p}::uuid`))
    .when(
      q.keyword || undefined,
      (p) => about(`lower(concat_ws(' ', w.ws_name, c.code, i.code, i.name, i.detail)) LIKE ${p}`),
      contains,
    )
    .plain(q.ready === true && `(k.quantity > 0 AND ${about(`${BARS} = '{}'`)})`)
    .plain(q.ready === false && `(k.quantity = 0 OR ${about(`${BARS} <> '{}'`)})`)
  return {
    name: 'orders.plan',
    base: 'items_to_order k',
    columns: `k.item_id AS id, k.bc_id, b.bc_name, k.site_id, w.ws_name, c.id AS contract_id,
       c.code AS "contractCode", k.stage, i.room, concat_ws(' / ', j.name, h.name, g.name) AS category, i.code, i.name,
       i.detail, i.unit, i.attribute, trim_scale(k.quantity)::text AS quantity, trim_scale(k.held)::text AS held,
       trim_scale(i.pack)::text AS pack, i.receiver AS receiver_id, i.receiver_name AS "receiverName",
       k.lead_days AS "leadDays", k.stage_on::text AS "stageOn", k.suggested_on::text AS "suggestedOn",
       coalesce(k.suggested_on < ${TODAY}, false) AS late, a.ready_on::text AS "readyOn", ${toOrder} AS "orderState",
       ${BARS} AS bars`,
    joins: `${SOURCES} ${CATEGORIES}
       JOIN companies b ON b.tenant_id = $1 AND b.bc_id = k.bc_id
       LEFT JOIN site_arrivals a ON a.tenant_id = $1 AND a.site_id = k.site_id`,
    where,
    known: knownTotal(scope, q, where),
    sort: q.sort,
    otherwise: ['k.suggested_on ASC NULLS LAST', 'k.site_id ASC', 'k.stage ASC'],
    tie: 'k.item_id ASC',
    sortable: { suggestedOn: 'k.suggested_on', stageOn: 'k.stage_on', quantity: 'k.quantity' },
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
  siteStatus: int2.of(siteStatus),
  bars: texts,
})
export type PlanItem = RowOf<typeof item>
/** Items in reach that somebody wants to order, with why they cannot be. */
export async function itemsToOrder(tx: Tx, scope: Scope, ids: readonly string[]): Promise<PlanItem[]> {
  const where = scoped(scope, 'k').add((p) => `k.item_id = ANY (${p}::uuid[])`, ids)
  const { rows } = await tx.query(
    'orders.items',
    item,
    `SELECT k.item_id AS id, k.bc_id, k.site_id, i.contract_id, i.stage, i.product_id, i.code, i.name, i.detail, i.unit,
       i.receiver AS receiver_id, coalesce(${RECEIVER}, i.receiver_name) AS "receiverName",
       trim_scale(i.cost)::text AS cost,
       trim_scale(i.pack)::text AS pack,
       w.status AS "siteStatus", ${BARS} AS bars
     FROM items_to_order k ${SOURCES}
     WHERE ${where.text}`,
    where.values,
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
