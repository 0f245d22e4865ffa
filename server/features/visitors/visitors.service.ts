import { tellTitle, visitActions } from '@zhuguan/contract/features/visitors/visitors.actions.ts'
import type { visitorsApi } from '@zhuguan/contract/features/visitors/visitors.api.ts'
import { visitIdentity, visitState } from '@zhuguan/contract/features/visitors/visitors.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { type Detection, seen } from '../../kit/detection.ts'
import { uuidv7 } from '../../kit/ids.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, overtaken, refuse } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { announceAll, tellSites } from '../live/live.bulk.ts'
import { tell } from '../live/live.service.ts'
import { notify, settle } from '../notifications/notifications.service.ts'
import { type LockedVisit, lockVisit } from './visitors.queries.ts'

/** A stranger on a site. */
export async function fileVisits(tx: Tx, all: readonly Detection[]): Promise<void> {
  const found = seen(all, 'visitor').map((d) => ({ ...d, id: uuidv7() }))
  if (found.length === 0) return
  await tx.run(
    'visits.add',
    `INSERT INTO visits (tenant_id, id, bc_id, site_id, device_id, at, seconds, picture, similarity)
     SELECT t, i, b, s, d, to_timestamp(a), n, p, m
     FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::float8[], $7::int[],
         $8::text[], $9::real[]) AS x(t, i, b, s, d, a, n, p, m)`,
    [
      found.map((d) => d.device.tenant),
      found.map((d) => d.id),
      found.map((d) => d.device.bc),
      found.map((d) => d.device.site),
      found.map((d) => d.device.id),
      found.map((d) => d.event.at),
      found.map((d) => d.event.seconds),
      found.map((d) => d.event.picture ?? null),
      found.map((d) => d.event.similarity ?? null),
    ],
  )
  await tellSites(
    tx,
    found.map((d) => ({
      tenant: d.device.tenant,
      bc: d.device.bc,
      site: d.device.site,
      kind: 'visitor',
      at: d.event.at,
      title: `陌生人来访，停留 ${Math.max(1, Math.round(d.event.seconds / 60))} 分钟`,
      actor: d.device.sn,
      ref: d.id,
      picture: d.event.picture ?? null,
    })),
  )
  await announceAll(
    tx,
    found.map((d) => ({
      tenant: d.device.tenant,
      bc: d.device.bc,
      site: d.device.site,
      topic: 'visitor',
      what: 'raised',
      id: d.id,
    })),
  )
}

const linkTo = (visit: { id: string }) => `/image/VisitorList?id=${visit.id}`

async function lockSeen(tx: Tx, call: Call, one: { id: string; version: number }): Promise<LockedVisit> {
  const visit = found(await lockVisit(tx, call.user.scope, one.id))
  if (visit.version === one.version) return visit
  throw overtaken(
    '条来访',
    visit.handledAt === null ? undefined : { name: visit.handledBy, at: visit.handledAt },
  )
}

export async function markVisit(tx: Tx, call: Call, body: BodyOf<typeof visitorsApi.mark>): Promise<void> {
  const visit = await lockSeen(tx, call, body)
  refuse(visitActions.refusal('mark', visit, actorAt(call.user, visit)))
  const { nickname, tenant } = call.user
  await tx.run(
    'visits.mark',
    `UPDATE visits
     SET identity = $3, remark = $4, handled = true, handled_by = $5, handled_at = :now, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [tenant, visit.id, body.identity, body.remark, nickname],
  )
  await call.log(tx, {
    action: '标记身份',
    object: 'visit',
    objectId: visit.id,
    before: { state: visit.state },
    after: {
      site_id: visit.site_id,
      identity: body.identity,
      state: visitState.code.marked,
      ...(body.remark ? { remark: body.remark } : {}),
    },
  })
  tell(tx, call, {
    topic: 'visitor',
    bc: visit.bc_id,
    site: visit.site_id,
    id: visit.id,
    line: { kind: 'visitor', title: `陌生人来访：标记为${visitIdentity.label(body.identity)}` },
  })
  // Whoever was told to look need not any more.
  await settle(tx, { tenant, users: [call.user.id, visit.told_id], link: linkTo(visit) })
}

export async function tellSteward(tx: Tx, call: Call, body: BodyOf<typeof visitorsApi.tell>): Promise<void> {
  const visit = await lockSeen(tx, call, body)
  refuse(visitActions.refusal('tell', visit, actorAt(call.user, visit)))
  const { tenant } = call.user
  await tx.run(
    'visits.told',
    'UPDATE visits SET told_id = $3, told_at = :now, version = version + 1 WHERE tenant_id = $1 AND id = $2',
    [tenant, visit.id, visit.steward_id],
  )
  await notify(tx, {
    tenant,
    user: visit.steward_id!,
    title: tellTitle(visit),
    link: linkTo(visit),
    id: call.newId(),
  })
  await call.log(tx, {
    action: '通知管家',
    object: 'visit',
    objectId: visit.id,
    after: { site_id: visit.site_id, steward_id: visit.steward_id },
  })
  tell(tx, call, {
    topic: 'visitor',
    bc: visit.bc_id,
    site: visit.site_id,
    id: visit.id,
    line: { kind: 'visitor', title: `陌生人来访：已通知管家 ${visit.stewardName}` },
  })
}
