import { tellTitle, visitActions } from '@zhuguan/contract/features/visitors/visitors.actions.ts'
import type { visitorsApi } from '@zhuguan/contract/features/visitors/visitors.api.ts'
import { visitIdentity, visitState } from '@zhuguan/contract/features/visitors/visitors.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { linkTo } from '@zhuguan/contract/links.ts'
import { pageLabel } from '@zhuguan/contract/permissions.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { type Detection, seen } from '../../kit/detection.ts'
import { uuidv7 } from '../../kit/ids.ts'
import { actorAt, reachOf } from '../../kit/reach.ts'
import { found, invalid, overtaken, refuse } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { copyPicture, type FileStore } from '../files/files.service.ts'
import { announceAll, tellSites } from '../live/live.bulk.ts'
import { tell } from '../live/live.service.ts'
import { notify, settle } from '../notifications/notifications.service.ts'
import { takeFace } from '../workers/faces.service.ts'
import { seesWorker } from '../workers/workers.reads.ts'
import { addWorker, sendWorker } from '../workers/workers.service.ts'
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

const linkOf = (visit: { id: string }) => linkTo('VisitorList', { id: visit.id })

type One = { id: string; version: number }
async function lockSeen(tx: Tx, call: Call, one: One, scope = call.user.scope): Promise<LockedVisit> {
  const visit = found(await lockVisit(tx, scope, one.id))
  if (visit.version === one.version) return visit
  throw overtaken(
    '条来访',
    visit.handledAt === null ? undefined : { name: visit.handledBy, at: visit.handledAt },
  )
}
/** Where the person may say who strangers were. */
const marksIn = (call: Call): Scope => found(reachOf(call.user, 'visitor:mark'))

interface Mark {
  identity: (typeof visitIdentity.values)[number]
  remark: string
  worker: { id: string; w_name: string } | null
}
async function setMark(tx: Tx, call: Call, visit: LockedVisit, mark: Mark): Promise<void> {
  const { identity, remark, worker } = mark
  const { nickname, tenant } = call.user
  await tx.run(
    'visits.mark',
    `UPDATE visits
     SET identity = $3, remark = $4, worker_id = $5, handled = true, handled_by = $6, handled_at = :now,
       version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [tenant, visit.id, identity, remark, worker?.id ?? null, nickname],
  )
  await call.log(tx, {
    action: '标记身份',
    object: 'visit',
    objectId: visit.id,
    before: { state: visit.state },
    after: {
      site_id: visit.site_id,
      identity,
      state: visitState.code.marked,
      ...(worker ? { worker_id: worker.id } : {}),
      ...(remark ? { remark } : {}),
    },
  })
  const who = visitIdentity.label(identity) + (worker ? ` ${worker.w_name}` : '')
  tell(tx, call, {
    topic: 'visitor',
    bc: visit.bc_id,
    site: visit.site_id,
    id: visit.id,
    line: { kind: 'visitor', title: `陌生人来访：标记为${who}` },
  })
  // Whoever was told to look need not any more.
  await settle(tx, tenant, { kind: 'visit', id: visit.id })
}

export async function markVisit(tx: Tx, call: Call, body: BodyOf<typeof visitorsApi.mark>): Promise<void> {
  const visit = await lockSeen(tx, call, body)
  refuse(visitActions.refusal('mark', visit, actorAt(call.user, visit)))
  const { identity, remark, worker_id: id } = body
  if (id === null) return setMark(tx, call, visit, { identity, remark, worker: null })
  if (identity !== visitIdentity.code.worker) throw invalid('worker_id', '只有工人才写是哪一位')
  const { w_name } = found(await seesWorker(tx, found(reachOf(call.user, pageLabel('WorkerList'))), id))
  return setMark(tx, call, visit, { identity, remark, worker: { id, w_name } })
}

/** Who is not among the workers yet becomes one of the site's branch, and the visit is theirs. */
export async function enrolVisitor(
  tx: Tx,
  call: Call,
  body: BodyOf<typeof visitorsApi.enrol>,
): Promise<{ id: string; w_id: string }> {
  const visit = await lockSeen(tx, call, body, marksIn(call))
  const actor = actorAt(call.user, visit)
  refuse(visitActions.refusal('enrol', visit, actor))
  const { id: _visit, version: _version, day, ...facts } = body
  const worker = await addWorker(tx, call, { ...facts, bc_id: visit.bc_id })
  if (day !== null) {
    if (!hasPermission(actor, 'worker:send')) throw invalid('day', '您没有“派往工地”的权限')
    await sendWorker(tx, call, { id: worker.id, site_id: visit.site_id, day })
  }
  await setMark(tx, call, visit, {
    identity: visitIdentity.code.worker,
    remark: visit.remark,
    worker: { id: worker.id, w_name: facts.w_name },
  })
  return worker
}

/** A copy of the visit's picture becomes the face of its worker; the visit keeps its own. */
export async function faceOfVisit(
  call: Call,
  files: FileStore,
  body: BodyOf<typeof visitorsApi.face>,
): Promise<void> {
  let copy: string | undefined
  const taken = call.write(async (tx) => {
    const visit = await lockSeen(tx, call, body, marksIn(call))
    refuse(visitActions.refusal('face', visit, actorAt(call.user, visit)))
    const { worker_version, replace, how, answeredOn, scope, proof, told } = body
    const { site_id, worker_id } = visit
    const consent = how && answeredOn && scope ? { how, answeredOn, scope, proof, told } : null
    const worker = { id: worker_id!, version: worker_version, replace }
    const w_name = await takeFace(tx, call, files, worker, consent, async () => {
      copy = await copyPicture(tx, call, files, { key: visit.picture!, site: site_id })
      return copy
    })
    await call.log(tx, {
      action: '用抓拍采集人脸',
      object: 'visit',
      objectId: visit.id,
      after: { site_id, worker_id },
    })
    tell(tx, call, {
      topic: 'visitor',
      bc: visit.bc_id,
      site: site_id,
      id: visit.id,
      line: { kind: 'visitor', title: `陌生人来访：抓拍用作 ${w_name} 的人脸` },
    })
  })
  await taken.catch((error: unknown) => {
    if (copy) return files.unnamed(copy, error)
    throw error
  })
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
    link: linkOf(visit),
    site: visit.site_id,
    cause: { kind: 'visit', id: visit.id },
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
