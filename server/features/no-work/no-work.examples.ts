import { noWorkApi } from '@zhuguan/contract/features/no-work/no-work.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const noWorkExamples = examplesOf(noWorkApi, (r) => {
  const filters = { bc_id: [r.bc_id], manager_id: r.manager }
  const one = { id: r.site, version: 0 }
  return {
    list: { query: filters },
    export: { query: filters },
    reason: [
      { body: { ...one, reason: 'material', order_id: r.order } },
      { body: { ...one, reason: 'owner', question_id: r.question } },
    ],
    choices: { query: { id: r.site } },
    tell: { body: one },
  }
})
