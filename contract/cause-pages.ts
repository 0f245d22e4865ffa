import type { CauseKind } from './features/notifications/notifications.record.ts'
import type { PageName } from './pages.ts'

/**
 * The pages that messages about each kind of record open. Whoever may open none of them is never told of the kind, so
 * that their rules leave it out. A kind without a page is nobody's to set.
 */
export const CAUSE_PAGES: Record<CauseKind, readonly PageName[]> = {
  aftercare: ['FeedbackList', 'PromiseList', 'SiteInfo'],
  alarm: ['AlarmEvent'],
  channel: ['SetSelf'],
  contract: ['ContractDetail', 'ContractList'],
  correction: ['Correction'],
  case: ['CaseList'],
  customer: ['CustomerInfo', 'CustomerList', 'ContractList'],
  dailySheet: ['DailySheet'],
  dispatch: ['DispatchList', 'LogisticsList'],
  examine: ['ExamineList'],
  face: ['WorkerInfo', 'DeviceList'],
  feedback: ['FeedbackList'],
  finalBill: ['ContractDetail'],
  goods: ['ChangeGoods'],
  handover: ['SiteInfo', 'CustomerInfo'],
  homeDevice: ['OwnerInfo'],
  homeVideo: ['OwnerInfo'],
  mail: [],
  order: ['OrderDetail', 'OrderList'],
  owedBack: ['ContractDetail'],
  owner: ['OwnerInfo'],
  patrol: ['PatrolRecord', 'PatrolPlan'],
  person: ['PersonRequest'],
  promise: ['PromiseList'],
  question: ['OwnerInfo'],
  reception: ['OwnerVisit'],
  retrieval: ['DeviceList'],
  standstill: ['NoWork'],
  statement: ['StatementList'],
  thread: ['OwnerInteract'],
  violation: ['BreakList'],
  visit: ['VisitorList'],
  warning: ['WarningList'],
}
