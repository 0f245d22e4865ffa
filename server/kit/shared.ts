/** Many who ask at once share one answer, which is good for a moment; a failure is good for nobody after it. */
export function shared<T>(goodMs: number, ask: () => Promise<T>): () => Promise<T> {
  let asked: { answer: Promise<T>; until: number } | undefined
  return () => {
    if (asked && performance.now() < asked.until) return asked.answer
    const mine = { answer: ask(), until: Infinity }
    asked = mine
    mine.answer.then(
      () => (mine.until = performance.now() + goodMs),
      () => asked === mine && (asked = undefined),
    )
    return mine.answer
  }
}
