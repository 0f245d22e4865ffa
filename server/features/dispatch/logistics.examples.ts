import { carriersApi } from '@zhuguan/contract/features/dispatch/carriers.api.ts'
import { logisticsApi } from '@zhuguan/contract/features/dispatch/logistics.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const logisticsExamples = [
  examplesOf(logisticsApi, (r) => {
    const one = { id: r.leg, version: 0 }
    const where = { bc_id: r.bc_id, site_id: r.site, receiver_id: r.receiver, order_id: r.order }
    return {
      list: { query: where },
      export: { query: where },
      details: { query: { id: r.leg } },
      node: { body: { ...one, title: '已到中转站', place: '萧山' } },
      sign: { body: one },
    }
  }),
  examplesOf(carriersApi, (r) => ({
    add: { body: { name: '德邦物流' } },
    renew: { body: { id: r.carrier } },
    stop: { body: { id: r.carrier } },
  })),
]
