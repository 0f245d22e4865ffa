import { type SiteDetail, siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'

import { dayOf, nowSeconds } from '../../kit/time.ts'

const at = (day: string) => Date.parse(day)
const DAY = 86_400_000

type Stage = SiteDetail['stages'][number]
/** What the bars say, in words. */
function daysOf(stage: Stage, late: boolean): string {
  const { plannedStart, plannedFinish, actualStart, actualFinish } = stage
  const actual = actualStart ? `${actualStart} 至 ${actualFinish ?? '进行中'}` : '未开始'
  return `计划 ${plannedStart ?? '--'} 至 ${plannedFinish ?? '--'}；实际 ${actual}${late ? '，晚于计划' : ''}`
}

/** Plan above, what happened below; a stage that ran past its plan is amber. */
export function StageChart({ stages }: { stages: SiteDetail['stages'] }) {
  const today = dayOf(nowSeconds())
  const days = stages
    .flatMap((s) => [s.plannedStart, s.plannedFinish, s.actualStart, s.actualFinish])
    .filter((d): d is string => !!d)
  if (days.length === 0) return <p className="quiet">还没有阶段计划。</p>
  const from = Math.min(...days.map(at))
  const span = Math.max(...days.map(at)) + DAY - from
  const place = (a: string, b: string) => ({
    left: `${((at(a) - from) / span) * 100}%`,
    width: `${((at(b) + DAY - at(a)) / span) * 100}%`,
  })
  return (
    <div className="gantt">
      {stages.map((s) => {
        const end = s.actualFinish ?? today
        const late = s.actualStart !== null && s.plannedFinish !== null && end > s.plannedFinish
        return [
          <span key={`${s.stage}n`}>{siteStage.label(s.stage)}</span>,
          <span key={s.stage} className="bar" role="img" aria-label={daysOf(s, late)} title={daysOf(s, late)}>
            {s.plannedStart && s.plannedFinish && (
              // oxlint-disable-next-line react/forbid-dom-props -- where the days lie
              <i className="plan" style={place(s.plannedStart, s.plannedFinish)} />
            )}
            {s.actualStart && (
              <i
                className={`act${late ? ' late' : ''}`}
                // oxlint-disable-next-line react/forbid-dom-props -- where the days lie
                style={place(s.actualStart, end < s.actualStart ? s.actualStart : end)}
              />
            )}
          </span>,
        ]
      })}
      <small />
      <small>上蓝：计划　下绿：实际　橙：晚于计划</small>
    </div>
  )
}
