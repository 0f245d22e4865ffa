import { attendanceApi } from '@zhuguan/contract/features/attendance/attendance.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const attendanceExamples = examplesOf(attendanceApi, (r) => {
  const filters = { bc_id: [r.bc_id], site_id: r.site, worker_id: r.worker }
  const person = { site_id: r.site, worker_id: r.worker, day: '2026-01-01' }
  return {
    list: { query: filters },
    export: { query: filters },
    punches: { query: person, answers: { site_id: 200, worker_id: 200 } },
    makeup: { body: { ...person, in: '07:30', reason: '漏打' } },
    withdraw: { body: { id: r.makeup, reason: '补错' } },
  }
})
