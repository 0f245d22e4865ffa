import { LEAD, unlessConsultant } from '@zhuguan/contract/features/customers/customers.actions.ts'
import { type customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import {
  CUSTOMER_NOTICE,
  customerHeld,
  customerSource,
  customerStep,
  type CustomerFacts,
} from '@zhuguan/contract/features/customers/customers.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { maskPhone } from '@zhuguan/contract/kit/masked.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import type { Tx } from '../../database/connect.ts'
import { changed } from '../../kit/changed.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, outside, refuse, Refused } from '../../kit/refuse.ts'
import { row, text, there, uuid } from '../../kit/row.ts'
import { hasStore } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { dueAfter } from '../settings/business-time.reads.ts'
import { lockSeen, lockTheirs } from './customer-opening.service.ts'
import { addEntry, noticeOf } from './customers.ledger.ts'
import { customerInReach, lockCustomer, type LockedCustomer, storesOf } from './customers.queries.ts'
import { cancelFollowUps } from './follow-ups.writes.ts'
import { backAfter, consultantsOf, fullWords, holdPeople } from './holding.queries.ts'
import { countReading } from './number-looks.service.ts'

const { assigned, pool } = customerHeld.code

type Place = Pick<CustomerFacts, 'bc_id' | 'store_id' | 'consultant_id'>
/** The branch or store is the caller's, the store and the consultant are the branch's. */
export async function checkPlace(
  tx: Tx,
  { user }: Call,
  { bc_id, store_id, consultant_id }: Place,
): Promise<void> {
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

/** A number as it is known: a landline with a dash and without is one. */
const digits = (value: string) => `replace(${value}, '-', '')`
interface Known {
  id: string
  name: string
  words: string
}
/** Whose number this is in the branch: in words that say where, so that two stores do not serve the same home. */
export async function whoseNumber(
  tx: Tx,
  tenant: string,
  { bc_id, phone }: { bc_id: string; phone: string },
  but: string | null = null,
): Promise<Known | undefined> {
  const { rows } = await tx.query(
    'customers.same',
    row({ id: uuid, name: text, place: text, consultant: text, held: text.of(customerHeld), contact: text }),
    `SELECT k.id, k.name, coalesce(s.name, c.bc_name) AS place, coalesce(u.nickname, '') AS consultant, k.held,
       coalesce((SELECT t.name FROM customer_contacts t
         WHERE t.tenant_id = $1 AND t.customer_id = k.id AND t.phone = $3 LIMIT 1), '') AS contact
     FROM customer_numbers n
     JOIN customers k ON k.tenant_id = $1 AND k.id = n.customer_id
     JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
     LEFT JOIN stores s ON s.tenant_id = $1 AND s.id = k.store_id
     LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.consultant_id
     WHERE n.tenant_id = $1 AND n.of_branch = $2 AND n.phone = ${digits('$3')} AND n.customer_id IS DISTINCT FROM $4`,
    [tenant, bc_id, phone, but],
  )
  const [same] = rows
  if (!same) return undefined
  const stands = same.held === assigned ? `顾问 ${same.consultant}` : customerHeld.label(same.held)
  const who = same.contact ? `“${same.name}”的联系人${same.contact}` : `“${same.name}”`
  return { id: same.id, name: same.name, words: `客户${who}（${same.place}，${stands}）` }
}
async function refuseTaken(
  tx: Tx,
  call: Call,
  of: { bc_id: string; phone: string },
  but: string | null,
): Promise<void> {
  const same = await whoseNumber(tx, call.user.tenant, of, but)
  if (same) throw invalid('phone', `这个电话已经登记为${same.words}，请直接选择或与对方确认`)
}

/** Whether a number is known: whose in this branch, and of others of the group no more than that it is. */
export async function findNumber(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof customersApi)['known']>,
): Promise<{ words: string; id: string | null }> {
  const { scope, tenant } = call.user
  const near = (await storesOf(tx, scope)).find((t) => t.bc_id === body.bc_id)
  await checkPlace(tx, call, { bc_id: body.bc_id, store_id: near?.id ?? null, consultant_id: null })
  const same = await whoseNumber(tx, tenant, body)
  if (same) return { words: `已登记为${same.words}`, id: same.id }
  const { rows } = await tx.query(
    'customers.elsewhere',
    there,
    `SELECT 1
     FROM customer_numbers n
     WHERE n.tenant_id = $1 AND n.phone = ${digits('$2')} AND n.of_branch <> $3
     LIMIT 1`,
    [tenant, body.phone, body.bc_id],
  )
  return { words: rows.length ? '集团内已有这个电话的客户' : '', id: null }
}

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

/** Whoever brings somebody is a customer of the same branch whom the caller reaches, and somebody else. */
async function unlessIntroducer(
  tx: Tx,
  call: Call,
  { bc_id, introducer_id, source }: Pick<CustomerFacts, 'bc_id' | 'introducer_id' | 'source'>,
  of: string | null = null,
): Promise<void> {
  if (introducer_id === null) return
  if (source !== customerSource.code.introduced)
    throw invalid(
      'introducer_id',
      `来源不是“${customerSource.label(customerSource.code.introduced)}”，不填介绍人`,
    )
  if (introducer_id === of) throw invalid('introducer_id', '介绍人不能是客户自己')
  const by = found(await customerInReach(tx, call.user.scope, introducer_id))
  if (by.bc_id !== bc_id || by.merged_into) throw invalid('introducer_id', '请选择本分公司的客户')
}

/** In the pool of its store, or with the consultant who is named; whoever it is given to hears of it. */
export async function addCustomer(tx: Tx, call: Call, facts: CustomerFacts): Promise<{ id: string }> {
  await checkPlace(tx, call, facts)
  await refuseTaken(tx, call, facts, null)
  await unlessMayHave(tx, call, facts)
  await unlessIntroducer(tx, call, facts)
  const { id, nickname } = call.user
  return enterCustomer(tx, call, facts, {
    why: facts.consultant_id === id ? `${nickname}自己登记` : `${nickname}登记`,
    notice: CUSTOMER_NOTICE.version,
  })
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

const unlessGone = (k: LockedCustomer) => {
  if (k.merged_into) throw new Refused('这位客户已并入另一位，请打开合并后的客户')
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
  if (before.step === customerStep.code.signed && (phone !== before.phone || body.name !== before.name))
    throw invalid('name', '已经签约：姓名和电话是合同的一方，请在业主里更正或更换业主')
  if (phone !== before.phone) await refuseTaken(tx, call, { bc_id, phone }, body.id)
  await unlessFollowed(tx, call, before, body.store_id)
  await unlessIntroducer(tx, call, { ...body, bc_id }, body.id)
  const facts = {
    store_id: body.store_id,
    name: body.name,
    phone,
    source: body.source,
    community: body.community,
    address: body.address,
    area: body.area,
    budget: body.budget,
    style: body.style,
    introducer_id: body.introducer_id,
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

/** Somebody told them afterwards what their number is for. */
export async function markTold(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof customersApi)['told']>,
): Promise<void> {
  const k = await lockTheirs(tx, call, body)
  unlessGone(k)
  if (k.notice) throw new Refused(`${k.name} 已按 ${k.notice} 版告知过`)
  const { version: notice } = CUSTOMER_NOTICE
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

/** Another person of the home, whose number is known from then on. */
export async function addContact(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof customersApi)['addContact']>,
): Promise<void> {
  const k = await lockTheirs(tx, call, body)
  unlessGone(k)
  await refuseTaken(tx, call, { bc_id: k.bc_id, phone: body.phone }, null)
  const { rows } = await tx.query(
    'customers.contacts',
    there,
    'SELECT 1 FROM customer_contacts t WHERE t.tenant_id = $1 AND t.customer_id = $2',
    [call.user.tenant, k.id],
  )
  if (rows.length >= MOST_CONTACTS) throw new Refused(`一位客户最多 ${MOST_CONTACTS} 位联系人`)
  await writeContact(tx, call, k.id, body)
  await touch(tx, call, k.id)
  await call.log(tx, {
    action: '新增联系人',
    object: 'customer',
    objectId: k.id,
    after: { name: k.name, contact: body.name, relation: body.relation, phone: maskPhone(body.phone) },
  })
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
