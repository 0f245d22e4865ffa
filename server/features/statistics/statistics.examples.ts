import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const statisticsExamples = examplesOf(statisticsApi, (r) => {
  const branch = { query: { bc_id: [r.bc_id] } }
  const site = { query: { bc_id: [r.bc_id], site_id: r.site } }
  return {
    attend: site,
    attendGroups: site,
    attendExport: site,
    dailySheet: branch,
    dailyExport: branch,
    subscribers: { query: { bc_id: r.bc_id } },
    siteDays: site,
    siteDaysExport: site,
    devices: branch,
    monitor: branch,
    dataView: branch,
    alarms: branch,
    alarmTimes: branch,
    alarmGroups: branch,
    alarmExport: branch,
    patrols: branch,
    patrolSites: branch,
    patrolPeople: branch,
    patrolExport: branch,
  }
})
