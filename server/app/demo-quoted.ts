import { randomUUID } from 'node:crypto'

import { type PackageDetail, roomKind } from '@zhuguan/contract/features/packages/packages.record.ts'
import { isGoods, productKind, type ProductRow } from '@zhuguan/contract/features/products/products.record.ts'
import { packageLines } from '@zhuguan/contract/features/quotations/quotations.content.ts'
import {
  contractAttribute,
  type LineFacts,
  type QuotationContent,
  type RoomFacts,
  VALID_DAYS,
} from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { attribute } from '@zhuguan/contract/features/quotations/quotations.sum.ts'

import type { lottery } from '../database/seed/names.ts'
import { addDays } from '../kit/shanghai.ts'

type Lottery = ReturnType<typeof lottery>
export interface Sold {
  packages: readonly PackageDetail[]
  products: readonly ProductRow[]
}

const k = roomKind.code
/** The rooms of a home, and their share of its area. */
const ROOMS: readonly (readonly [name: string, kind: RoomFacts['kind'], share: number, openings: string])[] =
  [
    ['客餐厅', k.living, 0.36, '7.5'],
    ['主卧', k.bedroom, 0.16, '4.2'],
    ['次卧', k.bedroom, 0.12, '3.6'],
    ['书房', k.bedroom, 0.09, '3.6'],
    ['厨房', k.kitchen, 0.07, '2.8'],
    ['主卫', k.bath, 0.05, '1.9'],
    ['客卫', k.bath, 0.04, '1.9'],
    ['阳台', k.balcony, 0.06, '5.4'],
  ]
const HEIGHT = '2.75'
/** A home's measures are drawn; money never is. */
function roomsOf(area: number): RoomFacts[] {
  return ROOMS.slice(0, area < 85 ? 7 : 8).map(([name, kind, share, openings]) => {
    const floor = Math.round(area * share * 10) / 10
    const perimeter = Math.round(4.3 * Math.sqrt(floor) * 10) / 10
    return {
      id: randomUUID(),
      name,
      kind,
      openings,
      floor: String(floor),
      perimeter: String(perimeter),
      height: HEIGHT,
    }
  })
}

const line = (of: Partial<LineFacts> & Pick<LineFacts, 'quantity' | 'price'>): LineFacts => ({
  id: randomUUID(),
  room_id: null,
  attribute: attribute.code.added,
  contractAttribute: contractAttribute.code.standard,
  item_id: null,
  product_id: null,
  name: '',
  detail: '',
  unit: '',
  kind: productKind.code.main,
  stage: null,
  receiver_id: null,
  waste: '0',
  counts: true,
  remark: '',
  ...of,
})
const SPECIAL = [
  ['定制酒柜', '多层实木，含玻璃门', '套', '6800'],
  ['飘窗大理石台面', '意大利灰', '米', '680.5'],
  ['榻榻米', '含升降台', '㎡', '1280'],
  ['智能窗帘电机', '含轨道 3.2 米', '套', '1499'],
] as const
function specialLine(l: Lottery, rooms: readonly RoomFacts[]): LineFacts {
  const [name, detail, unit, price] = l.pick(SPECIAL)
  return line({
    name,
    detail,
    unit,
    price,
    room_id: l.pick(rooms).id,
    contractAttribute: contractAttribute.code.special,
    quantity: unit === '套' ? '1' : String(1 + l.below(6)),
    remark: '按现场尺寸',
  })
}
function addedLine(l: Lottery, products: readonly ProductRow[], rooms: readonly RoomFacts[]): LineFacts {
  const p = l.pick(products)
  return line({
    product_id: p.id,
    room_id: l.pick(rooms).id,
    quantity: p.unit === '㎡' || p.unit === '米' ? `${2 + l.below(18)}.5` : String(1 + l.below(6)),
    waste: isGoods(p.kind) && p.unit === '㎡' ? '5' : '0',
    price: p.price!,
  })
}

/** A quotation of a home: a package with what is exchanged, left out and added, or line by line without one. */
export function quoted(
  l: Lottery,
  { packages, products }: Sold,
  { area, today }: { area: number; today: string },
): QuotationContent {
  const rooms = roomsOf(area)
  const sold = l.below(8) === 0 ? undefined : l.pick(packages)
  const lines = sold ? packageLines(sold.items, rooms, randomUUID) : []
  const swaps = sold?.items.filter((item) => item.alternatives.some((a) => a.sold)) ?? []
  for (const item of swaps.slice(0, 1 + l.below(3))) {
    const at = lines.find((one) => one.item_id === item.id)
    const other = item.alternatives.find((a) => a.sold)!
    const product = products.find((p) => p.id === other.product_id)
    if (!at || !product?.price) continue
    Object.assign(at, {
      attribute: attribute.code.adjusted,
      product_id: other.product_id,
      price: product.price,
    })
  }
  const left = lines.filter((one) => one.attribute === attribute.code.package)
  for (const one of left.slice(-l.below(3))) if (l.below(2)) one.attribute = attribute.code.removed
  const extra = sold ? 1 + l.below(4) : 14 + l.below(10)
  const added = Array.from({ length: extra }, () => addedLine(l, products, rooms))
  if (l.below(3) === 0) added.push(specialLine(l, rooms))
  if (l.below(4) === 0)
    added.push({ ...addedLine(l, products, rooms), counts: false, remark: '客户还在考虑' })
  return {
    package_id: sold?.id ?? null,
    area: String(area),
    taxPercent: '3',
    validUntil: addDays(today, VALID_DAYS),
    remark: '',
    rooms,
    lines: [...lines, ...added],
    discounts: [],
  }
}

/** The quoter's changes when it comes back: one line more, another dearer, one gone. */
export function revised(l: Lottery, { products }: Sold, content: QuotationContent): QuotationContent {
  const isAdded = (one: LineFacts) => one.attribute === attribute.code.added
  const last = content.lines.findLast(isAdded)
  return {
    ...content,
    lines: [
      ...content.lines
        .filter((one) => one !== last)
        .map((one, i) => (isAdded(one) && i % 2 ? { ...one, quantity: '3' } : one)),
      addedLine(l, products, content.rooms),
    ],
  }
}
