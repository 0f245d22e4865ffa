import { unlessConsultant } from '@zhuguan/contract/features/customers/customers.actions.ts'
import { customerHeld, customerStep } from '@zhuguan/contract/features/customers/customers.record.ts'
import {
  type HandoverAction,
  handoverActions,
} from '@zhuguan/contract/features/handovers/handovers.actions.ts'
import type { handoversApi } from '@zhuguan/contract/features/handovers/handovers.api.ts'
import {
  type CustomerBrief,
  earlyState,
  handoverState,
} from '@zhuguan/contract/features/handovers/handovers.record.ts'
import { FURTHEST_DUE } from '@zhuguan/contract/features/promises/promises.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../../database/connect.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, refuse, Refused, unlessSeen } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { customerInReach, customerOf } from '../customers/customers.reads.ts'
import { tell } from '../live/live.service.ts'
import { passTurn } from '../notifications/turns.service.ts'
import {
  briefOf,
  customerOfEarly,
  earlyPromisesOf,
  lockHandover,
  type LockedHandover,
  sheetsOfCustomer,
} from './handovers.queries.ts'

const { carried, open, withdrawn } = earlyState.code
/** So many promises somebody gives before a signature, at most. */
const MOST_EARLY = 30

/** The brief of a customer for the site, and what has become of it. */
export async function readBrief(tx: Tx, call: Call, id: string): Promise<CustomerBrief> {
  const { scope, tenant } = call.user
  found(await customerInReach(tx, scope, id))
  return {
    ...(await briefOf(tx, tenant, id)),
    promises: await earlyPromisesOf(tx, tenant, id),
    sheets: await sheetsOfCustomer(tx, scope, id),
  }
}

/** A customer whom the caller follows and who has not signed: what is known of them may still be written. */
async function openCustomer(tx: Tx, call: Call, id: string) {
  const k = found(await customerOf(tx, call.user.scope, id))
  if (k.merged_into) throw new Refused('这位客户已并入另一位，请打开合并后的客户')
  refuse(unlessConsultant(k, actorAt(call.user, k)))
  if (k.held === customerHeld.code.lost) throw new Refused(`${k.name} 已流失，请先恢复跟进`)
  if (k.step === customerStep.code.signed)
    throw new Refused(`${k.name} 已经签约，交底单已交给工地；要补充请答复管家的问题`)
  return k
}

export async function writeBrief(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof handoversApi)['write']>,
): Promise<void> {
  const { nickname, tenant } = call.user
  const k = await openCustomer(tx, call, body.customer_id)
  const before = await briefOf(tx, tenant, k.id)
  unlessSeen(before, body.version, '份交底')
  const { fears, given, people, taste } = body
  await tx.run(
    'handovers.write',
    `INSERT INTO customer_briefs AS b (tenant_id, customer_id, taste, people, fears, given, changed_by,
       changed_at, version)
     VALUES ($1, $2, $3, $4, $5, $6, $7, :now, 1)
     ON CONFLICT (tenant_id, customer_id) DO UPDATE
     SET taste = $3, people = $4, fears = $5, given = $6, changed_by = $7, changed_at = :now, version = b.version + 1`,
    [tenant, k.id, taste, people, fears, given, nickname],
  )
  await call.log(tx, {
    action: '填写交底',
    object: 'handover',
    objectId: k.id,
    before: { taste: before.taste, people: before.people, fears: before.fears, given: before.given },
    after: { customer: k.name, taste, people, fears, given },
  })
}

/** Something that the customer was promised before anybody signed; at the signature the home has it. */
export async function promiseEarly(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof handoversApi)['promise']>,
): Promise<{ id: string }> {
  const { id: me, tenant } = call.user
  const k = await openCustomer(tx, call, body.customer_id)
  const today = shanghaiDay(call.now())
  if (body.due < today) throw invalid('due', '到期不能早于今天')
  const last = addDays(today, FURTHEST_DUE)
  if (body.due > last) throw invalid('due', `到期最晚 ${last}（两年之内）`)
  if ((await earlyPromisesOf(tx, tenant, k.id)).length >= MOST_EARLY)
    throw new Refused(`签约前的承诺最多 ${MOST_EARLY} 条`)
  const id = call.newId()
  const { content, due, post, subject } = body
  await tx.run(
    'handovers.promise',
    `INSERT INTO customer_promises (tenant_id, id, customer_id, content, subject, due, post, author_id, made_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, :now)`,
    [tenant, id, k.id, content, subject, due, post, me],
  )
  await call.log(tx, {
    action: '登记签约前的承诺',
    object: 'handover',
    objectId: k.id,
    after: { customer: k.name, content, subject, due },
  })
  return { id }
}

export async function withdrawEarly(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof handoversApi)['withdraw']>,
): Promise<void> {
  const { scope, tenant } = call.user
  const k = await openCustomer(tx, call, found(await customerOfEarly(tx, scope, body.id)))
  const p = found((await earlyPromisesOf(tx, tenant, k.id)).find((e) => e.id === body.id))
  unlessSeen(p, body.version, '条承诺')
  if (p.state !== open) throw new Refused(`这条承诺已是“${earlyState.label(p.state)}”`)
  await tx.run(
    'handovers.withdraw',
    `UPDATE customer_promises SET state = '${withdrawn}', text = $3, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [tenant, p.id, body.reason],
  )
  await call.log(tx, {
    action: '撤回签约前的承诺',
    object: 'handover',
    objectId: k.id,
    before: { early: open },
    after: { customer: k.name, content: p.content, early: withdrawn, reason: body.reason },
  })
}
/** It is the home's now. */
export const markCarried = (tx: Tx, tenant: string, id: string, promise: string) =>
  tx.run(
    'handovers.carried',
    `UPDATE customer_promises SET state = '${carried}', promise_id = $3, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [tenant, id, promise],
  )

/** The part that every message about a sheet has in common; the consultant reads it at the customer. */
export const noticeOf = (h: { id: string; bc_id: string; site_id: string }) => ({
  link: linkTo('SiteInfo', { id: h.site_id }),
  cause: { kind: 'handover', id: h.id } as const,
  place: { bc_id: h.bc_id, site_id: h.site_id },
})
async function openSheet(
  tx: Tx,
  call: Call,
  action: HandoverAction,
  { id, version }: { id: string; version: number },
): Promise<LockedHandover> {
  const h = found(await lockHandover(tx, call.user.scope, id, action === 'answer' ? 'customer' : 'site'))
  unlessSeen(h, version, '份交底单')
  const place = action === 'answer' ? { bc_id: h.bc_id, store_id: h.store_id } : h
  refuse(handoverActions.refusal(action, h, actorAt(call.user, place), call.now().getTime() / 1000))
  return h
}
async function move(
  tx: Tx,
  call: Call,
  h: LockedHandover,
  action: HandoverAction,
  said: { question?: string; answer?: string } = {},
): Promise<void> {
  const { nickname, tenant } = call.user
  const state = handoverActions.arrives(action, h.state)
  const { label } = handoverActions.table[action]
  await tx.run(
    'handovers.move',
    `UPDATE handovers
     SET state = $3, confirmed_by = CASE WHEN $3 = '${handoverState.code.confirmed}' THEN $4 ELSE '' END,
       confirmed_at = CASE WHEN $3 = '${handoverState.code.confirmed}' THEN :now END, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [tenant, h.id, state, nickname],
  )
  await call.log(tx, {
    action: `交底${label}`,
    object: 'handover',
    objectId: h.id,
    before: { state: h.state },
    after: { customer: h.customerName, site_id: h.site_id, state, ...said },
  })
  tell(tx, call, {
    topic: 'site',
    bc: h.bc_id,
    site: h.site_id,
    id: h.site_id,
    ...(action === 'confirm' && { line: { kind: 'site', title: '管家确认了销售交底' } }),
  })
}

export async function confirmSheet(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof handoversApi)['confirm']>,
): Promise<void> {
  const h = await openSheet(tx, call, 'confirm', body)
  await move(tx, call, h, 'confirm')
  await passTurn(tx, 'handover', 'confirm', {
    ...noticeOf(h),
    tenant: call.user.tenant,
    actor: call.user.id,
    title: `${h.siteName} 的交底已由${call.user.nickname}确认`,
  })
}

/** Whoever follows the customer is asked; it is read where the customer is. */
export async function askConsultant(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof handoversApi)['ask']>,
): Promise<void> {
  const { id: me, nickname, tenant } = call.user
  const h = await openSheet(tx, call, 'ask', body)
  await tx.run(
    'handovers.ask',
    `INSERT INTO handover_questions (tenant_id, id, handover_id, text, asked_by, asked_at)
     VALUES ($1, $2, $3, $4, $5, :now)`,
    [tenant, call.newId(), h.id, body.text, nickname],
  )
  await move(tx, call, h, 'ask', { question: body.text })
  await passTurn(tx, 'handover', 'ask', {
    ...noticeOf(h),
    link: linkTo('CustomerInfo', { id: h.customer_id }),
    place: { bc_id: h.bc_id, store_id: h.store_id },
    tenant,
    actor: me,
    named: { consultant: h.consultant_id },
    title: `${nickname}问 ${h.customerName} 的交底：${body.text}`,
  })
}

export async function answerSteward(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof handoversApi)['answer']>,
): Promise<void> {
  const { id: me, nickname, tenant } = call.user
  const h = await openSheet(tx, call, 'answer', body)
  await tx.run(
    'handovers.answer',
    `UPDATE handover_questions SET answer = $3, answered_by = $4, answered_at = :now
     WHERE tenant_id = $1 AND handover_id = $2 AND answered_at IS NULL`,
    [tenant, h.id, body.text, nickname],
  )
  await move(tx, call, h, 'answer', { answer: body.text })
  await passTurn(tx, 'handover', 'answer', {
    ...noticeOf(h),
    tenant,
    actor: me,
    named: { steward: h.steward_id },
    title: `${nickname}答复了 ${h.siteName} 的交底问题，请确认`,
  })
}
