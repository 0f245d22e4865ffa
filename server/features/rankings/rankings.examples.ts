import { rankingsApi } from '@zhuguan/contract/features/rankings/rankings.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const rankingsExamples = examplesOf(rankingsApi, (r) => {
  const query = { bc_id: [r.bc_id], site_id: r.site }
  const one = { bc_id: r.bc_id, kind: 'alarms' as const, version: 0, reason: '试试看' }
  return {
    list: { query },
    export: { query },
    weights: { query: { bc_id: r.bc_id } },
    setWeight: { body: { ...one, weight: 2 } },
    freeWeight: { body: one },
  }
})
