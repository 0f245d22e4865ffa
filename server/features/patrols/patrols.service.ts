import { createHash } from 'node:crypto'

import { patrolActions, taskActions } from '@zhuguan/contract/features/patrols/patrols.actions.ts'
import type { patrolsApi } from '@zhuguan/contract/features/patrols/patrols.api.ts'
import {
  FAR_METRES,
  itemVerdict,
  type Lack,
  lackOf,
  lineOf,
  type PatrolDetail,
  patrolKind,
  patrolPlace,
  patrolStatus,
  scoreOf,
} from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { type TaskRow, templateStatus } from '@zhuguan/contract/features/patrols/plans.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { BodyOf, DataOf } from '@zhuguan/contract/kit/api.ts'
import { distanceText, fromPhone, metres } from '@zhuguan/contract/kit/places.ts'

import type { Tx } from '../../database/connect.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, outside, overtakenSaying, refuse, Refused, unlessSeen } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiTime } from '../../kit/shanghai.ts'
import { openCorrection } from '../corrections/opening.service.ts'
import { type FileStore, unlessCopied, useFiles } from '../files/files.service.ts'
import { tell } from '../live/live.service.ts'
import {
  abandonPatrol,
  addItems,
  addPatrol,
  begunBefore,
  fillPlace,
  finishPatrol,
  itemsOf,
  judgeItems,
  type LockedPatrol,
  lockPatrol,
  lockPlace,
  patrolDetails,
  patrolOfTask,
  type Place,
  siteOfPatrol,
} from './patrols.queries.ts'
import { lockTemplate } from './plans.queries.ts'
import { closeTask, lockTask, siteOfTask } from './tasks.queries.ts'
import { settleTasks } from './tasks.service.ts'

type Begin = BodyOf<(typeof patrolsApi)['begin']>
type Submit = BodyOf<(typeof patrolsApi)['submit']>

/** What was handed in, to know it when it comes again. */
export const digestOf = (body: object): string =>
  createHash('sha256').update(JSON.stringify(body)).digest('base64url')
export const unlessBuilding = (site: Place): void =>
  refuse(
    site.status === siteStatus.code.building ? undefined : `工地${siteStatus.label(site.status)}，不能巡检`,
  )

/** Where the inspector stands, as the map has it, and how far that is from the site. */
function checkIn(site: Place, { lng, lat, accuracy }: Pick<Begin, 'accuracy' | 'lat' | 'lng'>) {
  const { far, near, unknown } = patrolPlace.code
  if ((typeof lng === 'number') !== (typeof lat === 'number'))
    throw invalid(typeof lng === 'number' ? 'lat' : 'lng', '定位要同时有经度和纬度')
  if (typeof lng !== 'number' || typeof lat !== 'number') return { at: null, distance: null, place: unknown }
  const at = fromPhone({ lng, lat })
  const distance =
    site.lng === null || site.lat === null ? null : Math.round(metres(at, { lng: site.lng, lat: site.lat }))
  const known = distance !== null && distance > FAR_METRES ? far : near
  // A phone that may stand anywhere around says nothing for its inspector, and nothing against.
  const vague = distance !== null && (accuracy ?? 0) > Math.max(distance, FAR_METRES)
  return {
    at: { ...at, accuracy: accuracy ?? null },
    distance,
    place: distance === null || vague ? unknown : known,
  }
}

/** A patrol that was begun without a place gets the first one that its inspector's phone gives later. */
async function checkInLater(
  tx: Tx,
  call: Call,
  site: Place,
  id: string,
  body: Parameters<typeof checkIn>[1],
) {
  const { at, distance, place } = checkIn(site, body)
  if (!at || !(await fillPlace(tx, call.user.tenant, { id, at, distance, place }))) return undefined
  await call.log(tx, {
    action: '补记签到定位',
    object: 'patrol',
    objectId: id,
    after: { site_id: site.id, place, distance },
  })
  return { distance, place }
}

/** The occurrence that is to be done, unless somebody is at it; one's own goes on where it was. */
export async function takeTask(
  tx: Tx,
  call: Call,
  id: string,
  action: 'begin' | 'watch',
): Promise<{ task: TaskRow; mine: string | undefined }> {
  const task = found(await lockTask(tx, call.user.scope, id))
  const doing = await patrolOfTask(tx, call.user.tenant, id)
  const isBegun = doing?.status === patrolStatus.code.begun
  if (isBegun && doing.inspector_id === call.user.id) return { task, mine: doing.id }
  if (isBegun)
    throw overtakenSaying(
      `已被 ${doing.inspectorName} 于 ${shanghaiTime(new Date(doing.begunAt * 1000))} 开始`,
      { name: doing.inspectorName, at: doing.begunAt },
    )
  refuse(taskActions.refusal(action, task, actorAt(call.user, task)))
  return { task, mine: undefined }
}

/** What is looked at: what the plan says, else what was chosen of what the site's branch may use now. */
async function templateFor(
  tx: Tx,
  call: Call,
  site: Place,
  task: TaskRow | undefined,
  chosen: Begin['template_id'],
) {
  const id = task ? task.template_id : chosen
  if (!id) throw invalid('template_id', '请选择模板')
  const template = found(await lockTemplate(tx, call.user.scope, id))
  const isUsable =
    template.status === templateStatus.code.active && (!template.bc_id || template.bc_id === site.bc_id)
  if (!task && !isUsable) throw invalid('template_id', `模板“${template.name}”不能用在这个工地`)
  return template
}

export async function beginPatrol(tx: Tx, call: Call, body: Begin): Promise<PatrolDetail> {
  const { id: me, scope, tenant } = call.user
  const ofTask = body.task_id ? found(await siteOfTask(tx, scope, body.task_id)) : undefined
  const siteId = ofTask ?? body.site_id
  if (!siteId) throw invalid('site_id', '请选择工地')
  if (body.site_id && body.site_id !== siteId) throw outside()
  const site = found(await lockPlace(tx, scope, siteId))
  const taken = body.task_id ? await takeTask(tx, call, body.task_id, 'begin') : undefined
  const goOn = async (mine: string) => {
    await checkInLater(tx, call, site, mine, body)
    return found(await patrolDetails(tx, scope, mine))
  }
  if (taken?.mine) return await goOn(taken.mine)
  const task = taken?.task
  unlessBuilding(site)
  const template = await templateFor(tx, call, site, task, body.template_id)
  const begun = task
    ? undefined
    : await begunBefore(tx, { tenant, site: site.id, template: template.id, person: me })
  if (begun) return await goOn(begun)
  const id = call.newId()
  const kind = task?.kind ?? patrolKind.code.scene
  const where = checkIn(site, body)
  const number = await addPatrol(tx, tenant, {
    id,
    kind,
    bc: site.bc_id,
    site: site.id,
    task: task?.id ?? null,
    template,
    inspector: me,
    ...where,
  })
  await addItems(
    tx,
    tenant,
    id,
    template.items.map((item) => ({ ...item, id: call.newId() })),
  )
  await call.log(tx, {
    action: '开始巡检',
    object: 'patrol',
    objectId: id,
    after: {
      site_id: site.id,
      number,
      kind,
      template: template.name,
      place: where.place,
      distance: where.distance,
    },
  })
  tell(tx, call, { topic: 'patrol', bc: site.bc_id, site: site.id, id })
  return found(await patrolDetails(tx, scope, id))
}

type Item = Awaited<ReturnType<typeof itemsOf>>[number]
type Said = Submit['items'][number]
const LACKS: Readonly<Record<Lack, string>> = {
  verdict: '没有判定',
  why: '不适用，请说明为什么（至少 2 个字）',
  problem: '请写明要整改的问题',
  photo: '必须拍照',
}
/** Each of the patrol's items once, with all that its verdict needs. */
function paired(items: readonly Item[], said: readonly Said[]): { item: Item; said: Said }[] {
  if (said.some((s) => !items.some((i) => i.id === s.id))) throw outside()
  if (new Set(said.map((s) => s.id)).size !== said.length) throw invalid('items', '同一个检查项提交了两次')
  const left = items.filter((i) => !said.some((s) => s.id === i.id))
  if (left.length)
    throw invalid('items', `还有 ${left.length} 项没有判定：${left.map((i) => i.title).join('、')}`)
  const pairs = items.map((item) => ({ item, said: said.find((s) => s.id === item.id)! }))
  const { failed, none } = itemVerdict.code
  if (pairs.every(({ said: s }) => s.verdict === none))
    throw invalid('items', '没有一项适用，不能提交；请放弃这次巡检并写明原因')
  for (const { item, said: s } of pairs) {
    const lack = lackOf(item, {
      ...s,
      problem: s.correction?.problem ?? '',
      photos: s.pictures.length,
    })
    if (lack) throw invalid('items', `“${item.title}”${s.verdict === failed ? '不合格，' : ''}${LACKS[lack]}`)
    if (s.verdict !== failed && s.correction)
      throw invalid('items', `“${item.title}”没有不合格，不能开整改单`)
  }
  return pairs
}

/** The person who hears of what was missed or done: those whose occurrence it was. */
export async function finishTask(tx: Tx, call: Call, task: string, people: readonly string[]): Promise<void> {
  await closeTask(tx, call.user.tenant, task)
  await settleTasks(tx, call, people)
}

const answerOf = (p: { id: string; number: string; score: number | null; problems: number }) => ({
  id: p.id,
  number: p.number,
  score: p.score,
  problems: p.problems,
})
export async function submitPatrol(
  tx: Tx,
  call: Call,
  files: FileStore,
  body: Submit,
): Promise<DataOf<(typeof patrolsApi)['submit']>> {
  const { id: me, scope, tenant } = call.user
  const site = found(await lockPlace(tx, scope, found(await siteOfPatrol(tx, scope, body.id))))
  const patrol = found(await lockPatrol(tx, scope, body.id))
  const { accuracy, lat, lng, ...said } = body
  // Where it was handed in from makes it no other answer.
  const digest = digestOf(said)
  // The answer was lost on its way: what was said twice is done once.
  if (patrol.inspector_id === me && patrol.digest === digest) return answerOf(patrol)
  refuse(patrolActions.refusal('submit', patrol, actorAt(call.user, patrol)))
  const placed = await checkInLater(tx, call, site, patrol.id, { accuracy, lat, lng })
  const pairs = paired(await itemsOf(tx, tenant, patrol.id), body.items)
  const judged = []
  for (const { item, said } of pairs) {
    if (said.pictures.length) await proveItem(tx, call, files, site, item, said.pictures)
    const problem = said.correction?.problem ?? ''
    const correction = said.correction
      ? await openCorrection(tx, call, {
          source: 'patrol',
          source_id: item.id,
          site,
          problem,
          pictures: said.pictures,
          assignee_id: said.correction.assignee_id ?? null,
        })
      : null
    judged.push({ ...said, problem, correction, weight: item.weight })
  }
  await judgeItems(tx, tenant, patrol.id, judged)
  const done = {
    id: patrol.id,
    number: patrol.number,
    score: scoreOf(judged),
    problems: judged.filter((j) => j.correction).length,
  }
  await finishPatrol(tx, tenant, { ...done, remark: body.remark, digest })
  if (patrol.task_id) {
    const task = await lockTask(tx, scope, patrol.task_id)
    await finishTask(tx, call, patrol.task_id, task?.user_ids ?? [])
  }
  await tellDone(tx, call, { ...patrol, ...placed, ...done }, judged.flatMap((j) => j.pictures)[0] ?? null)
  return done
}

/** The pictures of an item prove it and nothing else; a refusal names the item. */
async function proveItem(
  tx: Tx,
  call: Call,
  files: FileStore,
  site: Place,
  item: { id: string; title: string },
  pictures: string[],
): Promise<void> {
  const proof = { bc: site.bc_id, proves: item.id }
  try {
    await useFiles(tx, call, pictures, { ...proof, takenAfter: 0, site: site.id })
    await unlessCopied(tx, call, files, pictures, proof)
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 400) throw error
    throw invalid('items', `“${item.title}”：${error.message}`)
  }
}

/** A check-in far from the site is told with what was found. */
const farText = (p: Partial<Pick<LockedPatrol, 'distance' | 'place'>>): string =>
  p.place === patrolPlace.code.far && p.distance ? `（签到偏离${distanceText(p.distance)}）` : ''

/** The log and the site's own line of a patrol that was handed in. */
export async function tellDone(
  tx: Tx,
  call: Call,
  patrol: Pick<LockedPatrol, 'id' | 'number' | 'kind' | 'site_id' | 'bc_id' | 'score' | 'problems'> &
    Partial<Pick<LockedPatrol, 'distance' | 'place'>>,
  picture: string | null,
): Promise<void> {
  await call.log(tx, {
    action: '提交巡检',
    object: 'patrol',
    objectId: patrol.id,
    after: {
      site_id: patrol.site_id,
      number: patrol.number,
      kind: patrol.kind,
      status: patrolStatus.code.submitted,
      score: patrol.score,
      problems: patrol.problems,
    },
  })
  tell(tx, call, {
    topic: 'patrol',
    bc: patrol.bc_id,
    site: patrol.site_id,
    id: patrol.id,
    line: { kind: 'patrol', title: lineOf(patrol) + farText(patrol), picture },
  })
}

/** Its occurrence is due again. */
export async function abandon(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof patrolsApi)['abandon']>,
): Promise<void> {
  const { scope, tenant } = call.user
  found(await lockPlace(tx, scope, found(await siteOfPatrol(tx, scope, body.id))))
  const patrol = found(await lockPatrol(tx, scope, body.id))
  unlessSeen(patrol, body.version, '次巡检')
  refuse(patrolActions.refusal('abandon', patrol, actorAt(call.user, patrol)))
  await abandonPatrol(tx, tenant, { id: patrol.id, reason: body.reason })
  await call.log(tx, {
    action: '放弃巡检',
    object: 'patrol',
    objectId: patrol.id,
    before: { status: patrol.status },
    after: {
      site_id: patrol.site_id,
      number: patrol.number,
      status: patrolStatus.code.abandoned,
      reason: body.reason,
    },
  })
  tell(tx, call, { topic: 'patrol', bc: patrol.bc_id, site: patrol.site_id, id: patrol.id })
}
