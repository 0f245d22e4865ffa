import { visitorsApi } from '@zhuguan/contract/features/visitors/visitors.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const visitorsExamples = examplesOf(visitorsApi, (r) => {
  const query = { bc_id: [r.bc_id], site_id: r.site, id: r.visit, ids: [r.visit], near: r.visit }
  const one = { id: r.visit, version: 0 }
  return {
    list: { query },
    export: { query },
    mark: { body: { ...one, identity: 'worker', worker_id: r.worker, remark: '' } },
    enrol: { body: { ...one, w_name: '李师傅', w_type: 3 } },
    face: {
      body: {
        ...one,
        worker_version: 0,
        how: 'written',
        answeredOn: '2026-01-01',
        scope: '只用于工地考勤',
        proof: r.upload,
      },
    },
    tell: { body: one },
  }
})
