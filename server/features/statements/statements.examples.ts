import { statementsApi } from '@zhuguan/contract/features/statements/statements.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const statementsExamples = examplesOf(statementsApi, (r) => {
  const one = { id: r.statement, version: 0 }
  const where = { bc_id: r.bc_id, receiver_id: r.receiver, ids: [r.statement] }
  return {
    list: { query: where },
    export: { query: where },
    details: { query: { id: r.statement } },
    pdf: { query: { id: r.statement } },
    preview: {
      query: { receiver_id: r.receiver, bc_id: r.bc_id, month: '2026-10' },
      answers: { bc_id: 200 },
    },
    add: { body: { receiver_id: r.receiver, bc_id: r.bc_id, month: '2026-08' } },
    send: { body: one },
    recall: { body: { ...one, reason: '看错了' } },
    drop: { body: { ...one, reason: '看错了' } },
    revise: { body: one },
    agree: { body: one },
    dispute: { body: { ...one, lines: [{ id: r.owedLine, words: '数量不对' }] }, answers: { lines: 400 } },
    pay: { body: { ...one, amount: '1', method: 'transfer', paidOn: '2026-10-01' } },
    reverse: { body: { id: r.payment, version: 0, reason: '付错了' } },
    charge: {
      body: {
        receiver_id: r.receiver,
        bc_id: r.bc_id,
        kind: 'freight',
        side: 'add',
        amount: '10',
        reason: '加急送货',
        month: '2026-07',
      },
    },
    withdrawCharge: { body: { id: r.charge, version: 0, reason: '看错了' } },
  }
})
