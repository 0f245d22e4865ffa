import { alarmsApi } from './features/alarms/alarms.api.ts'
import { attendanceApi } from './features/attendance/attendance.api.ts'
import { boardsApi } from './features/boards/boards.api.ts'
import { casePageApi } from './features/cases/case-page.api.ts'
import { casesApi } from './features/cases/cases.api.ts'
import { channelsApi } from './features/channels/channels.api.ts'
import { companiesApi, storesApi } from './features/companies/companies.api.ts'
import { changesApi, contractsApi } from './features/contracts/contracts.api.ts'
import { receiptsApi } from './features/contracts/receipts.api.ts'
import { correctionsApi } from './features/corrections/corrections.api.ts'
import { customersApi } from './features/customers/customers.api.ts'
import { customersImport } from './features/customers/customers.import.ts'
import { followUpsApi } from './features/customers/follow-ups.api.ts'
import { introducePageApi } from './features/customers/introduce-page.api.ts'
import { signingBoardApi } from './features/customers/signing-board.api.ts'
import { deviceDoorApi } from './features/devices/device-door.api.ts'
import { deviceStockApi } from './features/devices/device-stock.api.ts'
import { deviceStockImport } from './features/devices/device-stock.import.ts'
import { devicesApi } from './features/devices/devices.api.ts'
import { carrierDoorApi, carriersApi } from './features/dispatch/carriers.api.ts'
import { dispatchApi } from './features/dispatch/dispatch.api.ts'
import { driverApi } from './features/dispatch/driver.api.ts'
import { logisticsApi } from './features/dispatch/logistics.api.ts'
import { tripsApi } from './features/dispatch/trips.api.ts'
import { examineApi } from './features/examine/examine.api.ts'
import { feedbackApi } from './features/feedback/feedback.api.ts'
import { filesApi } from './features/files/files.api.ts'
import { goodsApi } from './features/goods/goods.api.ts'
import { handoversApi } from './features/handovers/handovers.api.ts'
import { homeApi } from './features/home/home.api.ts'
import { keepingApi } from './features/keeping/keeping.api.ts'
import { linksApi } from './features/links/links.api.ts'
import { liveApi } from './features/live/live.api.ts'
import { mailsApi } from './features/mails/mails.api.ts'
import { managersApi } from './features/managers/managers.api.ts'
import { mapsApi } from './features/maps/maps.api.ts'
import { nearbyApi } from './features/nearby/nearby.api.ts'
import { noWorkApi } from './features/no-work/no-work.api.ts'
import { notificationsApi } from './features/notifications/notifications.api.ts'
import { ordersApi } from './features/orders/orders.api.ts'
import { grantsApi } from './features/owners/grants.api.ts'
import { homeDevicesApi } from './features/owners/home-devices.api.ts'
import { homePageApi } from './features/owners/home-page.api.ts'
import { homeVideoApi } from './features/owners/home-video.api.ts'
import { looksApi } from './features/owners/looks.api.ts'
import { ownersApi } from './features/owners/owners.api.ts'
import { packagesApi } from './features/packages/packages.api.ts'
import { pagesApi } from './features/pages/pages.api.ts'
import { patrolsApi } from './features/patrols/patrols.api.ts'
import { patrolPlansApi, patrolTasksApi, patrolTemplatesApi } from './features/patrols/plans.api.ts'
import { personPageApi } from './features/persons/person-page.api.ts'
import { personsApi } from './features/persons/persons.api.ts'
import { countsApi } from './features/pieces/counts.api.ts'
import { productCategoriesApi, productsApi } from './features/products/products.api.ts'
import { productsImport } from './features/products/products.import.ts'
import { promisesApi } from './features/promises/promises.api.ts'
import { questionPageApi } from './features/questions/question-page.api.ts'
import { questionsApi } from './features/questions/questions.api.ts'
import { quotationsApi } from './features/quotations/quotations.api.ts'
import { rankingsApi } from './features/rankings/rankings.api.ts'
import { receptionsApi } from './features/receptions/receptions.api.ts'
import { recordingsApi } from './features/recordings/recordings.api.ts'
import { rolesApi } from './features/roles/roles.api.ts'
import { arrangementsApi } from './features/screens/arrangements.api.ts'
import { screenDoorApi } from './features/screens/screen-door.api.ts'
import { screensApi } from './features/screens/screens.api.ts'
import { searchApi } from './features/search/search.api.ts'
import { sessionApi } from './features/session/session.api.ts'
import { settingsApi } from './features/settings/settings.api.ts'
import { previewsApi } from './features/shares/previews.api.ts'
import { sharePageApi } from './features/shares/share-page.api.ts'
import { sharesApi } from './features/shares/shares.api.ts'
import { sitesApi } from './features/sites/sites.api.ts'
import { sitesImport } from './features/sites/sites.import.ts'
import { stagesApi } from './features/sites/stages.api.ts'
import { statementsApi } from './features/statements/statements.api.ts'
import { statisticsApi } from './features/statistics/statistics.api.ts'
import { streamsApi } from './features/streams/streams.api.ts'
import { supervisionApi } from './features/supervision/supervision.api.ts'
import { progressApi } from './features/threads/progress.api.ts'
import { threadPageApi } from './features/threads/thread-page.api.ts'
import { threadsApi } from './features/threads/threads.api.ts'
import { tidinessApi } from './features/tidiness/tidiness.api.ts'
import { timelineApi } from './features/timeline/timeline.api.ts'
import { trustsApi } from './features/trusts/trusts.api.ts'
import { userlogsApi } from './features/userlogs/userlogs.api.ts'
import { absencesApi } from './features/users/absences.api.ts'
import { accountsApi } from './features/users/accounts.api.ts'
import { accountsImport } from './features/users/accounts.import.ts'
import { usersApi } from './features/users/users.api.ts'
import { videoApi } from './features/video/video.api.ts'
import { viewsApi } from './features/views/views.api.ts'
import { violationsApi } from './features/violations/violations.api.ts'
import { visitorsApi } from './features/visitors/visitors.api.ts'
import { wallsApi } from './features/walls/walls.api.ts'
import { warningsApi } from './features/warnings/warnings.api.ts'
import { documentsApi } from './features/workers/documents.api.ts'
import { facesApi } from './features/workers/faces.api.ts'
import { staysApi } from './features/workers/stays.api.ts'
import { workersApi } from './features/workers/workers.api.ts'
import { workersImport } from './features/workers/workers.import.ts'

/** The whole API. */
export const api = {
  session: sessionApi,
  users: usersApi,
  accounts: accountsApi,
  absences: absencesApi,
  accountsImport: accountsImport.api,
  managers: managersApi,
  supervision: supervisionApi,
  roles: rolesApi,
  pages: pagesApi,
  companies: companiesApi,
  stores: storesApi,
  settings: settingsApi,
  userlogs: userlogsApi,
  sites: sitesApi,
  homeDevices: homeDevicesApi,
  grants: grantsApi,
  looks: looksApi,
  homeVideo: homeVideoApi,
  homePage: homePageApi,
  owners: ownersApi,
  receptions: receptionsApi,
  threads: threadsApi,
  threadPage: threadPageApi,
  progress: progressApi,
  stages: stagesApi,
  sitesImport: sitesImport.api,
  timeline: timelineApi,
  workers: workersApi,
  documents: documentsApi,
  faces: facesApi,
  stays: staysApi,
  workersImport: workersImport.api,
  attendance: attendanceApi,
  devices: devicesApi,
  deviceStock: deviceStockApi,
  deviceStockImport: deviceStockImport.api,
  deviceDoor: deviceDoorApi,
  alarms: alarmsApi,
  corrections: correctionsApi,
  trusts: trustsApi,
  rankings: rankingsApi,
  recordings: recordingsApi,
  streams: streamsApi,
  tidiness: tidinessApi,
  patrols: patrolsApi,
  patrolPlans: patrolPlansApi,
  patrolTemplates: patrolTemplatesApi,
  patrolTasks: patrolTasksApi,
  persons: personsApi,
  noWork: noWorkApi,
  statements: statementsApi,
  statistics: statisticsApi,
  home: homeApi,
  keeping: keepingApi,
  live: liveApi,
  feedback: feedbackApi,
  files: filesApi,
  search: searchApi,
  views: viewsApi,
  video: videoApi,
  violations: violationsApi,
  cases: casesApi,
  casePage: casePageApi,
  introducePage: introducePageApi,
  personPage: personPageApi,
  promises: promisesApi,
  questions: questionsApi,
  questionPage: questionPageApi,
  visitors: visitorsApi,
  warnings: warningsApi,
  examine: examineApi,
  contracts: contractsApi,
  orders: ordersApi,
  counts: countsApi,
  dispatch: dispatchApi,
  trips: tripsApi,
  goods: goodsApi,
  logistics: logisticsApi,
  carriers: carriersApi,
  carrierDoor: carrierDoorApi,
  driver: driverApi,
  links: linksApi,
  shares: sharesApi,
  previews: previewsApi,
  sharePage: sharePageApi,
  changes: changesApi,
  receipts: receiptsApi,
  packages: packagesApi,
  customers: customersApi,
  followUps: followUpsApi,
  signingBoard: signingBoardApi,
  customersImport: customersImport.api,
  handovers: handoversApi,
  quotations: quotationsApi,
  products: productsApi,
  productCategories: productCategoriesApi,
  productsImport: productsImport.api,
  walls: wallsApi,
  notifications: notificationsApi,
  boards: boardsApi,
  nearby: nearbyApi,
  arrangements: arrangementsApi,
  screens: screensApi,
  screenDoor: screenDoorApi,
  channels: channelsApi,
  mails: mailsApi,
  maps: mapsApi,
}
export type Api = typeof api
