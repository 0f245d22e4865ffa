import { defineActions } from '../../kit/actions.ts'
import { siteStage, siteStatus, stageState } from './sites.record.ts'

const { accepted, going, waiting } = stageState.code
export interface StageOnSite {
  stage: string
  state: number
  /** Facts of the site that it belongs to. */
  status: number
  /** Other stages of the site that are not accepted. */
  others: number
}
const unlessBuilding = (s: StageOnSite) =>
  s.status === siteStatus.code.building ? undefined : `工地${siteStatus.label(s.status)}，阶段不能改变`
/** The last one is the acceptance of all the others. */
const unlessLast = (s: StageOnSite) =>
  s.stage === siteStage.code.handover && s.others > 0
    ? `还有 ${s.others} 个阶段没有验收，不能进行竣工验收`
    : undefined

/** The actions on a stage of a site; the site's progress is the share of accepted stages. */
export const stageActions = defineActions<StageOnSite>()('state', stageState, {
  begin: {
    label: '开始',
    from: [waiting],
    to: going,
    permission: 'site:stage',
    unless: (s) => unlessBuilding(s) ?? unlessLast(s),
  },
  accept: {
    label: '验收通过',
    from: [going],
    to: accepted,
    permission: 'site:accept',
    unless: (s) => unlessBuilding(s) ?? unlessLast(s),
  },
  redo: {
    label: '返工',
    from: [accepted],
    to: going,
    permission: 'site:accept',
    reason: true,
    unless: unlessBuilding,
  },
})
