import { dayOf, dayStart } from '../kit/time.ts'

const DAY = 86_400
/** A picture that is older says so in amber. */
const STALE_DAYS = 3

/** How old a picture is at a moment of the server, by its own day: nobody takes it for what is seen now. */
export function ageOf(day: string, at: number): { text: string; isStale: boolean } {
  const days = Math.round((dayStart(dayOf(at)) - dayStart(day)) / DAY)
  const isStale = days > STALE_DAYS
  if (days <= 0) return { text: '今天的照片', isStale }
  return { text: days === 1 ? '昨天的照片' : `${days} 天前的照片`, isStale }
}
