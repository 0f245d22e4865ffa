import type { productsApi } from '@zhuguan/contract/features/products/products.api.ts'
import {
  type PriceRow,
  type ProductDetail,
  productKind,
  type ProductRow,
  productStatus,
} from '@zhuguan/contract/features/products/products.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { bool, float8, int2, int4, json, row, text, uuid } from '../../kit/row.ts'
import { scopedShared } from '../../kit/scoped.ts'
import { contains, epoch, type PageOf, type Where } from '../../kit/statement.ts'

export type ProductFilters = QueryOf<(typeof productsApi)['list']>
/** Who asks, whether they read costs, whose prices they see, and which day it is. */
export interface Reader {
  scope: Scope
  costs: boolean
  bc: string | null
  today: string
}

/** A product's category and those above it: what a product does not say, the nearest of them says. */
const CATEGORIES = `JOIN product_categories g ON g.tenant_id = $1 AND g.id = p.category_id
    LEFT JOIN product_categories h ON h.tenant_id = $1 AND h.id = g.parent_id
    LEFT JOIN product_categories i ON i.tenant_id = $1 AND i.id = h.parent_id`
const inherited = (column: string) => `coalesce(p.${column}, g.${column}, h.${column}, i.${column})`
/** Whoever is named nearest receives, be it a branch or a store. */
const RECEIVER = `coalesce(p.receiver_bc, p.receiver_store, g.receiver_bc, g.receiver_store,
      h.receiver_bc, h.receiver_store, i.receiver_bc, i.receiver_store)`

const productScope = (scope: Scope): Where => scopedShared(scope, 'p')
const inCategory = (p: string) => `(g.id = ${p}::uuid OR h.id = ${p}::uuid OR i.id = ${p}::uuid)`
const named = (p: string) =>
  `(p.name ILIKE ${p} OR p.code ILIKE ${p} OR p.brand ILIKE ${p} OR p.model ILIKE ${p} OR p.spec ILIKE ${p})`

function productWhere({ scope }: Reader, q: Omit<ProductFilters, 'pageNo' | 'pageSize' | 'sort'>): Where {
  return productScope(scope)
    .when(q.keyword || undefined, named, contains)
    .when(q.kind, (p) => `p.kind = ANY(${p}::text[])`)
    .when(q.category_id, inCategory)
    .when(q.brand, (p) => `p.brand = ${p}`)
    .when(q.receiver_id, (p) => `${RECEIVER} = ${p}::uuid`)
    .when(q.status, (p) => `p.status = ANY(${p}::smallint[])`)
}

/** Rows of `p` as the page shows them; `bc` and `today` are placeholders. */
const rowsOf = (costs: boolean, bc: string, today: string) => ({
  columns: `p.id, p.code, p.bc_id, coalesce(c.bc_name, '') AS bc_name, p.name, p.kind, p.category_id,
       concat_ws(' / ', i.name, h.name, g.name) AS category, p.brand, p.model, p.spec, p.unit,
       ${RECEIVER} AS receiver_id, coalesce(s.name, m.bc_name, '') AS "receiverName", ${inherited('stage')} AS stage,
       ${inherited('lead_days')}::int AS "leadDays", trim_scale(p.pack)::text AS pack,
       trim_scale(p.least)::text AS least, trim_scale(p.removal_price)::text AS "removalPrice", p.picture,
       ${costs ? 'trim_scale(v.cost)::text' : 'NULL::text'} AS cost, trim_scale(v.price)::text AS price,
       CASE WHEN v.price IS NULL THEN (SELECT count(DISTINCT x.bc_id)::int FROM product_prices x
         WHERE x.tenant_id = $1 AND x.product_id = p.id AND x.from_on <= ${today}) ELSE 0 END AS "pricedIn",
       (SELECT min(x.from_on)::text FROM product_prices x WHERE x.tenant_id = $1 AND x.product_id = p.id
         AND x.from_on > ${today}
         AND (x.bc_id = ${bc} OR x.bc_id IS NULL AND v.bc_id IS NULL)) AS "nextFrom", p.status, p.version`,
  joins: `${CATEGORIES}
    LEFT JOIN companies c ON c.tenant_id = $1 AND c.bc_id = p.bc_id
    LEFT JOIN stores s ON s.tenant_id = $1 AND s.id = ${RECEIVER}
    LEFT JOIN companies m ON m.tenant_id = $1 AND m.bc_id = ${RECEIVER}
    LEFT JOIN LATERAL (
      SELECT x.price, x.cost, x.bc_id FROM product_prices x
      WHERE x.tenant_id = $1 AND x.product_id = p.id AND x.from_on <= ${today}
        AND (x.bc_id IS NULL OR x.bc_id = ${bc})
      ORDER BY x.bc_id NULLS LAST, x.from_on DESC, x.id DESC
      LIMIT 1) v ON true`,
})
/** Without a branch that stands in the text: a plan for every branch would look dearer, and be made with each call. */
const readBy = (where: Where, { costs, bc, today }: Reader) =>
  rowsOf(
    costs,
    bc === null ? 'NULL::uuid' : `$${where.values.push(bc)}::uuid`,
    `$${where.values.push(today)}::date`,
  )

export function productPage(reader: Reader, q: ProductFilters): PageOf {
  const where = productWhere(reader, q)
  return {
    name: 'products.page',
    ...readBy(where, reader),
    base: `products p ${CATEGORIES}`,
    alias: 'p',
    where,
    sort: q.sort,
    otherwise: 'p.code ASC',
    tie: 'p.id ASC',
    sortable: { code: 'p.code', name: 'p.name COLLATE "zh-x-icu"', status: 'p.status' },
    filled: ['code', 'name', 'status'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

const product = {
  id: uuid,
  code: text,
  bc_id: uuid.null,
  bc_name: text,
  name: text,
  kind: text.of(productKind),
  category_id: uuid,
  category: text,
  brand: text,
  model: text,
  spec: text,
  unit: text,
  receiver_id: uuid.null,
  receiverName: text,
  stage: text.of(siteStage).null,
  leadDays: int4.null,
  pack: text.null,
  least: text.null,
  removalPrice: text.null,
  picture: text.null,
  cost: text.null,
  price: text.null,
  pricedIn: int4,
  nextFrom: text.null,
  status: int2.of(productStatus),
  version: int4,
} as const
export async function productDetail(tx: Tx, reader: Reader, id: string): Promise<ProductDetail | undefined> {
  const where = productScope(reader.scope).add((p) => `p.id = ${p}::uuid`, id)
  const { columns, joins } = readBy(where, reader)
  const { rows } = await tx.query(
    'products.detail',
    row<ProductDetail>({ ...product, own: json<ProductDetail['own']>() }),
    `SELECT ${columns}, json_build_object('receiver_id', coalesce(p.receiver_bc, p.receiver_store), 'stage', p.stage,
         'leadDays', p.lead_days) AS own
     FROM products p ${joins}
     WHERE ${where.text}`,
    where.values,
  )
  return rows[0]
}

const MOST_PICKED = 50
/** What can be sold in the reader's branch now; those that are asked for by id also when they cannot any more. */
export async function pickProducts(
  tx: Tx,
  reader: Reader,
  q: QueryOf<(typeof productsApi)['pick']>,
): Promise<ProductRow[]> {
  const where = productScope(reader.scope)
    .when(q.keyword || undefined, named, contains)
    .when(q.category_id, inCategory)
    .when(q.ids, (p) => `p.id = ANY(${p}::uuid[])`)
    .plain(!q.ids && `p.status = ${productStatus.code.on}`)
  const { columns, joins } = readBy(where, reader)
  const { rows } = await tx.query(
    'products.pick',
    row<ProductRow>(product),
    `SELECT ${columns}
     FROM products p ${joins}
     WHERE ${where.text} AND (v.price IS NOT NULL OR ${q.ids ? 'true' : 'false'})
     ORDER BY p.code
     LIMIT ${q.ids ? 200 : MOST_PICKED}`,
    where.values,
  )
  return rows
}

/** These products with their prices of today, costs among them; those out of reach are left out. */
export async function productsById(tx: Tx, reader: Reader, ids: readonly string[]): Promise<ProductRow[]> {
  const where = productScope(reader.scope).add((p) => `p.id = ANY (${p}::uuid[])`, ids)
  const { columns, joins } = readBy(where, reader)
  const { rows } = await tx.query(
    'products.byid',
    row<ProductRow>(product),
    `SELECT ${columns}
     FROM products p ${joins}
     WHERE ${where.text}`,
    where.values,
  )
  return rows
}

/** Every price of a product that the reader's branches have had, those to come first. */
export async function pricesOf(tx: Tx, { scope, costs, bc, today }: Reader, id: string): Promise<PriceRow[]> {
  const where = scopedShared(scope, 'x').add((p) => `x.product_id = ${p}::uuid`, id)
  const [branch, day] = [`$${where.values.push(bc)}::uuid`, `$${where.values.push(today)}::date`]
  const { rows } = await tx.query(
    'products.prices',
    row<PriceRow>({
      id: uuid,
      bc_id: uuid.null,
      bc_name: text,
      from: text,
      price: text,
      cost: text.null,
      reason: text,
      by: text,
      at: float8,
      now: bool,
    }),
    `SELECT x.id, x.bc_id, coalesce(c.bc_name, '') AS bc_name, x.from_on::text AS from,
       trim_scale(x.price)::text AS price, ${costs ? 'trim_scale(x.cost)::text' : 'NULL::text'} AS cost, x.reason,
       x.set_by AS by, ${epoch('x.set_at')} AS at, coalesce(x.id = (
         SELECT y.id FROM product_prices y
         WHERE y.tenant_id = $1 AND y.product_id = x.product_id AND y.from_on <= ${day}
           AND (y.bc_id IS NULL OR y.bc_id = ${branch})
         ORDER BY y.bc_id NULLS LAST, y.from_on DESC, y.id DESC
         LIMIT 1), false) AS now
     FROM product_prices x
     LEFT JOIN companies c ON c.tenant_id = $1 AND c.bc_id = x.bc_id
     WHERE ${where.text}
     ORDER BY x.from_on DESC, x.id DESC`,
    where.values,
  )
  return rows
}

const lockedProduct = row({
  id: uuid,
  code: text,
  bc_id: uuid.null,
  name: text,
  kind: text.of(productKind),
  category_id: uuid,
  brand: text,
  model: text,
  spec: text,
  unit: text,
  stage: text.of(siteStage).null,
  receiver_id: uuid.null,
  receiver: json<{ bc: string | null; store: string | null }>(),
  leadDays: int4.null,
  pack: text.null,
  least: text.null,
  removalPrice: text.null,
  picture: text.null,
  status: int2.of(productStatus),
  version: int4,
})
/** A product in reach, locked until the transaction ends. */
export async function lockProduct(tx: Tx, scope: Scope, id: string) {
  const where = productScope(scope).add((p) => `p.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'products.lock',
    lockedProduct,
    `SELECT p.id, p.code, p.bc_id, p.name, p.kind, p.category_id, p.brand, p.model, p.spec, p.unit, p.stage,
       coalesce(p.receiver_bc, p.receiver_store) AS receiver_id,
       json_build_object('bc', p.receiver_bc, 'store', p.receiver_store) AS receiver, p.lead_days::int AS "leadDays",
       trim_scale(p.pack)::text AS pack, trim_scale(p.least)::text AS least,
       trim_scale(p.removal_price)::text AS "removalPrice", p.picture, p.status, p.version
     FROM products p
     WHERE ${where.text}
     FOR UPDATE OF p`,
    where.values,
  )
  return rows[0]
}

export async function brandsOf(tx: Tx, scope: Scope): Promise<string[]> {
  const where = productScope(scope).plain(`p.brand <> ''`)
  const { rows } = await tx.query(
    'products.brands',
    row({ brand: text }),
    `SELECT DISTINCT p.brand COLLATE "zh-x-icu" AS brand FROM products p WHERE ${where.text} ORDER BY 1 LIMIT 500`,
    where.values,
  )
  return rows.map((r) => r.brand)
}

/** Branches and stores that take orders and that are in reach, by name. */
export async function receiversOf(tx: Tx, scope: Scope, q: { keyword?: string; id?: string }) {
  const where = scopedShared(scope, 'r')
    .when(q.keyword || undefined, (p) => `r.name ILIKE ${p}`, contains)
    .when(q.id, (p) => `r.id = ${p}::uuid`)
  const { rows } = await tx.query(
    'products.receivers',
    row({ id: uuid, name: text, bc_name: text, store: bool }),
    `SELECT r.id, r.name, r.bc_name, r.store
     FROM (
       SELECT c.tenant_id, c.bc_id, c.bc_id AS id, c.bc_name AS name, c.bc_name, false AS store
       FROM companies c
       WHERE c.tenant_id = $1 AND c.receives_orders AND c.status = 1
       UNION ALL
       SELECT s.tenant_id, s.bc_id, s.id, s.name, c.bc_name, true
       FROM stores s
       JOIN companies c ON c.tenant_id = $1 AND c.bc_id = s.bc_id
       WHERE s.tenant_id = $1 AND s.receives_orders AND s.status = 1) r
     WHERE ${where.text}
     ORDER BY r.store, r.name
     LIMIT 30`,
    where.values,
  )
  return rows
}
