import { siteStage, stageState } from '@zhuguan/contract/features/sites/sites.record.ts'

import { usePhone } from '../../kit/usePhone.ts'
import {
  actualText,
  type Axis,
  behindText,
  firstPlanText,
  planText,
  replanned,
  type Stage,
} from './stageDays.ts'

/** The words for the bars of a stage. */
const inWords = (s: Stage, today: string) =>
  [
    `${siteStage.label(s.stage)}：计划 ${planText(s)}`,
    replanned(s) && `开工时的计划 ${firstPlanText(s)}`,
    `实际 ${actualText(s)}`,
    behindText(s, today),
  ]
    .filter(Boolean)
    .join('；')

/** Plan above, what happened below; running work past its plan is red there, what was first planned a dashed line. */
export function StageBars({ stage: s, axis, today }: { stage: Stage; axis: Axis; today: string }) {
  const { place } = axis
  const planned = s.plannedStart && s.plannedFinish
  const words = inWords(s, today)
  const running = s.state === stageState.code.going
  const late = running && s.plannedFinish && today > s.plannedFinish
  return (
    <span className="bars" role="img" tabIndex={0} aria-label={words}>
      {s.baselineStart && s.baselineFinish && replanned(s) && (
        // oxlint-disable-next-line react/forbid-dom-props -- where the days lie
        <i className="first" style={place(s.baselineStart, s.baselineFinish)} />
      )}
      {planned ? (
        // oxlint-disable-next-line react/forbid-dom-props -- where the days lie
        <i className="plan" style={place(s.plannedStart!, s.plannedFinish!)} />
      ) : (
        <small>没有排期</small>
      )}
      {s.actualStart && (
        // oxlint-disable-next-line react/forbid-dom-props -- where the days lie
        <i className={running ? 'act going' : 'act'} style={place(s.actualStart, s.actualFinish ?? today)} />
      )}
      {late && (
        <i
          className="act late"
          // oxlint-disable-next-line react/forbid-dom-props -- where the days lie
          style={place(s.actualStart! > s.plannedFinish! ? s.actualStart! : s.plannedFinish!, today)}
        />
      )}
      <span className="bars-tip" aria-hidden="true">
        {words}
      </span>
    </span>
  )
}

/** Percent of the axis that a date takes up beside its day; on a phone the axis is short. */
const DATE_WIDE = 6
const DATE_ON_PHONE = 14
const percentOf = (left: string) => Number.parseFloat(left)

/** The days under which the bars lie, and where today is. */
export function StageAxis({ axis: { place, ticks }, today }: { axis: Axis; today: string | null }) {
  const now = today ? percentOf(place(today).left) : null
  // The label where it stands: today says more than the date that it would cover.
  const reach = usePhone() ? DATE_ON_PHONE : DATE_WIDE
  const isClear = (day: string) => now === null || Math.abs(percentOf(place(day).left) + 2 - now) > reach
  return (
    <span className="axis" aria-hidden="true">
      {ticks.filter(isClear).map((day) => (
        // oxlint-disable-next-line react/forbid-dom-props -- where the day lies
        <small key={day} style={place(day)}>
          {day.slice(5)}
        </small>
      ))}
      {today && (
        // oxlint-disable-next-line react/forbid-dom-props -- where the day lies
        <b style={place(today)}>今天</b>
      )}
    </span>
  )
}
