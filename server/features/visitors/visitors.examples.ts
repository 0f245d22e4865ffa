import { visitorsApi } from '@zhuguan/contract/features/visitors/visitors.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const visitorsExamples = examplesOf(visitorsApi, (r) => {
  const query = { bc_id: [r.bc_id], site_id: r.site, id: r.visit, near: r.visit }
  const one = { id: r.visit, version: 0 }
  return {
    list: { query },
    export: { query },
    mark: { body: { ...one, identity: 'owner', remark: '' } },
    tell: { body: one },
  }
})
