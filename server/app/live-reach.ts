import type { LiveTopic } from '@zhuguan/contract/features/live/live.api.ts'
import type { PageName } from '@zhuguan/contract/pages.ts'
import { pageLabel } from '@zhuguan/contract/permissions.ts'

import { reachOf } from '../kit/reach.ts'
import { hasPlace } from '../kit/scoped.ts'
import type { SessionUser } from '../kit/serve.ts'
import type { Scope } from '../kit/tx.ts'

/** The pages that show what a topic tells of: it is heard in their reach. What has no page is told to single people. */
const SHOWN_ON: Record<Exclude<LiveTopic, 'notification' | 'access'>, readonly PageName[]> = {
  alarm: [
    'AlarmEvent',
    'OwnerWarnrecord',
    'Correction',
    'SiteInfo',
    'SiteList',
    'SiteMap',
    'DailySheet',
    'DailyMonitor',
    'AlarmStatistics',
  ],
  correction: ['Correction', 'SiteInfo'],
  trust: ['AlarmTrust'],
  device: [
    'DeviceList',
    'DeviceAdmin',
    'DeviceStock',
    'DeviceBindLog',
    'DeviceStatistics',
    'DailyMonitor',
    'SiteInfo',
    'SiteList',
    'SiteVidicon',
  ],
  site: ['SiteList', 'SiteInfo', 'SiteMap', 'NoWork', 'DailyMonitor', 'OwnerList', 'OwnerInfo'],
  attendance: [
    'WorkerAttend',
    'WorkerList',
    'WorkerInfo',
    'AttendStatistics',
    'DailySheet',
    'DailyMonitor',
    'NoWork',
    'SiteInfo',
  ],
  tidiness: ['Tidiness', 'SiteList', 'SiteInfo', 'DailySheet', 'DailyMonitor'],
  worker: ['WorkerList', 'WorkerInfo'],
  violation: ['BreakList', 'BreakRecord', 'SiteBreak', 'WorkerList', 'WorkerInfo'],
  promise: ['PromiseList', 'OwnerPromise'],
  warning: ['WarningList', 'OwnerProjectwarn', 'OwnerQualitywarn', 'SiteInfo'],
  question: ['OwnerInfo', 'OwnerList', 'NoWork', 'SiteInfo'],
  feedback: ['FeedbackList', 'OwnerFeedback', 'SiteInfo'],
  patrol: [
    'PatrolRecord',
    'PatrolRank',
    'PatrolPlan',
    'PatrolDetail',
    'ScenePatrol',
    'WorkerplanPatrol',
    'SitePatrol',
    'SitelongrangePatrol',
    'SiteplanPatrol',
    'PatrolStatistics',
    'SiteInfo',
  ],
  reception: ['OwnerVisit', 'SiteInfo'],
  thread: ['OwnerInteract', 'OwnerList', 'SiteInfo'],
  view: ['OwnerVideoaccess'],
  visitor: ['VisitorList', 'VisitorVisit'],
  contract: ['ContractList', 'ContractDetail', 'SiteInfo'],
  case: ['CaseList', 'CaseField'],
  examine: ['ExamineList'],
  goods: ['AcceptanceList', 'ChangeGoods', 'OrderDetail', 'SiteInfo'],
  statement: ['StatementList'],
  share: ['ShareList', 'customPreview'],
  dispatch: ['DispatchList', 'LogisticsList', 'OrderDetail', 'SiteInfo'],
  order: ['OrderPlan', 'OrderList', 'OrderDetail', 'ReceiveOrder', 'SiteInfo'],
}

export type Heard = ReadonlyMap<string, Scope | undefined>
/** The reach in which somebody hears each topic. */
export const heardBy = (user: SessionUser): Heard =>
  new Map(Object.entries(SHOWN_ON).map(([topic, pages]) => [topic, reachOf(user, ...pages.map(pageLabel))]))

interface Told {
  topic: string
  bc_id: string | null
  site_id: string | null
  receiver_id: string | null
}
/** Where somebody hears it: at its place, or as the one who receives it, who is told no place. */
export type Hearing = 'place' | 'receiver' | undefined
/** What names no site is heard by those who see single sites too: it carries nothing but that something changed. */
export function hears(heard: Heard, otherwise: Scope, r: Told): Hearing {
  const scope = heard.has(r.topic) ? heard.get(r.topic) : otherwise
  if (!scope) return undefined
  if (r.site_id === null && (r.bc_id === null || scope.sites)) return 'place'
  if (hasPlace(scope, r.bc_id, r.site_id)) return 'place'
  return r.receiver_id !== null && scope.receivers?.includes(r.receiver_id) ? 'receiver' : undefined
}
