import { personsApi } from '@zhuguan/contract/features/persons/persons.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const personsExamples = examplesOf(personsApi, (r) => {
  const one = { id: r.personRequest, version: 0 }
  return {
    list: { query: { bc_id: [r.bc_id], id: r.personRequest } },
    details: { query: { id: r.personRequest } },
    find: { query: { kind: 'visitor', site_id: r.site, day: '2027-01-01' } },
    add: { body: { ask: 'collect', kind: 'customer', subject_id: r.customer, words: '来电要一份资料' } },
    verify: { body: { ...one, proof: 'device' } },
    refuse: { body: { ...one, reason: '不是本人' } },
    execute: { body: one },
    collect: { query: { id: r.personRequest } },
    reveal: { body: { id: r.personRequest, reason: '要回访' } },
  }
})
