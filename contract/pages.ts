import { alarmPages } from './features/alarms/alarms.pages.ts'
import { attendancePages } from './features/attendance/attendance.pages.ts'
import { boardPages } from './features/boards/boards.pages.ts'
import { casePages } from './features/cases/cases.pages.ts'
import { companyPages } from './features/companies/companies.pages.ts'
import { contractPages } from './features/contracts/contracts.pages.ts'
import { correctionPages } from './features/corrections/corrections.pages.ts'
import { customerPages } from './features/customers/customers.pages.ts'
import { devicePages } from './features/devices/devices.pages.ts'
import { dispatchPages } from './features/dispatch/dispatch.pages.ts'
import { errorPages } from './features/errors/errors.pages.ts'
import { examinePages } from './features/examine/examine.pages.ts'
import { feedbackPages } from './features/feedback/feedback.pages.ts'
import { goodsPages } from './features/goods/goods.pages.ts'
import { homePages } from './features/home/home.pages.ts'
import { keepingPages } from './features/keeping/keeping.pages.ts'
import { managerPages } from './features/managers/managers.pages.ts'
import { nearbyPages } from './features/nearby/nearby.pages.ts'
import { noWorkPages } from './features/no-work/no-work.pages.ts'
import { orderPages } from './features/orders/orders.pages.ts'
import { ownerPages } from './features/owners/owners.pages.ts'
import { packagePages } from './features/packages/packages.pages.ts'
import { pagePages } from './features/pages/pages.pages.ts'
import type { ICONS } from './features/pages/pages.record.ts'
import { patrolPages } from './features/patrols/patrols.pages.ts'
import { personPages } from './features/persons/persons.pages.ts'
import { piecePages } from './features/pieces/pieces.pages.ts'
import { productPages } from './features/products/products.pages.ts'
import { promisePages } from './features/promises/promises.pages.ts'
import { quotationPages } from './features/quotations/quotations.pages.ts'
import { rankingPages } from './features/rankings/rankings.pages.ts'
import { receptionPages } from './features/receptions/receptions.pages.ts'
import { recordingPages } from './features/recordings/recordings.pages.ts'
import { rolePages } from './features/roles/roles.pages.ts'
import { screenPages } from './features/screens/screens.pages.ts'
import { settingPages } from './features/settings/settings.pages.ts'
import { sharePages } from './features/shares/shares.pages.ts'
import { sitePages } from './features/sites/sites.pages.ts'
import { statementPages } from './features/statements/statements.pages.ts'
import { statisticsPages } from './features/statistics/statistics.pages.ts'
import { supervisionPages } from './features/supervision/supervision.pages.ts'
import { threadPages } from './features/threads/threads.pages.ts'
import { tidinessPages } from './features/tidiness/tidiness.pages.ts'
import { trustPages } from './features/trusts/trusts.pages.ts'
import { userlogPages } from './features/userlogs/userlogs.pages.ts'
import { userPages } from './features/users/users.pages.ts'
import { videoPages } from './features/video/video.pages.ts'
import { violationPages } from './features/violations/violations.pages.ts'
import { visitorPages } from './features/visitors/visitors.pages.ts'
import { wallPages } from './features/walls/walls.pages.ts'
import { warningPages } from './features/warnings/warnings.pages.ts'
import { workerPages } from './features/workers/workers.pages.ts'
import type { Page } from './kit/page.ts'

export { DIMENSION_LABEL, type Page } from './kit/page.ts'

interface Group {
  name: string
  title: string
  icon: (typeof ICONS)[number]
  system: Page['systems'][number]
}
/** Menu groups by path: title, icon. `/data` is the group that opens DailyMonitor (docs/product.md). */
export const GROUPS: Record<string, Group> = {
  '/Site': { name: 'Site', title: '工地管理', icon: 'site', system: 'xc' },
  '/worker': { name: 'worker', title: '工人管理', icon: 'worker', system: 'xc' },
  '/image': { name: 'image', title: '图像识别', icon: 'image', system: 'xc' },
  '/device': { name: 'device', title: '设备管理', icon: 'device', system: 'xc' },
  '/patrol': { name: 'patrol', title: '巡检管理', icon: 'patrol', system: 'xc' },
  '/owner': { name: 'owner', title: '业主服务', icon: 'user', system: 'xc' },
  '/dataStatistics': { name: 'dataStatistics', title: '数据统计', icon: 'chart', system: 'xc' },
  '/data': { name: 'data', title: '数据', icon: 'board', system: 'xc' },
  '/overview': { name: 'overview', title: '交付总览', icon: 'board', system: 'jf' },
  '/contract': { name: 'contract', title: '合同签约', icon: 'contract', system: 'jf' },
  '/package': { name: 'package', title: '套餐报价', icon: 'package', system: 'jf' },
  '/order': { name: 'order', title: '订单管理', icon: 'order', system: 'jf' },
  '/dispatch': { name: 'dispatch', title: '发货物流', icon: 'dispatch', system: 'jf' },
  '/check': { name: 'check', title: '验收退换', icon: 'check', system: 'jf' },
  '/system': { name: 'system', title: '系统管理', icon: 'gear', system: 'jf' },
  '/customer': { name: 'customer', title: '客户管理', icon: 'user', system: 'yx' },
  '/board': { name: 'board', title: '营销看板', icon: 'board', system: 'yx' },
  '/case': { name: 'case', title: '案例展示', icon: 'image', system: 'yx' },
}

/** Every screen that is built, a line for each feature. The menu in the database is seeded from it. */
const pages = {
  ...alarmPages,
  ...attendancePages,
  ...boardPages,
  ...casePages,
  ...companyPages,
  ...contractPages,
  ...correctionPages,
  ...customerPages,
  ...devicePages,
  ...dispatchPages,
  ...errorPages,
  ...examinePages,
  ...feedbackPages,
  ...goodsPages,
  ...homePages,
  ...keepingPages,
  ...managerPages,
  ...nearbyPages,
  ...noWorkPages,
  ...orderPages,
  ...ownerPages,
  ...packagePages,
  ...pagePages,
  ...patrolPages,
  ...personPages,
  ...piecePages,
  ...productPages,
  ...promisePages,
  ...quotationPages,
  ...rankingPages,
  ...recordingPages,
  ...receptionPages,
  ...rolePages,
  ...screenPages,
  ...settingPages,
  ...sharePages,
  ...sitePages,
  ...statementPages,
  ...statisticsPages,
  ...supervisionPages,
  ...threadPages,
  ...tidinessPages,
  ...trustPages,
  ...userlogPages,
  ...userPages,
  ...videoPages,
  ...violationPages,
  ...visitorPages,
  ...warningPages,
  ...wallPages,
  ...workerPages,
} satisfies Record<string, Page>

export type PageName = keyof typeof pages
export const PAGES: Readonly<Record<PageName, Page>> = pages

/** Defaults of the recently visited list (docs/product.md); those a user cannot open are left out. */
export const RECENT_DEFAULT = [
  '/Site/SiteList',
  '/dataStatistics/AttendStatistics',
  '/device/DeviceStatistics',
  '/device/DeviceList',
  '/image/AlarmEvent',
  '/worker/WorkerAttend',
  '/dataStatistics/DailySheet',
] as const
export const isPage = (name: string): name is PageName => Object.hasOwn(PAGES, name)
