import { noticeGiven } from '@zhuguan/contract/features/consents/notices.record.ts'
import { LEAD, unlessConsultant } from '@zhuguan/contract/features/customers/customers.actions.ts'
import { type customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import {
  customerHeld,
  customerStep,
  type CustomerFacts,
} from '@zhuguan/contract/features/customers/customers.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { maskPhone } from '@zhuguan/contract/kit/masked.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import type { Tx } from '../../database/connect.ts'
import { changed } from '../../kit/changed.ts'
import { actorAt } from '../../kit/reach.ts'
import { invalid, refuse } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { dueAfter } from '../settings/business-time.reads.ts'
import { checkPlace, lockSeen, type Place, unlessGone } from './customer-opening.service.ts'
import { addEntry, noticeOf } from './customers.ledger.ts'
import { type LockedCustomer } from './customers.queries.ts'
import { cancelFollowUps } from './follow-ups.writes.ts'
import { backAfter, consultantsOf, fullWords, holdPeople } from './holding.queries.ts'
import { introducerOf } from './introduced.service.ts'
import { refuseTaken } from './known-numbers.service.ts'
import { unlessOffered } from './sources.reads.ts'

const { assigned, pool } = customerHeld.code

/** Oneself, or whomever who gives customers away names: as many as the branch allows, as everywhere. */
async function unlessMayHave(tx: Tx, call: Call, { bc_id, consultant_id, store_id }: Place): Promise<void> {
  if (consultant_id === null) return
  const { id, tenant } = call.user
  const actor = actorAt(call.user, { bc_id, store_id })
  if (consultant_id !== id && !hasPermission(actor, LEAD))
    throw invalid('consultant_id', '登记到别人名下要由能分配客户的人办，请选自己或放进公海')
  await holdPeople(tx, tenant, [consultant_id])
  const to = (await consultantsOf(tx, tenant, { bc_id, store_id })).find((c) => c.id === consultant_id)
  if (!to) throw invalid('consultant_id', '请选择能跟进这家门店客户的顾问')
  if (to.n >= to.cap) throw invalid('consultant_id', `${fullWords(to)}，请放进公海`)
}

/** In the pool of its store, or with the consultant who is named; whoever it is given to hears of it. */
export async function addCustomer(
  tx: Tx,
  call: Call,
  { told, ...facts }: CustomerFacts & { told: boolean },
): Promise<{ id: string }> {
  await checkPlace(tx, call, facts)
  await unlessOffered(tx, call.user.tenant, facts.source)
  const introducer_id = await introducerOf(tx, call, facts)
  await refuseTaken(tx, call, facts, null)
  await unlessMayHave(tx, call, facts)
  const { id, nickname } = call.user
  return enterCustomer(
    tx,
    call,
    { ...facts, introducer_id },
    {
      why: facts.consultant_id === id ? `${nickname}自己登记` : `${nickname}登记`,
      notice: noticeGiven('customer', told),
    },
  )
}
/** The same of what was checked before: nobody's number yet, at a place and with a consultant who may have it. */
export async function enterCustomer(
  tx: Tx,
  call: Call,
  facts: CustomerFacts,
  { notice, why }: { why: string; notice: string },
): Promise<{ id: string }> {
  const { id: me, tenant } = call.user
  const id = call.newId()
  const { bc_id, consultant_id, introducer_id, ...told } = facts
  const answer = consultant_id ? await dueAfter(tx, tenant, bc_id, 'leadHours', call.now()) : null
  const back = consultant_id ? await backAfter(tx, tenant, bc_id, call.now()) : null
  const held = consultant_id ? assigned : pool
  await tx.run(
    'customers.add',
    `INSERT INTO customers (tenant_id, id, bc_id, store_id, name, phone, source, community, address, area, budget,
       style, consultant_id, held, why, answer_due, back_due, introducer_id, notice, held_at, changed_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, :now, :now, :now)`,
    [
      tenant,
      id,
      bc_id,
      facts.store_id,
      facts.name,
      facts.phone,
      facts.source,
      facts.community,
      facts.address,
      facts.area,
      facts.budget,
      facts.style,
      consultant_id,
      held,
      why,
      answer,
      back,
      introducer_id,
      notice,
    ],
  )
  await addEntry(tx, call, id, { act: 'enter', to: consultant_id, text: why })
  await call.log(tx, {
    action: '新增客户',
    object: 'customer',
    objectId: id,
    after: { ...told, bc_id, consultant_id, phone: maskPhone(facts.phone), notice },
  })
  await passTurn(tx, 'customer', consultant_id ? 'enter' : 'wait', {
    tenant,
    actor: me,
    title: consultant_id
      ? `新客户 ${facts.name} 登记在您名下，请及时联系`
      : `新客户 ${facts.name} 在公海里，请分配或认领`,
    named: { consultant: consultant_id },
    ...noticeOf({ id, bc_id, store_id: facts.store_id }),
  })
  return { id }
}

export async function editCustomer(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof customersApi)['edit']>,
): Promise<void> {
  const before = await lockSeen(tx, call, body)
  unlessGone(before)
  refuse(unlessConsultant(before, actorAt(call.user, before)))
  const { bc_id } = before
  const phone = body.phone || before.phone
  await checkPlace(tx, call, { ...body, bc_id, consultant_id: null })
  await unlessOffered(tx, call.user.tenant, body.source, before.source)
  const introducer_id = await introducerOf(tx, call, { ...body, bc_id }, before)
  if (before.step === customerStep.code.signed && (phone !== before.phone || body.name !== before.name))
    throw invalid('name', '已经签约：姓名和电话是合同的一方，请在业主里更正或更换业主')
  if (phone !== before.phone) await refuseTaken(tx, call, { bc_id, phone }, body.id)
  await unlessFollowed(tx, call, before, body.store_id)
  const facts = {
    store_id: body.store_id,
    name: body.name,
    phone,
    source: body.source,
    community: body.community,
    // Whoever is not told where a signed customer's home is leaves it empty.
    address: body.address || (before.step === customerStep.code.signed ? before.address : ''),
    area: body.area,
    budget: body.budget,
    style: body.style,
    introducer_id,
  }
  await tx.run(
    'customers.edit',
    `UPDATE customers
     SET store_id = $3, name = $4, phone = $5, source = $6, community = $7, address = $8, area = $9, budget = $10,
       style = $11, introducer_id = $12, changed_at = :now, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [call.user.tenant, body.id, ...Object.values(facts)],
  )
  const { introducer_id: _other, ...logged } = facts
  const masked = { ...before, phone: maskPhone(before.phone) }
  await addEntry(tx, call, body.id, { act: 'edit', text: changedWords(before, facts) })
  await call.log(tx, {
    action: '编辑客户',
    object: 'customer',
    objectId: body.id,
    // Who brought them is another customer: the ledger says that it was changed.
    ...changed(masked, { ...logged, phone: maskPhone(phone) }),
  })
}

const WORDS = {
  store_id: '门店',
  name: '姓名',
  phone: '电话',
  source: '来源',
  community: '小区',
  address: '地址',
  area: '面积',
  budget: '预算',
  style: '风格',
  introducer_id: '介绍人',
} as const
/** Which of the facts were changed: what they were stands in the log. */
const changedWords = (before: LockedCustomer, after: Record<keyof typeof WORDS, string | null>): string =>
  (Object.keys(WORDS) as (keyof typeof WORDS)[])
    .filter((field) => (before[field] ?? '') !== (after[field] ?? ''))
    .map((field) => WORDS[field])
    .join('、')
/** In another store its consultant goes on, or somebody else has to have it first. */
async function unlessFollowed(tx: Tx, call: Call, k: LockedCustomer, store_id: string | null): Promise<void> {
  if (k.held !== assigned || store_id === k.store_id) return
  const people = await consultantsOf(tx, call.user.tenant, { bc_id: k.bc_id, store_id })
  if (!people.some((c) => c.id === k.consultant_id))
    throw invalid('store_id', `顾问${k.consultantName}不在这家门店，请先转交给那里的顾问`)
}

/** Signing makes the owner: the customer points to that of the site. Nothing that was planned with a lead goes on. */
export async function ownCustomer(tx: Tx, call: Call, id: string, site: string): Promise<void> {
  await tx.run(
    'customers.own',
    `UPDATE customers
     SET owner_id = (SELECT w.owner_id FROM sites w WHERE w.tenant_id = $1 AND w.id = $3), answer_due = NULL,
       back_due = NULL, changed_at = :now, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [call.user.tenant, id, site],
  )
  await addEntry(tx, call, id, { act: 'own' })
  await cancelFollowUps(tx, call, id, '已签约')
}
