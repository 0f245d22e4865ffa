import { alarmRights } from './features/alarms/alarms.pages.ts'
import { attendanceRights } from './features/attendance/attendance.pages.ts'
import { boardRights } from './features/boards/boards.pages.ts'
import { caseRights } from './features/cases/cases.pages.ts'
import { companyRights } from './features/companies/companies.pages.ts'
import { contractRights } from './features/contracts/contracts.pages.ts'
import { correctionRights } from './features/corrections/corrections.pages.ts'
import { customerRights } from './features/customers/customers.pages.ts'
import { deviceRights } from './features/devices/devices.pages.ts'
import { dispatchRights } from './features/dispatch/dispatch.pages.ts'
import { examineRights } from './features/examine/examine.pages.ts'
import { feedbackRights } from './features/feedback/feedback.pages.ts'
import { goodsRights } from './features/goods/goods.pages.ts'
import { homeRights } from './features/home/home.pages.ts'
import { keepingRights } from './features/keeping/keeping.pages.ts'
import { managerRights } from './features/managers/managers.pages.ts'
import { nearbyRights } from './features/nearby/nearby.pages.ts'
import { noWorkRights } from './features/no-work/no-work.pages.ts'
import { orderRights } from './features/orders/orders.pages.ts'
import { ownerRights } from './features/owners/owners.pages.ts'
import { packageRights } from './features/packages/packages.pages.ts'
import { pageRights } from './features/pages/pages.pages.ts'
import { patrolRights } from './features/patrols/patrols.pages.ts'
import { personRights } from './features/persons/persons.pages.ts'
import { pieceRights } from './features/pieces/pieces.pages.ts'
import { productRights } from './features/products/products.pages.ts'
import { promiseRights } from './features/promises/promises.pages.ts'
import { quotationRights } from './features/quotations/quotations.pages.ts'
import { rankingRights } from './features/rankings/rankings.pages.ts'
import { receptionRights } from './features/receptions/receptions.pages.ts'
import { recordingRights } from './features/recordings/recordings.pages.ts'
import { roleRights } from './features/roles/roles.pages.ts'
import { screenRights } from './features/screens/screens.pages.ts'
import { settingRights } from './features/settings/settings.pages.ts'
import { shareRights } from './features/shares/shares.pages.ts'
import { siteRights } from './features/sites/sites.pages.ts'
import { statementRights } from './features/statements/statements.pages.ts'
import { statisticsRights } from './features/statistics/statistics.pages.ts'
import { supervisionRights } from './features/supervision/supervision.pages.ts'
import { threadRights } from './features/threads/threads.pages.ts'
import { tidinessRights } from './features/tidiness/tidiness.pages.ts'
import { trustRights } from './features/trusts/trusts.pages.ts'
import { userlogRights } from './features/userlogs/userlogs.pages.ts'
import { userRights } from './features/users/users.pages.ts'
import { videoRights } from './features/video/video.pages.ts'
import { violationRights } from './features/violations/violations.pages.ts'
import { visitorRights } from './features/visitors/visitors.pages.ts'
import { wallRights } from './features/walls/walls.pages.ts'
import { warningRights } from './features/warnings/warnings.pages.ts'
import { workerRights } from './features/workers/workers.pages.ts'
import type { Page, Rights } from './kit/page.ts'
import type { PageName } from './pages.ts'

/** Who opens each page and who may do each of its operations when a group begins, a line for each feature. */
export const RIGHTS: Rights<Record<PageName, Page>> = {
  ...alarmRights,
  ...attendanceRights,
  ...boardRights,
  ...caseRights,
  ...companyRights,
  ...contractRights,
  ...correctionRights,
  ...customerRights,
  ...deviceRights,
  ...dispatchRights,
  ...examineRights,
  ...feedbackRights,
  ...goodsRights,
  ...homeRights,
  ...keepingRights,
  ...managerRights,
  ...nearbyRights,
  ...noWorkRights,
  ...orderRights,
  ...ownerRights,
  ...packageRights,
  ...pageRights,
  ...patrolRights,
  ...personRights,
  ...pieceRights,
  ...productRights,
  ...promiseRights,
  ...quotationRights,
  ...rankingRights,
  ...recordingRights,
  ...receptionRights,
  ...roleRights,
  ...screenRights,
  ...settingRights,
  ...shareRights,
  ...siteRights,
  ...statementRights,
  ...statisticsRights,
  ...supervisionRights,
  ...threadRights,
  ...tidinessRights,
  ...trustRights,
  ...userlogRights,
  ...userRights,
  ...videoRights,
  ...violationRights,
  ...visitorRights,
  ...warningRights,
  ...wallRights,
  ...workerRights,
}

/** Every operation permission, its page and its words. The role editor and the seed list what stands here. */
export const PERMISSIONS: Record<string, { page: PageName; title: string }> = Object.fromEntries(
  Object.entries(RIGHTS).flatMap(([page, { powers = {} }]) =>
    Object.entries(powers).map(([label, { title }]) => [label, { page: page as PageName, title }]),
  ),
)
/** The right to open a page, as a label beside the operations. */
export const pageLabel = (name: string) => `page:${name}`
