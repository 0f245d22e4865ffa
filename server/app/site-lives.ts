import { alarmsLife } from '../features/alarms/alarms.life.ts'
import { attendanceLife } from '../features/attendance/attendance.life.ts'
import { contractsLife } from '../features/contracts/contracts.life.ts'
import { correctionsLife } from '../features/corrections/corrections.life.ts'
import { devicesLife } from '../features/devices/devices.life.ts'
import { filesLife } from '../features/files/files.life.ts'
import { ordersLife } from '../features/orders/orders.life.ts'
import { patrolsLife } from '../features/patrols/patrols.life.ts'
import { rankingsLife } from '../features/rankings/rankings.life.ts'
import { recordingsLife } from '../features/recordings/recordings.life.ts'
import { tidinessLife } from '../features/tidiness/tidiness.life.ts'
import { timelineLife } from '../features/timeline/timeline.life.ts'
import { trustsLife } from '../features/trusts/trusts.life.ts'
import { videoLife } from '../features/video/video.life.ts'
import { violationsLife } from '../features/violations/violations.life.ts'
import { visitorsLife } from '../features/visitors/visitors.life.ts'
import { workersLife } from '../features/workers/workers.life.ts'
import type { SiteLife } from '../kit/site-life.ts'

/** Who keeps something of a site, one line a feature; in this order it goes along or is settled. */
export const SITE_LIFE: readonly SiteLife[] = [
  contractsLife,
  ordersLife,
  devicesLife,
  workersLife,
  alarmsLife,
  correctionsLife,
  trustsLife,
  rankingsLife,
  violationsLife,
  patrolsLife,
  attendanceLife,
  tidinessLife,
  visitorsLife,
  recordingsLife,
  videoLife,
  timelineLife,
  filesLife,
]
