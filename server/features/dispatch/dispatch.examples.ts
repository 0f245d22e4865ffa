import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'

import { examplesOf } from '../../testing/example.ts'
import { dayAhead } from '../../testing/time.ts'

export const dispatchExamples = examplesOf(dispatchApi, (r) => {
  const one = { id: r.note, version: 0 }
  const where = {
    bc_id: r.bc_id,
    site_id: r.site,
    receiver_id: r.receiver,
    order_id: r.order,
    trip_id: r.trip,
  }
  const lines = [{ line_id: r.orderLine, quantity: '1' }]
  const proof = { photo: r.upload, signature: r.upload, place: '小区门口' }
  return {
    list: { query: where },
    export: { query: where },
    details: { query: { id: r.note } },
    prepare: { body: { order_id: r.order, lines } },
    ship: {
      body: {
        ...one,
        lines,
        method: 2,
        plannedOn: dayAhead(30),
        contact: '方经理',
        contactPhone: '13900001234',
        trip_id: r.trip,
      },
    },
    cancel: { body: { ...one, reason: '改期' } },
    deliver: { body: { ...one, ...proof } },
    handOver: { body: { ...one, ...proof, lines, reason: '车装不下' } },
    sendBack: { body: { ...one, back: 'refused', reason: '业主拒收' } },
  }
})
