import type { Database } from '../database/connect.ts'
import { alarmsFeature } from '../features/alarms/alarms.routes.ts'
import { attendanceFeature } from '../features/attendance/attendance.routes.ts'
import { boardsFeature } from '../features/boards/boards.routes.ts'
import { casesFeature } from '../features/cases/cases.routes.ts'
import { channelsFeature } from '../features/channels/channels.routes.ts'
import { companiesFeature, storesFeature } from '../features/companies/companies.routes.ts'
import { contractBelongings } from '../features/contracts/contracts.belongings.ts'
import { changesFeature, contractsFeature, receiptsFeature } from '../features/contracts/contracts.routes.ts'
import { correctionsFeature } from '../features/corrections/corrections.routes.ts'
import { customersImporter } from '../features/customers/customers.import.ts'
import { customersFeature } from '../features/customers/customers.routes.ts'
import { followUpsFeature } from '../features/customers/follow-ups.routes.ts'
import { countSearch } from '../features/customers/number-looks.service.ts'
import { signingBoardFeature } from '../features/customers/signing-board.routes.ts'
import { deviceStockImporter } from '../features/devices/device-stock.import.ts'
import { deviceStockFeature } from '../features/devices/device-stock.routes.ts'
import { devicesFeature } from '../features/devices/devices.routes.ts'
import { carriersFeature } from '../features/dispatch/carriers.routes.ts'
import { dispatchFeature } from '../features/dispatch/dispatch.routes.ts'
import { driverFeature } from '../features/dispatch/driver.routes.ts'
import { logisticsFeature } from '../features/dispatch/logistics.routes.ts'
import { tripsFeature } from '../features/dispatch/trips.routes.ts'
import { examineFeature } from '../features/examine/examine.routes.ts'
import { openComplaint } from '../features/feedback/complaints.reads.ts'
import { feedbackFeature } from '../features/feedback/feedback.routes.ts'
import { enterObjection } from '../features/feedback/objections.service.ts'
import type { FileStore } from '../features/files/file-store.ts'
import { filesFeature } from '../features/files/files.routes.ts'
import { goodsFeature } from '../features/goods/goods.routes.ts'
import { handoverBelongings } from '../features/handovers/handovers.belongings.ts'
import { handoversFeature } from '../features/handovers/handovers.routes.ts'
import { homeFeature } from '../features/home/home.routes.ts'
import { importFeature } from '../features/imports/imports.routes.ts'
import { keepingFeature } from '../features/keeping/keeping.routes.ts'
import { linkBelongings } from '../features/links/links.belongings.ts'
import { linksFeature } from '../features/links/links.routes.ts'
import { linkDoor } from '../features/links/links.service.ts'
import { mailsFeature } from '../features/mails/mails.routes.ts'
import { managersFeature } from '../features/managers/managers.routes.ts'
import { type MapBase, mapsFeature } from '../features/maps/maps.routes.ts'
import { nearbyFeature } from '../features/nearby/nearby.routes.ts'
import { noWorkFeature } from '../features/no-work/no-work.routes.ts'
import { notificationsFeature } from '../features/notifications/notifications.routes.ts'
import { lapseWithdrawal } from '../features/orders/lapsing.service.ts'
import { ordersFeature } from '../features/orders/orders.routes.ts'
import { grantsFeature } from '../features/owners/grants.routes.ts'
import { homeCasesFeature } from '../features/owners/home-cases.routes.ts'
import { homeDevicesFeature } from '../features/owners/home-devices.routes.ts'
import { homeDoor } from '../features/owners/home-door.ts'
import { homeIntroduceFeature } from '../features/owners/home-introduce.routes.ts'
import { homeLooker } from '../features/owners/home-looker.ts'
import { homePageFeature } from '../features/owners/home-page.routes.ts'
import { homePersonsFeature } from '../features/owners/home-persons.routes.ts'
import { homeQuestionsFeature } from '../features/owners/home-questions.routes.ts'
import { homeVideoFeature } from '../features/owners/home-video.routes.ts'
import { looksFeature } from '../features/owners/looks.routes.ts'
import { ownersFeature } from '../features/owners/owners.routes.ts'
import { packagesFeature } from '../features/packages/packages.routes.ts'
import { pagesFeature } from '../features/pages/pages.routes.ts'
import {
  patrolPlansFeature,
  patrolsFeature,
  patrolTasksFeature,
  patrolTemplatesFeature,
} from '../features/patrols/patrols.routes.ts'
import { personsFeature } from '../features/persons/persons.routes.ts'
import { countsFeature } from '../features/pieces/counts.routes.ts'
import { productsImporter } from '../features/products/products.import.ts'
import { productCategoriesFeature, productsFeature } from '../features/products/products.routes.ts'
import { promisesFeature } from '../features/promises/promises.routes.ts'
import { questionsFeature } from '../features/questions/questions.routes.ts'
import { quotationBelongings } from '../features/quotations/quotations.belongings.ts'
import { quotationsFeature } from '../features/quotations/quotations.routes.ts'
import { rankingsFeature } from '../features/rankings/rankings.routes.ts'
import { receptionsFeature } from '../features/receptions/receptions.routes.ts'
import { recordingsFeature } from '../features/recordings/recordings.routes.ts'
import { rolesFeature } from '../features/roles/roles.routes.ts'
import { screensFeatures } from '../features/screens/screens.routes.ts'
import { searchFeature } from '../features/search/search.routes.ts'
import type { OidcProvider } from '../features/session/oidc.service.ts'
import { sessionFeature } from '../features/session/session.routes.ts'
import { settingsFeature } from '../features/settings/settings.routes.ts'
import { previewBelongings } from '../features/shares/previews.belongings.ts'
import { previewsFeature } from '../features/shares/previews.routes.ts'
import { sharesOfScreen } from '../features/shares/screen-shares.service.ts'
import { sharePageFeature } from '../features/shares/share-page.routes.ts'
import { sharesFeature } from '../features/shares/shares.routes.ts'
import { siteLife } from '../features/sites/site-life.service.ts'
import { sitesImporter } from '../features/sites/sites.import.ts'
import { sitesFeature, stagesFeature } from '../features/sites/sites.routes.ts'
import { statementsFeature } from '../features/statements/statements.routes.ts'
import { statisticsFeature } from '../features/statistics/statistics.routes.ts'
import { liveStage, type LiveStage } from '../features/streams/live-stage.service.ts'
import { streamsFeature } from '../features/streams/streams.routes.ts'
import { supervisionFeature } from '../features/supervision/supervision.routes.ts'
import { progressFeature } from '../features/threads/progress.routes.ts'
import { threadPageFeature } from '../features/threads/thread-page.routes.ts'
import { threadsFeature } from '../features/threads/threads.routes.ts'
import { tidinessFeature } from '../features/tidiness/tidiness.routes.ts'
import { timelineFeature } from '../features/timeline/timeline.routes.ts'
import { trustsFeature } from '../features/trusts/trusts.routes.ts'
import { userlogsFeature } from '../features/userlogs/userlogs.routes.ts'
import { absencesFeature } from '../features/users/absences.routes.ts'
import { accountsImporter } from '../features/users/accounts.import.ts'
import { accountsFeature } from '../features/users/accounts.routes.ts'
import { usersFeature } from '../features/users/users.routes.ts'
import { videoFeature } from '../features/video/video.routes.ts'
import { viewsFeature } from '../features/views/views.routes.ts'
import { violationsFeature } from '../features/violations/violations.routes.ts'
import { visitorsFeature } from '../features/visitors/visitors.routes.ts'
import { wallsFeature } from '../features/walls/walls.routes.ts'
import { warningsFeature } from '../features/warnings/warnings.routes.ts'
import { documentsFeature } from '../features/workers/documents.routes.ts'
import { facesFeature } from '../features/workers/faces.routes.ts'
import { staysFeature } from '../features/workers/stays.routes.ts'
import { workersImporter } from '../features/workers/workers.import.ts'
import { workersFeature } from '../features/workers/workers.routes.ts'
import type { Mailer } from '../kit/mailer.ts'
import type { Feature } from '../kit/serve.ts'
import { CALENDAR_LIVES } from './calendar-lives.ts'
import { CORRECTION_SOURCES } from './correction-sources.ts'
import { erasing } from './erasing.ts'
import { writeJournal } from './erasure-journal.ts'
import { EXAMINE_SOURCES } from './examine-sources.ts'
import { goingBy } from './going.ts'
import { KINDS } from './kept.ts'
import { LINK_KINDS } from './link-kinds.ts'
import { OPEN_WORK } from './open-work.ts'
import { SITE_LIFE } from './site-lives.ts'

export interface FeatureDeps {
  db: Database
  files: FileStore
  secretKey: Buffer
  oidc: OidcProvider | null
  sessionMinutes: number
  map: MapBase
  stage: LiveStage
  webhookHosts: readonly string[]
  mailer: Mailer | null
  now: () => Date
}

/** The player of live pictures: by a session, and by a link of a home. */
export const stageOf = (deps: Omit<Parameters<typeof liveStage>[0], 'looker'>): LiveStage =>
  liveStage({ ...deps, looker: homeLooker(deps) })

/** What is done through links, and what is done with them, share one door. */
function linkFeatures(deps: FeatureDeps): Feature[] {
  const door = linkDoor({ ...deps, kinds: LINK_KINDS })
  const home = homeDoor({ ...deps, door })
  return [
    linksFeature({ ...deps, door, kinds: LINK_KINDS }),
    driverFeature({ ...deps, door }),
    homePageFeature({ ...deps, home }),
    threadPageFeature({ ...deps, home }),
    homeQuestionsFeature({ home }),
    homeVideoFeature({ ...deps, home }),
    sharePageFeature({ ...deps, door }),
    homeCasesFeature({ home }),
    homeIntroduceFeature({ door, home }),
    homePersonsFeature({ home }),
  ]
}
export const features = (deps: FeatureDeps): Feature[] => [...linkFeatures(deps), ...staffFeatures(deps)]
/** One line a feature. */
const staffFeatures = (deps: FeatureDeps): Feature[] => [
  sessionFeature(deps),
  usersFeature,
  accountsFeature(OPEN_WORK),
  absencesFeature,
  importFeature(accountsImporter),
  managersFeature,
  supervisionFeature,
  rolesFeature,
  pagesFeature,
  boardsFeature,
  nearbyFeature,
  ...screensFeatures({
    ...deps,
    codesOf: (tx, wall, cases) => sharesOfScreen(tx, deps.secretKey, wall, cases),
  }),
  companiesFeature,
  storesFeature,
  settingsFeature({ calendars: CALENDAR_LIVES }),
  keepingFeature({ kinds: KINDS, going: goingBy(deps.files) }),
  userlogsFeature(deps),
  sitesFeature({ life: siteLife(SITE_LIFE) }),
  ownersFeature({ secretKey: deps.secretKey }),
  homeDevicesFeature,
  grantsFeature,
  looksFeature,
  receptionsFeature,
  threadsFeature(deps.files),
  progressFeature(deps.files),
  stagesFeature,
  importFeature(sitesImporter),
  timelineFeature,
  workersFeature({ files: deps.files, secretKey: deps.secretKey }),
  documentsFeature(deps.files),
  facesFeature(deps.files),
  staysFeature,
  importFeature(workersImporter),
  attendanceFeature,
  devicesFeature,
  deviceStockFeature(deps),
  importFeature(deviceStockImporter(deps.secretKey)),
  alarmsFeature({ sources: CORRECTION_SOURCES, files: deps.files }),
  trustsFeature,
  rankingsFeature,
  correctionsFeature({ sources: CORRECTION_SOURCES, files: deps.files }),
  videoFeature,
  feedbackFeature({ files: deps.files, secretKey: deps.secretKey }),
  violationsFeature(deps.files),
  casesFeature(deps.files),
  promisesFeature({ files: deps.files, enterObjection }),
  questionsFeature(deps.files),
  warningsFeature,
  visitorsFeature(deps.files),
  tidinessFeature,
  recordingsFeature({ ...deps, openComplaint }),
  streamsFeature(deps.stage),
  wallsFeature,
  patrolsFeature({ ...deps, video: deps.stage.video }),
  patrolTemplatesFeature,
  patrolPlansFeature,
  patrolTasksFeature,
  personsFeature({
    ...deps,
    erasing: erasing(deps),
    countSearch: (call, words) => countSearch(call, deps.secretKey, words, 'person'),
    journal: (tenant) => writeJournal(deps.db, deps.files.dataDir, tenant),
  }),
  contractsFeature({ life: siteLife(SITE_LIFE) }),
  changesFeature,
  receiptsFeature,
  ordersFeature,
  countsFeature,
  dispatchFeature({ ...deps, onShipped: lapseWithdrawal }),
  tripsFeature,
  goodsFeature,
  statementsFeature,
  logisticsFeature,
  carriersFeature(deps),
  packagesFeature,
  // Contracts before quotations, as a contract is made of one and locked first.
  customersFeature({
    belongings: [
      contractBelongings,
      quotationBelongings,
      previewBelongings,
      linkBelongings,
      handoverBelongings,
    ],
    secretKey: deps.secretKey,
  }),
  handoversFeature,
  followUpsFeature,
  signingBoardFeature,
  importFeature(customersImporter(deps.secretKey)),
  quotationsFeature,
  sharesFeature,
  previewsFeature,
  productsFeature(deps.files),
  productCategoriesFeature,
  importFeature(productsImporter),
  examineFeature({ sources: EXAMINE_SOURCES }),
  noWorkFeature,
  statisticsFeature,
  homeFeature,
  filesFeature(deps.files),
  searchFeature(deps),
  viewsFeature,
  notificationsFeature,
  channelsFeature(deps),
  mailsFeature(deps),
  mapsFeature(deps.map),
]
