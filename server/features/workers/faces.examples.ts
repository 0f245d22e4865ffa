import { facesApi } from '@zhuguan/contract/features/workers/faces.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const facesExamples = examplesOf(facesApi, (r) => {
  const one = { id: r.worker, version: 0 }
  const answer = {
    how: 'written',
    answeredOn: '2026-01-01',
    scope: '只用于工地考勤',
    proof: r.upload,
  } as const
  return {
    consents: { query: { worker_id: r.worker } },
    answer: { body: { ...one, ...answer, answer: 1 } },
    removed: { body: { id: r.faceRemoval, version: 0 } },
    withdraw: { body: { ...one, reason: '试试看' } },
  }
})
