import {
  type ReceptionAction,
  receptionActions,
} from '@zhuguan/contract/features/receptions/receptions.actions.ts'
import type { receptionsApi } from '@zhuguan/contract/features/receptions/receptions.api.ts'
import { receptionPurpose, receptionState } from '@zhuguan/contract/features/receptions/receptions.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { BodyOf, QueryOf } from '@zhuguan/contract/kit/api.ts'
import { latestDay } from '@zhuguan/contract/kit/latest-day.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../../database/connect.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, refuse, unlessSeen } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiDay, shanghaiTime } from '../../kit/shanghai.ts'
import { tell } from '../live/live.service.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { siteInReach } from '../sites/sites.reads.ts'
import { assignable, pickPeople } from '../users/users.reads.ts'
import {
  homeFor,
  type LockedReception,
  lockOpen,
  lockReception,
  receptionsBeside,
} from './receptions.queries.ts'

type Api = typeof receptionsApi
const { arrived, planned } = receptionState.code
const instant = (day: string, time: string) => new Date(`${day}T${time}:00+08:00`)

export const about = (r: { id: string; bc_id: string; site_id: string }) => ({
  link: linkTo('OwnerVisit', { site_id: r.site_id }),
  cause: { kind: 'reception', id: r.id } as const,
  place: { bc_id: r.bc_id, site_id: r.site_id },
})

/** The name of a visit in messages. */
export const visitOf = (r: LockedReception): string =>
  `${r.siteName}：业主${shanghaiTime(new Date(r.at * 1000))}的到访（${receptionPurpose.label(r.purpose)}）`
/** A visit has changed: the log has it, and so has the time of its site, as it is `shown` there. */
export async function noteVisit(
  tx: Tx,
  call: Call,
  r: LockedReception,
  change: { action: string; shown?: string; before?: object; after: object },
): Promise<void> {
  const { action, after, before, shown = action } = change
  await call.log(tx, {
    action: `到访${action}`,
    object: 'reception',
    objectId: r.id,
    ...(before && { before }),
    after: { site_id: r.site_id, ...after },
  })
  tell(tx, call, {
    topic: 'reception',
    bc: r.bc_id,
    site: r.site_id,
    id: r.id,
    line: { kind: 'owner', title: `业主到访（${receptionPurpose.label(r.purpose)}）：${shown}` },
  })
}

/** The other plans about that time; nothing is changed. */
export async function besides(tx: Tx, call: Call, q: QueryOf<Api['beside']>) {
  const { scope } = call.user
  found(await siteInReach(tx, scope, q.site_id))
  if (q.host_id) found((await pickPeople(tx, scope, { id: q.host_id }))[0])
  return receptionsBeside(tx, scope, {
    site: q.site_id,
    host: q.host_id,
    at: instant(q.day, q.time),
  })
}

/** Planned for a day and an hour; without them they are there now. */
export async function addReception(tx: Tx, call: Call, body: BodyOf<Api['add']>): Promise<{ id: string }> {
  const { nickname, scope, tenant } = call.user
  const site = found(await homeFor(tx, scope, body.site_id))
  refuse(site.hasOwner ? undefined : `工地“${site.ws_name}”还没有业主`)
  refuse(site.status === siteStatus.code.terminated ? '合同已终止，不再接待' : undefined)
  if (site.status === siteStatus.code.finished && body.purpose !== receptionPurpose.code.repair)
    throw invalid('purpose', '已完工的工地只登记维修')
  if (!body.day !== !body.time) throw invalid(body.day ? 'time' : 'day', '日期和时间请一起填')
  const at = body.day && body.time ? instant(body.day, body.time) : call.now()
  const isPlanned = !!body.day
  const latest = latestDay(shanghaiDay(call.now()))
  if (body.day && body.day > latest) throw invalid('day', `日期不能晚于 ${latest}`)
  if (isPlanned && at < call.now()) throw invalid('time', '约定的时间已经过了；人已经在，请不填时间')
  found((await pickPeople(tx, scope, { id: body.host_id }))[0])
  if (!(await assignable(tx, scope, { id: body.host_id, site: site.id, power: 'reception:edit' })))
    throw invalid('host_id', '这个人不能在这个工地接待，请换一位')
  const id = call.newId()
  await tx.run(
    'receptions.add',
    `INSERT INTO receptions (tenant_id, id, bc_id, site_id, at, planned, arrived_at, host_id, purpose, remark, state,
       entered_by, entered_id, entered_at, changed_by, changed_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, :now, $12, :now)`,
    [
      tenant,
      id,
      site.bc_id,
      site.id,
      at,
      isPlanned,
      isPlanned ? null : at,
      body.host_id,
      body.purpose,
      body.remark,
      isPlanned ? planned : arrived,
      nickname,
      call.user.id || null,
    ],
  )
  const purpose = receptionPurpose.label(body.purpose)
  await call.log(tx, {
    action: '登记到访',
    object: 'reception',
    objectId: id,
    after: {
      site_id: site.id,
      at: at.getTime() / 1000,
      host_id: body.host_id,
      purpose: body.purpose,
      ...(body.remark ? { text: body.remark } : {}),
    },
  })
  const title = isPlanned ? `约业主 ${shanghaiTime(at)} 到访（${purpose}）` : `业主到访（${purpose}）`
  tell(tx, call, { topic: 'reception', bc: site.bc_id, site: site.id, id, line: { kind: 'owner', title } })
  await passTurn(tx, 'reception', 'add', {
    ...about({ id, bc_id: site.bc_id, site_id: site.id }),
    tenant,
    actor: call.user.id,
    named: { host: body.host_id },
    title: `${site.ws_name}：${isPlanned ? `业主 ${shanghaiTime(at)} 到访` : '业主已到'}，请你接待（${purpose}）`,
  })
  return { id }
}

/** Whoever was expected is of this home no more: what is planned is called off, and the host hears. */
export async function cancelVisits(tx: Tx, call: Call, site: string, why: string): Promise<void> {
  for (const r of await lockOpen(tx, call.user.tenant, { site }))
    if (r.state === planned) await move(tx, call, r, 'cancel', why)
}

/** One command on one reception: load, refuse, move, log, tell. */
export async function changeReception(
  tx: Tx,
  call: Call,
  action: Exclude<ReceptionAction, 'host' | 'score' | 'callback'>,
  body: { id: string; version: number; reason?: string },
): Promise<void> {
  const reception = found(await lockReception(tx, call.user.scope, body.id))
  unlessSeen(reception, body.version, '次到访')
  const now = call.now()
  refuse(
    receptionActions.refusal(
      action,
      reception,
      actorAt(call.user, reception),
      Math.floor(now.getTime() / 1000),
    ),
  )
  await move(tx, call, reception, action, body.reason ?? '')
}
async function move(
  tx: Tx,
  call: Call,
  reception: LockedReception,
  action: Exclude<ReceptionAction, 'score' | 'callback'>,
  reason: string,
): Promise<void> {
  const to = String(receptionActions.arrives(action, reception.state))
  await tx.run(
    'receptions.move',
    `UPDATE receptions r
     SET state = $3, arrived_at = CASE WHEN $3 = '${arrived}' THEN :now ELSE r.arrived_at END,
       ended_at = CASE WHEN $3 = '${arrived}' THEN NULL ELSE :now END, record = $4,
       changed_by = $5, changed_at = :now, version = r.version + 1
     WHERE r.tenant_id = $1 AND r.id = $2`,
    [call.user.tenant, reception.id, to, reason, call.user.nickname],
  )
  const { label } = receptionActions.table[action]
  await noteVisit(tx, call, reception, {
    action: label,
    shown: `${label}${reason ? ` ${reason}` : ''}`,
    before: { state: reception.state },
    after: { state: to, ...(reason ? { text: reason } : {}) },
  })
  await passTurn(tx, 'reception', action, {
    ...about(reception),
    tenant: call.user.tenant,
    actor: call.user.id,
    named: { host: reception.host_id },
    title: `${reception.siteName}：业主${shanghaiTime(new Date(reception.at * 1000))}的到访${label}：${reason}`,
  })
}
