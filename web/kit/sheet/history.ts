export const MOST_STEPS = 100

/** What a document was, is, and was again before undoing. */
export interface History<T> {
  past: readonly T[]
  now: T
  future: readonly T[]
}
export const begun = <T>(now: T): History<T> => ({ past: [], now, future: [] })

/** One step further; what had been undone is given up. */
export const stepped = <T>(history: History<T>, now: T): History<T> =>
  now === history.now ? history : { past: [...history.past, history.now].slice(-MOST_STEPS), now, future: [] }

export function undone<T>({ past, now, future }: History<T>): History<T> {
  if (past.length === 0) return { past, now, future }
  return { past: past.slice(0, -1), now: past.at(-1)!, future: [now, ...future] }
}
export function redone<T>({ past, now, future }: History<T>): History<T> {
  if (future.length === 0) return { past, now, future }
  return { past: [...past, now], now: future[0]!, future: future.slice(1) }
}
