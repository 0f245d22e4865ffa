import { customerHeld } from '@zhuguan/contract/features/customers/customers.record.ts'
import { followKind, followState } from '@zhuguan/contract/features/customers/follow-ups.record.ts'
import { maskPhone } from '@zhuguan/contract/kit/masked.ts'

import type { Tx } from '../../database/connect.ts'
import { row, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { leadersOf, notify } from '../notifications/notifications.service.ts'
import { keepLeft } from './customer-people.service.ts'
import { addEntry, noticeOf } from './customers.ledger.ts'
import { lockCustomer, type LockedCustomer } from './customers.queries.ts'
import { enterCustomer } from './customers.service.ts'
import { insertFollow } from './follow-ups.service.ts'
import { consultantsOf, holdPeople } from './holding.queries.ts'
import { whoseNumber } from './known-numbers.service.ts'

/** Somebody who looked at what was sent to them, or to somebody else, and wants to hear more. */
export interface LeftNumber {
  bc_id: string
  store_id: string | null
  /** Whoever sent the link, or has the owner who introduced them; nobody where that has ended, or on a wall. */
  maker_id: string | null
  /** The customer that it was sent to. */
  customer_id: string | null
  name: string
  phone: string
  /** The wording that they agreed to. */
  notice: string
  source: 'introduced' | 'link'
  introducer_id: string | null
  /** How it came about: of a lead, of a follow-up of who was known, and in the message about them. */
  words: { why: string; about: string; said: string }
}

/** Whoever sent the link, where they may have one more; else it waits in the pool of its store. */
async function consultantFor(tx: Tx, tenant: string, n: LeftNumber): Promise<string | null> {
  if (n.maker_id === null) return null
  await holdPeople(tx, tenant, [n.maker_id])
  const one = (await consultantsOf(tx, tenant, n)).find((c) => c.id === n.maker_id)
  return one && one.n < one.cap && !one.away ? one.id : null
}
async function addLead(tx: Tx, call: Call, n: LeftNumber): Promise<void> {
  const consultant_id = await consultantFor(tx, call.user.tenant, n)
  await enterCustomer(
    tx,
    call,
    {
      bc_id: n.bc_id,
      store_id: n.store_id,
      name: n.name,
      phone: n.phone,
      source: n.source,
      community: '',
      address: '',
      area: null,
      budget: null,
      style: '',
      introducer_id: n.introducer_id,
      consultant_id,
    },
    { why: n.words.why, notice: n.notice },
  )
}

/** Asked again by the same number about the same: under whatever name, it is the same call to make. */
async function isPlanned(
  tx: Tx,
  tenant: string,
  customer: string,
  asked: { about: string; phone: string },
): Promise<boolean> {
  const { rows } = await tx.query(
    'followups.same',
    row({ id: uuid }),
    `SELECT f.id FROM follow_ups f
     WHERE f.tenant_id = $1 AND f.customer_id = $2 AND f.state = '${followState.code.planned}'
       AND starts_with(f.content, $3) AND right(f.content, length($4)) = $4
     LIMIT 1`,
    [tenant, customer, asked.about, asked.phone],
  )
  return rows.length > 0
}
/** A known customer asks by themselves: whoever has them calls, or the store's leader finds somebody. */
async function tellConsultant(tx: Tx, call: Call, k: LockedCustomer, n: LeftNumber): Promise<void> {
  const { tenant } = call.user
  await tx.run(
    'customers.toldbylink',
    `UPDATE customers SET notice = $3 WHERE tenant_id = $1 AND id = $2 AND notice = ''`,
    [tenant, k.id, n.notice],
  )
  const assigned = k.held === customerHeld.code.assigned
  const asked = { about: n.words.about, phone: maskPhone(n.phone) }
  const content = `${asked.about}，留的是${n.name} ${asked.phone}`
  if (assigned && !(await isPlanned(tx, tenant, k.id, asked)))
    await insertFollow(tx, call, k, {
      // Whoever refused to be called asks for it now: how they are spoken to is the consultant's to find out.
      kind: k.refuses ? followKind.code.other : followKind.code.phone,
      state: followState.code.planned,
      at: call.now(),
      content,
    })
  if (!assigned) await addEntry(tx, call, k.id, { act: 'left', text: content })
  const notice = noticeOf(k)
  const place = { ...notice.place, site_id: null }
  await notify(tx, {
    tenant,
    user: assigned
      ? [k.consultant_id]
      : // The page has promised that whoever sent the link calls.
        [
          ...new Set([
            ...(await leadersOf(tx, { tenant, page: 'CustomerInfo', place })),
            ...(n.maker_id ? [n.maker_id] : []),
          ]),
        ],
    title: `客户 ${k.name} ${n.words.said}，留了电话想了解，请尽快联系`,
    ...notice,
  })
  await call.log(tx, {
    action: '客户留电话',
    object: 'customer',
    objectId: k.id,
    after: { name: k.name, phone: maskPhone(n.phone) },
  })
}

/**
 * A number that was left behind a link: a lead, or a follow-up of whoever has that customer. Whether the number was
 * known is for nobody outside to learn, so nothing is answered.
 */
export async function takeNumber(tx: Tx, call: Call, n: LeftNumber): Promise<void> {
  const whose = await whoseNumber(tx, call.user.tenant, n)
  const known = n.customer_id ?? whose?.id
  const k = known && (await lockCustomer(tx, call.user.scope, known))
  if (!k) return addLead(tx, call, n)
  // Another one than we have: without it nobody could ring back.
  if (!whose) await keepLeft(tx, call, k.id, n)
  await tellConsultant(tx, call, k, n)
}
