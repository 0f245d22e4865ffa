import type { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import type { CustomerFacts } from '@zhuguan/contract/features/customers/customers.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { maskPhone } from '@zhuguan/contract/kit/masked.ts'

import type { Tx } from '../../database/connect.ts'
import { changed } from '../../kit/changed.ts'
import { found, invalid, outside, unlessSeen } from '../../kit/refuse.ts'
import { row, text, there } from '../../kit/row.ts'
import { hasStore } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { lockCustomer } from './customers.queries.ts'

type Place = Pick<CustomerFacts, 'bc_id' | 'store_id' | 'consultant_id'>
/** The branch or store is the caller's, the store and the consultant are the branch's. */
async function checkPlace(tx: Tx, { user }: Call, { bc_id, store_id, consultant_id }: Place): Promise<void> {
  if (!hasStore(user.scope, bc_id, store_id)) throw outside()
  const known = async (name: string, text: string, id: string | null) =>
    id === null || (await tx.query(name, there, text, [user.tenant, bc_id, id])).rows.length > 0
  const isBranch = await known(
    'customers.branch',
    'SELECT 1 FROM companies c WHERE c.tenant_id = $1 AND c.bc_id = $2 AND c.bc_id = $3 AND c.status = 1',
    bc_id,
  )
  if (!isBranch) throw outside()
  const isStore = await known(
    'customers.store',
    'SELECT 1 FROM stores s WHERE s.tenant_id = $1 AND s.bc_id = $2 AND s.id = $3',
    store_id,
  )
  if (!isStore) throw outside()
  const isPerson = await known(
    'customers.consultant',
    `SELECT 1 FROM users u
     WHERE u.tenant_id = $1 AND u.id = $3 AND u.status = 1 AND u.deleted_at IS NULL AND u.bc_id = $2`,
    consultant_id,
  )
  if (!isPerson) throw invalid('consultant_id', '请选择本分公司在职的顾问')
}
/** One number is one customer of a branch: whoever has it is named, so that two stores do not serve the same home. */
async function refuseTaken(
  tx: Tx,
  call: Call,
  { bc_id, phone }: { bc_id: string; phone: string },
  but: string | null,
): Promise<void> {
  const { rows } = await tx.query(
    'customers.same',
    row({ name: text, place: text, consultant: text }),
    `SELECT k.name, coalesce(s.name, c.bc_name) AS place, coalesce(u.nickname, '') AS consultant
     FROM customers k
     JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
     LEFT JOIN stores s ON s.tenant_id = $1 AND s.id = k.store_id
     LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.consultant_id
     WHERE k.tenant_id = $1 AND k.bc_id = $2 AND k.phone = $3 AND k.id IS DISTINCT FROM $4`,
    [call.user.tenant, bc_id, phone, but],
  )
  const [same] = rows
  if (!same) return
  const who = same.consultant ? `，顾问 ${same.consultant}` : ''
  throw invalid(
    'phone',
    `这个电话已经登记为客户“${same.name}”（${same.place}${who}），请直接选择或与对方确认`,
  )
}

export async function addCustomer(tx: Tx, call: Call, facts: CustomerFacts): Promise<{ id: string }> {
  await checkPlace(tx, call, facts)
  await refuseTaken(tx, call, facts, null)
  const id = call.newId()
  await tx.run(
    'customers.add',
    `INSERT INTO customers (tenant_id, id, bc_id, store_id, name, phone, community, address, area, consultant_id,
       created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, :now)`,
    [
      call.user.tenant,
      id,
      facts.bc_id,
      facts.store_id,
      facts.name,
      facts.phone,
      facts.community,
      facts.address,
      facts.area,
      facts.consultant_id,
    ],
  )
  await call.log(tx, {
    action: '新增客户',
    object: 'customer',
    objectId: id,
    after: { ...facts, phone: maskPhone(facts.phone) },
  })
  return { id }
}

export async function editCustomer(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof customersApi)['edit']>,
): Promise<void> {
  const before = found(await lockCustomer(tx, call.user.scope, body.id))
  unlessSeen(before, body.version, '位客户')
  const { bc_id } = before
  const phone = body.phone || before.phone
  await checkPlace(tx, call, { ...body, bc_id })
  if (phone !== before.phone) await refuseTaken(tx, call, { bc_id, phone }, body.id)
  const facts = {
    store_id: body.store_id,
    name: body.name,
    phone,
    community: body.community,
    address: body.address,
    area: body.area,
    consultant_id: body.consultant_id,
  }
  await tx.run(
    'customers.edit',
    `UPDATE customers
     SET store_id = $3, name = $4, phone = $5, community = $6, address = $7, area = $8, consultant_id = $9,
       version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [call.user.tenant, body.id, ...Object.values(facts)],
  )
  const masked = { ...before, phone: maskPhone(before.phone) }
  await call.log(tx, {
    action: '编辑客户',
    object: 'customer',
    objectId: body.id,
    ...changed(masked, { ...facts, phone: maskPhone(phone) }),
  })
}

/** A customer's number for a reason; the look is in the log before the number leaves. */
export async function readCustomerPhone(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof customersApi)['phone']>,
): Promise<{ phone: string }> {
  const { name, phone } = found(await lockCustomer(tx, call.user.scope, body.id))
  await call.log(tx, {
    action: '查看客户电话',
    object: 'customer',
    objectId: body.id,
    after: { name, reason: body.reason },
  })
  return { phone }
}

/** Signing makes the owner: the customer points to that of the site. */
export async function ownCustomer(tx: Tx, call: Call, id: string, site: string): Promise<void> {
  await tx.run(
    'customers.own',
    `UPDATE customers
     SET owner_id = (SELECT w.owner_id FROM sites w WHERE w.tenant_id = $1 AND w.id = $3), version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [call.user.tenant, id, site],
  )
}
