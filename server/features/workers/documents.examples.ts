import { documentsApi } from '@zhuguan/contract/features/workers/documents.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const documentsExamples = examplesOf(documentsApi, (r) => {
  const one = { id: r.document, version: 0 }
  const facts = { kind: 'training', validUntil: '2027-01-01', picture: r.upload } as const
  return {
    list: { query: { worker_id: r.worker } },
    add: { body: { worker_id: r.worker, number: 'AQ-0001', ...facts } },
    edit: { body: { ...one, number: 'AQ-0002', ...facts } },
    del: { body: { ...one, reason: '试试看' } },
    number: { body: { id: r.document, reason: '试试看' } },
  }
})
