import { expect } from 'vitest'

import type { TestServer } from './start.ts'

/** How many wait for a lock now; an owner that is no superuser sees who waits by the locks alone. */
export async function waiting(server: Pick<TestServer, 'sql'>): Promise<number> {
  // Inside one transaction PostgreSQL tells who is there as it was when it was first asked.
  await server.sql('SELECT pg_stat_clear_snapshot()')
  const [told] = await server.sql<{ n: number }>(
    `SELECT count(DISTINCT l.pid)::int AS n FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
     WHERE NOT l.granted AND a.datname = current_database()`,
  )
  return told!.n
}

/**
 * What is asked while somebody else holds a site: each begins when all before it wait or are answered, then the site is
 * let go. Those who wait come in the order in which they came.
 */
export async function behind<T>(
  server: Pick<TestServer, 'sql'>,
  site: string,
  asks: readonly (() => Promise<T>)[],
): Promise<T[]> {
  let answered = 0
  const answers: Promise<T>[] = []
  await server.sql('BEGIN')
  try {
    await server.sql('SELECT id FROM sites WHERE id = $1 FOR UPDATE', [site])
    for (const ask of asks) {
      answers.push(ask().finally(() => (answered += 1)))
      await expect
        .poll(async () => (await waiting(server)) + answered, { timeout: 15_000 })
        .toBeGreaterThanOrEqual(answers.length)
    }
  } finally {
    await server.sql('COMMIT')
  }
  return Promise.all(answers)
}
