const FOLD_MS = 60_000
const MAX_KINDS = 200

/** What repeats itself is written once a minute, with how often: a log does not grow with how long something is away. */
export function folded(write: (error: unknown, times: number) => void): (error: unknown) => void {
  const kinds = new Map<string, { times: number; at: number }>()
  return (error) => {
    const kind = error instanceof Error ? `${error.name}:${error.message}` : String(error)
    const now = performance.now()
    const known = kinds.get(kind)
    if (known && now - known.at < FOLD_MS) {
      known.times += 1
      return
    }
    if (kinds.size >= MAX_KINDS) kinds.clear()
    kinds.set(kind, { times: 0, at: now })
    write(error, (known?.times ?? 0) + 1)
  }
}
