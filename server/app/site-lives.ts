import { alarmsLife } from '../features/alarms/alarms.life.ts'
import { attendanceLife } from '../features/attendance/attendance.life.ts'
import { casesLife } from '../features/cases/cases.life.ts'
import { contractsLife } from '../features/contracts/contracts.life.ts'
import { correctionsLife } from '../features/corrections/corrections.life.ts'
import { devicesLife } from '../features/devices/devices.life.ts'
import { feedbackLife } from '../features/feedback/feedback.life.ts'
import { filesLife } from '../features/files/files.life.ts'
import { handoversLife } from '../features/handovers/handovers.life.ts'
import { ordersLife } from '../features/orders/orders.life.ts'
import { grantsLife } from '../features/owners/grants.life.ts'
import { ownerLinksLife } from '../features/owners/owner-links.life.ts'
import { patrolsLife } from '../features/patrols/patrols.life.ts'
import { promisesLife } from '../features/promises/promises.life.ts'
import { questionsLife } from '../features/questions/questions.life.ts'
import { rankingsLife } from '../features/rankings/rankings.life.ts'
import { receptionsLife } from '../features/receptions/receptions.life.ts'
import { recordingsLife } from '../features/recordings/recordings.life.ts'
import { contactsLife } from '../features/sites/home-contacts.life.ts'
import { threadsLife } from '../features/threads/threads.life.ts'
import { tidinessLife } from '../features/tidiness/tidiness.life.ts'
import { timelineLife } from '../features/timeline/timeline.life.ts'
import { trustsLife } from '../features/trusts/trusts.life.ts'
import { videoLife } from '../features/video/video.life.ts'
import { violationsLife } from '../features/violations/violations.life.ts'
import { visitorsLife } from '../features/visitors/visitors.life.ts'
import { warningsLife } from '../features/warnings/warnings.life.ts'
import { workersLife } from '../features/workers/workers.life.ts'
import type { SiteLife } from '../kit/site-life.ts'

/** The person who keeps something of a site, one line a feature; in this order it goes along or is settled. */
export const SITE_LIFE: readonly SiteLife[] = [
  contactsLife,
  ownerLinksLife,
  grantsLife,
  casesLife,
  receptionsLife,
  contractsLife,
  ordersLife,
  devicesLife,
  workersLife,
  alarmsLife,
  correctionsLife,
  trustsLife,
  rankingsLife,
  violationsLife,
  warningsLife,
  promisesLife,
  handoversLife,
  questionsLife,
  feedbackLife,
  threadsLife,
  patrolsLife,
  attendanceLife,
  tidinessLife,
  visitorsLife,
  recordingsLife,
  videoLife,
  timelineLife,
  filesLife,
]

const SOLD =
  'a site moves without an open contract only; what was sold and delivered before is the branch’s that did'
/** Tables of a site whose rows do not follow it into another branch, and why. */
export const STAYS: Readonly<Record<string, string>> = {
  contracts: SOLD,
  delivery_days: SOLD,
  dispatches: SOLD,
  goods_changes: SOLD,
  items_to_order: SOLD,
  logistics: SOLD,
  order_answers: SOLD,
  orders: SOLD,
  piece_counts: SOLD,
  pieces: SOLD,
  live_events: 'messages to pages that were open then',
}
