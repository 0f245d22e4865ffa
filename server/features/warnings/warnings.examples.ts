import { warningsApi } from '@zhuguan/contract/features/warnings/warnings.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const warningsExamples = examplesOf(warningsApi, (r) => {
  const query = { bc_id: [r.bc_id], site_id: r.site, manager_id: r.manager, id: r.warning }
  const one = { id: r.warning, version: 0 }
  return {
    list: { query },
    export: { query },
    details: { query: { id: r.warning } },
    take: { body: { ...one, text: '明天加两个人', until: '2027-01-01' } },
    close: { body: { ...one, reason: '试试看' } },
    foresee: { query: { bc_id: r.bc_id, rule: 'lateStart', threshold: 3 } },
  }
})
