import { alarmsExamples } from '../features/alarms/alarms.examples.ts'
import { attendanceExamples } from '../features/attendance/attendance.examples.ts'
import { companiesExamples, storesExamples } from '../features/companies/companies.examples.ts'
import { deviceStockExamples, devicesExamples } from '../features/devices/devices.examples.ts'
import { filesExamples } from '../features/files/files.examples.ts'
import { homeExamples } from '../features/home/home.examples.ts'
import { importsExamples } from '../features/imports/imports.examples.ts'
import { noWorkExamples } from '../features/no-work/no-work.examples.ts'
import { notificationsExamples } from '../features/notifications/notifications.examples.ts'
import { pagesExamples } from '../features/pages/pages.examples.ts'
import { rolesExamples } from '../features/roles/roles.examples.ts'
import { sessionExamples } from '../features/session/session.examples.ts'
import { settingsExamples } from '../features/settings/settings.examples.ts'
import { sitesExamples, stagesExamples } from '../features/sites/sites.examples.ts'
import { statisticsExamples } from '../features/statistics/statistics.examples.ts'
import { timelineExamples } from '../features/timeline/timeline.examples.ts'
import { userlogsExamples } from '../features/userlogs/userlogs.examples.ts'
import { accountsExamples, managersExamples, usersExamples } from '../features/users/users.examples.ts'
import { viewsExamples } from '../features/views/views.examples.ts'
import { workersExamples } from '../features/workers/workers.examples.ts'
import type { Example, Records } from './example.ts'

/** One line a feature, sorted. */
const EXAMPLES = [
  alarmsExamples,
  attendanceExamples,
  [companiesExamples, storesExamples],
  [devicesExamples, deviceStockExamples],
  filesExamples,
  homeExamples,
  importsExamples,
  noWorkExamples,
  notificationsExamples,
  pagesExamples,
  rolesExamples,
  sessionExamples,
  settingsExamples,
  [sitesExamples, stagesExamples],
  statisticsExamples,
  timelineExamples,
  userlogsExamples,
  [usersExamples, managersExamples, accountsExamples],
  viewsExamples,
  workersExamples,
].flat()

/** By path: each endpoint's examples, about these records. */
export function examples(records: Records): Record<string, Example[]> {
  const all: Record<string, Example[]> = {}
  for (const [path, example] of EXAMPLES.flatMap((of) => of(records))) (all[path] ??= []).push(example)
  return all
}
