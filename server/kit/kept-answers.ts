const MOST_KEPT = 2_000

/** One answer for everybody who asks within `ms`, and one question however many want it at the same time. */
export function keptAnswers<T>(ms: number) {
  const kept = new Map<string, { at: number; answer: Promise<T> }>()
  return {
    of(key: string, now: Date, ask: () => Promise<T>): Promise<T> {
      const at = now.getTime()
      const before = kept.get(key)
      if (before && Math.abs(at - before.at) < ms) return before.answer
      if (kept.size >= MOST_KEPT) kept.clear()
      const answer = ask()
      const mine = { at, answer }
      kept.set(key, mine)
      // Who asks next asks anew, instead of hearing the same failure.
      answer.catch(() => {
        if (kept.get(key) === mine) kept.delete(key)
      })
      return answer
    },
  }
}
