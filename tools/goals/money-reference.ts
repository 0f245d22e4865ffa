import type { DocumentInput, LineInput } from '@zhuguan/contract/features/quotations/quotations.sum.ts'

/** What a quotation comes to, by whole numbers alone: from docs/product.md, apart from the product's module. */
export interface Summed {
  package: string
  removed: string
  adjusted: string
  added: string
  discount: string
  total: string
  tax: string
  cost: string
  uncosted: number
  margin: string | null
}
type Halves = 'away' | 'even'
class Long extends Error {}

/** Millionths. */
const MICRO = 1_000_000n
const millionths = (text: string): bigint => {
  const [whole, part = ''] = text.split('.')
  return BigInt(whole! + part.padEnd(6, '0'))
}
const abs = (n: bigint) => (n < 0n ? -n : n)
function divide(n: bigint, by: bigint, halves: Halves): bigint {
  const [whole, rest] = [abs(n) / abs(by), abs(n) % abs(by)]
  const isHalf = rest * 2n === abs(by)
  const up = isHalf ? halves === 'away' || whole % 2n === 1n : rest * 2n > abs(by)
  return (n < 0n !== by < 0n ? -1n : 1n) * (up ? whole + 1n : whole)
}
/** Forty digits in all, with those behind the point. */
function kept(n: bigint): bigint {
  if (abs(n) >= 10n ** 40n) throw new Long()
  return n
}
function text(cents: bigint): string {
  const all = String(abs(kept(cents))).padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${all.slice(0, -2)}.${all.slice(-2)}`
}

function lineOf(line: LineInput, halves: Halves) {
  // Thousandths of a unit.
  const priced = kept(
    divide(
      millionths(line.quantity) * (100n * MICRO + millionths(line.wastePercent)),
      100n * MICRO * 1_000n,
      halves,
    ),
  )
  const pack = line.pack === null ? 0n : millionths(line.pack) / 1_000n
  const ordered = kept(pack > 0n ? ((priced + pack - 1n) / pack) * pack : priced)
  const cents = (price: bigint, quantity: bigint) => kept(divide(price * quantity, 10_000_000n, halves))
  const price = millionths(line.price)
  const amounts: Record<number, () => bigint> = {
    1: () => 0n,
    2: () => cents(price - millionths(line.packagePrice ?? '0'), priced),
    3: () => cents(price, priced),
    4: () => -cents(millionths(line.removalPrice ?? line.price), priced),
  }
  const known = line.cost === null ? null : cents(millionths(line.cost), ordered)
  return { amount: amounts[line.attribute]!(), cost: line.attribute === 4 ? 0n : known }
}

export function referenceSum(document: DocumentInput, halves: Halves = 'away'): Summed | 'too long' {
  try {
    const lines = document.lines.map((line) => ({ line, ...lineOf(line, halves) }))
    const counted = lines.filter((l) => l.line.counts)
    const all = (some: readonly bigint[]) => some.reduce((sum, one) => sum + one, 0n)
    const step = (code: number) =>
      kept(all(counted.filter((l) => l.line.attribute === code).map((l) => l.amount)))
    const area = [document.area, document.leastArea].map(millionths).reduce((a, b) => (a > b ? a : b))
    const base = kept(
      document.perSquareMetre === null
        ? 0n
        : divide(millionths(document.perSquareMetre) * area, MICRO * 10_000n, halves),
    )
    const discount = -kept(all(document.discounts.map((d) => millionths(d) / 10_000n)))
    const [removed, adjusted, added] = [step(4), step(2), step(3)]
    const total = kept(base + removed + adjusted + added + discount)
    const rate = millionths(document.taxPercent)
    const tax = kept(divide(total * rate, 100n * MICRO + rate, halves))
    const cost = kept(all(counted.map((l) => l.cost ?? 0n)))
    const uncosted = counted.filter((l) => l.cost === null).length
    const net = total - tax
    const margin = uncosted > 0 || net === 0n ? null : text(divide((net - cost) * 10_000n, net, halves))
    return {
      package: text(base),
      removed: text(removed),
      adjusted: text(adjusted),
      added: text(added),
      discount: text(discount),
      total: text(total),
      tax: text(tax),
      cost: text(cost),
      uncosted,
      margin,
    }
  } catch (error) {
    if (error instanceof Long) return 'too long'
    throw error
  }
}
