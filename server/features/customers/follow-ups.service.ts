import { unlessConsultant } from '@zhuguan/contract/features/customers/customers.actions.ts'
import { customerHeld } from '@zhuguan/contract/features/customers/customers.record.ts'
import { followActions } from '@zhuguan/contract/features/customers/follow-ups.actions.ts'
import type { followUpsApi } from '@zhuguan/contract/features/customers/follow-ups.api.ts'
import {
  FOLLOW_DAYS,
  followKind,
  type FollowRow,
  followState,
  FURTHEST_FOLLOW,
} from '@zhuguan/contract/features/customers/follow-ups.record.ts'
import type { BodyOf, QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, refuse, Refused, unlessSeen } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { settle } from '../notifications/notifications.service.ts'
import { lockCustomer, type LockedCustomer, pickCustomers } from './customers.queries.ts'
import { clashesOf, followOf } from './follow-ups.queries.ts'
import { backAfter } from './holding.queries.ts'

const { assigned, lost } = customerHeld.code
const { cancelled, done, planned } = followState.code
const DAY_MS = 86_400_000
/** The clock of a browser may be a little ahead. */
const AHEAD_MS = 5 * 60_000

/** A customer that this person may follow up: their own, or one of the store that they lead. */
async function openCustomer(tx: Tx, call: Call, id: string): Promise<LockedCustomer> {
  const { user } = call
  const k = found(await lockCustomer(tx, user.scope, id))
  const actor = actorAt(user, k)
  if (k.merged_into) throw new Refused('这位客户已并入另一位，请打开合并后的客户')
  if (k.held === lost) throw new Refused(`${k.name} 已流失，请先恢复跟进`)
  if (k.held !== assigned) throw new Refused(`${k.name} 还在公海里，请先认领`)
  refuse(unlessConsultant(k, actor))
  return k
}

/** Done now or in the last days; what is written down on a later day is marked. */
function doneAt(seconds: number, now: Date, k: LockedCustomer): { at: Date; late: boolean } {
  const at = new Date(seconds * 1000)
  if (at.getTime() > now.getTime() + AHEAD_MS) throw invalid('at', '已完成的跟进不能在将来，请改为计划')
  const earliest = new Date(startOfDay(shanghaiDay(now)).getTime() - FOLLOW_DAYS * DAY_MS)
  if (at < earliest) throw invalid('at', `最多补记 ${FOLLOW_DAYS} 天之内的跟进`)
  // Who walks in is written down when they have left: the same day, and none before it.
  if (at < startOfDay(shanghaiDay(new Date(k.createdAt * 1000))))
    throw invalid('at', `${k.name} 那时还没有登记`)
  return { at: at > now ? now : at, late: shanghaiDay(at) < shanghaiDay(now) }
}
/** Planned for a moment to come, within a year. */
function plannedAt(seconds: number, now: Date, field = 'at'): Date {
  const at = new Date(seconds * 1000)
  if (at.getTime() < now.getTime() - AHEAD_MS) throw invalid(field, '计划的时间已经过去')
  if (at.getTime() > now.getTime() + FURTHEST_FOLLOW * DAY_MS)
    throw invalid(field, `计划的时间最多在 ${FURTHEST_FOLLOW} 天之内`)
  return at
}
/** Whoever does not want to hear from us is neither called nor written to. */
function unlessRefused(k: LockedCustomer, kind: FollowRow['kind'], field = 'kind'): void {
  if (k.refuses && (kind === followKind.code.phone || kind === followKind.code.wechat))
    throw invalid(field, `${k.name} 拒绝联系，不能计划电话和微信`)
}

interface NewFollow {
  kind: FollowRow['kind']
  state: FollowRow['state']
  at: Date
  content: string
  result?: string
  late?: boolean
}
export async function insertFollow(tx: Tx, call: Call, k: LockedCustomer, f: NewFollow): Promise<string> {
  const id = call.newId()
  const isDone = f.state === done
  await tx.run(
    'followups.add',
    `INSERT INTO follow_ups (tenant_id, id, customer_id, kind, state, at, content, result, user_id, made_by, made_at,
       closed_at, closed_by, late)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, :now, CASE WHEN $11 THEN :now END, $12, $13)`,
    [
      call.user.tenant,
      id,
      k.id,
      f.kind,
      f.state,
      f.at,
      f.content,
      f.result ?? '',
      k.consultant_id,
      call.user.nickname,
      isDone,
      isDone ? call.user.nickname : '',
      f.late ?? false,
    ],
  )
  return id
}
/** Somebody has spoken with them: nothing waits for an answer, and the days until they go back begin anew. */
async function followed(tx: Tx, call: Call, k: LockedCustomer): Promise<void> {
  const { tenant } = call.user
  const back = k.backDue === null ? null : await backAfter(tx, tenant, k.bc_id, call.now())
  await tx.run(
    'customers.followed',
    `UPDATE customers SET answer_due = NULL, back_due = $3, changed_at = :now, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [tenant, k.id, back],
  )
  await settle(tx, tenant, { kind: 'customer', id: k.id })
}
type Next = BodyOf<(typeof followUpsApi)['add']>['next']
async function planNext(tx: Tx, call: Call, k: LockedCustomer, next: Next): Promise<Date | null> {
  if (!next) return null
  const at = plannedAt(next.at, call.now(), 'next')
  unlessRefused(k, next.kind, 'next')
  await insertFollow(tx, call, k, { kind: next.kind, state: planned, at, content: next.content })
  return at
}
const seconds = (at: Date | null) => (at ? Math.floor(at.getTime() / 1000) : null)

/** Something that was done, and the next one with it. */
export async function addFollow(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof followUpsApi)['add']>,
): Promise<{ id: string }> {
  const k = await openCustomer(tx, call, body.customer_id)
  const { at, late } = doneAt(body.at, call.now(), k)
  const { content, kind, result } = body
  const id = await insertFollow(tx, call, k, { kind, state: done, at, content, result, late })
  const next = await planNext(tx, call, k, body.next)
  await followed(tx, call, k)
  await call.log(tx, {
    action: '登记跟进',
    object: 'followUp',
    objectId: id,
    after: { customer: k.name, kind, at: seconds(at), content, result, next: seconds(next) },
  })
  return { id }
}

export async function planFollow(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof followUpsApi)['plan']>,
): Promise<{ id: string }> {
  const k = await openCustomer(tx, call, body.customer_id)
  const at = plannedAt(body.at, call.now())
  const { content, kind } = body
  unlessRefused(k, kind)
  const id = await insertFollow(tx, call, k, { kind, state: planned, at, content })
  await call.log(tx, {
    action: '计划跟进',
    object: 'followUp',
    objectId: id,
    after: { customer: k.name, kind, at: seconds(at), content },
  })
  return { id }
}

/** One as it was seen, if this person may do this to it now: its customer is locked first, as everywhere. */
async function openFollow(
  tx: Tx,
  call: Call,
  action: (typeof followActions.names)[number],
  { id, version }: { id: string; version: number },
): Promise<{ f: FollowRow; k: LockedCustomer }> {
  const { user } = call
  const of = found(await followOf(tx, user.scope, id, false)).customer_id
  const k = found(await lockCustomer(tx, user.scope, of))
  const f = found(await followOf(tx, user.scope, id, true))
  unlessSeen(f, version, '条跟进')
  refuse(followActions.refusal(action, f, actorAt(user, k), call.now().getTime() / 1000))
  return { f, k }
}

export async function completeFollow(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof followUpsApi)['done']>,
): Promise<void> {
  const { f, k } = await openFollow(tx, call, 'done', body)
  const { at, late } = doneAt(body.at, call.now(), k)
  await tx.run(
    'followups.done',
    `UPDATE follow_ups
     SET state = '${done}', at = $3, result = $4, late = $5, closed_at = :now, closed_by = $6, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [call.user.tenant, f.id, at, body.result, late, call.user.nickname],
  )
  const next = await planNext(tx, call, k, body.next)
  await followed(tx, call, k)
  await call.log(tx, {
    action: '完成跟进',
    object: 'followUp',
    objectId: f.id,
    before: { state: f.state },
    after: {
      customer: f.customerName,
      state: done,
      at: seconds(at),
      result: body.result,
      next: seconds(next),
    },
  })
}

export async function moveFollow(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof followUpsApi)['move']>,
): Promise<void> {
  const { f } = await openFollow(tx, call, 'move', body)
  const at = plannedAt(body.at, call.now())
  await tx.run(
    'followups.move',
    `UPDATE follow_ups SET at = $3, moved = moved + 1, version = version + 1 WHERE tenant_id = $1 AND id = $2`,
    [call.user.tenant, f.id, at],
  )
  await call.log(tx, {
    action: '跟进改期',
    object: 'followUp',
    objectId: f.id,
    before: { at: f.at },
    after: { customer: f.customerName, at: seconds(at) },
  })
}

export async function cancelFollow(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof followUpsApi)['cancel']>,
): Promise<void> {
  const { f } = await openFollow(tx, call, 'cancel', body)
  await tx.run(
    'followups.cancel',
    `UPDATE follow_ups
     SET state = '${cancelled}', result = $3, closed_at = :now, closed_by = $4, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [call.user.tenant, f.id, body.reason, call.user.nickname],
  )
  await call.log(tx, {
    action: '取消跟进',
    object: 'followUp',
    objectId: f.id,
    before: { state: f.state },
    after: { customer: f.customerName, state: cancelled, reason: body.reason },
  })
}

export async function foreseeFollow(
  tx: Tx,
  call: Call,
  q: QueryOf<(typeof followUpsApi)['clashes']>,
): Promise<{ notes: string[] }> {
  const k = found((await pickCustomers(tx, call.user.scope, { id: q.customer_id }))[0])
  const at = new Date(q.at * 1000)
  if (!k.consultant_id) return { notes: [] }
  const of = { user: k.consultant_id, bc: k.bc_id, at, but: q.id ?? null }
  return { notes: await clashesOf(tx, call.user.tenant, of) }
}
