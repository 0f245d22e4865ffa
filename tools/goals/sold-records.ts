import { api } from '@zhuguan/contract/api.ts'

import type { Caller } from './client.ts'
import type { Machine } from './machine-records.ts'
import type { Stage } from './stage.ts'
import { PACKAGE, PRODUCT } from './states.ts'

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
  const from = '2026-01-05'
  await admin.ask(api.products.price, {
    body: { ...seen, version: 0, from: '2027-01-05', price: '1', reason: '定价' },
  })
  await stage.owner.query(`UPDATE product_prices SET from_on = '2026-01-01' WHERE product_id = $1`, [id])
  const items = [{ room: 'whole', product_id: id, base: 'fixed', factor: '1' }] as const
  const sold = { name: '逐项套餐', perSquareMetre: '899', from, items: [...items] }
  const packageId = await made(admin.ask(api.packages.add, { body: sold }))
  const packageOf: Machine = {
    lines: PACKAGE,
    reasons: ['stop'],
    async put(situation) {
      await stage.owner.query('DELETE FROM packages WHERE family_id = $1 AND id <> $1', [packageId])
      await stage.owner.query('UPDATE packages SET status = $2, version = 7 WHERE id = $1', [
        packageId,
        situation[0],
      ])
      await stage.owner.query('UPDATE products SET status = 1 WHERE id = $1', [id])
      if (situation.endsWith('with a draft'))
        await stage.owner.query(
          `INSERT INTO packages (tenant_id, id, family_id, number, name, per_square, least_area, from_on, changed_by,
             changed_at)
           SELECT tenant_id, gen_random_uuid(), family_id, 2, name, per_square, least_area, from_on, '', now()
           FROM packages WHERE id = $1`,
          [packageId],
        )
    },
    ask(command, reason) {
      const one = { id: packageId, version: 7 }
      if (command === 'edit') return admin.ask(api.packages.edit, { body: { ...sold, ...one } })
      if (command === 'stop') return admin.ask(api.packages.stop, { body: { ...one, reason } })
      return admin.ask(api.packages[command as 'renew'], { body: one })
    },
    stands: async () =>
      (await stage.owner.query('SELECT status::text AS at FROM packages WHERE id = $1', [packageId])).rows[0]
        .at,
  }
  return { productActions: product, packageActions: packageOf }
}
