/** So long somebody counts as writing after they last said so. */
const WRITING_MS = 20_000
const MOST_HOMES = 5_000

/**
 * Who is writing an answer now, in this server's memory alone: it is a hint, and who sends without it is stopped by the
 * newest word that they have seen.
 */
export function writers() {
  const homes = new Map<string, Map<string, { name: string; until: number }>>()
  function sweep(now: number): void {
    for (const [home, people] of homes) {
      for (const [id, { until }] of people) if (until <= now) people.delete(id)
      if (people.size === 0) homes.delete(home)
    }
  }
  return {
    /** @returns the names of the others */
    note(home: string, who: { id: string; name: string }, at: Date): string[] {
      const now = at.getTime()
      sweep(now)
      const people = homes.get(home) ?? new Map<string, { name: string; until: number }>()
      const others = [...people].filter(([id]) => id !== who.id).map(([, { name }]) => name)
      if (homes.size < MOST_HOMES || homes.has(home))
        homes.set(home, people.set(who.id, { name: who.name, until: now + WRITING_MS }))
      return others
    },
  }
}
