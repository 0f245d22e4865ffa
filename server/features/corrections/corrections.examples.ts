import { correctionsApi } from '@zhuguan/contract/features/corrections/corrections.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const correctionsExamples = examplesOf(correctionsApi, (r) => {
  const one = { id: r.correction, version: 0 }
  const filters = {
    bc_id: [r.bc_id],
    site_id: r.site,
    assignee_id: r.person,
    id: r.correction,
    ids: [r.correction],
  }
  return {
    list: { query: filters },
    export: { query: filters },
    details: { query: { id: r.correction } },
    assign: { body: { ...one, assignee_id: r.person } },
    start: { body: one },
    submit: { body: { ...one, pictures: [r.upload] }, answers: { pictures: 400 } },
    pass: { body: one },
    back: { body: { ...one, reason: '不行' } },
    dispute: { body: { ...one, reason: '不行' } },
    cancel: { body: { ...one, cause: 'repeated', reason: '重复' } },
    reopen: { body: { ...one, reason: '再看' } },
    urge: { body: one },
  }
})
