import { productActions } from '@zhuguan/contract/features/products/products.actions.ts'
import { type productsApi } from '@zhuguan/contract/features/products/products.api.ts'
import { isGoods } from '@zhuguan/contract/features/products/products.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { changed } from '../../kit/changed.ts'
import { refuseUnlessOwn } from '../../kit/owned.ts'
import { found, invalid, outside, refuse, unlessSeen } from '../../kit/refuse.ts'
import { row, text, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { claimPicture, dropFile, type FileStore } from '../files/files.service.ts'
import { nextNumbers } from '../numbers/numbers.service.ts'
import { lockProduct, receiversOf } from './products.queries.ts'
import { branchesIn } from './products.reads.ts'

export type ProductFacts = BodyOf<(typeof productsApi)['add']>
/** Where orders go: a branch or a store. */
export interface Receiver {
  bc: string | null
  store: string | null
}
const DAYS_AHEAD = 366

const ownOf = (scope: Scope, bc: string | null) =>
  refuseUnlessOwn(scope, bc, '集团的商品和价格由集团维护，请选择您的分公司')
export async function receiverOf(tx: Tx, scope: Scope, id: string | null): Promise<Receiver> {
  if (id === null) return { bc: null, store: null }
  const one = found((await receiversOf(tx, scope, { id }))[0])
  return { bc: one.store ? null : one.id, store: one.store ? one.id : null }
}
export async function categoryExists(tx: Tx, tenant: string, id: string): Promise<boolean> {
  const { rows } = await tx.query(
    'products.category',
    row({ id: uuid }),
    // It is not removed while something is put into it.
    'SELECT g.id FROM product_categories g WHERE g.tenant_id = $1 AND g.id = $2 FOR KEY SHARE',
    [tenant, id],
  )
  return rows.length > 0
}
async function refuseCategory(tx: Tx, tenant: string, id: string): Promise<void> {
  if (!(await categoryExists(tx, tenant, id))) throw outside()
}
/** Only goods come in packs. */
function refusePacks(p: Pick<ProductFacts, 'kind' | 'pack' | 'least'>): void {
  if (!isGoods(p.kind) && p.pack !== null) throw invalid('pack', '人工和费用没有每包数量')
  if (!isGoods(p.kind) && p.least !== null) throw invalid('least', '人工和费用没有起订量')
  if (p.pack === '0') throw invalid('pack', '每包数量应大于 0')
}

const PRODUCT = `id uuid, bc_id uuid, code text, name text, kind text, category_id uuid, brand text, model text,
       spec text, unit text, stage text, receiver_bc uuid, receiver_store uuid, lead_days int, pack numeric,
       least numeric, removal_price numeric, picture text`
export interface NewProduct extends ProductFacts {
  id: string
  receiver: Receiver
}
/** New products in one statement; answers the code of each, null for one that is taken. */
export async function insertProducts(
  tx: Tx,
  tenant: string,
  all: readonly NewProduct[],
): Promise<(string | null)[]> {
  const unnamed = all.filter((p) => !p.code).length
  const numbers = unnamed
    ? await nextNumbers(tx, { tenant, kind: 'product', of: { id: tenant, code: '' }, count: unnamed })
    : []
  const rows = all.map((p) => ({
    ...p,
    code: p.code || numbers.shift()!,
    receiver_bc: p.receiver.bc,
    receiver_store: p.receiver.store,
    lead_days: p.leadDays,
    removal_price: p.removalPrice,
  }))
  const stored = await tx.query(
    'products.add',
    row({ code: text }),
    `INSERT INTO products (tenant_id, id, bc_id, code, name, kind, category_id, brand, model, spec, unit, stage,
       receiver_bc, receiver_store, lead_days, pack, least, removal_price, picture)
     SELECT $1, x.*
     FROM json_to_recordset($2::json) AS x(${PRODUCT})
     ON CONFLICT (tenant_id, code) DO NOTHING
     RETURNING code`,
    [tenant, JSON.stringify(rows)],
  )
  const kept = new Set(stored.rows.map((r) => r.code))
  return rows.map((r) => (kept.has(r.code) ? r.code : null))
}

export async function addProduct(tx: Tx, call: Call, p: ProductFacts): Promise<{ id: string; code: string }> {
  const { scope, tenant } = call.user
  ownOf(scope, p.bc_id)
  if (p.bc_id !== null && (await branchesIn(tx, scope, p.bc_id)).length === 0) throw outside()
  await refuseCategory(tx, tenant, p.category_id)
  refusePacks(p)
  const receiver = await receiverOf(tx, scope, p.receiver_id)
  if (p.picture) await claimPicture(tx, call, p.picture, 'product', p.bc_id)
  const id = call.newId()
  const [code] = await insertProducts(tx, tenant, [{ ...p, id, receiver }])
  if (!code) throw invalid('code', `编码 ${p.code} 已被使用`)
  const { category_id: _c, receiver_id: _r, ...told } = p
  await call.log(tx, { action: '新增商品', object: 'product', objectId: id, after: { ...told, code } })
  return { id, code }
}

const lockSeen = async (tx: Tx, call: Call, body: { id: string; version: number }) => {
  const product = found(await lockProduct(tx, call.user.scope, body.id))
  unlessSeen(product, body.version, '个商品')
  return product
}
const grow = (tx: Tx, tenant: string, id: string) =>
  tx.run('products.grow', 'UPDATE products SET version = version + 1 WHERE tenant_id = $1 AND id = $2', [
    tenant,
    id,
  ])

export async function editProduct(
  tx: Tx,
  call: Call,
  files: FileStore,
  body: BodyOf<(typeof productsApi)['edit']>,
): Promise<void> {
  const { scope, tenant } = call.user
  const before = await lockSeen(tx, call, body)
  ownOf(scope, before.bc_id)
  refuse(productActions.refusal('edit', before, call.user))
  await refuseCategory(tx, tenant, body.category_id)
  if (body.unit !== before.unit && (await priceOn(tx, tenant, { product: body.id, bc: null, any: true })))
    throw invalid('unit', '已经定过价，改单位会让旧价格变成另一个意思；请新增一个商品')
  refusePacks(body)
  // Who receives already may stand outside of the caller's own branches.
  const receiver =
    body.receiver_id === before.receiver_id ? before.receiver : await receiverOf(tx, scope, body.receiver_id)
  if (body.picture !== before.picture) {
    if (body.picture) await claimPicture(tx, call, body.picture, 'product', before.bc_id)
    if (before.picture) await dropFile(tx, call, files, before.picture)
  }
  await tx.run(
    'products.edit',
    `UPDATE products
     SET name = $3, kind = $4, category_id = $5, brand = $6, model = $7, spec = $8, unit = $9, stage = $10,
       receiver_bc = $11, receiver_store = $12, lead_days = $13, pack = $14, least = $15, removal_price = $16,
       picture = $17, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [
      tenant,
      body.id,
      body.name,
      body.kind,
      body.category_id,
      body.brand,
      body.model,
      body.spec,
      body.unit,
      body.stage,
      receiver.bc,
      receiver.store,
      body.leadDays,
      body.pack,
      body.least,
      body.removalPrice,
      body.picture,
    ],
  )
  const { id: _id, version: _version, category_id: _c, receiver_id: _r, ...facts } = body
  await call.log(tx, {
    action: '编辑商品',
    object: 'product',
    objectId: body.id,
    ...changed(before, facts),
  })
}

export interface NewPrice {
  product: string
  bc: string | null
  from: string
  price: string
  cost: string | null
  reason: string
}
export const insertPrices = (tx: Tx, call: Call, prices: readonly NewPrice[]) =>
  tx.run(
    'products.addprice',
    `INSERT INTO product_prices (tenant_id, id, product_id, bc_id, from_on, price, cost, reason, set_by, set_at)
     SELECT $1, x.id, x.product, x.bc, x.from, x.price, x.cost, x.reason, $3, :now
     FROM json_to_recordset($2::json) AS x(id uuid, product uuid, bc uuid, "from" date, price numeric, cost numeric,
       reason text)`,
    [call.user.tenant, JSON.stringify(prices.map((p) => ({ ...p, id: call.newId() }))), call.user.nickname],
  )
/** What is asked and what it costs on that day; of any branch and day, where only that there is a price is asked. */
async function priceOn(
  tx: Tx,
  tenant: string,
  p: { product: string; bc: string | null; from?: string; any?: boolean },
): Promise<{ price: string; cost: string | null } | undefined> {
  const { rows } = await tx.query(
    'products.priceon',
    row({ price: text, cost: text.null }),
    `SELECT trim_scale(x.price)::text AS price, trim_scale(x.cost)::text AS cost
     FROM product_prices x
     WHERE x.tenant_id = $1 AND x.product_id = $2
       AND ($5 OR x.from_on <= $4::date AND (x.bc_id IS NULL OR x.bc_id = $3))
     ORDER BY x.bc_id NULLS LAST, x.from_on DESC, x.id DESC
     LIMIT 1`,
    [tenant, p.product, p.bc, p.from ?? null, p.any ?? false],
  )
  return rows[0]
}

export async function setPrice(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof productsApi)['price']>,
): Promise<void> {
  const { scope, tenant } = call.user
  const product = await lockSeen(tx, call, body)
  refuse(productActions.refusal('price', product, call.user))
  ownOf(scope, body.bc_id)
  if (body.bc_id !== null && (await branchesIn(tx, scope, body.bc_id)).length === 0) throw outside()
  if (product.bc_id !== null && body.bc_id !== product.bc_id)
    throw invalid('bc_id', '这个商品只在一个分公司出售，请选择那个分公司')
  const today = shanghaiDay(call.now())
  if (body.from < today) throw invalid('from', '生效日期不能早于今天：已经报过的价不会改变')
  if (body.from > addDays(today, DAYS_AHEAD)) throw invalid('from', '生效日期最多到一年以后')
  const asked = { product: body.id, bc: body.bc_id, from: body.from }
  if (body.cost !== undefined && !hasPermission(call.user, 'product:cost'))
    throw invalid('cost', '您没有查看成本的权限，不能修改成本价')
  const before = await priceOn(tx, tenant, asked)
  const cost = body.cost === undefined ? (before?.cost ?? null) : body.cost
  await insertPrices(tx, call, [{ ...asked, price: body.price, cost, reason: body.reason }])
  await grow(tx, tenant, body.id)
  await call.log(tx, {
    action: '调价',
    object: 'product',
    objectId: body.id,
    after: {
      name: product.name,
      code: product.code,
      bc_id: body.bc_id,
      from: body.from,
      was: before?.price ?? '未定价',
      price: body.price,
      ...(body.cost === undefined ? {} : { cost: '已改' }),
      reason: body.reason,
    },
  })
}

export async function shelve(tx: Tx, call: Call, body: BodyOf<(typeof productsApi)['state']>): Promise<void> {
  const product = await lockSeen(tx, call, body)
  ownOf(call.user.scope, product.bc_id)
  refuse(productActions.refusal(body.action, product, call.user))
  if (body.action === 'withdraw' && body.reason.length < 2)
    throw invalid('reason', '请写明原因（至少 2 个字）')
  const to = Number(productActions.arrives(body.action, product.status))
  await tx.run(
    'products.shelve',
    'UPDATE products SET status = $3, version = version + 1 WHERE tenant_id = $1 AND id = $2',
    [call.user.tenant, body.id, to],
  )
  await call.log(tx, {
    action: productActions.table[body.action].label,
    object: 'product',
    objectId: body.id,
    before: { status: product.status },
    after: {
      name: product.name,
      code: product.code,
      status: to,
      ...(body.reason ? { reason: body.reason } : {}),
    },
  })
}
