import { companiesApi, storesApi } from '@zhuguan/contract/features/companies/companies.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const companiesExamples = examplesOf(companiesApi, (r) => ({
  add: { body: { bc_name: '新公司', code: 'XY', city: '某市' } },
  edit: { body: { id: r.bc_id, version: 0, bc_name: '改名', code: 'XX', city: '某市' } },
  del: { body: { id: r.bc_id, version: 0 } },
}))
export const storesExamples = examplesOf(storesApi, (r) => ({
  list: { query: { bc_id: [r.bc_id] } },
  add: { body: { name: '新门店', bc_id: r.bc_id } },
  edit: { body: { id: r.store, version: 0, name: '改名', bc_id: r.bc_id }, answers: { bc_id: 400 } },
  del: { body: { id: r.store, version: 0 } },
}))
