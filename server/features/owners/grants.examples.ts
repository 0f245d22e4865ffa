import { grantsApi } from '@zhuguan/contract/features/owners/grants.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const grantsExamples = examplesOf(grantsApi, (r) => {
  const contact = { contact_id: r.contact }
  const one = { id: r.videoGrant, version: 0 }
  return {
    home: { query: { site_id: r.site } },
    answers: { query: contact },
    answer: { body: { ...contact, answer: 2, how: 'spoken', answeredOn: '2026-01-01' } },
    withdraw: { body: { ...contact, reason: '试试看' } },
    grant: {
      body: {
        ...contact,
        cameras: [r.device],
        fromDay: '2099-01-01',
        toDay: '2099-01-02',
        from: '09:00',
        to: '18:00',
      },
    },
    stop: { body: { ...one, reason: '试试看' } },
    resume: { body: one },
  }
})
