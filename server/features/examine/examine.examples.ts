import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const examineExamples = examplesOf(examineApi, (r) => {
  const one = { id: r.examine, version: 0, hash: 'what was seen' }
  const query = { bc_id: r.bc_id, id: r.examine, ids: [r.examine], object_id: r.examined }
  return {
    list: { query },
    export: { query },
    details: { query: { id: r.examine } },
    pass: { body: one },
    reject: { body: { ...one, reason: '价格不对' } },
    batch: { body: { some: [one] }, answers: { some: 200 } },
  }
})
