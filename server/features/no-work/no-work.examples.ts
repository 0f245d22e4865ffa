import { noWorkApi } from '@zhuguan/contract/features/no-work/no-work.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const noWorkExamples = examplesOf(noWorkApi, (r) => {
  const filters = { bc_id: [r.bc_id], manager_id: r.manager }
  return {
    list: { query: filters },
    export: { query: filters },
    reason: { body: { id: r.site, version: 0, reason: 'other' } },
    tell: { body: { id: r.site, version: 0 } },
  }
})
