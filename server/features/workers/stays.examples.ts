import { staysApi } from '@zhuguan/contract/features/workers/stays.api.ts'

import { type Example, examplesOf } from '../../testing/example.ts'

export const staysExamples = examplesOf(staysApi, (r) => {
  const query = { worker_id: r.worker, site_id: r.site }
  // A site that is not theirs is one on which the worker was not.
  const answers: Example['answers'] = { site_id: 200 }
  return {
    list: { query, answers },
    export: { query, answers },
    track: { query: { worker_id: r.worker, day: '2026-01-01' } },
  }
})
