import {
  type CustomerAction,
  customerActions,
  LEAD,
} from '@zhuguan/contract/features/customers/customers.actions.ts'
import type { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import {
  customerAct,
  customerAsk,
  customerHeld,
  customerStep,
  lostReason,
} from '@zhuguan/contract/features/customers/customers.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../../database/connect.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, refuse, Refused, unlessSeen } from '../../kit/refuse.ts'
import { row, text } from '../../kit/row.ts'
import type { Call, Caller } from '../../kit/serve.ts'
import { settle } from '../notifications/notifications.service.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { dueAfter } from '../settings/business-time.reads.ts'
import { lockSeen, lockTheirs } from './customer-opening.service.ts'
import { addEntry, type Entry, noticeOf } from './customers.ledger.ts'
import { lockCustomer, type LockedCustomer } from './customers.queries.ts'
import { cancelFollowUps, handFollowUps } from './follow-ups.writes.ts'
import {
  backAfter,
  type Consultant,
  consultantsOf,
  fullWords,
  holdPeople,
  lostLately,
  turnsOf,
} from './holding.queries.ts'

const { assigned, lost } = customerHeld.code
const { deposit } = customerStep.code

interface Held {
  held: LockedCustomer['held']
  consultant_id: string | null
  why: string
  reason?: LockedCustomer['lostReason']
}
/** The person who has it from now on: its clocks start anew, and its ledger says why. */
export async function hold(tx: Tx, call: Caller, k: LockedCustomer, to: Held, entry: Entry): Promise<void> {
  const { tenant } = call.user
  const starts = to.held === assigned
  // Somebody has spoken with who is past the first step: there is nothing left to answer.
  const answer = starts && k.step === 1 ? await dueAfter(tx, tenant, k.bc_id, 'leadHours', call.now()) : null
  const back = starts && k.step < deposit ? await backAfter(tx, tenant, k.bc_id, call.now()) : null
  await tx.run(
    'customers.hold',
    `UPDATE customers
     SET held = $3, consultant_id = $4, why = $5, lost_reason = $6, held_at = :now, answer_due = $7, back_due = $8,
       changed_at = :now, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [tenant, k.id, to.held, to.consultant_id, to.why, to.reason ?? null, answer, back],
  )
  await addEntry(tx, call, k.id, { from: k.consultant_id, to: to.consultant_id, ...entry })
  await call.log(tx, {
    action: `客户${customerAct.label(entry.act)}`,
    object: 'customer',
    objectId: k.id,
    before: { held: k.held, consultant_id: k.consultant_id },
    after: {
      name: k.name,
      held: to.held,
      consultant_id: to.consultant_id,
      why: to.why,
      ...(to.reason ? { lostReason: to.reason } : {}),
    },
  })
}

type Command = { [A in CustomerAction]: { action: A; id: string; version: number } }[CustomerAction]
/** The customer, locked, as it was seen, if this person may do this to it now. */
async function openCommand(tx: Tx, call: Call, { action, ...seen }: Command): Promise<LockedCustomer> {
  const k = await lockSeen(tx, call, seen)
  unlessMay(call, action, k)
  return k
}
const unlessMay = ({ now, user }: Call, action: CustomerAction, k: LockedCustomer) =>
  refuse(customerActions.refusal(action, k, actorAt(user, k), now().getTime() / 1000))

function unlessKnown(to: Consultant | undefined): Consultant {
  if (!to) throw invalid('to', '请选择能跟进这家门店客户的顾问')
  return to
}
/** Who may follow up customers of the place and has fewer than they may. */
function unlessFree(found: Consultant | undefined): Consultant {
  const to = unlessKnown(found)
  if (to.n >= to.cap) throw invalid('to', fullWords(to))
  return to
}

export async function claimCustomer(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof customersApi)['claim']>,
): Promise<void> {
  const { id, nickname, tenant } = call.user
  const k = await openCommand(tx, call, { action: 'claim', ...body })
  await holdPeople(tx, tenant, [id])
  const me = (await consultantsOf(tx, tenant, k)).find((c) => c.id === id)
  if (!me) throw new Refused('您不在这家门店，不能认领它的客户')
  if (me.n >= me.cap) throw new Refused(`您已在跟进 ${me.n} 位客户，上限 ${me.cap} 位，请先处理手上的`)
  if (await lostLately(tx, tenant, k.id, id))
    throw new Refused('这位客户 7 天内刚从您这里离开，请让其他同事认领')
  const held = { held: assigned, consultant_id: id, why: `${nickname}认领` }
  await hold(tx, call, k, held, { act: 'claim' })
  await handFollowUps(tx, tenant, k.id, id)
  await settle(tx, tenant, noticeOf(k).cause)
}

/** Whoever leads the store gives customers away; by rule they get one only where nobody else could. */
async function workers(tx: Tx, tenant: string, k: LockedCustomer, people: readonly Consultant[]) {
  const leads = new Set((await consultantsOf(tx, tenant, k, LEAD)).map((c) => c.id))
  const others = people.filter((c) => !leads.has(c.id))
  return others.length ? others : people
}
/** By rule: who already follows homes of the community, else whose turn it is; nobody who is away or has enough. */
async function byRule(
  tx: Tx,
  tenant: string,
  k: LockedCustomer,
  { given, people: all }: { people: readonly Consultant[]; given: ReadonlyMap<string, number> },
): Promise<{ to: Consultant; why: string } | undefined> {
  const free = all.filter((c) => !c.away && c.n < c.cap)
  if (free.length === 0) return undefined
  const people = free.map((c) => c.id)
  const turns = await turnsOf(tx, tenant, { bc_id: k.bc_id, community: k.community, people })
  const of = (id: string) => turns.find((t) => t.id === id)!
  const near = free
    .filter((c) => of(c.id).near > 0)
    .toSorted((a, b) => of(b.id).near - of(a.id).near || a.n - b.n)[0]
  if (near) return { to: near, why: `按小区分配（${k.community}）` }
  // Of this very call nobody's line is older than now: who was given one a moment ago waits.
  const since = (c: Consultant) => (given.has(c.id) ? Infinity : (of(c.id).last?.getTime() ?? 0))
  const next = free.toSorted(
    (a, b) => since(a) - since(b) || (given.get(a.id) ?? 0) - (given.get(b.id) ?? 0) || a.n - b.n,
  )[0]!
  return { to: next, why: '轮流分配' }
}

/** Of several all or none: who would get more than they may have stops it with a sentence. */
export async function assignCustomers(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof customersApi)['assign']>,
): Promise<{ list: { name: string; to: string; why: string }[] }> {
  const { id: me, nickname, tenant } = call.user
  const list: { name: string; to: string; why: string }[] = []
  const given = new Map<string, number>()
  for (const one of body.list.toSorted((a, b) => a.id.localeCompare(b.id))) {
    const k = found(await lockCustomer(tx, call.user.scope, one.id))
    const able = body.to ? [body.to] : (await consultantsOf(tx, tenant, k)).map((c) => c.id)
    await holdPeople(tx, tenant, able)
    const people = await consultantsOf(tx, tenant, k)
    const wanted = body.to ? unlessKnown(people.find((c) => c.id === body.to)) : undefined
    unlessSeen(k, one.version, '位客户')
    unlessMay(call, 'assign', k)
    const chosen = wanted
      ? { to: unlessFree(wanted), why: `${nickname}分配` }
      : await byRule(tx, tenant, k, { people: await workers(tx, tenant, k, people), given })
    if (!chosen) throw new Refused(`${k.name}：没有可以接的顾问，都不在或已到上限`)
    const { to, why } = chosen
    given.set(to.id, (given.get(to.id) ?? 0) + 1)
    const held = { held: assigned, consultant_id: to.id, why }
    await hold(tx, call, k, held, { act: 'assign', text: why })
    await handFollowUps(tx, tenant, k.id, to.id)
    await passTurn(tx, 'customer', 'assign', {
      tenant,
      actor: me,
      title: `新客户 ${k.name}${k.community ? `（${k.community}）` : ''} 分给您：${why}`,
      named: { consultant: to.id },
      ...noticeOf(k),
    })
    list.push({ name: k.name, to: to.name, why })
  }
  return { list }
}

export async function handCustomer(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof customersApi)['hand']>,
): Promise<void> {
  const { id: me, tenant } = call.user
  const k = await openCommand(tx, call, { action: 'hand', id: body.id, version: body.version })
  if (body.to === k.consultant_id) throw invalid('to', `顾问本来就是${k.consultantName}`)
  await holdPeople(tx, tenant, [body.to])
  const to = unlessFree((await consultantsOf(tx, tenant, k)).find((c) => c.id === body.to))
  await giveTo(tx, call, k, to, { why: body.reason, actor: me })
}

/** From one consultant to another, with what is planned; both are told. */
export async function giveTo(
  tx: Tx,
  call: Call,
  k: LockedCustomer,
  to: { id: string; name: string },
  { actor, why }: { why: string; actor: string },
): Promise<void> {
  const { tenant } = call.user
  const held = { held: assigned, consultant_id: to.id, why: `转交：${why}` }
  await hold(tx, call, k, held, { act: 'hand', text: why })
  await handFollowUps(tx, tenant, k.id, to.id)
  await passTurn(tx, 'customer', 'hand', {
    tenant,
    actor,
    title: `客户 ${k.name} 由 ${k.consultantName} 转给 ${to.name}：${why}`,
    named: { consultant: to.id, relieved: k.consultant_id },
    ...noticeOf(k),
  })
}

/** A contract binds also before its first money: it is ended there, not by a word here. */
async function unlessContracted(tx: Tx, tenant: string, k: LockedCustomer): Promise<void> {
  const { rows } = await tx.query(
    'customers.contracted',
    row({ code: text }),
    `SELECT c.code FROM contracts c
     WHERE c.tenant_id = $1 AND c.customer_id = $2 AND c.state NOT IN ('void', 'ended')
     ORDER BY c.code
     LIMIT 1`,
    [tenant, k.id],
  )
  if (rows[0]) throw new Refused(`${k.name} 有合同 ${rows[0].code}，请先在合同里作废或终止`)
}
export async function loseCustomer(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof customersApi)['lose']>,
): Promise<void> {
  const { id: me, tenant } = call.user
  const k = await openCommand(tx, call, { action: 'lose', id: body.id, version: body.version })
  await unlessContracted(tx, tenant, k)
  const why = `${lostReason.label(body.why)}：${body.reason}`
  const to = { held: lost, consultant_id: k.consultant_id, why, reason: body.why }
  await hold(tx, call, k, to, { act: 'lose', text: why })
  await cancelFollowUps(tx, call, k.id, '客户已流失')
  await passTurn(tx, 'customer', 'lose', {
    tenant,
    actor: me,
    title: `客户 ${k.name} 已流失：${why}`,
    named: { relieved: k.consultant_id },
    ...noticeOf(k),
  })
}

/** Whoever takes it up again has it. */
export async function reviveCustomer(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof customersApi)['revive']>,
): Promise<void> {
  const { id: me, nickname, tenant } = call.user
  const k = await openCommand(tx, call, { action: 'revive', ...body })
  await holdPeople(tx, tenant, [me, ...(k.consultant_id ? [k.consultant_id] : [])])
  const people = await consultantsOf(tx, tenant, k)
  const to = people.find((c) => c.id === k.consultant_id) ?? people.find((c) => c.id === me)
  if (!to) throw new Refused('原来的顾问已不能跟进这家门店的客户，请由门店里的顾问恢复')
  if (to.n >= to.cap) throw new Refused(fullWords(to))
  const held = { held: assigned, consultant_id: to.id, why: `${nickname}恢复跟进` }
  await hold(tx, call, k, held, { act: 'revive' })
  await passTurn(tx, 'customer', 'revive', {
    tenant,
    actor: me,
    title: `客户 ${k.name} 恢复跟进`,
    named: { consultant: to.id },
    ...noticeOf(k),
  })
}

/** Whether they want to hear from us; what was planned by telephone and message ends. */
export async function markRefusal(
  tx: Tx,
  call: Call,
  action: 'refuse' | 'accept',
  body: BodyOf<(typeof customersApi)['refuse']>,
): Promise<void> {
  const k = await openCommand(tx, call, { action, id: body.id, version: body.version })
  const refuses = action === 'refuse'
  await tx.run(
    'customers.refuse',
    'UPDATE customers SET refuses = $3, changed_at = :now, version = version + 1 WHERE tenant_id = $1 AND id = $2',
    [call.user.tenant, k.id, refuses],
  )
  await addEntry(tx, call, k.id, { act: action, text: body.reason })
  if (refuses) await cancelFollowUps(tx, call, k.id, '客户拒绝联系', ['phone', 'wechat'])
  await call.log(tx, {
    action: refuses ? '登记拒绝联系' : '登记可以联系',
    object: 'customer',
    objectId: k.id,
    before: { refuses: !refuses },
    after: { name: k.name, refuses, reason: body.reason },
  })
}

/** Money and signatures are others': whoever may do it is told, with where to do it. */
export async function askFor(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof customersApi)['ask']>,
): Promise<{ told: string[] }> {
  const { id: me, nickname, tenant } = call.user
  const k = await lockTheirs(tx, call, body)
  const { deposit: paid, quoted, signed } = customerStep.code
  const what = customerAsk.label(body.what)
  if (k.step < quoted) throw new Refused(`${k.name} 还没有审核通过的报价，不能${what}`)
  if (k.step >= (body.what === customerAsk.code.deposit ? paid : signed))
    throw new Refused(`${k.name} 已是“${customerStep.label(k.step)}”`)
  const change = body.what === customerAsk.code.deposit ? 'askDeposit' : 'askSign'
  const told = await passTurn(tx, 'customer', change, {
    tenant,
    actor: me,
    title: `请给 ${k.name} ${what}（顾问 ${nickname}）${body.words && `：${body.words}`}`,
    place: noticeOf(k).place,
    link: linkTo('ContractList', { customer_id: k.id }),
    cause: { kind: 'customer', id: `${body.what}:${k.id}` },
  })
  if (told.length === 0) throw new Refused(`这个分公司现在没有能${what}的人，请找分公司总经理`)
  const { rows } = await tx.query(
    'customers.told',
    row({ nickname: text }),
    'SELECT u.nickname FROM users u WHERE u.tenant_id = $1 AND u.id = ANY ($2::uuid[]) ORDER BY u.nickname',
    [tenant, told],
  )
  return { told: rows.map((r) => r.nickname) }
}
