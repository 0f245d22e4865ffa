import { type Still, stillRefusal } from '@zhuguan/contract/features/patrols/patrols.actions.ts'
import type { patrolsApi } from '@zhuguan/contract/features/patrols/patrols.api.ts'
import {
  itemVerdict,
  patrolKind,
  patrolPlace,
  patrolStatus,
} from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { tidinessResult } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { BodyOf, DataOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { found, invalid, outside, refuse, Refused } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { openCorrection } from '../corrections/opening.service.ts'
import { useFiles } from '../files/files.service.ts'
import { lookingAt } from '../looking/looking.reads.ts'
import { fileLook } from '../tidiness/tidiness.service.ts'
import { seesLive } from '../video/video-views.service.ts'
import { addItems, addPatrol, finishPatrol, judgeItems, lockPlace } from './patrols.queries.ts'
import { digestOf, finishTask, takeTask, tellDone, unlessBuilding } from './patrols.service.ts'
import { judgedStill, keepStill, lockStill } from './remote.queries.ts'
import { closeAlong, siteOfTask } from './tasks.queries.ts'
import { settleTasks } from './tasks.service.ts'

type Remote = BodyOf<(typeof patrolsApi)['remote']>
const SKEWED = '摄像头偏移'

/** What the browser handed in of a live picture must have come so short a time ago. */
const FRAME_MS = 120_000

/** What is judged: the camera's newest still, or of a camera that is seen live a frame of now. */
async function seenStill(
  tx: Tx,
  call: Call,
  body: Remote,
  { site, hasLive }: { site: string; hasLive: boolean },
): Promise<Still> {
  const locked = found(await lockStill(tx, call.user.scope, body.device_id))
  const still = { ...locked, noLook: (await lookingAt(tx, call.user.tenant, site, call.now())).why }
  if (!body.view) return still
  const { id: user, tenant } = call.user
  const seen = { tenant, user, view: body.view, device: body.device_id, site }
  // Somebody else's view reads like one that is over.
  if (!(await seesLive(tx, seen))) throw invalid('view', '这路直播已经断开，请等画面恢复再判定')
  refuse(hasLive ? undefined : '没有配置视频网关，没有直播画面可以判定')
  return { ...still, picture: body.picture, pictureAt: Math.floor(call.now().getTime() / 1000) }
}

/** One person's verdict on what a camera shows now: begun, judged and handed in at once. */
export async function fileRemote(
  tx: Tx,
  call: Call,
  body: Remote,
  { hasLive }: { hasLive: boolean },
): Promise<DataOf<(typeof patrolsApi)['remote']>> {
  const { id: me, scope, tenant } = call.user
  const site = found(await lockPlace(tx, scope, body.site_id))
  if (body.task_id && found(await siteOfTask(tx, scope, body.task_id)) !== site.id) throw outside()
  const still = await seenStill(tx, call, body, { site: site.id, hasLive })
  const digest = digestOf(body)
  const before = await judgedStill(tx, { tenant, person: me, picture: body.picture })
  if (before?.digest === digest) return { id: before.id, number: before.number, problems: before.problems }
  refuse(stillRefusal(still, site.id, body.picture, call.now().getTime() / 1000))
  if (before) throw new Refused('这张画面您已经判定过，请等下一张')
  unlessBuilding(site)
  const task = body.task_id ? (await takeTask(tx, call, body.task_id, 'watch')).task : undefined
  const id = call.newId()
  const kind = patrolKind.code.remote
  const number = await addPatrol(tx, tenant, {
    id,
    kind,
    bc: site.bc_id,
    site: site.id,
    task: task?.id ?? null,
    template: null,
    inspector: me,
    at: null,
    distance: null,
    place: patrolPlace.code.unknown,
  })
  const skewed = body.tidiness === tidinessResult.code.skewed
  const problems = [...new Set([...(skewed ? [SKEWED] : []), ...body.problems.map((p) => p.text)])]
  const items = problems.map((problem) => ({ id: call.newId(), problem }))
  if (body.view)
    await useFiles(tx, call, [body.picture], {
      takenAfter: Math.floor((call.now().getTime() - FRAME_MS) / 1000),
      bc: site.bc_id,
      site: site.id,
      proves: id,
    })
  await addItems(
    tx,
    tenant,
    id,
    items.map((i) => ({ id: i.id, title: i.problem, hint: '', weight: 1, photo: true })),
  )
  const judged = []
  for (const item of items)
    judged.push({
      ...item,
      verdict: itemVerdict.code.failed,
      remark: '',
      pictures: [body.picture],
      correction: await openCorrection(tx, call, {
        source: 'patrol',
        source_id: item.id,
        site,
        problem: item.problem,
        pictures: [body.picture],
        assignee_id: null,
      }),
    })
  await judgeItems(tx, tenant, id, judged)
  const done = { id, number, score: null, problems: problems.length }
  await finishPatrol(tx, tenant, { ...done, remark: body.remark, digest })
  const at = new Date(still.pictureAt! * 1000)
  await keepStill(tx, tenant, {
    id,
    device: body.device_id,
    picture: body.picture,
    at,
    tidiness: body.tidiness,
  })
  await fileLook(tx, call, {
    site,
    device: body.device_id,
    picture: body.picture,
    at,
    result: body.tidiness,
  })
  if (task) await finishTask(tx, call, task.id, task.user_ids)
  await settleTasks(tx, call, await closeAlong(tx, tenant, { patrol: id, site: site.id, person: me }))
  const told = { ...done, kind, site_id: site.id, bc_id: site.bc_id, status: patrolStatus.code.submitted }
  await tellDone(tx, call, told, body.picture)
  return { id, number, problems: problems.length }
}
