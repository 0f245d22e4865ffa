import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const customersExamples = examplesOf(customersApi, (r) => {
  const facts = { store_id: r.store, name: '周先生', phone: '13900001234', area: '110' }
  const answers = { consultant_id: 400 } as const
  return {
    pick: { query: { id: r.customer } },
    add: { body: { ...facts, bc_id: r.bc_id, consultant_id: r.person }, answers },
    edit: { body: { ...facts, id: r.customer, version: 0, consultant_id: r.person }, answers },
    phone: { body: { id: r.customer, reason: '确认上门时间' } },
  }
})
