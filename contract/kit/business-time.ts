const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS
/** Asia/Shanghai keeps +08:00 all year. */
const OFFSET_MS = 480 * MINUTE_MS
/** 1970-01-01, day 0, was a Thursday. */
const FIRST_WEEKDAY = 4
const LAST_MINUTE = '23:59'

/** A day (YYYY-MM-DD) that is off though the week works it, or worked though the week rests. */
interface Dated {
  day: string
  rest: boolean
}
/**
 * When people work: from one time of the day (HH:MM) to another, but for these days of the week (0 = Sunday);
 * dated days count before those of the week.
 */
export interface WorkHours {
  opens: string
  closes: string
  restDays: readonly number[]
  calendar: readonly Dated[]
}
/** A clock stands still from one instant to another. */
export interface Pause {
  from: Date
  to: Date
}
type Span = readonly [from: number, to: number]

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number)
  return hours! * 60 + minutes!
}

/** Calendars by the number of the day since 1970; one list serves many clocks. */
const read = new WeakMap<readonly Dated[], ReadonlyMap<number, boolean>>()
function datedOf(calendar: readonly Dated[]): ReadonlyMap<number, boolean> {
  const kept = read.get(calendar)
  if (kept) return kept
  const days = new Map(calendar.map(({ day, rest }) => [Date.parse(`${day}T00:00:00Z`) / DAY_MS, rest]))
  read.set(calendar, days)
  return days
}

/** The part of each day that is worked. Hours that leave no time to work are none: a clock then runs day and night. */
function worked({ opens, closes, restDays, calendar }: WorkHours) {
  const open = minutesOf(opens) * MINUTE_MS
  // No time of a day is later than its last minute, which stands for the end of the day.
  const close = closes === LAST_MINUTE ? DAY_MS : minutesOf(closes) * MINUTE_MS
  const rests = new Set(restDays)
  return open < close && rests.size < 7
    ? { open, close, rests, dated: datedOf(calendar) }
    : { open: 0, close: DAY_MS, rests: new Set<number>(), dated: new Map<number, boolean>() }
}

/** The part of a span that pauses leave. */
function* running([from, to]: Span, pauses: readonly Span[]): Generator<Span> {
  let at = from
  for (const [begins, ends] of pauses) {
    if (begins >= to) break
    if (begins > at) yield [at, begins]
    at = Math.max(at, ends)
  }
  if (at < to) yield [at, to]
}

/** The time from `from` on in which a clock runs, span after span, without end. */
function* spans(hours: WorkHours, from: Date, pauses: readonly Pause[]): Generator<Span> {
  const { open, close, rests, dated } = worked(hours)
  const still = pauses
    .map((p): Span => [p.from.getTime(), p.to.getTime()])
    .sort(([one], [other]) => one - other)
  const begin = from.getTime()
  for (let day = Math.floor((begin + OFFSET_MS) / DAY_MS); ; day += 1) {
    if (dated.get(day) ?? rests.has((day + FIRST_WEEKDAY) % 7)) continue
    const midnight = day * DAY_MS - OFFSET_MS
    yield* running([Math.max(begin, midnight + open), midnight + close], still)
  }
}

/** The working time that goes on at `from`, or else the next that comes. */
export function nextSpan(hours: WorkHours, from: Date): { from: Date; to: Date } {
  for (const [begins, ends] of spans(hours, from, [])) return { from: new Date(begins), to: new Date(ends) }
  throw new Error('working time has no end')
}

/** When a clock that starts at `from` has run for so many working hours. */
export function endOf(
  hours: WorkHours,
  from: Date,
  workingHours: number,
  pauses: readonly Pause[] = [],
): Date {
  return endAfter(hours, from, workingHours * 60 * MINUTE_MS, pauses)
}
/** The same for milliseconds of working time. */
export function endAfter(hours: WorkHours, from: Date, ms: number, pauses: readonly Pause[] = []): Date {
  let left = ms
  if (left <= 0) return from
  for (const [begins, ends] of spans(hours, from, pauses)) {
    if (ends - begins >= left) return new Date(begins + left)
    left -= ends - begins
  }
  throw new Error('working time has no end')
}

/** Number of milliseconds of working time that lie between two instants. */
export function workingTime(hours: WorkHours, from: Date, to: Date, pauses: readonly Pause[] = []): number {
  const until = to.getTime()
  let sum = 0
  for (const [begins, ends] of spans(hours, from, pauses)) {
    if (begins >= until) break
    sum += Math.min(ends, until) - begins
  }
  return sum
}
