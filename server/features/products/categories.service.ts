import type { productCategoriesApi } from '@zhuguan/contract/features/products/products.api.ts'
import { CATEGORY_LEVELS, type CategoryRow } from '@zhuguan/contract/features/products/products.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { changed } from '../../kit/changed.ts'
import { found, invalid, outside, Refused, unlessSeen } from '../../kit/refuse.ts'
import { int4, row, text, there, uuid } from '../../kit/row.ts'
import { whole } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { receiverOf } from './products.service.ts'

type Facts = BodyOf<(typeof productCategoriesApi)['add']>

const ROW = `g.id, g.parent_id, g.name, g.stage, coalesce(g.receiver_bc, g.receiver_store) AS receiver_id,
       coalesce(s.name, c.bc_name, '') AS "receiverName", g.lead_days::int AS "leadDays",
       (SELECT count(*)::int FROM products p WHERE p.tenant_id = $1 AND p.category_id = g.id) AS products, g.version`
const JOINS = `LEFT JOIN stores s ON s.tenant_id = $1 AND s.id = g.receiver_store
     LEFT JOIN companies c ON c.tenant_id = $1 AND c.bc_id = g.receiver_bc`
const category = row<CategoryRow>({
  id: uuid,
  parent_id: uuid.null,
  name: text,
  stage: text.of(siteStage).null,
  receiver_id: uuid.null,
  receiverName: text,
  leadDays: int4.null,
  products: int4,
  version: int4,
})
export async function categoriesOf(tx: Tx, tenant: string): Promise<CategoryRow[]> {
  const { rows } = await tx.query(
    'categories.list',
    category,
    `SELECT ${ROW}
     FROM product_categories g ${JOINS}
     WHERE g.tenant_id = $1
     ORDER BY g.name COLLATE "zh-x-icu", g.id`,
    [tenant],
  )
  return rows
}

/** Categories are the whole group's. */
const groupOnly = (call: Call) => {
  if (!whole(call.user.scope)) throw outside()
}
async function lockCategory(tx: Tx, tenant: string, id: string): Promise<CategoryRow> {
  const { rows } = await tx.query(
    'categories.lock',
    category,
    `SELECT ${ROW}
     FROM product_categories g ${JOINS}
     WHERE g.tenant_id = $1 AND g.id = $2
     FOR UPDATE OF g`,
    [tenant, id],
  )
  return found(rows[0])
}
async function refuseSame(tx: Tx, tenant: string, parent: string | null, name: string, id: string | null) {
  const { rows } = await tx.query(
    'categories.same',
    there,
    `SELECT 1
     FROM product_categories g
     WHERE g.tenant_id = $1 AND g.parent_id IS NOT DISTINCT FROM $2 AND g.name = $3 AND g.id IS DISTINCT FROM $4`,
    [tenant, parent, name, id],
  )
  if (rows.length) throw invalid('name', '这一级已经有同名的品类')
}
/** Number of levels that stand above a new one. */
async function levelsAbove(tx: Tx, tenant: string, parent: string | null): Promise<number> {
  if (parent === null) return 0
  const one = await lockCategory(tx, tenant, parent)
  return 1 + (await levelsAbove(tx, tenant, one.parent_id))
}

export async function addCategory(tx: Tx, call: Call, facts: Facts): Promise<{ id: string }> {
  groupOnly(call)
  const { tenant } = call.user
  if ((await levelsAbove(tx, tenant, facts.parent_id)) >= CATEGORY_LEVELS)
    throw invalid('parent_id', `品类最多 ${CATEGORY_LEVELS} 级`)
  await refuseSame(tx, tenant, facts.parent_id, facts.name, null)
  const receiver = await receiverOf(tx, call.user.scope, facts.receiver_id)
  const id = call.newId()
  await tx.run(
    'categories.add',
    `INSERT INTO product_categories (tenant_id, id, parent_id, name, stage, receiver_bc, receiver_store, lead_days)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [tenant, id, facts.parent_id, facts.name, facts.stage, receiver.bc, receiver.store, facts.leadDays],
  )
  const { name, stage, leadDays } = facts
  await call.log(tx, {
    action: '新增品类',
    object: 'productCategory',
    objectId: id,
    after: { name, stage, leadDays },
  })
  return { id }
}

export async function editCategory(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof productCategoriesApi)['edit']>,
): Promise<void> {
  groupOnly(call)
  const { tenant } = call.user
  const before = await lockCategory(tx, tenant, body.id)
  unlessSeen(before, body.version, '个品类')
  await refuseSame(tx, tenant, before.parent_id, body.name, body.id)
  const receiver = await receiverOf(tx, call.user.scope, body.receiver_id)
  await tx.run(
    'categories.edit',
    `UPDATE product_categories
     SET name = $3, stage = $4, receiver_bc = $5, receiver_store = $6, lead_days = $7, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [tenant, body.id, body.name, body.stage, receiver.bc, receiver.store, body.leadDays],
  )
  const { name, stage, leadDays } = body
  await call.log(tx, {
    action: '编辑品类',
    object: 'productCategory',
    objectId: body.id,
    ...changed(before, { name, stage, leadDays }),
  })
}

export async function removeCategory(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof productCategoriesApi)['remove']>,
): Promise<void> {
  groupOnly(call)
  const { tenant } = call.user
  const before = await lockCategory(tx, tenant, body.id)
  unlessSeen(before, body.version, '个品类')
  // Counted once it is locked: what came while this waited is among them.
  const { rows } = await tx.query(
    'categories.below',
    row({ below: int4, products: int4 }),
    `SELECT (SELECT count(*)::int FROM product_categories g WHERE g.tenant_id = $1 AND g.parent_id = $2) AS below,
       (SELECT count(*)::int FROM products p WHERE p.tenant_id = $1 AND p.category_id = $2) AS products`,
    [tenant, body.id],
  )
  const ties = [
    { count: rows[0]!.below, title: '个下级品类' },
    { count: rows[0]!.products, title: '个商品' },
  ].filter((t) => t.count > 0)
  if (ties.length)
    throw new Refused(`${before.name}还有 ${ties.map((t) => `${t.count} ${t.title}`).join('、')}，不能删除`)
  await tx.run('categories.remove', 'DELETE FROM product_categories WHERE tenant_id = $1 AND id = $2', [
    tenant,
    body.id,
  ])
  await call.log(tx, {
    action: '删除品类',
    object: 'productCategory',
    objectId: body.id,
    before: { name: before.name },
  })
}
