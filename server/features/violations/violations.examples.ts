import { violationsApi } from '@zhuguan/contract/features/violations/violations.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const violationsExamples = examplesOf(violationsApi, (r) => {
  const query = { bc_id: [r.bc_id], site_id: r.site, worker_id: r.worker, id: r.violation }
  const command = { body: { id: r.violation, version: 0, reason: '试试看' } }
  return {
    list: { query },
    export: { query },
    details: { query: { id: r.violation } },
    points: { query: { site_id: r.site, type: 'helmet' } },
    add: {
      body: {
        worker_id: r.worker,
        site_id: r.site,
        type: 'helmet',
        day: '2026-01-01',
        time: '08:30',
        pictures: [r.upload],
        remark: '',
      },
    },
    handle: command,
    object: command,
    uphold: command,
    withdraw: command,
    tidiness: { query: { site_id: r.site } },
  }
})
