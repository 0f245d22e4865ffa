import { PICK_CUSTOMERS } from '@zhuguan/contract/features/customers/customers.api.ts'
import type { CustomerRow } from '@zhuguan/contract/features/customers/customers.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { phoneText } from '../../kit/masked.ts'
import { int4, row, text, uuid } from '../../kit/row.ts'
import { scopedStores } from '../../kit/scoped.ts'
import { contains } from '../../kit/statement.ts'

const customer = row<CustomerRow>({
  id: uuid,
  bc_id: uuid,
  bc_name: text,
  store_id: uuid.null,
  storeName: text,
  name: text,
  phone: text,
  community: text,
  address: text,
  area: text.null,
  consultant_id: uuid.null,
  consultantName: text,
  version: int4,
})
const columns = (whole: boolean) =>
  `k.id, k.bc_id, c.bc_name, k.store_id, coalesce(s.name, '') AS "storeName", k.name,
       ${phoneText('k.phone', whole)} AS phone, k.community, k.address, trim_scale(k.area)::text AS area,
       k.consultant_id, coalesce(u.nickname, '') AS "consultantName", k.version`
const FROM = `FROM customers k
     JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
     LEFT JOIN stores s ON s.tenant_id = $1 AND s.id = k.store_id
     LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.consultant_id`

/** A whole telephone number finds its customer; a part of one finds nobody, since nobody may read it. */
export async function pickCustomers(
  tx: Tx,
  scope: Scope,
  asked: { keyword?: string | undefined; id?: string | undefined },
): Promise<CustomerRow[]> {
  const where = scopedStores(scope, 'k')
    .when(asked.id, (p) => `k.id = ${p}::uuid`)
    .when(
      asked.keyword || undefined,
      (p) => `(k.name ILIKE ${p} OR k.community ILIKE ${p} OR '%' || k.phone || '%' = ${p})`,
      contains,
    )
  const { rows } = await tx.query(
    'customers.pick',
    customer,
    `SELECT ${columns(false)}
     ${FROM}
     WHERE ${where.text}
     ORDER BY k.created_at DESC, k.id
     LIMIT ${PICK_CUSTOMERS}`,
    where.values,
  )
  return rows
}

/** Where somebody may write customers down. */
export async function storesOf(tx: Tx, scope: Scope): Promise<{ id: string; bc_id: string; name: string }[]> {
  const where = scopedStores(scope, 's')
  const { rows } = await tx.query(
    'customers.stores',
    row({ id: uuid, bc_id: uuid, name: text }),
    `SELECT s.store_id AS id, s.bc_id, s.name
     FROM (
       SELECT t.tenant_id, t.id AS store_id, t.bc_id, t.name
       FROM stores t
       WHERE t.tenant_id = $1 AND t.status = 1
     ) s
     WHERE ${where.text}
     ORDER BY s.name, s.store_id`,
    where.values,
  )
  return rows
}

/** One in reach, with its number, locked until the transaction ends. */
export async function lockCustomer(tx: Tx, scope: Scope, id: string): Promise<CustomerRow | undefined> {
  const where = scopedStores(scope, 'k').add((p) => `k.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'customers.lock',
    customer,
    `SELECT ${columns(true)}
     ${FROM}
     WHERE ${where.text}
     FOR UPDATE OF k`,
    where.values,
  )
  return rows[0]
}
