import { staysApi } from '@zhuguan/contract/features/workers/stays.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const staysExamples = examplesOf(staysApi, (r) => {
  const query = { worker_id: r.worker, site_id: r.site }
  return { list: { query }, export: { query }, track: { query: { worker_id: r.worker, day: '2026-01-01' } } }
})
