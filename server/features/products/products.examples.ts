import { productCategoriesApi, productsApi } from '@zhuguan/contract/features/products/products.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const productsExamples = examplesOf(productsApi, (r) => {
  const facts = {
    name: '抛釉砖 800×800',
    kind: 'main' as const,
    category_id: r.category,
    unit: '片',
    receiver_id: r.receiver,
    picture: r.upload,
  }
  const one = { id: r.product, version: 0 }
  const query = { bc_id: r.bc_id, category_id: r.category, receiver_id: r.receiver }
  return {
    list: { query },
    export: { query },
    details: { query: { id: r.product, bc_id: r.bc_id } },
    prices: { query: { id: r.product, bc_id: r.bc_id } },
    pick: { query: { bc_id: r.bc_id, category_id: r.category, ids: [r.product] } },
    receivers: { query: { id: r.receiver } },
    add: { body: { ...facts, bc_id: r.bc_id } },
    edit: { body: { ...facts, ...one } },
    price: { body: { ...one, bc_id: r.bc_id, from: '2026-01-01', price: '128.5', reason: '厂家调价' } },
    state: { body: { ...one, action: 'withdraw' as const, reason: '停产' } },
  }
})
export const productCategoriesExamples = examplesOf(productCategoriesApi, (r) => ({
  add: { body: { parent_id: r.category, name: '地砖', receiver_id: r.receiver } },
  edit: { body: { id: r.category, version: 0, name: '瓷砖', receiver_id: r.receiver } },
  remove: { body: { id: r.category, version: 0 } },
}))
