import type { alarmsApi } from './features/alarms/alarms.api.ts'
import type { attendanceApi } from './features/attendance/attendance.api.ts'
import type { casesApi } from './features/cases/cases.api.ts'
import type { storesApi } from './features/companies/companies.api.ts'
import type { contractsApi } from './features/contracts/contracts.api.ts'
import type { receiptsApi } from './features/contracts/receipts.api.ts'
import type { correctionsApi } from './features/corrections/corrections.api.ts'
import type { customersApi } from './features/customers/customers.api.ts'
import type { followUpsApi } from './features/customers/follow-ups.api.ts'
import type { deviceStockApi } from './features/devices/device-stock.api.ts'
import type { devicesApi } from './features/devices/devices.api.ts'
import type { dispatchApi } from './features/dispatch/dispatch.api.ts'
import type { logisticsApi } from './features/dispatch/logistics.api.ts'
import type { examineApi } from './features/examine/examine.api.ts'
import type { feedbackApi } from './features/feedback/feedback.api.ts'
import type { goodsApi } from './features/goods/goods.api.ts'
import type { noWorkApi } from './features/no-work/no-work.api.ts'
import type { ordersApi } from './features/orders/orders.api.ts'
import type { ownersApi } from './features/owners/owners.api.ts'
import type { packagesApi } from './features/packages/packages.api.ts'
import type { patrolsApi } from './features/patrols/patrols.api.ts'
import type { patrolTasksApi } from './features/patrols/plans.api.ts'
import type { personsApi } from './features/persons/persons.api.ts'
import type { productsApi } from './features/products/products.api.ts'
import type { promisesApi } from './features/promises/promises.api.ts'
import type { quotationsApi } from './features/quotations/quotations.api.ts'
import type { rankingsApi } from './features/rankings/rankings.api.ts'
import type { arrangementsApi } from './features/screens/arrangements.api.ts'
import type { screensApi } from './features/screens/screens.api.ts'
import type { sharesApi } from './features/shares/shares.api.ts'
import type { sitesApi } from './features/sites/sites.api.ts'
import type { statementsApi } from './features/statements/statements.api.ts'
import type { statisticsApi } from './features/statistics/statistics.api.ts'
import type { supervisionApi } from './features/supervision/supervision.api.ts'
import type { tidinessApi } from './features/tidiness/tidiness.api.ts'
import type { accountsApi } from './features/users/accounts.api.ts'
import type { violationsApi } from './features/violations/violations.api.ts'
import type { visitorsApi } from './features/visitors/visitors.api.ts'
import type { warningsApi } from './features/warnings/warnings.api.ts'
import type { workersApi } from './features/workers/workers.api.ts'
import type { FilterOf } from './kit/paging.ts'
import { queryText } from './kit/query.ts'
import { type PageName, PAGES } from './pages.ts'

/** The lists that pages show and whose filters stand in their addresses; what is linked to with a filter is here. */
interface Lists {
  AcceptanceList: typeof goodsApi.sheets
  AlarmEvent: typeof alarmsApi.list
  BoardSetting: typeof arrangementsApi.list | typeof screensApi.list
  BreakList: typeof violationsApi.list
  CaseList: typeof casesApi.list
  ChangeGoods: typeof goodsApi.list
  CompanyStore: typeof storesApi.list
  ContractList: typeof contractsApi.list
  Correction: typeof correctionsApi.list
  CustomerList: typeof customersApi.list
  DailySheet: typeof statisticsApi.dailySheet
  DeviceBindLog: typeof deviceStockApi.bindlog
  DeviceList: typeof devicesApi.list
  DispatchList: typeof dispatchApi.list
  ExamineList: typeof examineApi.list
  FeedbackList: typeof feedbackApi.list
  FollowUp: typeof followUpsApi.list
  LogisticsList: typeof logisticsApi.list
  ManageInspect: typeof supervisionApi.visits
  ManageSupervise: typeof supervisionApi.people | typeof supervisionApi.records
  NoWork: typeof noWorkApi.list
  OrderList: typeof ordersApi.list
  OwnerList: typeof ownersApi.list
  PackageList: typeof packagesApi.list
  PatrolRank: typeof rankingsApi.list
  PatrolRecord: typeof patrolsApi.list | typeof patrolTasksApi.list
  PersonRequest: typeof personsApi.list
  ProductList: typeof productsApi.list
  PromiseList: typeof promisesApi.list
  QuotationList: typeof quotationsApi.list
  ReceiptList: typeof receiptsApi.due | typeof receiptsApi.flow
  ReceiveOrder: typeof ordersApi.received
  ShareList: typeof sharesApi.list
  SiteList: typeof sitesApi.list
  SiteMap: typeof sitesApi.list
  StatementList: typeof statementsApi.list
  Tidiness: typeof tidinessApi.list
  UserList: typeof accountsApi.list
  VisitorList: typeof visitorsApi.list
  WarningList: typeof warningsApi.list
  WorkerAttend: typeof attendanceApi.list
  WorkerList: typeof workersApi.list
}
/** Values that a page asks its address for beside the filters of a list. */
interface Own {
  AlarmTrust: 'device_id' | 'type'
  BoardSetting: 'pair'
  BreakRecord: 'worker_id'
  CaseField: 'city' | 'community' | 'now'
  customPreview: 'customer_id' | 'id'
  DailyMonitor: 'bc_id'
  DataV: 'bc_id'
  ManageMap: 'bc_id' | 'days'
  MapFieldboard: 'city' | 'community' | 'preview'
  ProjectExperience: 'worker_id'
  QuotationEdit: 'v'
  SetSelf: 'bcId'
  SiteInfo: 'kinds'
  StatementList: 'receiver'
  UserLog: 'about' | 'from' | 'object' | 'object_id' | 'to' | 'user_id'
  videoRecord: 'at' | 'beside' | 'device_id' | 'for'
  VisitorVisit: 'near'
}
type Value = string | number | boolean | null | undefined | readonly (string | number)[]
/** Values that every page understands beside its filters: its owner, its open panel, its table and its order. */
type Opening = 'id' | 'open' | 'site_id' | 'sort' | 'view'
type FiltersOf<L> = L extends Lists[keyof Lists] ? FilterOf<L> : never
export type Asked<P extends PageName> = Partial<
  Record<
    Opening | (P extends keyof Lists ? FiltersOf<Lists[P]> : never) | (P extends keyof Own ? Own[P] : never),
    Value
  >
>

declare const OURS: unique symbol
/** An address of one of our pages, with filters that its list knows. */
export type Link = string & { readonly [OURS]: true }

/** The address of a page with what it is asked: a filter that its list does not know does not compile. */
export const linkTo = <P extends PageName>(page: P, asked: Asked<P> = {}): Link =>
  (PAGES[page].path + queryText(asked)) as Link
