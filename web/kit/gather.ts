/** Servers are asked by many browsers after the same change: each waits up to this share longer, at random. */
const SPREAD = 0.3

/**
 * Things in, bundles out: the first at once, later ones together, `every` milliseconds after the one before and
 * never while its promise is pending; nothing while `awake` says no. A null bundle says that things were lost.
 */
export function gather<T>(
  run: (bundle: readonly T[] | null) => unknown,
  awake: () => boolean,
  every: () => number,
): { add(thing: T | null): void; wake(): void; close(): void } {
  let waiting: T[] | null = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let busy = false
  let closed = false
  async function next() {
    timer = undefined
    if (closed || busy || !awake() || waiting?.length === 0) return
    const bundle = waiting
    waiting = []
    busy = true
    try {
      await run(bundle)
    } catch {
      // The page shows what its own request said.
    } finally {
      busy = false
      if (!closed) timer = setTimeout(() => void next(), every() * (1 + SPREAD * Math.random()))
    }
  }
  const wake = () => {
    if (timer === undefined && !busy) void next()
  }
  return {
    add(thing) {
      if (thing === null) waiting = null
      else waiting?.push(thing)
      wake()
    },
    wake,
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}
