import { trustsApi } from '@zhuguan/contract/features/trusts/trusts.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const trustsExamples = examplesOf(trustsApi, (r) => {
  const query = { bc_id: [r.bc_id], site_id: r.site, device_id: r.device, id: r.pair }
  const labels = { bc_id: [r.bc_id], site_id: r.site }
  const command = { body: { id: r.pair, version: 0, reason: '试试看' } }
  return {
    list: { query },
    export: { query },
    details: { query: { id: r.pair } },
    pinNotify: command,
    pinReview: command,
    unpin: command,
    labels: { query: labels },
    exportLabels: { query: labels },
  }
})
