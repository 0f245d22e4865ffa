/** What a goal has begun: whoever cuts it off ends all of it, and knows that it had begun. */
const open = new Set<() => Promise<unknown>>()
const first = Promise.withResolvers<void>()

/** Its stage stands, or a program has been started. */
export function begins(end: () => Promise<unknown>): void {
  open.add(end)
  first.resolve()
}
export const begun: Promise<void> = first.promise
export async function endAll(): Promise<void> {
  for (const end of [...open].toReversed()) await end().catch(() => {})
}
