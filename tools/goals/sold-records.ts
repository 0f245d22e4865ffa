import { api } from '@zhuguan/contract/api.ts'

import type { Caller } from './client.ts'
import type { Machine } from './machine-records.ts'
import type { Stage } from './stage.ts'
import { PRODUCT } from './states.ts'

/** What is sold and how: each record made once, then put where the table says. */
export async function soldRecords(stage: Stage, admin: Caller): Promise<Record<string, Machine>> {
  const made = async (heard: Promise<{ data: unknown; msg: string }>) => {
    const { data, msg } = await heard
    const { id } = (data ?? {}) as { id?: string }
    if (!id) throw new Error(msg)
    return id
  }
  const category = await made(admin.ask(api.productCategories.add, { body: { name: '逐项品类' } }))
  const facts = { name: '逐项商品', kind: 'main', category_id: category, unit: '片' } as const
  const id = await made(admin.ask(api.products.add, { body: facts }))
  const seen = { id, version: 7 }
  const product: Machine = {
    lines: PRODUCT,
    reasons: ['withdraw'],
    put: async (situation) =>
      void (await stage.owner.query('UPDATE products SET status = $2, version = 7 WHERE id = $1', [
        id,
        situation,
      ])),
    ask(command, reason) {
      if (command === 'edit') return admin.ask(api.products.edit, { body: { ...facts, ...seen } })
      if (command === 'price')
        return admin.ask(api.products.price, { body: { ...seen, from: '2027-01-05', price: '1', reason } })
      return admin.ask(api.products.state, { body: { ...seen, action: command as 'offer', reason } })
    },
    stands: async () =>
      (await stage.owner.query('SELECT status::text AS at FROM products WHERE id = $1', [id])).rows[0].at,
  }
  return { productActions: product }
}
