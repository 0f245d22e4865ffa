/** Hours of a day: 08:00–20:00; where they end no later than they begin, they end the day after (22:00–02:00). */
export interface Hours {
  from: string
  to: string
}
/** Hours of each day from one to another; what passes midnight belongs to the day on which it began. */
export interface WatchTimes extends Hours {
  fromDay: string
  toDay: string
}

const DAY = 1_440
const SHANGHAI = 480
/** The last minute that can be written is meant as the end of the day. */
const LAST = '23:59'
const minuteOf = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 60 + minutes
}
const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 86_400_000

export const passesMidnight = ({ from, to }: Hours): boolean => to <= from
/** From and to, in minutes of the day on which they begin. */
function spanOf(hours: Hours): [from: number, to: number] {
  const [from, to] = [minuteOf(hours.from), hours.to === LAST ? DAY : minuteOf(hours.to)]
  return [from, passesMidnight(hours) ? to + DAY : to]
}
/** Minutes since 1970 as clocks in China count them. */
const localMinute = (at: Date): number => Math.floor(at.getTime() / 60_000) + SHANGHAI
const instantOf = (minute: number): Date => new Date((minute - SHANGHAI) * 60_000)

/** All of `inner` lies in `outer`, on whatever day. */
export function liesWithin(inner: Hours, outer: Hours): boolean {
  const [from, to] = spanOf(inner)
  const [first, last] = spanOf(outer)
  if (last - first >= DAY) return true
  return [-DAY, 0, DAY].some((by) => first + by <= from && to <= last + by)
}

/** When somebody may look from `now` on: now itself, a later moment, or never again. */
export function nextOpening(now: Date, times: WatchTimes, house: Hours): Date | null {
  const minute = localMinute(now)
  const today = Math.floor(minute / DAY)
  const [from, to] = spanOf(times)
  const [first, last] = spanOf(house)
  const end = dayNumber(times.toDay)
  for (let day = Math.max(today - 1, dayNumber(times.fromDay)); day <= end; day += 1)
    for (const other of [day - 1, day, day + 1]) {
      const begins = Math.max(day * DAY + from, other * DAY + first)
      const ends = Math.min(day * DAY + to, other * DAY + last)
      if (begins < ends && ends > minute) return begins <= minute ? now : instantOf(begins)
    }
  return null
}

/** 08:00–20:00, 22:00–次日 02:00. */
export const hoursText = (hours: Hours): string =>
  `${hours.from}–${passesMidnight(hours) ? '次日 ' : ''}${hours.to}`
