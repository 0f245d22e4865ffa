const OFFSET_MS = 8 * 3_600_000
const DAY_MS = 86_400_000
/** Days by their number since 1970: every event asks for its own. */
const days = new Map<number, string>()
const MOST_DAYS = 4_000

/** The Asia/Shanghai day an instant falls in, YYYY-MM-DD (China keeps +08:00 all year). */
export function shanghaiDay(at: Date): string {
  const number = Math.floor((at.getTime() + OFFSET_MS) / DAY_MS)
  const kept = days.get(number)
  if (kept !== undefined) return kept
  const day = new Date(number * DAY_MS).toISOString().slice(0, 10)
  if (days.size >= MOST_DAYS) days.clear()
  days.set(number, day)
  return day
}
export const startOfDay = (day: string): Date => new Date(Date.parse(`${day}T00:00:00Z`) - OFFSET_MS)
export const addDays = (day: string, n: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + n * 86_400_000).toISOString().slice(0, 10)
/** 2026-11-20 14:05, for sentences that people read. */
export const shanghaiTime = (at: Date): string =>
  new Date(at.getTime() + OFFSET_MS).toISOString().slice(0, 16).replace('T', ' ')
