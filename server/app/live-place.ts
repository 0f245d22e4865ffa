/** Numbers that were given out and are not visible: their transaction still runs, or never will commit. Both ends included. */
export type Range = readonly [first: number, last: number]
/** How far a reader has come: everything up to `high` but what is missing. */
export interface Place {
  high: number
  missing: readonly Range[]
}

const MAX_TOLD = 8
const NUMBER = String.raw`\d{1,15}`
const FORM = new RegExp(String.raw`^(${NUMBER})((?:[~,]${NUMBER}-${NUMBER}){0,${MAX_TOLD}})$`)

export const within = (ranges: readonly Range[], seq: number): boolean =>
  ranges.some(([first, last]) => first <= seq && seq <= last)

export const without = (ranges: readonly Range[], seq: number): Range[] =>
  ranges.flatMap(([first, last]): Range[] => {
    if (seq < first || last < seq) return [[first, last]]
    const parts: Range[] = [
      [first, seq - 1],
      [seq + 1, last],
    ]
    return parts.filter((part) => part[0] <= part[1])
  })

export const isBeyond = (place: Place, seq: number): boolean => seq > place.high || within(place.missing, seq)

/** Below and at this number nothing is missing. */
export const settled = ({ high, missing }: Place): number =>
  Math.min(high, ...missing.map(([first]) => first - 1))

/** As an event's id. With too many gaps to name, the reader is placed before the first: it hears twice rather than never. */
export function idOf(place: Place): string {
  if (place.missing.length > MAX_TOLD) return String(settled(place))
  const gaps = place.missing.map(([first, last]) => `${first}-${last}`).join(',')
  return gaps ? `${place.high}~${gaps}` : String(place.high)
}

/** `undefined` for what is no id of ours: another version's, or somebody's invention. */
export function placeOf(id: string): Place | undefined {
  const read = FORM.exec(id)
  if (!read) return undefined
  const missing = [...read[2]!.matchAll(/(\d+)-(\d+)/g)].map((m): Range => [Number(m[1]), Number(m[2])])
  const place = { high: Number(read[1]), missing }
  return missing.every(([first, last]) => first <= last && last <= place.high) ? place : undefined
}
