import { NOTICES } from '@zhuguan/contract/features/consents/notices.record.ts'
import type { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import { contactRelation } from '@zhuguan/contract/features/owners/owners.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { maskPhone } from '@zhuguan/contract/kit/masked.ts'

import type { Tx } from '../../database/connect.ts'
import { found, Refused } from '../../kit/refuse.ts'
import { row, text, there } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { lockTheirs, unlessGone } from './customer-opening.service.ts'
import { lockCustomer } from './customers.queries.ts'
import { refuseTaken } from './known-numbers.service.ts'
import { countReading } from './number-looks.service.ts'

/** Somebody told them afterwards what their number is for. */
export async function markTold(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof customersApi)['told']>,
): Promise<void> {
  const k = await lockTheirs(tx, call, body)
  unlessGone(k)
  if (k.notice) throw new Refused(`${k.name} 已按 ${k.notice} 版告知过`)
  const { version: notice } = NOTICES.customer
  await tx.run(
    'customers.told',
    `UPDATE customers SET notice = $3, changed_at = :now, version = version + 1 WHERE tenant_id = $1 AND id = $2`,
    [call.user.tenant, k.id, notice],
  )
  await call.log(tx, {
    action: '登记已告知',
    object: 'customer',
    objectId: k.id,
    after: { name: k.name, notice },
  })
}

/** A number for a reason; the look is in the log before the number leaves, and so many a day are enough. */
export async function readCustomerPhone(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof customersApi)['phone']>,
): Promise<{ phone: string }> {
  const k = found(await lockCustomer(tx, call.user.scope, body.id))
  const of = body.contact_id ? found(await contactOf(tx, call, k.id, body.contact_id)) : k
  await countReading(tx, call, k.bc_id)
  await call.log(tx, {
    action: '查看客户电话',
    object: 'customer',
    objectId: body.id,
    after: { name: k.name, ...(of === k ? {} : { contact: of.name }), reason: body.reason },
  })
  return { phone: of.phone }
}

async function contactOf(tx: Tx, call: Call, customer: string, id: string) {
  const { rows } = await tx.query(
    'customers.contact',
    row({ name: text, phone: text }),
    'SELECT t.name, t.phone FROM customer_contacts t WHERE t.tenant_id = $1 AND t.customer_id = $2 AND t.id = $3',
    [call.user.tenant, customer, id],
  )
  return rows[0]
}
/** So many further people a home has at most. */
const MOST_CONTACTS = 10

async function contactsOf(tx: Tx, tenant: string, customer: string): Promise<number> {
  const { rows } = await tx.query(
    'customers.contacts',
    there,
    'SELECT 1 FROM customer_contacts t WHERE t.tenant_id = $1 AND t.customer_id = $2',
    [tenant, customer],
  )
  return rows.length
}

/** Another person of the home, whose number is known from then on. */
export async function addContact(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof customersApi)['addContact']>,
): Promise<void> {
  const k = await lockTheirs(tx, call, body)
  unlessGone(k)
  await refuseTaken(tx, call, { bc_id: k.bc_id, phone: body.phone }, null)
  if ((await contactsOf(tx, call.user.tenant, k.id)) >= MOST_CONTACTS)
    throw new Refused(`一位客户最多 ${MOST_CONTACTS} 位联系人`)
  await writeContact(tx, call, k.id, body)
  await touch(tx, call, k.id)
  await call.log(tx, {
    action: '新增联系人',
    object: 'customer',
    objectId: k.id,
    after: { name: k.name, contact: body.name, relation: body.relation, phone: maskPhone(body.phone) },
  })
}
/** A number that was left behind a link of this customer and is nobody's yet: one of theirs, read as theirs are. */
export async function keepLeft(
  tx: Tx,
  call: Call,
  customer: string,
  of: { name: string; phone: string },
): Promise<void> {
  if ((await contactsOf(tx, call.user.tenant, customer)) >= MOST_CONTACTS) return
  await writeContact(tx, call, customer, { ...of, relation: contactRelation.code.other })
  await touch(tx, call, customer)
}
export const writeContact = (
  tx: Tx,
  call: Pick<Call, 'newId' | 'user'>,
  customer: string,
  { name, phone, relation }: { name: string; phone: string; relation: string },
) =>
  tx.run(
    'customers.addcontact',
    `INSERT INTO customer_contacts (tenant_id, id, customer_id, name, relation, phone, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, :now)`,
    [call.user.tenant, call.newId(), customer, name, relation, phone],
  )
const touch = (tx: Tx, call: Call, id: string) =>
  tx.run(
    'customers.touch',
    'UPDATE customers SET changed_at = :now, version = version + 1 WHERE tenant_id = $1 AND id = $2',
    [call.user.tenant, id],
  )

export async function dropContact(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof customersApi)['dropContact']>,
): Promise<void> {
  const k = await lockTheirs(tx, call, body)
  const contact = found(await contactOf(tx, call, k.id, body.contact_id))
  await tx.run(
    'customers.dropcontact',
    'DELETE FROM customer_contacts WHERE tenant_id = $1 AND customer_id = $2 AND id = $3',
    [call.user.tenant, k.id, body.contact_id],
  )
  await touch(tx, call, k.id)
  await call.log(tx, {
    action: '移除联系人',
    object: 'customer',
    objectId: k.id,
    before: { contact: contact.name },
    after: { name: k.name, reason: body.reason },
  })
}
