import { createHash } from 'node:crypto'

import type { Tx } from '../../database/connect.ts'

const WINDOW_SECONDS = 5 * 60
const MAX_FAILURES = 10

/** Failures of one address at one account: whoever guesses waits, the account's owner elsewhere does not (quality.md G-19). */
export const failureKey = (ip: string, userName: string): string =>
  createHash('sha256').update(`${ip}|${userName.toLowerCase()}`).digest('base64url')

export const isBlocked = async (tx: Tx, key: string, now: Date): Promise<boolean> =>
  (
    await tx.query(
      'failures.blocked',
      'SELECT 1 FROM login_failures WHERE key = $1 AND until > $2 AND count >= $3',
      [key, now, MAX_FAILURES],
    )
  ).rows.length > 0

export async function addFailure(tx: Tx, key: string, now: Date): Promise<void> {
  await tx.query(
    'failures.add',
    `INSERT INTO login_failures AS f (key, count, until) VALUES ($1, 1, $2::timestamptz + interval '${WINDOW_SECONDS} seconds')
     ON CONFLICT (key) DO UPDATE SET count = CASE WHEN f.until > $2 THEN f.count + 1 ELSE 1 END, until = CASE WHEN f.until > $2 THEN f.until ELSE excluded.until END`,
    [key, now],
  )
}
export const clearFailures = (tx: Tx, key: string): void =>
  tx.send('failures.clear', 'DELETE FROM login_failures WHERE key = $1', [key])
