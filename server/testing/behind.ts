import { expect } from 'vitest'

import type { TestServer } from './start.ts'

/**
 * What is asked while somebody else holds a site: each begins when all before it wait or are answered, then the site is
 * let go. Those who wait come in the order in which they came.
 */
export async function behind<T>(
  server: Pick<TestServer, 'sql'>,
  site: string,
  asks: readonly (() => Promise<T>)[],
): Promise<T[]> {
  const waiting = async () =>
    (
      await server.sql<{ n: number }>(
        `SELECT count(*)::int AS n FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
    )[0]!.n
  await server.sql('BEGIN')
  await server.sql('SELECT id FROM sites WHERE id = $1 FOR UPDATE', [site])
  let answered = 0
  const answers: Promise<T>[] = []
  for (const ask of asks) {
    answers.push(ask().finally(() => (answered += 1)))
    await expect
      .poll(async () => (await waiting()) + answered, { timeout: 15_000 })
      .toBeGreaterThanOrEqual(answers.length)
  }
  await server.sql('COMMIT')
  return Promise.all(answers)
}
