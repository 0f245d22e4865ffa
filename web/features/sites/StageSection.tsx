import {
  type SiteDetail,
  siteStage,
  siteStatus,
  stageState,
} from '@zhuguan/contract/features/sites/sites.record.ts'
import { stageActions } from '@zhuguan/contract/features/sites/stages.actions.ts'
import type { WarningRow } from '@zhuguan/contract/features/warnings/warnings.record.ts'
import { hasAnyPermission, hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useState } from 'react'

import { lazyPart } from '../../kit/lazyPart.tsx'
import { type RowAction, RowActions } from '../../kit/RowActions.tsx'
import { State, type Tone } from '../../kit/State.tsx'
import { dayOf, nowSeconds } from '../../kit/time.ts'
import { useActor } from '../../parts/session.ts'
import { StageWarnings } from './SiteWarnings.tsx'
import { StageAxis, StageBars } from './StageChart.tsx'
import {
  actualText,
  axisOf,
  behind,
  behindText,
  firstPlanText,
  planText,
  replanned,
  type Stage,
} from './stageDays.ts'
import type { StageStep } from './StageDrawer.tsx'

import './stages.css'

const PlanDrawer = lazyPart(() => import('./PlanDrawer.tsx'))
const StageDrawer = lazyPart(() => import('./StageDrawer.tsx'))
const TONE: Record<number, Tone> = {
  [stageState.code.waiting]: 'grey',
  [stageState.code.going]: 'wait',
  [stageState.code.accepted]: 'ok',
}
const { building, notStarted } = siteStatus.code

/** The stages of a site on a line of days, what each may come to next, and the same as a table. */
export function StageSection({
  site,
  warnings,
  onDone,
}: {
  site: SiteDetail
  warnings: readonly WarningRow[]
  onDone: () => void
}) {
  const actor = useActor()
  const [planning, setPlanning] = useState(false)
  const [table, setTable] = useState(false)
  const [step, setStep] = useState<{ stage: Stage; action: StageStep } | null>(null)
  const lives = site.status === building || site.status === notStarted
  const now = dayOf(nowSeconds())
  const today = lives ? now : null
  const axis = axisOf(site.stages, today)
  const place = axis?.place
  const others = (stage: Stage) =>
    site.stages.filter((s) => s !== stage && s.state !== stageState.code.accepted).length
  const actionsOf = (stage: Stage): RowAction[] =>
    lives
      ? stageActions.names
          .filter(
            (name) =>
              hasAnyPermission(actor, stageActions.needs(name)) &&
              (stageActions.table[name].from as readonly number[]).includes(stage.state),
          )
          .map((name) => ({
            key: name,
            label: stageActions.table[name].label,
            why: stageActions.refusal(
              name,
              { stage: stage.stage, state: stage.state, status: site.status, others: others(stage) },
              actor,
            ),
            open: () => setStep({ stage, action: name }),
          }))
      : []
  return (
    <section className="card section stages">
      <h2>
        阶段：计划与实际
        <small>
          {site.stages.filter((s) => s.state === stageState.code.accepted).length}/{site.stages.length} 已验收
        </small>
        <span className="right">
          {lives && hasPermission(actor, 'site:stage') && (
            <button className="text-button" onClick={() => setPlanning(true)}>
              排期
            </button>
          )}
          <button className="text-button" aria-pressed={table} onClick={() => setTable(!table)}>
            {table ? '看图' : '看表格'}
          </button>
        </span>
      </h2>
      {table ? (
        <StageTable stages={site.stages} today={now} />
      ) : (
        <div className={lives ? 'gantt' : 'gantt over'}>
          {axis ? (
            <div className="row days-row">
              <StageAxis axis={axis} today={today} />
            </div>
          ) : (
            <p className="quiet">还没有排期，也没有开始的阶段。</p>
          )}
          {site.stages.map((stage) => (
            <div key={stage.stage} className="row">
              <span>{siteStage.label(stage.stage)}</span>
              <State tone={TONE[stage.state] ?? 'grey'}>{stageState.label(stage.state)}</State>
              {axis ? (
                <span className="track">
                  {today && place && (
                    // oxlint-disable-next-line react/forbid-dom-props -- where the day lies
                    <i className="today" style={place(today)} />
                  )}
                  <StageBars stage={stage} axis={axis} today={now} />
                </span>
              ) : (
                <span />
              )}
              <small
                className={!stage.actualFinish && (behind(stage, now) ?? 0) > 0 && lives ? 'bad' : undefined}
              >
                {lives || stage.actualFinish ? behindText(stage, now) : ''}
                <StageWarnings warnings={warnings.filter((w) => w.stage === stage.stage)} />
              </small>
              <RowActions actions={actionsOf(stage)} onDone={onDone} />
            </div>
          ))}
          {axis && (
            <p className="legend quiet">
              <i className="plan" /> 计划{' '}
              {site.stages.some(replanned) && (
                <>
                  <i className="first" /> 开工时的计划{' '}
                </>
              )}
              <i className="act" /> 已完成{' '}
              {lives && (
                <>
                  <i className="act going" /> 进行中 <i className="act late" /> 超期
                </>
              )}
            </p>
          )}
        </div>
      )}
      {planning && <PlanDrawer site={site} onClose={() => setPlanning(false)} onDone={onDone} />}
      {step && <StageDrawer {...step} site={site} onClose={() => setStep(null)} onDone={onDone} />}
    </section>
  )
}

function StageTable({ stages, today }: { stages: readonly Stage[]; today: string }) {
  return (
    <div className="stage-table">
      <table>
        <thead>
          <tr>
            <th>阶段</th>
            <th>状态</th>
            <th>开工时的计划</th>
            <th>计划</th>
            <th>实际</th>
            <th>偏差</th>
            <th>验收人</th>
          </tr>
        </thead>
        <tbody>
          {stages.map((s) => (
            <tr key={s.stage}>
              <th scope="row">{siteStage.label(s.stage)}</th>
              <td>{stageState.label(s.state)}</td>
              <td>{firstPlanText(s)}</td>
              <td>{planText(s)}</td>
              <td>{actualText(s)}</td>
              <td>{behindText(s, today) || '--'}</td>
              <td>{s.acceptedBy || '--'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
