import { type SiteDetail, siteStage, stageState } from '@zhuguan/contract/features/sites/sites.record.ts'
import { stageActions } from '@zhuguan/contract/features/sites/stages.actions.ts'
import { stagesApi } from '@zhuguan/contract/features/sites/stages.api.ts'
import { hasAnyPermission, hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { type RowAction, RowActions } from '../../kit/RowActions.tsx'
import { State, type Tone } from '../../kit/State.tsx'
import { useActor } from '../../parts/session.ts'
import { StageChart } from './StageChart.tsx'

import './sites.css'

const PlanDrawer = lazyPart(() => import('./PlanDrawer.tsx'))
const TONE: Record<number, Tone> = { 1: 'grey', 2: 'wait', 3: 'ok' }
type Stage = SiteDetail['stages'][number]

/** The stages of a site: their days as a chart, and a line each with what can be done to it now. */
export function StageSection({ site, onDone }: { site: SiteDetail; onDone: () => void }) {
  const actor = useActor()
  const [planning, setPlanning] = useState(false)
  const open = (stage: Stage) =>
    site.stages.filter((s) => s !== stage && s.state !== stageState.code.accepted).length
  const actionsOf = (stage: Stage): RowAction[] =>
    stageActions.names
      .filter(
        (name) =>
          hasAnyPermission(actor, stageActions.needs(name)) &&
          (stageActions.table[name].from as readonly number[]).includes(stage.state),
      )
      .map((name) => {
        const { label } = stageActions.table[name]
        const reason = name === 'redo'
        return {
          key: name,
          label,
          why: stageActions.refusal(
            name,
            { stage: stage.stage, state: stage.state, status: site.status, others: open(stage) },
            actor,
          ),
          reason,
          confirm: reason
            ? `${siteStage.label(stage.stage)}：${label}，请写明原因`
            : `${siteStage.label(stage.stage)}：今天${label}，确定吗？`,
          run: (text) =>
            call(stagesApi.change, {
              body: { id: site.id, version: site.version, stage: stage.stage, action: name, reason: text },
            }),
        }
      })
  return (
    <section className="card section">
      <h2>
        阶段：计划与实际{' '}
        {hasPermission(actor, 'site:stage') && (
          <button className="text-button" onClick={() => setPlanning(true)}>
            排期
          </button>
        )}
      </h2>
      <StageChart stages={site.stages} />
      <div className="stage-lines">
        {site.stages.map((stage) => (
          <p key={stage.stage}>
            <span>{siteStage.label(stage.stage)}</span>
            <State tone={TONE[stage.state] ?? 'grey'}>{stageState.label(stage.state)}</State>
            <small>
              {stage.actualFinish
                ? `${stage.actualFinish} ${stage.acceptedBy}`
                : (stage.actualStart ?? `计划 ${stage.plannedStart ?? '--'}`)}
            </small>
            <RowActions actions={actionsOf(stage)} onDone={onDone} />
          </p>
        ))}
      </div>
      {planning && <PlanDrawer site={site} onClose={() => setPlanning(false)} onDone={onDone} />}
    </section>
  )
}
