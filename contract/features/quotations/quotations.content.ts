import * as money from '../../kit/money.ts'
import { type PackageItem, quantityBase, roomKind } from '../packages/packages.record.ts'
import type { LineFacts, LineFixed, QuotationContent, RoomFacts } from './quotations.record.ts'
import { attribute, type DocumentInput, type LineInput } from './quotations.sum.ts'

/** A line as it is worked out: what the clerk wrote, with what the server knows of it. */
export const inputOf = (
  line: Pick<LineFacts, 'attribute' | 'counts' | 'quantity' | 'waste' | 'price'>,
  fixed: Pick<LineFixed, 'packagePrice' | 'removalPrice' | 'cost' | 'pack' | 'listPrice'>,
): LineInput => ({
  attribute: line.attribute,
  counts: line.counts,
  quantity: line.quantity,
  wastePercent: line.waste,
  price: line.price,
  packagePrice: fixed.packagePrice,
  removalPrice: fixed.removalPrice,
  cost: fixed.cost,
  listPrice: fixed.listPrice,
  pack: fixed.pack,
})
export const documentOf = (
  content: Pick<QuotationContent, 'area' | 'discounts' | 'taxPercent'>,
  sold: { perSquareMetre: string; leastArea: string } | null,
  lines: readonly LineInput[],
): DocumentInput => ({
  perSquareMetre: sold?.perSquareMetre ?? null,
  leastArea: sold?.leastArea ?? '0',
  area: content.area,
  lines,
  discounts: content.discounts.map((d) => d.amount),
  taxPercent: content.taxPercent,
})

type Item = Pick<PackageItem, 'id' | 'room' | 'base' | 'factor'>
/** The quantity that these rooms have of what an item grows with; nothing where it does not grow. */
function baseOf(base: Item['base'], rooms: readonly RoomFacts[]): string {
  const { floor, wall, perimeter, room, piece } = quantityBase.code
  if (base === floor) return money.total(rooms.map((r) => r.floor))
  if (base === wall) return money.total(rooms.map(money.wallArea))
  if (base === perimeter) return money.total(rooms.map((r) => r.perimeter))
  return base === room || base === piece ? String(rooms.length) : '1'
}
/** The rooms where an item of a package stands, and the quantity that belongs there. */
export function placesOf(
  item: Item,
  rooms: readonly RoomFacts[],
): { room_id: string | null; quantity: string }[] {
  const { fixed, piece } = quantityBase.code
  if (item.room === roomKind.code.whole) {
    const base = item.base === piece ? '1' : baseOf(item.base, rooms)
    return [{ room_id: null, quantity: money.times(item.factor, base) }]
  }
  const fitting = rooms.filter((r) => r.kind === item.room)
  // What is fixed is there once, however many rooms of the kind there are.
  return (item.base === fixed ? fitting.slice(0, 1) : fitting).map((room) => ({
    room_id: room.id,
    quantity: money.times(item.factor, baseOf(item.base, [room])),
  }))
}

/** The lines that a package puts into a quotation of these rooms: one for each item and room. */
export function packageLines(
  items: readonly (Pick<PackageItem, 'product_id' | 'name' | 'detail' | 'unit' | 'waste'> & Item)[],
  rooms: readonly RoomFacts[],
  newId: () => string,
): LineFacts[] {
  return items.flatMap((item) =>
    placesOf(item, rooms).map(({ room_id, quantity }) => ({
      id: newId(),
      room_id,
      attribute: attribute.code.package,
      contractAttribute: 1 as const,
      item_id: item.id,
      product_id: item.product_id,
      name: item.name,
      detail: item.detail,
      unit: item.unit,
      kind: 'main' as const,
      stage: null,
      receiver_id: null,
      quantity,
      waste: item.waste,
      price: '0',
      counts: true,
      remark: '',
    })),
  )
}

type Placed = Pick<LineFacts, 'attribute' | 'item_id' | 'room_id' | 'quantity' | 'counts'>
/** Items of the package of which the lines hold more, in a room, than the package gives there. */
export function beyondPackage(
  lines: readonly Placed[],
  items: readonly Item[],
  rooms: readonly RoomFacts[],
): { item_id: string; room_id: string | null; gives: string; holds: string }[] {
  const held = new Map<string, string[]>()
  for (const line of lines.filter((l) => l.counts && l.item_id && l.attribute !== attribute.code.added)) {
    const key = `${line.item_id}/${line.room_id}`
    held.set(key, [...(held.get(key) ?? []), line.quantity])
  }
  const byId = new Map(items.map((item) => [item.id, item]))
  return [...held].flatMap(([key, quantities]) => {
    const [item_id, room] = key.split('/') as [string, string]
    const room_id = room === 'null' ? null : room
    const item = byId.get(item_id)
    const gives = item && placesOf(item, rooms).find((p) => p.room_id === room_id)?.quantity
    const holds = money.plain(money.total(quantities))
    if (gives !== undefined && money.compare(holds, gives) <= 0) return []
    return [{ item_id, room_id, gives: gives ?? '0', holds }]
  })
}
