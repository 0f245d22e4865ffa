import { packagesApi } from '@zhuguan/contract/features/packages/packages.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const packagesExamples = examplesOf(packagesApi, (r) => {
  const one = { id: r.package, version: 0 }
  const facts = {
    name: '安心整装',
    perSquareMetre: '899',
    from: '2026-01-01',
    items: [
      {
        room: 'kitchen' as const,
        product_id: r.product,
        base: 'floor' as const,
        factor: '1.05',
        alternatives: [{ product_id: r.product, difference: '20' }],
      },
    ],
  }
  return {
    list: { query: { bc_id: r.bc_id } },
    export: { query: { bc_id: r.bc_id } },
    details: { query: { id: r.package } },
    add: { body: { ...facts, bc_id: r.bc_id } },
    edit: { body: { ...facts, ...one } },
    renew: { body: one },
    copy: { body: { id: r.package, name: '安心整装二', bc_id: r.bc_id } },
    publish: { body: one },
    stop: { body: { ...one, reason: '不再出售' } },
  }
})
