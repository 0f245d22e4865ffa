import {
  siteStage,
  type SiteRow,
  siteStatus,
  stageState,
} from '@zhuguan/contract/features/sites/sites.record.ts'
import { stageActions } from '@zhuguan/contract/features/sites/stages.actions.ts'
import type { stagesApi } from '@zhuguan/contract/features/sites/stages.api.ts'
import { plannedEndOf } from '@zhuguan/contract/features/sites/stages.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { refuseFar } from '../../kit/planned-day.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, refuse, Refused } from '../../kit/refuse.ts'
import { int4, row, text, type RowOf } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { keepBaseline } from './site-start.service.ts'
import { STAGE_STATE } from './sites.reads.ts'
import { lockSeen, tellSite } from './sites.service.ts'

const { building, notStarted } = siteStatus.code
const stageRow = row({
  stage: text.of(siteStage),
  state: int4,
  actualStart: text.null,
  plannedStart: text.null,
  plannedFinish: text.null,
})
type Stage = RowOf<typeof stageRow>
type Planned = BodyOf<(typeof stagesApi)['plan']>['stages'][number]
const stagesOf = async (tx: Tx, tenant: string, site: string): Promise<Stage[]> =>
  (
    await tx.query(
      'stages.all',
      stageRow,
      `SELECT g.stage, ${STAGE_STATE} AS state, g.actual_start::text AS "actualStart",
         g.planned_start::text AS "plannedStart", g.planned_finish::text AS "plannedFinish"
       FROM site_stages g
       WHERE g.tenant_id = $1 AND g.site_id = $2
       ORDER BY g.sort`,
      [tenant, site],
    )
  ).rows

/** What began longer ago is a slip of the year. */
const PAST_YEARS = 3
/** A plan that can be kept: each stage ends after it begins, none begins before the one that it follows. */
function unlessPlannable(call: Call, before: readonly Stage[], planned: readonly Planned[]): void {
  const first = addDays(shanghaiDay(call.now()), -PAST_YEARS * 366)
  const starts = new Map(planned.map((p) => [p.stage, p.plannedStart]))
  if (starts.size < planned.length) throw invalid('stages', '同一个阶段排了两次，请只排一次')
  for (const p of planned) {
    const label = siteStage.label(p.stage)
    if (!before.some((s) => s.stage === p.stage)) throw invalid('stages', `这个工地没有“${label}”阶段`)
    if (p.plannedFinish < p.plannedStart) throw invalid('stages', `${label}：计划完成不能早于计划开始`)
    if (p.plannedStart < first)
      throw invalid('stages', `${label}：计划开始离今天超过 ${PAST_YEARS} 年，请检查年份`)
    refuseFar(call, 'stages', `${label}的计划完成`, p.plannedFinish)
  }
  const inOrder = before.flatMap((s) => {
    const start = starts.get(s.stage) ?? s.plannedStart
    return start ? [{ label: siteStage.label(s.stage), start, isNew: starts.has(s.stage) }] : []
  })
  for (const [i, next] of inOrder.entries()) {
    const one = inOrder[i - 1]
    if (one && next.start < one.start && (one.isNew || next.isNew))
      throw invalid('stages', `${next.label}不能早于${one.label}开始（${one.start}）`)
  }
}

export async function planStages(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof stagesApi)['plan']>,
): Promise<void> {
  const site = await lockSeen(tx, call, body.id, body.version)
  if (site.status !== building && site.status !== notStarted)
    throw new Refused(`工地${siteStatus.label(site.status)}，不能再排期`)
  const before = await stagesOf(tx, call.user.tenant, site.id)
  unlessPlannable(call, before, body.stages)
  for (const planned of body.stages)
    await tx.run(
      'stages.plan',
      `UPDATE site_stages
       SET planned_start = $4, planned_finish = $5
       WHERE tenant_id = $1 AND site_id = $2 AND stage = $3`,
      [call.user.tenant, site.id, planned.stage, planned.plannedStart, planned.plannedFinish],
    )
  const end = plannedEndOf(await stagesOf(tx, call.user.tenant, site.id), site.plannedFinish)
  await tx.run(
    'stages.planned',
    `UPDATE sites w
     SET planned_start = CASE WHEN g.whole THEN g.first ELSE least(w.planned_start, g.first) END, planned_finish = $3,
       version = version + 1
     FROM (SELECT min(t.planned_start) AS first, count(*) = count(t.planned_start) AS whole
       FROM site_stages t WHERE t.tenant_id = $1 AND t.site_id = $2) g
     WHERE w.tenant_id = $1 AND w.id = $2`,
    [call.user.tenant, site.id, end],
  )
  if (site.status === building) await keepBaseline(tx, call.user.tenant, site.id)
  const moved = body.stages.filter((p) => {
    const s = before.find((b) => b.stage === p.stage)!
    return s.plannedStart !== p.plannedStart || s.plannedFinish !== p.plannedFinish
  })
  const was = before.filter((s) => moved.some((p) => p.stage === s.stage))
  await call.log(tx, {
    action: '阶段排期',
    object: 'site',
    objectId: site.id,
    before: {
      stages: was.map(({ stage, plannedStart, plannedFinish }) => ({ stage, plannedStart, plannedFinish })),
      plannedFinish: site.plannedFinish,
    },
    after: { stages: moved, plannedFinish: end },
  })
  tellSite(tx, call, site, `阶段排期：${body.stages.map((s) => siteStage.label(s.stage)).join('、')}`)
}

/** The stage that is worked on: the first that is going, else the first that waits; all accepted, the last. */
const currentOf = (stages: readonly Stage[]): string =>
  (
    stages.find((s) => s.state === stageState.code.going) ??
    stages.find((s) => s.state === stageState.code.waiting) ??
    stages.at(-1)!
  ).stage

/** Progress is what has been accepted; kept beside the site with every change of a stage. */
async function keepProgress(tx: Tx, call: Call, site: SiteRow): Promise<void> {
  const stages = await stagesOf(tx, call.user.tenant, site.id)
  const accepted = stages.filter((s) => s.state === stageState.code.accepted).length
  await tx.run(
    'stages.progress',
    'UPDATE sites SET stage = $3, progress = $4, version = version + 1 WHERE tenant_id = $1 AND id = $2',
    [call.user.tenant, site.id, currentOf(stages), Math.round((accepted / stages.length) * 100)],
  )
}

export async function changeStage(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof stagesApi)['change']>,
): Promise<void> {
  const site = await lockSeen(tx, call, body.id, body.version)
  const stages = await stagesOf(tx, call.user.tenant, site.id)
  const stage = found(stages.find((s) => s.stage === body.stage))
  const others = stages.filter((s) => s !== stage && s.state !== stageState.code.accepted).length
  const actor = actorAt(call.user, { bc_id: site.bc_id, site_id: site.id })
  refuse(stageActions.refusal(body.action, { ...stage, status: site.status, others }, actor))
  const action = stageActions.table[body.action]
  if (body.action === 'redo' && body.reason.length < 2)
    throw invalid('reason', '请写明返工的原因（至少 2 个字）')
  const today = shanghaiDay(call.now())
  const day = body.day ?? today
  if (day > today) throw invalid('day', '日期不能晚于今天')
  if (body.action === 'begin' && site.startDate && day < site.startDate)
    throw invalid('day', `日期不能早于开工日期 ${site.startDate}`)
  // Stages follow each other, as in the plan.
  const ahead = stages
    .slice(0, stages.indexOf(stage))
    .findLast((s) => s.actualStart !== null && s.actualStart > day)
  if (body.action === 'begin' && ahead)
    throw invalid('day', `不能早于前面的“${siteStage.label(ahead.stage)}”开始（${ahead.actualStart}）`)
  if (body.action === 'accept' && stage.actualStart && day < stage.actualStart)
    throw invalid('day', `日期不能早于这个阶段开始的 ${stage.actualStart}`)
  const set = {
    begin: 'actual_start = $4::date',
    accept: 'actual_finish = $4::date, accepted_by = $5',
    redo: `actual_start = coalesce(actual_start, $4::date), actual_finish = NULL, accepted_by = ''`,
  }[body.action]
  await tx.run(
    `stages.${body.action}`,
    `UPDATE site_stages
     SET ${set}
     WHERE tenant_id = $1 AND site_id = $2 AND stage = $3 AND $4::date IS NOT NULL AND $5::text IS NOT NULL`,
    [call.user.tenant, site.id, body.stage, day, call.user.nickname],
  )
  await keepProgress(tx, call, site)
  const label = siteStage.label(body.stage)
  await call.log(tx, {
    action: `阶段${action.label}`,
    object: 'site',
    objectId: site.id,
    before: { state: stage.state },
    after: {
      stage: body.stage,
      state: action.to,
      day,
      ...(body.reason ? { reason: body.reason } : {}),
    },
  })
  tellSite(tx, call, site, `${label}${action.label}${body.reason ? `：${body.reason}` : ''}`)
}
