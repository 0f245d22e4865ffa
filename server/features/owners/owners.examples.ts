import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const ownersExamples = examplesOf(ownersApi, (r) => {
  const query = { bc_id: [r.bc_id], steward_id: r.steward, id: r.site }
  const one = { id: r.contact, version: 0 }
  const person = { name: '周太太', phone: '13900001111' }
  return {
    list: { query },
    export: { query },
    details: { query: { site_id: r.site } },
    add: { body: { site_id: r.site, ...person } },
    correct: { body: { ...one, ...person, reason: '试试看' } },
    change: { body: { ...one, ...person, reason: '试试看' } },
    addContact: { body: { site_id: r.site, ...person, relation: 'spouse' } },
    editContact: { body: { ...one, ...person, relation: 'spouse' } },
    endContact: { body: { ...one, reason: '试试看' } },
    phone: { body: { id: r.contact, reason: '试试看' } },
  }
})
