import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'

import { examplesOf } from '../../testing/example.ts'
import { dayAhead } from '../../testing/time.ts'

export const ordersExamples = examplesOf(ordersApi, (r) => {
  const one = { id: r.order, version: 0 }
  const where = { bc_id: r.bc_id, site_id: r.site, receiver_id: r.receiver, manager_id: r.manager }
  const reasoned = { ...one, reason: '客户改期' }
  return {
    plan: { query: { ...where, category_id: r.category } },
    planExport: { query: { ...where, category_id: r.category } },
    planPrices: { query: { items: r.contractItem } },
    list: { query: where },
    export: { query: where },
    received: { query: where },
    receivedExport: { query: where },
    details: { query: { id: r.order } },
    place: {
      body: {
        lines: [{ item_id: r.contractItem, quantity: '1', receiver_id: r.receiver }],
        method: 1,
        expectedOn: dayAhead(30),
      },
    },
    accept: { body: { ...one, lines: [{ line_id: r.orderLine, promisedOn: dayAhead(30) }] } },
    acceptAll: { body: { orders: [one], promisedOn: dayAhead(30) } },
    reject: { body: { ...reasoned, rejectCode: 'stock' } },
    split: { body: { ...one, parts: [{ line_id: r.orderLine, quantity: '1' }] } },
    recall: { body: reasoned },
    urge: { body: one },
    resubmit: { body: { ...one, expectedOn: dayAhead(30) } },
    release: { body: reasoned },
    withdraw: { body: reasoned },
    close: { body: reasoned },
    agree: { body: one },
    decline: { body: reasoned },
    ready: { body: { site_id: r.site, readyOn: dayAhead(30) } },
    units: { query: { bc_id: r.bc_id } },
    unitsExport: { query: { bc_id: r.bc_id } },
  }
})
