const SHANGHAI_MS = 8 * 3_600_000
const at = (seconds: number) => new Date(seconds * 1000 + SHANGHAI_MS).toISOString()

/** Further away than this a day needs its year. */
const FAR = 330 * 86_400
/** 11-20 14:05, and 2030-11-01 08:01 of another year. */
export const short = (seconds: number | null | undefined): string =>
  seconds
    ? at(seconds)
        .slice(Math.abs(seconds - nowSeconds()) > FAR ? 0 : 5, 16)
        .replace('T', ' ')
    : '--'
/** 2026-11-20 14:05:09 */
export const full = (seconds: number | null | undefined): string =>
  seconds ? at(seconds).slice(0, 19).replace('T', ' ') : '--'
export const dayOf = (seconds: number): string => at(seconds).slice(0, 10)
export const dayStart = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000 - SHANGHAI_MS / 1000
export const nowSeconds = (): number => Math.floor(Date.now() / 1000)

/** 09:00, of a day that is known. */
export const clock = (seconds: number): string => at(seconds).slice(11, 16)

/** 3 分钟前, where freshness matters. */
export function ago(seconds: number | null | undefined): string {
  if (!seconds) return '--'
  const s = nowSeconds() - seconds
  if (s < 60) return '刚刚'
  if (s < 3_600) return `${Math.floor(s / 60)} 分钟前`
  if (s < 86_400) return `${Math.floor(s / 3_600)} 小时前`
  return `${Math.floor(s / 86_400)} 天前`
}
/** 2 小时 5 分 */
export function lasting(seconds: number): string {
  const m = Math.max(0, Math.round(seconds / 60))
  if (m < 60) return `${m} 分钟`
  if (m < 1_440) return `${Math.floor(m / 60)} 小时 ${m % 60} 分`
  return `${Math.floor(m / 1_440)} 天 ${Math.floor((m % 1_440) / 60)} 小时`
}
/** 剩 2 小时 5 分 until that second, or 超 3 天 1 小时. */
export function leftUntil(at: number): string {
  const left = at - nowSeconds()
  return left < 0 ? `超 ${lasting(-left)}` : `剩 ${lasting(left)}`
}
