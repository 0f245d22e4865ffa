import { tidinessApi } from '@zhuguan/contract/features/tidiness/tidiness.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const tidinessExamples = examplesOf(tidinessApi, (r) => {
  const places = { bc_id: [r.bc_id], site_id: r.site, manager_id: r.manager, steward_id: r.steward }
  const filters = { ...places, id: r.tidiness, ids: [r.tidiness] }
  return {
    list: { query: filters },
    export: { query: filters },
    trend: { query: { ...places, worker_id: r.worker } },
    missed: { query: { bc_id: [r.bc_id] } },
    shots: { query: { worker_id: r.worker } },
    details: { query: { id: r.tidiness } },
    correct: { body: { id: r.tidiness, version: 0, problem: '地面有垃圾', assignee_id: r.person } },
    judge: { body: { id: r.tidiness, version: 0, result: 2, reason: '地面已扫过' } },
  }
})
