import type { BoardTotal } from '@zhuguan/contract/features/boards/board-total.record.ts'

type Measure = BoardTotal['said'][number]['measure']
/** A branch's figures in each of nine weeks, the newest first. */
export interface Weeks {
  bc_id: string
  measure: Measure
  weeks: readonly number[]
}
export interface Departure extends Weeks {
  n: number
  least: number
  most: number
  middle: number
  far: number
}

const FEWEST = 5
const FAR = 2
const SAID = 3
/** A deviation of the middle one to one of the spread. */
const SPREAD = 1.4826

function middleOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const half = sorted.length / 2
  return sorted.length % 2 ? sorted[Math.floor(half)]! : (sorted[half - 1]! + sorted[half]!) / 2
}

/**
 * How far the last week lies from the eight before it, in spreads: of the middle one, or of a count by chance where the
 * weeks were too even. Under five nothing is said.
 */
export function departureOf(w: Weeks): Departure | null {
  const [n = 0, ...before] = w.weeks
  const middle = middleOf(before)
  if (Math.max(n, middle) < FEWEST) return null
  const spread = SPREAD * middleOf(before.map((b) => Math.abs(b - middle)))
  const far = (n - middle) / Math.max(spread, Math.sqrt(middle), 1)
  if (Math.abs(far) < FAR) return null
  return { ...w, n, middle, far, least: Math.min(...before), most: Math.max(...before) }
}
/** The three largest, whichever way they go. */
export const largest = (all: readonly Weeks[]): Departure[] =>
  all
    .map(departureOf)
    .filter((d) => d !== null)
    .sort((a, b) => Math.abs(b.far) - Math.abs(a.far))
    .slice(0, SAID)
