import { packageActions } from '@zhuguan/contract/features/packages/packages.actions.ts'
import type { packagesApi } from '@zhuguan/contract/features/packages/packages.api.ts'
import {
  type ItemFacts,
  type PackageDetail,
  type PackageFacts,
  packageStatus,
} from '@zhuguan/contract/features/packages/packages.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { changed } from '../../kit/changed.ts'
import { refuseUnlessOwn } from '../../kit/owned.ts'
import { found, invalid, outside, refuse, unlessSeen } from '../../kit/refuse.ts'
import { int4, row, there, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { soldTo } from '../products/products.reads.ts'
import {
  itemsWritten,
  lockPackage,
  type LockedPackage,
  packageDetail,
  writeItems,
} from './packages.queries.ts'

const { draft, published, stopped } = packageStatus.code
type One = BodyOf<(typeof packagesApi)['publish']>

const ownOf = (scope: Scope, bc: string | null) =>
  refuseUnlessOwn(scope, bc, '集团的套餐由集团维护；可以复制成分公司的再改')
async function lockSeen(tx: Tx, call: Call, body: One): Promise<LockedPackage> {
  const one = found(await lockPackage(tx, call.user.scope, body.id))
  ownOf(call.user.scope, one.bc_id)
  unlessSeen(one, body.version, '个套餐')
  return one
}

/** Every product is one that its branch sells, and none stands beside itself. */
async function checkItems(tx: Tx, call: Call, bc: string | null, items: readonly ItemFacts[]): Promise<void> {
  const ids = new Set(items.flatMap((i) => [i.product_id, ...i.alternatives.map((a) => a.product_id)]))
  const known = await soldTo(tx, call.user.scope, { bc, ids: [...ids] })
  for (const id of ids) if (!known.has(id)) throw outside()
  for (const [at, item] of items.entries()) {
    const beside = [item.product_id, ...item.alternatives.map((a) => a.product_id)]
    if (new Set(beside).size < beside.length)
      throw invalid(['items', at, 'alternatives'].join('.'), `第 ${at + 1} 项的可换商品有重复`)
  }
}
function checkDays({ from, to }: Pick<PackageFacts, 'from' | 'to'>): void {
  if (to !== null && to < from) throw invalid('to', '有效期至不能早于有效期从')
}
async function refuseSame(
  tx: Tx,
  tenant: string,
  of: { name: string; bc: string | null; family: string | null },
): Promise<void> {
  const { rows } = await tx.query(
    'packages.same',
    there,
    `SELECT 1
     FROM packages p
     WHERE p.tenant_id = $1 AND p.name = $2 AND (p.bc_id IS NULL OR $3::uuid IS NULL OR p.bc_id = $3)
       AND p.family_id IS DISTINCT FROM $4 AND p.status <> ${stopped}
     LIMIT 1`,
    [tenant, of.name, of.bc, of.family],
  )
  if (rows.length) throw invalid('name', `已经有同名的套餐，请换一个名称，例如“${of.name}（副本）”`)
}

interface Written extends PackageFacts {
  id: string
  family: string
  number: number
}
async function insertPackage(tx: Tx, call: Call, p: Written): Promise<void> {
  const { tenant, nickname } = call.user
  await tx.run(
    'packages.add',
    `INSERT INTO packages (tenant_id, id, family_id, number, bc_id, name, per_square, least_area, from_on, to_on,
       remark, changed_by, changed_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, :now)`,
    [
      tenant,
      p.id,
      p.family,
      p.number,
      p.bc_id,
      p.name,
      p.perSquareMetre,
      p.leastArea,
      p.from,
      p.to,
      p.remark,
      nickname,
    ],
  )
  await writeItems(
    tx,
    tenant,
    p.id,
    itemsWritten(p.items, () => call.newId()),
  )
}
const toldOf = ({
  name,
  perSquareMetre,
  leastArea,
  from,
  to,
  remark,
  items,
}: Omit<PackageFacts, 'bc_id'>) => ({
  name,
  perSquareMetre,
  leastArea,
  from,
  to,
  remark,
  items: items.length,
})

export async function addPackage(tx: Tx, call: Call, facts: PackageFacts): Promise<{ id: string }> {
  ownOf(call.user.scope, facts.bc_id)
  checkDays(facts)
  await checkItems(tx, call, facts.bc_id, facts.items)
  await refuseSame(tx, call.user.tenant, { name: facts.name, bc: facts.bc_id, family: null })
  const id = call.newId()
  await insertPackage(tx, call, { ...facts, id, family: id, number: 1 })
  await call.log(tx, {
    action: '新增套餐',
    object: 'package',
    objectId: id,
    after: { ...toldOf(facts), bc_id: facts.bc_id, number: 1 },
  })
  return { id }
}

export async function editPackage(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof packagesApi)['edit']>,
): Promise<void> {
  const { tenant, nickname } = call.user
  const before = await lockSeen(tx, call, body)
  refuse(packageActions.refusal('edit', before, call.user))
  checkDays(body)
  await checkItems(tx, call, before.bc_id, body.items)
  await refuseSame(tx, tenant, { name: body.name, bc: before.bc_id, family: before.family_id })
  await tx.run(
    'packages.edit',
    `UPDATE packages
     SET name = $3, per_square = $4, least_area = $5, from_on = $6, to_on = $7, remark = $8, changed_by = $9,
       changed_at = :now, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [
      tenant,
      body.id,
      body.name,
      body.perSquareMetre,
      body.leastArea,
      body.from,
      body.to,
      body.remark,
      nickname,
    ],
  )
  await writeItems(
    tx,
    tenant,
    body.id,
    itemsWritten(body.items, () => call.newId()),
  )
  await call.log(tx, {
    action: '编辑套餐',
    object: 'package',
    objectId: body.id,
    ...changed(before, toldOf(body)),
  })
}

/** What a version holds, to be written once more. */
function factsOf({
  items,
  bc_id,
  name,
  perSquareMetre,
  leastArea,
  from,
  to,
  remark,
}: PackageDetail): PackageFacts {
  return {
    bc_id,
    name,
    perSquareMetre,
    leastArea,
    from,
    to,
    remark,
    items: items.map(({ room, product_id, base, factor, waste, removalPrice, alternatives }) => ({
      room,
      product_id,
      base,
      factor,
      waste,
      removalPrice: removalPrice ?? undefined,
      alternatives: alternatives.map((a) => ({ product_id: a.product_id, difference: a.difference })),
    })),
  }
}
async function highestOf(tx: Tx, tenant: string, family: string): Promise<number> {
  const { rows } = await tx.query(
    'packages.highest',
    row({ number: int4 }),
    'SELECT max(p.number)::int AS number FROM packages p WHERE p.tenant_id = $1 AND p.family_id = $2',
    [tenant, family],
  )
  return rows[0]!.number
}

export async function renewPackage(tx: Tx, call: Call, body: One): Promise<{ id: string }> {
  const { scope, tenant } = call.user
  const before = await lockSeen(tx, call, body)
  refuse(packageActions.refusal('renew', before, call.user))
  const facts = factsOf(found(await packageDetail(tx, scope, body.id)))
  const number = 1 + (await highestOf(tx, tenant, before.family_id))
  const id = call.newId()
  await insertPackage(tx, call, { ...facts, id, family: before.family_id, number })
  await call.log(tx, {
    action: '编辑新版本',
    object: 'package',
    objectId: id,
    before: { number: before.number },
    after: { name: before.name, number },
  })
  return { id }
}

export async function copyPackage(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof packagesApi)['copy']>,
): Promise<{ id: string }> {
  const { scope } = call.user
  const of = found(await packageDetail(tx, scope, body.id))
  return addPackage(tx, call, { ...factsOf(of), name: body.name, bc_id: body.bc_id })
}

async function setStatus(tx: Tx, call: Call, id: string, status: number): Promise<void> {
  await tx.run(
    'packages.status',
    `UPDATE packages
     SET status = $3, changed_by = $4, changed_at = :now, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [call.user.tenant, id, status, call.user.nickname],
  )
}

export async function publishPackage(tx: Tx, call: Call, body: One): Promise<void> {
  const { scope, tenant } = call.user
  const before = await lockSeen(tx, call, body)
  refuse(packageActions.refusal('publish', before, call.user))
  const { items, to } = found(await packageDetail(tx, scope, body.id))
  if (items.length === 0) refuse('套餐里还没有商品，不能发布')
  if (to !== null && to < shanghaiDay(call.now())) refuse('有效期已经过去，请先改有效期')
  const unsold = items.find((i) => !i.sold || i.alternatives.some((a) => !a.sold))
  if (unsold) refuse(`“${unsold.name}”或它的可换商品已下架或没有定价，不能发布`)
  const { rows } = await tx.query(
    'packages.before',
    row({ id: uuid }),
    `SELECT p.id FROM packages p WHERE p.tenant_id = $1 AND p.family_id = $2 AND p.status = ${published}`,
    [tenant, before.family_id],
  )
  for (const { id } of rows) await setStatus(tx, call, id, stopped)
  await setStatus(tx, call, body.id, published)
  await call.log(tx, {
    action: '发布套餐',
    object: 'package',
    objectId: body.id,
    before: { status: draft },
    after: { name: before.name, number: before.number, status: published },
  })
}

export async function stopPackage(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof packagesApi)['stop']>,
): Promise<void> {
  const before = await lockSeen(tx, call, body)
  refuse(packageActions.refusal('stop', before, call.user))
  await setStatus(tx, call, body.id, stopped)
  await call.log(tx, {
    action: '停用套餐',
    object: 'package',
    objectId: body.id,
    before: { status: published },
    after: { name: before.name, status: stopped, reason: body.reason },
  })
}
