import { customerActions } from '@zhuguan/contract/features/customers/customers.actions.ts'
import type { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import { customerHeld } from '@zhuguan/contract/features/customers/customers.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import type { Belongings } from '../../kit/belongings.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, refuse, Refused, unlessSeen } from '../../kit/refuse.ts'
import { row, text, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { unlessForgotten } from '../persons/forgotten.reads.ts'
import { writeContact } from './customer-people.service.ts'
import { addEntry, noticeOf } from './customers.ledger.ts'
import { customerInReach, lockCustomer, type LockedCustomer } from './customers.queries.ts'
import { handFollowUps, moveFollowUps } from './follow-ups.writes.ts'

const { assigned, lost, merged } = customerHeld.code
/** Contracts that stand, of each of these: a contract names its customer, and nobody becomes a party by a merge. */
async function contractsOf(tx: Tx, tenant: string, customers: readonly string[]) {
  const { rows } = await tx.query(
    'customers.bound',
    row({ customer_id: uuid, code: text }),
    `SELECT DISTINCT ON (c.customer_id) c.customer_id, c.code
     FROM contracts c
     WHERE c.tenant_id = $1 AND c.customer_id = ANY ($2::uuid[]) AND c.state <> 'void'
     ORDER BY c.customer_id, c.code`,
    [tenant, customers],
  )
  return rows
}

/** The column of each part of a customer that is taken over. */
const TAKEN = {
  name: 'name',
  source: 'source',
  community: 'community',
  address: 'address',
  area: 'area',
  budget: 'budget',
  style: 'style',
  store: 'store_id',
  consultant: 'consultant_id',
} as const

/** Both are locked in one order, so that two merges of the same pair wait for each other instead of for ever. */
async function lockBoth(tx: Tx, call: Call, a: string, b: string) {
  const both = new Map<string, LockedCustomer>()
  for (const id of [a, b].toSorted()) both.set(id, found(await lockCustomer(tx, call.user.scope, id)))
  return [both.get(a)!, both.get(b)!] as const
}

/** One customer with both histories, numbers, quotations and contracts; the old one leads to it. */
export async function mergeCustomers(
  tx: Tx,
  call: Call,
  belongings: readonly Belongings[],
  body: BodyOf<(typeof customersApi)['merge']>,
): Promise<void> {
  const { id: me, tenant } = call.user
  const both = [body.id, body.into]
  // What others keep of a customer is asked for only of those whom the caller reaches.
  for (const id of both) found(await customerInReach(tx, call.user.scope, id))
  if (body.id === body.into) throw invalid('into', '请选择另一位客户：不能与自己合并')
  for (const b of belongings) refuse(await b.refusal(tx, tenant, both))
  const [k, into] = await lockBoth(tx, call, body.id, body.into)
  unlessSeen(k, body.version, '位客户')
  unlessSeen(into, body.intoVersion, '位客户')
  for (const one of [k, into]) {
    unlessForgotten(one.name)
    if (one.merged_into) throw new Refused(`${one.name} 刚刚已并入另一位客户，请刷新`)
    refuse(customerActions.refusal('merge', one, actorAt(call.user, one), call.now().getTime() / 1000))
  }
  if (k.bc_id !== into.bc_id) throw invalid('into', '只能合并同一分公司的客户')
  const contracts = await contractsOf(tx, tenant, both)
  if (contracts.length > 1)
    throw new Refused(`两位客户各有合同（${contracts.map((c) => c.code).join('、')}），不能合并`)
  if (contracts[0]?.customer_id === k.id)
    throw invalid('into', `${k.name} 有合同 ${contracts[0].code}：请反过来，保留有合同的这一位`)
  for (const b of belongings) await b.move(tx, tenant, k.id, into.id)
  await moveFollowUps(tx, tenant, k.id, into.id)
  await tx.run(
    'customers.movecontacts',
    'UPDATE customer_contacts SET customer_id = $3 WHERE tenant_id = $1 AND customer_id = $2',
    [tenant, k.id, into.id],
  )
  await tx.run(
    'customers.introducedby',
    'UPDATE customers SET introducer_id = nullif($3, id) WHERE tenant_id = $1 AND introducer_id = $2',
    [tenant, k.id, into.id],
  )
  // Of one that waits and one that is lost, what goes on is what counts.
  const goesOn = [into, k].find((one) => one.held === assigned) ?? [into, k].find((one) => one.held !== lost)
  const taken = new Set<keyof LockedCustomer>(body.take.map((part) => TAKEN[part]))
  const of = <F extends keyof LockedCustomer>(field: F) => (taken.has(field) ? k : into)[field]
  const consultant = of('consultant_id') ?? goesOn?.consultant_id ?? null
  const held = consultant && goesOn ? assigned : (goesOn?.held ?? lost)
  await tx.run(
    'customers.away',
    `UPDATE customers SET held = '${merged}', merged_into = $3, lost_reason = NULL, answer_due = NULL, back_due = NULL,
       changed_at = :now, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [tenant, k.id, into.id],
  )
  await tx.run(
    'customers.into',
    `UPDATE customers
     SET name = $3, source = $4, community = $5, address = $6, area = $7, budget = $8, style = $9, store_id = $10,
       consultant_id = $11, held = $12, lost_reason = CASE WHEN $12 = '${lost}' THEN lost_reason END,
       answer_due = CASE WHEN step = 1 THEN answer_due END, refuses = refuses OR $13,
       owner_id = coalesce(owner_id, $14), notice = coalesce(nullif(notice, ''), $15), changed_at = :now,
       version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [
      tenant,
      into.id,
      of('name'),
      of('source'),
      of('community'),
      of('address'),
      of('area'),
      of('budget'),
      of('style'),
      of('store_id'),
      consultant,
      held,
      k.refuses,
      k.owner_id,
      k.notice,
    ],
  )
  await writeContact(tx, call, into.id, { name: k.name, phone: k.phone, relation: 'other' })
  if (consultant) await handFollowUps(tx, tenant, into.id, consultant)
  await addEntry(tx, call, into.id, { act: 'merge', text: `${k.name} 并入：${body.reason}` })
  await addEntry(tx, call, k.id, { act: 'merge', text: `并入 ${of('name')}：${body.reason}` })
  await call.log(tx, {
    action: '合并客户',
    object: 'customer',
    objectId: into.id,
    before: { name: into.name, consultant_id: into.consultant_id },
    after: { name: of('name'), consultant_id: consultant, merged: k.name, reason: body.reason },
  })
  await passTurn(tx, 'customer', 'merge', {
    tenant,
    actor: me,
    title: `客户 ${k.name} 已并入 ${of('name')}：${body.reason}`,
    named: { consultant, relieved: k.consultant_id },
    ...noticeOf(into),
  })
}
