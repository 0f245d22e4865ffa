import { supervisionApi } from '@zhuguan/contract/features/supervision/supervision.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const supervisionExamples = examplesOf(supervisionApi, (r) => {
  const of = { id: r.manager, bc_id: r.bc_id }
  const query = { ...of, bc_id: [r.bc_id] }
  return {
    people: { query: { bc_id: r.bc_id } },
    peopleExport: { query: { bc_id: r.bc_id } },
    person: { query: of },
    records: { query: of },
    recordsExport: { query: of },
    visits: { query },
    visitsExport: { query },
    map: { query: of },
    remark: {
      body: { bc_id: r.bc_id, figure: 'late', from: '2026-01-01', to: '2026-01-02', words: '等材料' },
    },
    unsay: { body: { id: r.supervisionRemark, version: 0 } },
  }
})
