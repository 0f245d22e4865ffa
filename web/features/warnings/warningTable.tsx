import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { warningsApi } from '@zhuguan/contract/features/warnings/warnings.api.ts'
import {
  qualityColumns,
  scheduleColumns,
  warningColumns,
} from '@zhuguan/contract/features/warnings/warnings.columns.ts'
import {
  COUNTED,
  deviationWords,
  warningBall,
  warningEnd,
  warningLevel,
  type WarningRow,
  warningRule,
  warningState,
} from '@zhuguan/contract/features/warnings/warnings.record.ts'

import { LinkTo } from '../../kit/LinkTo.tsx'
import { columnsOf, NOTHING } from '../../kit/list/columnsOf.tsx'
import { State, type Tone } from '../../kit/State.tsx'

const { important, normal, urgent } = warningLevel.code
const LEVEL: Readonly<Record<WarningRow['level'], Tone>> = {
  [normal]: 'grey',
  [important]: 'wait',
  [urgent]: 'bad',
}
const { closed, handling, open } = warningState.code
const STATE: Readonly<Record<WarningRow['state'], Tone>> = {
  [open]: 'bad',
  [handling]: 'wait',
  [closed]: 'grey',
}

export const LevelOf = ({ row: w }: { row: WarningRow }) => (
  <State tone={LEVEL[w.level]}>{warningLevel.label(w.level)}</State>
)
/** The time until when, for one that is handled; the way, for one that is closed. */
export function StateOf({ row: w }: { row: WarningRow }) {
  const more = w.state === handling ? ` 到 ${w.until?.slice(5)}` : ''
  const label = w.end ? warningEnd.label(w.end) : `${warningState.label(w.state)}${more}`
  return <State tone={STATE[w.state]}>{label}</State>
}
/** The name of the person whose turn it is; where the site has none of them, that is said. */
export function responsibleOf(w: WarningRow): string {
  if (w.responsibleName) return w.responsibleName
  const isNamed = w.ball === warningBall.code.owner || w.ball === warningBall.code.goods
  return isNamed ? warningBall.label(w.ball) : `还没有${warningBall.label(w.ball)}`
}
export function actualOf({ actualStart, actualFinish }: WarningRow): string {
  if (!actualStart) return '未开始'
  return actualFinish ? `${actualStart} 至 ${actualFinish}` : `${actualStart} 起`
}
const deviation = (w: WarningRow) => <b className="deviation">{deviationWords(w.rule, w.deviation)}</b>
/** A cell's words, and in small what goes with them. */
const beside = (what: string, more: string) => (
  <>
    {what} <small className="quiet">{more}</small>
  </>
)
const common = {
  level: (w: WarningRow) => <LevelOf row={w} />,
  status: (w: WarningRow) => <StateOf row={w} />,
}

export const warningTable = columnsOf<typeof warningsApi.list>()(warningColumns, {
  ...common,
  name: (w) => (
    <LinkTo page="SiteInfo" query={{ id: w.site_id }}>
      {w.siteName}
    </LinkTo>
  ),
  stage: (w) => (w.stage ? siteStage.label(w.stage) : NOTHING),
  // The subject of what has no stage.
  rule: (w) => beside(warningRule.label(w.rule), w.stage ? '' : w.about),
  deviation,
  responsible: (w) => <span title={w.ballAbout}>{responsibleOf(w)}</span>,
})
export const scheduleTable = columnsOf<typeof warningsApi.list>()(scheduleColumns, {
  ...common,
  stage: (w) => beside(w.stage ? siteStage.label(w.stage) : '', warningRule.label(w.rule)),
  planned: (w) => w.planned ?? NOTHING,
  actual: actualOf,
  deviation,
})
export const qualityTable = columnsOf<typeof warningsApi.list>()(qualityColumns, {
  ...common,
  about: (w) =>
    beside(w.about || '整洁度', COUNTED.includes(w.rule) ? deviationWords(w.rule, w.deviation) : ''),
})
