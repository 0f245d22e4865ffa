import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const quotationsExamples = examplesOf(quotationsApi, (r) => {
  const one = { id: r.quotation, version: 0 }
  const number = { id: r.quotation, number: 1 }
  const [room, line] = ['00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000b1']
  const content = {
    package_id: r.package,
    area: '110',
    validUntil: '2099-12-31',
    rooms: [{ id: room, name: '客厅', kind: 'living' as const, floor: '30' }],
    discounts: [{ id: line, kind: 'rounding' as const, amount: '1', reason: '凑整数' }],
  }
  const told = { id: line, room_id: room, quantity: '3', price: '88' }
  const standard = {
    ...content,
    lines: [
      {
        ...told,
        attribute: 2 as const,
        contractAttribute: 1 as const,
        product_id: r.product,
        item_id: r.packageItem,
      },
    ],
  }
  const special = {
    ...content,
    lines: [
      {
        ...told,
        attribute: 3 as const,
        contractAttribute: 2 as const,
        name: '定制酒柜',
        unit: '套',
        receiver_id: r.receiver,
      },
    ],
  }
  // What is no part of the document or of its package is said by its row.
  const answers = { ['content.lines.0.room_id']: 400, ['content.lines.0.item_id']: 400 } as const
  return {
    list: { query: { bc_id: r.bc_id, quoter_id: r.person, package_id: r.package } },
    export: { query: { bc_id: r.bc_id, quoter_id: r.person, package_id: r.package } },
    details: { query: number },
    sheet: { query: number },
    pdf: { query: number },
    add: [standard, special].map((c) => ({ body: { customer_id: r.customer, content: c }, answers })),
    save: [standard, special].map((c) => ({
      body: { ...one, customer_id: r.customer, content: c },
      answers,
    })),
    copy: { body: { ...number, customer_id: r.customer } },
    submit: { body: one },
    withdraw: { body: one },
    revise: { body: one },
    void: { body: { ...one, reason: '客户不装了' } },
    editing: { body: { id: r.quotation } },
  }
})
