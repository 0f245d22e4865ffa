import { defineActions } from '../../kit/actions.ts'
import { type SiteRow, siteStatus } from './sites.record.ts'

const { building, finished, notStarted, terminated } = siteStatus.code
export type SiteState = Pick<
  SiteRow,
  | 'status'
  | 'steward_id'
  | 'manager_id'
  | 'stage'
  | 'progress'
  | 'openAlarms'
  | 'openCorrections'
  | 'contract'
>

/** docs/states.md. */
export const siteActions = defineActions<SiteState>()('status', siteStatus, {
  start: {
    label: '开工',
    from: [notStarted],
    to: building,
    permission: 'site:state',
    asks: true,
    unless: (site) =>
      !site.steward_id || !site.manager_id ? '请先指定项目管家和项目经理，再开工' : undefined,
  },
  finish: {
    label: '完工',
    from: [building],
    to: finished,
    permission: 'site:state',
    asks: true,
    unless: (site) => [
      ...(site.progress < 100 ? ['最后一个阶段（竣工验收）还没有通过，不能完工'] : []),
      ...(site.openAlarms > 0 ? [`还有 ${site.openAlarms} 条没有办结的报警，不能完工`] : []),
      ...(site.openCorrections > 0 ? [`还有 ${site.openCorrections} 张整改单没有办结，不能完工`] : []),
    ],
  },
  terminate: {
    label: '终止合同',
    from: [building, notStarted],
    to: terminated,
    permission: 'site:state',
    reason: true,
    asks: true,
    unless: (site) =>
      site.contract ? `工地有有效合同 ${site.contract}，请在合同里办理终止，工地会一起结束` : undefined,
  },
})
