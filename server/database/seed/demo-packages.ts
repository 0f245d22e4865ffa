import { packageStatus, quantityBase, roomKind } from '@zhuguan/contract/features/packages/packages.record.ts'

import { uuidv7 } from '../../kit/ids.ts'
import { row, text, uuid } from '../../kit/row.ts'
import { addDays } from '../../kit/shanghai.ts'
import type { Tx } from '../connect.ts'
import { type Seller, sellProducts } from './demo-products.ts'
import type { lottery } from './names.ts'
import { insert } from './rows.ts'

const { draft, published, stopped } = packageStatus.code
const r = roomKind.code
const b = quantityBase.code
/** The rooms of a category of goods, with quantity and waste. */
const ITEMS: readonly (readonly [
  room: string,
  category: string,
  base: string,
  factor: string,
  waste: string,
])[] = [
  [r.living, '地砖', b.floor, '1.56', '5'],
  [r.living, '墙面漆', b.wall, '0.02', '0'],
  [r.living, '灯具', b.room, '2', '0'],
  [r.bedroom, '木地板', b.floor, '1', '5'],
  [r.bedroom, '木门', b.room, '1', '0'],
  [r.bedroom, '灯具', b.room, '1', '0'],
  [r.kitchen, '墙砖', b.wall, '5.6', '5'],
  [r.kitchen, '地砖', b.floor, '2.78', '5'],
  [r.kitchen, '橱柜', b.perimeter, '0.6', '0'],
  [r.bath, '墙砖', b.wall, '5.6', '8'],
  [r.bath, '防水涂料', b.floor, '0.15', '0'],
  [r.bath, '马桶', b.room, '1', '0'],
  [r.bath, '浴室柜', b.room, '1', '0'],
  [r.bath, '花洒', b.room, '1', '0'],
  [r.whole, '开关插座', b.fixed, '38', '0'],
  [r.whole, '电线', b.floor, '0.06', '3'],
  [r.whole, '水电人工', b.floor, '0.8', '0'],
  [r.whole, '油工人工', b.wall, '1', '0'],
  [r.whole, '垃圾清运', b.fixed, '3', '0'],
]
/** From what is cheap to what is dear: where in its category a package takes its goods. */
const PACKAGES = [
  { name: '安心轻装', price: '699', least: '60', at: 0.1, versions: [published] },
  { name: '品质整装', price: '999', least: '80', at: 0.35, versions: [stopped, published, draft] },
  { name: '臻选整装', price: '1399', least: '90', at: 0.6, versions: [stopped, published] },
  { name: '大师定制', price: '1999', least: '110', at: 0.85, versions: [published] },
  { name: '春季特惠', price: '799', least: '80', at: 0.2, versions: [stopped] },
] as const
const DAYS_A_VERSION = 240

/** A group's products, one by one and as packages. */
export async function sellAndPack(tx: Tx, l: ReturnType<typeof lottery>, seller: Seller): Promise<void> {
  await sellProducts(tx, l, seller)
  await packUp(tx, seller)
}

/** Five packages of a group, with the versions that came before and one that is being written. */
async function packUp(tx: Tx, { tenant, by, now, today }: Seller): Promise<void> {
  const { rows } = await tx.query(
    'seed.offered',
    row({ id: uuid, category: text }),
    `SELECT p.id, g.name AS category
     FROM products p
     JOIN product_categories g ON g.tenant_id = p.tenant_id AND g.id = p.category_id
     JOIN product_prices x ON x.tenant_id = p.tenant_id AND x.product_id = p.id AND x.bc_id IS NULL
       AND x.from_on <= $2::date
     WHERE p.tenant_id = $1 AND p.status = 1 AND p.bc_id IS NULL
     ORDER BY g.name, x.price, p.code`,
    [tenant, today],
  )
  const byCategory = Map.groupBy(rows, (p) => p.category)
  const packages = PACKAGES.flatMap((p) => {
    const family = uuidv7()
    return p.versions.map((status, i) => ({
      at: p.at,
      row: {
        tenant_id: tenant,
        id: i === 0 ? family : uuidv7(),
        family_id: family,
        number: i + 1,
        bc_id: null,
        name: p.name,
        per_square: String(Number(p.price) + 30 * i),
        least_area: p.least,
        from_on: addDays(today, -DAYS_A_VERSION * (p.versions.length - i)),
        to_on: null,
        remark: '含主材、辅料、人工和保洁；家具家电不含',
        status,
        changed_by: by,
        changed_at: now,
        version: 0,
      },
    }))
  })
  await insert(
    tx,
    'packages',
    packages.map((p) => p.row),
  )
  const items = packages.flatMap((p) =>
    ITEMS.map(([room, category, base, factor, waste], i) => {
      const goods = byCategory.get(category)!
      const at = Math.floor(goods.length * p.at)
      return {
        product: goods[at]!.id,
        dearer: goods[Math.min(goods.length - 1, at + 2)]!.id,
        row: {
          tenant_id: tenant,
          id: uuidv7(),
          package_id: p.row.id,
          sort: i + 1,
          room,
          product_id: goods[at]!.id,
          base,
          factor,
          waste,
          removal_price: null,
        },
      }
    }),
  )
  await insert(
    tx,
    'package_items',
    items.map((i) => i.row),
  )
  await insert(
    tx,
    'package_alternatives',
    items
      .filter((i, n) => n % 3 === 0 && i.dearer !== i.product)
      .map((i) => ({
        tenant_id: tenant,
        item_id: i.row.id,
        product_id: i.dearer,
        sort: 1,
        difference: '25',
      })),
  )
}
