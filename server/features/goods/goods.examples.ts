import { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const goodsExamples = examplesOf(goodsApi, (r) => {
  const sheet = { id: r.note, version: 0 }
  const change = { id: r.goodsChange, version: 0 }
  const leg = { id: r.leg, version: 0 }
  const where = { bc_id: r.bc_id, site_id: r.site, receiver_id: r.receiver, order_id: r.order }
  const found = {
    line_id: r.orderLine,
    quantity: '1',
    reasonCode: 'broken' as const,
    reason: '破了',
    photos: [r.upload],
    outcome: 'again' as const,
  }
  return {
    sheets: { query: { ...where, ids: [r.note] } },
    sheetsExport: { query: { ...where, ids: [r.note] } },
    sheet: { query: { id: r.note } },
    judge: { body: { ...sheet, findings: [{ ...found, result: 5 }] } },
    surplus: { body: { ...sheet, ...found, outcome: 'back' } },
    complain: { body: { ...sheet, ...found, result: 4 } },
    list: { query: { ...where, ids: [r.goodsChange] } },
    export: { query: { ...where, ids: [r.goodsChange] } },
    details: { query: { id: r.goodsChange } },
    answer: { body: { ...change, answer: 'dispute', reason: '发出时完好' } },
    withdraw: { body: { ...change, reason: '看错了' } },
    send: { body: change },
    collect: { body: leg },
    grade: { body: { ...leg, grade: 'good' } },
    disputeGrade: { body: { ...leg, reason: '取走时完好' } },
  }
})
