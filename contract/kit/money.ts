import { Decimal } from 'decimal.js'

/**
 * Money, quantities and prices: decimal text in, decimal text out, never a JavaScript number. Sums and products are
 * exact; an amount is rounded once, where it arises, half away from zero, as PostgreSQL's numeric does
 * (docs/decisions/0241).
 */

/** Nothing has more digits than this; a longer result is refused, not cut. */
export const MOST_DIGITS = 40
export const PLACES = { amount: 2, quantity: 3, price: 6, measure: 2, percent: 2 } as const
export class TooManyDigits extends Error {
  constructor() {
    super(`数字超过 ${MOST_DIGITS} 位，请检查数量和单价`)
  }
}

// More digits than may be kept: what is too long is seen. decimal.js would cut it silently.
const Exact = Decimal.clone({
  precision: 4 * MOST_DIGITS,
  rounding: Decimal.ROUND_HALF_UP,
  toExpNeg: -1_000,
  toExpPos: 1_000,
})
type Exact = InstanceType<typeof Exact>
const exact = (text: string): Exact => new Exact(text)
const HUNDRED = exact('100')

/** Before the point so many digits are left beside the places behind it. */
const isTooLong = (value: Exact, places: number): boolean => value.e + 1 > MOST_DIGITS - places
function written(value: Exact, places: number): string {
  const rounded = value.toDecimalPlaces(places)
  if (isTooLong(rounded, places)) throw new TooManyDigits()
  return (rounded.isZero() ? exact('0') : rounded).toFixed(places)
}
/** Without zeros that say nothing: 12.500 → 12.5, 007 → 7. */
export function plain(text: string): string {
  const value = exact(text)
  return value.isZero() ? '0' : value.toFixed()
}
/** Whether it can be kept: at most so many places, with them at most forty digits. */
export function fits(text: string, places: number): boolean {
  const value = exact(text)
  return value.decimalPlaces() <= places && !isTooLong(value, places)
}

export const isZero = (text: string): boolean => exact(text).isZero()
/** Below 0 where the first is less, 0 where both are the same number. */
export const compare = (a: string, b: string): number => exact(a).comparedTo(exact(b))
export const minus = (from: string, what: string): string =>
  written(exact(from).minus(exact(what)), PLACES.amount)
export const negated = (amount: string): string => minus('0', amount)
/** Of amounts that have been rounded: the printed column adds up. */
export const sum = (amounts: readonly string[]): string =>
  written(
    amounts.reduce((all, one) => all.plus(exact(one)), exact('0')),
    PLACES.amount,
  )
/** Sums of quantities, with the places of quantities. */
export const total = (quantities: readonly string[]): string =>
  plain(
    written(
      quantities.reduce((all, one) => all.plus(exact(one)), exact('0')),
      PLACES.quantity,
    ),
  )
/** A unit price and what is asked on top of it. */
export const raised = (price: string, by: string): string =>
  plain(written(exact(price).plus(exact(by)), PLACES.price))
/** What is left of a quantity. */
export const less = (quantity: string, taken: string): string =>
  plain(written(exact(quantity).minus(exact(taken)), PLACES.quantity))
/** The price of a quantity. */
export const amountOf = (quantity: string, price: string): string =>
  written(exact(quantity).times(exact(price)), PLACES.amount)
/** The difference of a quantity's price at a new price. */
export const differenceOf = (quantity: string, price: string, before: string): string =>
  written(exact(price).minus(exact(before)).times(exact(quantity)), PLACES.amount)
/** The quantity that the customer pays: with what is cut off and breaks. */
export const withWaste = (net: string, wastePercent: string): string =>
  plain(
    written(
      exact(net)
        .times(HUNDRED.plus(exact(wastePercent)))
        .dividedBy(HUNDRED),
      PLACES.quantity,
    ),
  )
/** The quantity that is ordered: whole packs. */
export function inPacks(quantity: string, pack: string | null): string {
  if (pack === null || isZero(pack)) return plain(quantity)
  const [wanted, each] = [exact(quantity), exact(pack)]
  const whole = wanted.dividedToIntegerBy(each)
  const packs = whole.times(each).lessThan(wanted) ? whole.plus(1) : whole
  return plain(written(packs.times(each), PLACES.quantity))
}

/** A package is paid by the square metre, at least by its smallest area. */
export const packagePrice = (perSquareMetre: string, area: string, leastArea: string): string =>
  amountOf(compare(area, leastArea) < 0 ? leastArea : area, perSquareMetre)
/** The tax that a total contains, at a rate in percent. */
export const taxOf = (total: string, ratePercent: string): string =>
  written(
    exact(total)
      .times(exact(ratePercent))
      .dividedBy(HUNDRED.plus(exact(ratePercent))),
    PLACES.amount,
  )
/** The share that remains of a total without tax, in percent of it; nothing where there is no total. */
export function marginOf(total: string, ratePercent: string, cost: string): string | null {
  const net = exact(total).minus(exact(taxOf(total, ratePercent)))
  if (net.isZero()) return null
  return written(net.minus(exact(cost)).times(HUNDRED).dividedBy(net), PLACES.percent)
}
export const perSquareMetre = (total: string, area: string): string | null =>
  isZero(area) ? null : written(exact(total).dividedBy(exact(area)), PLACES.amount)
/** So many hundredths of an amount. */
export const share = (amount: string, percent: string): string =>
  written(exact(amount).times(exact(percent)).dividedBy(HUNDRED), PLACES.amount)
/** The part that falls due at each step, in percent of the whole; the last takes what is left. */
export function instalmentsOf(total: string, percents: readonly string[]): string[] {
  const due = percents
    .slice(0, -1)
    .map((p) => written(exact(total).times(exact(p)).dividedBy(HUNDRED), PLACES.amount))
  return [...due, minus(total, sum(due))]
}
/** Whether shares make a whole. */
export const isWhole = (percents: readonly string[]): boolean =>
  percents.reduce((all, p) => all.plus(exact(p)), exact('0')).equals(HUNDRED)

export interface Measures {
  floor: string
  perimeter: string
  height: string
  /** Doors and windows. */
  openings: string
}
/** A room's walls without its openings; rounded where it is measured, never later. */
export function wallArea(room: Measures): string {
  const walls = exact(room.perimeter).times(exact(room.height)).minus(exact(room.openings))
  return written(walls.lessThan(0) ? exact('0') : walls, PLACES.measure)
}
/** So much for each of something. */
export const times = (factor: string, base: string): string =>
  plain(written(exact(factor).times(exact(base)), PLACES.quantity))
