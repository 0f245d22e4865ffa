import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const workersExamples = examplesOf(workersApi, (r) => {
  const one = { id: r.worker, version: 0 }
  const worker = { w_name: '改名', bc_id: r.bc_id, w_type: 3 } as const
  const sent = { id: r.worker, site_id: r.site, day: '2026-01-01' }
  const filters = { bc_id: [r.bc_id], site_id: r.site }
  return {
    list: { query: filters },
    export: { query: filters },
    pick: { query: { id: r.worker, site_id: r.site } },
    details: { query: { id: r.worker } },
    calendar: { query: { id: r.worker, from: '2026-01-01', to: '2026-01-31' } },
    add: { body: worker },
    edit: { body: { ...one, ...worker, w_type: 2, user_id: r.person } },
    state: { body: { ...one, action: 'stop' as const, reason: '试试看' } },
    send: { body: sent },
    recall: { body: sent },
    face: { body: { ...one, key: r.upload } },
    forgetFace: { body: { ...one, reason: '试试看' } },
    phone: { body: { id: r.worker, reason: '试试看' } },
  }
})
