import { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const casesExamples = examplesOf(casesApi, (r) => {
  const query = { bc_id: [r.bc_id], site_id: r.site, id: r.case }
  const one = { id: r.case, version: 0 }
  const picture = { id: r.casePicture, version: 0 }
  const words = { title: '三室两厅', words: '' }
  const reason = '试试看'
  return {
    list: { query },
    export: { query },
    details: { query: { id: r.case } },
    proposals: { query: {} },
    possible: { query: { site_id: r.site } },
    add: { body: { ...words, site_id: r.site, pictures: [] } },
    // Of another version: done, it would take the picture that the others are about.
    edit: { body: { ...one, version: 99, ...words, pictures: [] } },
    ask: { body: { ...one, scope: ['photos'], places: ['store'], until: '2027-06-01' } },
    answer: {
      body: {
        ...one,
        contact_id: r.contact,
        answer: 2,
        how: 'written',
        answeredOn: '2026-11-20',
        proof: r.upload,
      },
    },
    revise: { body: { ...one, reason } },
    withdraw: { body: { ...one, reason } },
    publish: { body: one },
    takeDown: { body: { ...one, reason } },
    mask: { body: { ...picture, turn: 0 as const, masks: [{ x: 0, y: 0, w: 100, h: 100 }] } },
    // Of another version: done, nobody could mask it as it was seen.
    zones: { body: { ...picture, version: 99, masks: [] } },
    release: { body: picture },
    // Of another version: done, there would be no file for who looks at it.
    pull: { body: { ...picture, version: 99, reason } },
    picture: { query: { key: r.caseKey } },
    field: { query: {} },
  }
})
