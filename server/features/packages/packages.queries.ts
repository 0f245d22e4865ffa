import type { packagesApi } from '@zhuguan/contract/features/packages/packages.api.ts'
import {
  type ItemFacts,
  type PackageDetail,
  type PackageItem,
  packageStatus,
  quantityBase,
  roomKind,
} from '@zhuguan/contract/features/packages/packages.record.ts'
import { productStatus } from '@zhuguan/contract/features/products/products.record.ts'
import { quotationStatus } from '@zhuguan/contract/features/quotations/quotations.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { bool, float8, int2, int4, json, row, type RowOf, text, there, uuid } from '../../kit/row.ts'
import { scopedShared } from '../../kit/scoped.ts'
import { contains, epoch, type PageOf, TODAY, type Where } from '../../kit/statement.ts'
import { branchesIn } from '../products/products.reads.ts'

export type PackageFilters = QueryOf<(typeof packagesApi)['list']>
const { draft, published, stopped } = packageStatus.code
const { contracted, void: voided } = quotationStatus.code
const UNDER_WAY = quotationStatus.values.filter((status) => status !== contracted && status !== voided)

const COLUMNS = `p.id, p.bc_id, coalesce(c.bc_name, '全集团') AS bc_name, p.name, p.number,
       trim_scale(p.per_square)::text AS "perSquareMetre", trim_scale(p.least_area)::text AS "leastArea",
       p.from_on::text AS from, p.to_on::text AS to,
       p.status = ${published} AND coalesce(p.to_on < ${TODAY}, false) AS expired, p.status,
       EXISTS (SELECT 1 FROM packages d WHERE d.tenant_id = $1 AND d.family_id = p.family_id
         AND d.status = ${draft} AND d.id <> p.id) AS draft,
       (SELECT count(*)::int FROM quotation_versions v
         JOIN quotations q ON q.tenant_id = $1 AND q.id = v.quotation_id AND q.number = v.number
         WHERE v.tenant_id = $1 AND v.package_id = p.id AND q.status IN (${UNDER_WAY.join(', ')})) AS quotations,
       p.changed_by AS "changedBy", ${epoch('p.changed_at')} AS "changedAt", p.version`
const JOINS = 'LEFT JOIN companies c ON c.tenant_id = $1 AND c.bc_id = p.bc_id'

/** A branch's packages are its own and the group's. */
export async function packagePage(tx: Tx, scope: Scope, q: PackageFilters): Promise<PageOf> {
  const isSeen = !q.bc_id || (await branchesIn(tx, scope, q.bc_id)).length > 0
  const where = scopedShared(scope, 'p')
    .when(q.keyword || undefined, (p) => `p.name ILIKE ${p}`, contains)
    .when(q.bc_id, (p) => `(p.bc_id IS NULL OR p.bc_id = ${p}::uuid)`)
    .when(q.status, (p) => `p.status = ANY(${p}::smallint[])`)
    .plain(!q.status && `p.status <> ${stopped}`)
    .plain(!isSeen && 'false')
  return {
    name: 'packages.page',
    base: 'packages p',
    columns: `${COLUMNS}, (SELECT count(*)::int FROM package_items i
         WHERE i.tenant_id = $1 AND i.package_id = p.id) AS items`,
    joins: JOINS,
    where,
    sort: q.sort,
    otherwise: 'p.name COLLATE "zh-x-icu" ASC, p.number DESC',
    tie: 'p.id ASC',
    sortable: { name: 'p.name COLLATE "zh-x-icu"', perSquareMetre: 'p.per_square', from: 'p.from_on' },
    filled: ['name', 'perSquareMetre', 'from'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

const head = {
  id: uuid,
  bc_id: uuid.null,
  bc_name: text,
  name: text,
  number: int4,
  perSquareMetre: text,
  leastArea: text,
  from: text,
  to: text.null,
  expired: bool,
  status: int2.of(packageStatus),
  draft: bool,
  quotations: int4,
  changedBy: text,
  changedAt: float8,
  version: int4,
  remark: text,
} as const
/** On the shelf and priced, in the package's branch or in any where it is the whole group's. */
const sold = (product: string) => `(${product}.status = ${productStatus.code.on} AND EXISTS (
         SELECT 1 FROM product_prices x
         WHERE x.tenant_id = $1 AND x.product_id = ${product}.id AND x.from_on <= ${TODAY}
           AND (x.bc_id IS NULL OR x.bc_id = k.bc_id)))`
const detailOf = (
  product: string,
) => `concat_ws(' ', nullif(${product}.brand, ''), nullif(${product}.model, ''),
         nullif(${product}.spec, ''))`
/** What stands in a package. */
export async function itemsOf(tx: Tx, tenant: string, id: string): Promise<PackageItem[]> {
  const { rows } = await tx.query(
    'packages.items',
    row<PackageItem>({
      id: uuid,
      room: text.of(roomKind),
      product_id: uuid,
      code: text,
      name: text,
      detail: text,
      unit: text,
      category: text,
      sold: bool,
      base: text.of(quantityBase),
      factor: text,
      waste: text,
      removalPrice: text.null,
      alternatives: json<PackageItem['alternatives']>(),
    }),
    `SELECT i.id, i.room, i.product_id, p.code, p.name, ${detailOf('p')} AS detail, p.unit, g.name AS category,
       ${sold('p')} AS sold, i.base, trim_scale(i.factor)::text AS factor, trim_scale(i.waste)::text AS waste,
       trim_scale(i.removal_price)::text AS "removalPrice", coalesce((
         SELECT json_agg(json_build_object('product_id', a.product_id, 'name', q.name, 'detail', ${detailOf('q')},
           'difference', trim_scale(a.difference)::text, 'sold', ${sold('q')}) ORDER BY a.sort)
         FROM package_alternatives a
         JOIN products q ON q.tenant_id = $1 AND q.id = a.product_id
         WHERE a.tenant_id = $1 AND a.item_id = i.id), '[]') AS alternatives
     FROM package_items i
     JOIN packages k ON k.tenant_id = $1 AND k.id = i.package_id
     JOIN products p ON p.tenant_id = $1 AND p.id = i.product_id
     JOIN product_categories g ON g.tenant_id = $1 AND g.id = p.category_id
     WHERE i.tenant_id = $1 AND i.package_id = $2
     ORDER BY i.sort`,
    [tenant, id],
  )
  return rows
}
export async function packageDetail(tx: Tx, scope: Scope, id: string): Promise<PackageDetail | undefined> {
  const where = scopedShared(scope, 'p').add((p) => `p.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'packages.detail',
    row<Omit<PackageDetail, 'items'>>(head),
    `SELECT ${COLUMNS}, p.remark FROM packages p ${JOINS} WHERE ${where.text}`,
    where.values,
  )
  const one = rows[0]
  return one && { ...one, items: await itemsOf(tx, scope.tenant, id) }
}

const locked = row({
  id: uuid,
  family_id: uuid,
  number: int4,
  bc_id: uuid.null,
  name: text,
  perSquareMetre: text,
  leastArea: text,
  from: text,
  to: text.null,
  remark: text,
  status: int2.of(packageStatus),
  draft: bool,
  version: int4,
})
export type LockedPackage = RowOf<typeof locked>
/** A version in reach; its family is locked until the transaction ends: none is published or begun beside it. */
export async function lockPackage(tx: Tx, scope: Scope, id: string): Promise<LockedPackage | undefined> {
  const family: Where = scopedShared(scope, 'f').add(
    (p) => `f.family_id = (SELECT o.family_id FROM packages o WHERE o.tenant_id = $1 AND o.id = ${p}::uuid)`,
    id,
  )
  await tx.query(
    'packages.lock',
    there,
    `SELECT 1 FROM packages f WHERE ${family.text} ORDER BY f.number FOR UPDATE`,
    family.values,
  )
  const where = scopedShared(scope, 'p').add((p) => `p.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'packages.locked',
    locked,
    `SELECT p.id, p.family_id, p.number, p.bc_id, p.name, trim_scale(p.per_square)::text AS "perSquareMetre",
       trim_scale(p.least_area)::text AS "leastArea", p.from_on::text AS from, p.to_on::text AS to, p.remark, p.status,
       EXISTS (SELECT 1 FROM packages d WHERE d.tenant_id = $1 AND d.family_id = p.family_id
         AND d.status = ${draft} AND d.id <> p.id) AS draft, p.version
     FROM packages p
     WHERE ${where.text}`,
    where.values,
  )
  return rows[0]
}

export const itemsWritten = (items: readonly ItemFacts[], newId: () => string) =>
  items.map((item, at) => ({
    ...item,
    id: newId(),
    sort: at + 1,
    removal_price: item.removalPrice ?? null,
    alternatives: item.alternatives.map((a, n) => ({ ...a, sort: n + 1 })),
  }))
/** The items of a version, all anew. */
export async function writeItems(
  tx: Tx,
  tenant: string,
  id: string,
  items: ReturnType<typeof itemsWritten>,
): Promise<void> {
  await tx.run('packages.unwrite', 'DELETE FROM package_items WHERE tenant_id = $1 AND package_id = $2', [
    tenant,
    id,
  ])
  await tx.run(
    'packages.additems',
    `INSERT INTO package_items (tenant_id, id, package_id, sort, room, product_id, base, factor, waste, removal_price)
     SELECT $1, x.id, $2, x.sort, x.room, x.product_id, x.base, x.factor, x.waste, x.removal_price
     FROM json_to_recordset($3::json) AS x(id uuid, sort int, room text, product_id uuid, base text, factor numeric,
       waste numeric, removal_price numeric)`,
    [tenant, id, JSON.stringify(items)],
  )
  await tx.run(
    'packages.addalternatives',
    `INSERT INTO package_alternatives (tenant_id, item_id, product_id, sort, difference)
     SELECT $1, x.item_id, x.product_id, x.sort, x.difference
     FROM json_to_recordset($2::json) AS x(item_id uuid, product_id uuid, sort int, difference numeric)`,
    [tenant, JSON.stringify(items.flatMap((i) => i.alternatives.map((a) => ({ ...a, item_id: i.id }))))],
  )
}
