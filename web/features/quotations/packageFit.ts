import type { PackageDetail } from '@zhuguan/contract/features/packages/packages.record.ts'
import { packageLines } from '@zhuguan/contract/features/quotations/quotations.content.ts'
import { attribute } from '@zhuguan/contract/features/quotations/quotations.sum.ts'
import * as money from '@zhuguan/contract/kit/money.ts'

import { type Line, lineOf, newId, type Sold, type Written } from './document.ts'

type Items = PackageDetail['items']
export const soldOf = (p: PackageDetail): Sold => ({
  id: p.id,
  name: p.name,
  number: p.number,
  perSquareMetre: p.perSquareMetre,
  leastArea: p.leastArea,
})
const placed = (line: Pick<Line, 'item_id' | 'room_id'>) => `${line.item_id}/${line.room_id}`
const given = (items: Items, w: Written): Line[] =>
  packageLines(items, w.rooms, newId).map((facts) => lineOf(facts))

/** Another package, or the first one: its lines for these rooms, before what is beside the package. */
export const withPackage = (w: Written, p: PackageDetail): Written => ({
  ...w,
  sold: soldOf(p),
  lines: [...given(p.items, w), ...w.lines.filter((line) => line.item_id === null)],
})
export const withoutPackage = (w: Written): Written => ({
  ...w,
  sold: null,
  lines: w.lines.filter((line) => line.item_id === null),
})

/** Lines of the package that do not fit the rooms as they are now. */
export interface Misfit {
  missing: Line[]
  /** Their rooms or items are gone. */
  homeless: Line[]
  /** Each with what the rooms ask now. */
  other: { line: Line; quantity: string }[]
}
export function misfitOf(w: Written, items: Items): Misfit {
  const wanted = given(items, w)
  const byPlace = new Map(wanted.map((line) => [placed(line), line]))
  const own = w.lines.filter((line) => line.item_id !== null)
  const held = new Map<string, Line[]>()
  for (const line of own.filter((l) => l.counts))
    held.set(placed(line), [...(held.get(placed(line)) ?? []), line])
  return {
    missing: wanted.filter((line) => !held.has(placed(line))),
    homeless: own.filter((line) => !byPlace.has(placed(line))),
    // One that was split by hand is the clerk's.
    other: [...held].flatMap(([place, lines]) => {
      const quantity = byPlace.get(place)?.quantity
      const [line] = lines
      const is = line && money.total(lines.map((l) => l.quantity))
      if (!line || quantity === undefined || is === undefined || money.compare(is, quantity) === 0) return []
      return lines.length === 1 ? [{ line, quantity }] : []
    }),
  }
}
export const countOf = (m: Misfit): number => m.missing.length + m.homeless.length + m.other.length
/** The package's lines as the rooms ask them; what was adjusted or left out stays so. */
export function fitted(w: Written, m: Misfit): Written {
  const quantities = new Map(m.other.map(({ line, quantity }) => [line.id, quantity]))
  const gone = new Set(m.homeless.map((line) => line.id))
  const stay = w.lines
    .filter((line) => !gone.has(line.id))
    .map((line) => (quantities.has(line.id) ? { ...line, quantity: quantities.get(line.id)! } : line))
  const last = stay.findLastIndex((line) => line.item_id !== null) + 1
  return { ...w, lines: [...stay.slice(0, last), ...m.missing, ...stay.slice(last)] }
}

const { package: inside, adjusted, removed } = attribute.code
type Item = Items[number]
/** As the package gives it. */
export const restored = (line: Line, item: Item): Line => ({
  ...line,
  attribute: inside,
  contractAttribute: 1,
  product_id: item.product_id,
  name: item.name,
  detail: item.detail,
  unit: item.unit,
  waste: item.waste,
  price: '0',
  counts: true,
})
export const leftOut = (line: Line): Line => ({ ...line, attribute: removed })
/** Another product that the package allows, at the package's price and what it costs more. */
export const exchanged = (line: Line, item: Item, alternative: Item['alternatives'][number]): Line => ({
  ...restored(line, item),
  attribute: adjusted,
  product_id: alternative.product_id,
  name: alternative.name,
  detail: alternative.detail,
  price: money.raised(line.packagePrice ?? '0', alternative.difference),
})
