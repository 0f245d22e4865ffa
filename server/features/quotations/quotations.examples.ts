import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const quotationsExamples = examplesOf(quotationsApi, (r) => {
  const one = { id: r.quotation, version: 0 }
  const number = { id: r.quotation, number: 1 }
  const [room, line] = ['00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000b1']
  // Rooms, lines and discounts get their numbers where they are written; what a line does not need is passed over.
  const answers = {
    ['content.rooms.0.id']: 200,
    ['content.lines.0.id']: 200,
    ['content.discounts.0.id']: 200,
    ['content.lines.0.room_id']: 400,
    ['content.lines.0.item_id']: 200,
    ['content.lines.0.receiver_id']: 200,
  } as const
  const content = {
    package_id: r.package,
    area: '110',
    validUntil: '2099-12-31',
    rooms: [{ id: room, name: '客厅', kind: 'living' as const, floor: '30' }],
    lines: [
      {
        ...{ id: line, room_id: room, quantity: '3', price: '88' },
        attribute: 3 as const,
        contractAttribute: 1 as const,
        product_id: r.product,
      },
    ],
  }
  return {
    list: { query: { bc_id: r.bc_id, quoter_id: r.person, package_id: r.package } },
    export: { query: { bc_id: r.bc_id, quoter_id: r.person, package_id: r.package } },
    details: { query: number },
    sheet: { query: number },
    add: { body: { customer_id: r.customer, content }, answers },
    save: { body: { ...one, customer_id: r.customer, content }, answers },
    copy: { body: { ...number, customer_id: r.customer } },
    submit: { body: one },
    withdraw: { body: one },
    revise: { body: one },
    void: { body: { ...one, reason: '客户不装了' } },
    editing: { body: { id: r.quotation } },
  }
})
