import { createHash } from 'node:crypto'

import type { Tx } from '../../database/connect.ts'

const WINDOW_SECONDS = 5 * 60
/** Guesses of one address at one account, and of one address at accounts that never came from there. */
const AT_ONE = 10
const AT_ALL = 50

const keyOf = (text: string): string => createHash('sha256').update(text).digest('base64url')
/** One address at one account: whoever guesses waits, the account's owner elsewhere does not (quality.md G-19). */
export const failureKey = (ip: string, userName: string): string => keyOf(`${ip}|${userName.toLowerCase()}`)
/** One address at whatever name. */
const addressKey = (ip: string): string => keyOf(`${ip}|*`)

/**
 * Counted before it is judged, in one step: of many guesses at once no more are judged than are allowed. A right one is
 * given back.
 */
async function take(tx: Tx, key: string, most: number): Promise<boolean> {
  const { rows } = await tx.query(
    'failures.take',
    `INSERT INTO login_failures AS f (key, count, until) VALUES ($1, 1, :now + interval '${WINDOW_SECONDS} seconds')
     ON CONFLICT (key) DO UPDATE SET count = CASE WHEN f.until > :now THEN f.count + 1 ELSE 1 END,
       until = CASE WHEN f.until > :now THEN f.until ELSE excluded.until END
     WHERE f.until <= :now OR f.count < $2
     RETURNING 1`,
    [key, most],
  )
  return rows.length > 0
}
export interface Guess {
  key: string
  /** Counts against the address too, where the account has never come from. */
  address: string | null
}
/** Undefined when this address has to wait. */
export async function takeGuess(
  tx: Tx,
  ip: string,
  userName: string,
  isKnownHere: boolean,
): Promise<Guess | undefined> {
  const guess = { key: failureKey(ip, userName), address: isKnownHere ? null : addressKey(ip) }
  if (guess.address && !(await take(tx, guess.address, AT_ALL))) return undefined
  return (await take(tx, guess.key, AT_ONE)) ? guess : undefined
}
/** It was right, or right so far: what was counted for it counts no more. */
export async function giveBack(tx: Tx, guess: Guess): Promise<void> {
  await tx.query(
    'failures.back',
    'UPDATE login_failures SET count = greatest(count - 1, 0) WHERE key = ANY ($1)',
    [[guess.key, guess.address].filter((key) => key !== null)],
  )
}
/** Signed in: earlier guesses of this address at this account are forgotten. */
export async function clearFailures(tx: Tx, guess: Guess): Promise<void> {
  if (guess.address) await giveBack(tx, guess)
  tx.send('failures.clear', 'DELETE FROM login_failures WHERE key = $1', [guess.key])
}

/** The account has been signed in to from this address before. */
export const comesFrom = async (tx: Tx, user: { tenant: string; id: string }, ip: string): Promise<boolean> =>
  (
    await tx.query(
      'failures.known',
      'SELECT 1 FROM sessions WHERE tenant_id = $1 AND user_id = $2 AND ip = $3 LIMIT 1',
      [user.tenant, user.id, ip],
    )
  ).rows.length > 0
