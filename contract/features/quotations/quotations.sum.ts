import { defineCodes } from '../../kit/codes.ts'
import { priceText } from '../../kit/digits.ts'
import * as money from '../../kit/money.ts'

/** The line's place beside the package. */
export const attribute = defineCodes('attribute', '属性', {
  package: [1, '套餐'],
  adjusted: [2, '部分调整'],
  added: [3, '增项'],
  removed: [4, '减项'],
})
type Attribute = (typeof attribute.values)[number]

/** Numbers that a line is worked out from; each is decimal text and none of them is negative. */
export interface LineInput {
  attribute: Attribute
  /** An alternative that nobody has chosen counts nowhere. */
  counts: boolean
  /** Without waste. */
  quantity: string
  wastePercent: string
  price: string
  /** The price of what stands in the package: what it is changed from, or what is paid back for leaving it out. */
  packagePrice: string | null
  removalPrice: string | null
  cost: string | null
  /** The price that the catalogue asks; nothing of what it does not know. */
  listPrice?: string | null
  /** Goods come in packs of so many; null where any quantity can be had. */
  pack: string | null
}
export interface LineSum {
  /** The quantity that the customer pays: with waste. */
  priced: string
  /** The quantity that is ordered: whole packs. */
  ordered: string
  /** Signed by the attribute; what stands in the package has none of its own. */
  amount: string
  /** The cost of what is ordered; null where nobody has said what it costs. */
  cost: string | null
  /** The difference from the list's price, in all. */
  below: string
}

const NOTHING = '0.00'

function amountOf(line: LineInput, priced: string): string {
  const unit = unitPriceOf(line)
  if (!unit) return NOTHING
  if (unit.before !== null) return money.differenceOf(priced, unit.price, unit.before)
  const amount = money.amountOf(priced, unit.price)
  return line.attribute === attribute.code.removed ? money.negated(amount) : amount
}

/** The price of a unit, and the one of the package that it stands instead of; null for what the package includes. */
export function unitPriceOf(
  line: Pick<LineInput, 'attribute' | 'price' | 'packagePrice' | 'removalPrice'>,
): { price: string; before: string | null } | null {
  const { package: included, adjusted, removed } = attribute.code
  if (line.attribute === included) return null
  if (line.attribute === removed) return { price: line.removalPrice ?? line.price, before: null }
  return { price: line.price, before: line.attribute === adjusted ? (line.packagePrice ?? '0') : null }
}

/** The same on paper. */
export function unitPriceText(line: Parameters<typeof unitPriceOf>[0]): string {
  const unit = unitPriceOf(line)
  if (!unit) return '套餐内'
  return unit.before === null
    ? priceText(unit.price)
    : `${priceText(unit.price)}\n原 ${priceText(unit.before)}`
}

/** Only what is paid for by itself can be sold under the list. */
export function belowOf(line: Pick<LineInput, 'attribute' | 'price' | 'listPrice'>, priced: string): string {
  const { adjusted, added } = attribute.code
  const { listPrice = null } = line
  if (listPrice === null || (line.attribute !== adjusted && line.attribute !== added)) return NOTHING
  if (money.compare(line.price, listPrice) >= 0) return NOTHING
  return money.minus(money.amountOf(priced, listPrice), money.amountOf(priced, line.price))
}

/** One line (docs/product.md, Money). */
export function sumLine(line: LineInput): LineSum {
  const priced = money.withWaste(line.quantity, line.wastePercent)
  const ordered = money.inPacks(priced, line.pack)
  const isBought = line.attribute !== attribute.code.removed
  const cost = line.cost === null ? null : money.amountOf(ordered, line.cost)
  return {
    priced,
    ordered,
    amount: amountOf(line, priced),
    cost: isBought ? cost : NOTHING,
    below: belowOf(line, priced),
  }
}

export interface DocumentInput {
  /** Price of the package by the square metre; null where nothing is sold as a package. */
  perSquareMetre: string | null
  area: string
  leastArea: string
  lines: readonly LineInput[]
  /** Amounts that are taken off. */
  discounts: readonly string[]
  taxPercent: string
}
/** From the package to the total, one step after the other. */
export interface Bridge {
  package: string
  removed: string
  adjusted: string
  added: string
  discount: string
  total: string
}
export interface DocumentSum extends Bridge {
  tax: string
  /** The sum of the lines whose cost is known. */
  cost: string
  /** Lines whose cost nobody has said: with one of them there is no margin. */
  uncosted: number
  /** In percent of the total without tax; null where a cost or the total is missing. */
  margin: string | null
  perSquareMetre: string | null
  /** Number of lines that are sold under the list, and by how much; it is in their amounts already. */
  below: string
  belowLines: number
}

/** A whole quotation or signed version: the same lines give the same digits wherever this runs. */
export function sumDocument(
  document: DocumentInput,
  lineSum: (line: LineInput) => LineSum = sumLine,
): DocumentSum & { lines: LineSum[] } {
  const lines = document.lines.map((line) => lineSum(line))
  const counted = document.lines.flatMap((line, i) => (line.counts ? [{ line, sum: lines[i]! }] : []))
  const step = (code: Attribute) =>
    money.sum(counted.filter((c) => c.line.attribute === code).map((c) => c.sum.amount))
  const base =
    document.perSquareMetre === null
      ? NOTHING
      : money.packagePrice(document.perSquareMetre, document.area, document.leastArea)
  const { adjusted, added, removed } = attribute.code
  const steps = { removed: step(removed), adjusted: step(adjusted), added: step(added) }
  const discount = money.negated(money.sum(document.discounts))
  const total = money.sum([base, steps.removed, steps.adjusted, steps.added, discount])
  const costs = counted.map((c) => c.sum.cost)
  const cost = money.sum(costs.filter((c) => c !== null))
  const uncosted = costs.filter((c) => c === null).length
  return {
    lines,
    package: base,
    ...steps,
    discount,
    total,
    tax: money.taxOf(total, document.taxPercent),
    cost,
    uncosted,
    margin: uncosted > 0 ? null : money.marginOf(total, document.taxPercent, cost),
    perSquareMetre: money.perSquareMetre(total, document.area),
    below: money.sum(counted.map((c) => c.sum.below)),
    belowLines: counted.filter((c) => !money.isZero(c.sum.below)).length,
  }
}
