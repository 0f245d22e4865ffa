import { createHash } from 'node:crypto'

import type { Tx } from '../../database/connect.ts'
import { networkOf, wideNetworkOf } from '../../kit/network.ts'
import { int4, row, text, there } from '../../kit/row.ts'

export const WINDOW_SECONDS = 5 * 60
const HOUR_SECONDS = 3_600
const DAY_SECONDS = 24 * HOUR_SECONDS
/** Guesses of one address at one account, and of one address at accounts that never came from there. */
const AT_ONE = 10
const AT_ALL = 50
/** The bound for all networks of one subscriber together. */
const AT_ALL_OF_WIDE = 100
/**
 * So many guesses at one account from addresses it never came from are an attack by many: each further address then has
 * one guess instead of ten. Nobody is locked out: the owner's own addresses keep their ten, and a new one has its one.
 */
const AT_ACCOUNT = 60
const UNDER_ATTACK = 1

const keyOf = (text: string): string => createHash('sha256').update(text).digest('base64url')
/** One address at one account: whoever guesses waits, the account's owner elsewhere does not (G-19). */
export const failureKey = (ip: string, userName: string): string =>
  keyOf(`${networkOf(ip)}|${userName.toLowerCase()}`)
/** One address at whatever name, and the network around it. */
const addressKey = (ip: string): string => keyOf(`${networkOf(ip)}|*`)
const wideKey = (ip: string): string => keyOf(`wide|${wideNetworkOf(ip)}|*`)
/** Whoever is signed in, about their own secrets: in one session, and in all of them. */
const AT_SESSION = 10
const AT_PERSON = 20
/** Whatever address at one account. */
const accountKey = (userName: string): string => keyOf(`*|${userName.toLowerCase()}`)

/**
 * Counted before it is judged, in one step: of many guesses at once no more are judged than are allowed. A right one is
 * given back.
 */
async function take(tx: Tx, key: string, most: number, seconds = WINDOW_SECONDS): Promise<boolean> {
  const { rows } = await tx.query(
    'failures.take',
    there,
    `INSERT INTO login_failures AS f (key, count, until) VALUES ($1, 1, :now + make_interval(secs => $3))
     ON CONFLICT (key) DO UPDATE SET count = CASE WHEN f.until > :now THEN f.count + 1 ELSE 1 END,
       until = CASE WHEN f.until > :now THEN f.until ELSE excluded.until END
     WHERE f.until <= :now OR f.count < $2
     RETURNING 1`,
    [key, most, seconds],
  )
  return rows.length > 0
}
/** Counts without a limit; answers how many there have been. */
async function count(tx: Tx, key: string): Promise<number> {
  const { rows } = await tx.query(
    'failures.count',
    row({ count: int4 }),
    `INSERT INTO login_failures AS f (key, count, until) VALUES ($1, 1, :now + interval '${WINDOW_SECONDS} seconds')
     ON CONFLICT (key) DO UPDATE SET count = CASE WHEN f.until > :now THEN f.count + 1 ELSE 1 END,
       until = CASE WHEN f.until > :now THEN f.until ELSE excluded.until END
     RETURNING count`,
    [key],
  )
  return rows[0]!.count
}
/** Guesses at the password of a link without an account: of one address at all links, and at the one. */
const AT_LINKS = 20
/**
 * From so many wrong guesses at one link an address that never opened it has these few: whoever guesses from many
 * addresses is slowed, and whoever knows the password still comes in.
 */
const LINK_UNDER_ATTACK = 30
const FEW_AT_LINK = 3
/**
 * All addresses together, in an hour: a password of four digits is not found by many that have a few tries each. Who
 * opened the link before goes on, and counts for themselves alone (docs/decisions/0472).
 */
const AT_LINK_IN_AN_HOUR = 100
export async function takeLinkGuess(
  tx: Tx,
  ip: string,
  link: string,
  /** The device or address that opened the link before; undefined of strangers. */
  known: string | undefined,
): Promise<{ guess?: Guess; isNewSiege?: boolean }> {
  const from = networkOf(ip)
  const [own, address, ofLink, hour] = [
    keyOf(`link|${known ?? from}|${link}`),
    keyOf(`links|${from}`),
    keyOf(`link|${link}`),
    keyOf(`link in an hour|${link}`),
  ]
  if (known) return (await take(tx, own, AT_LINKS)) ? { guess: { key: own, shared: [] } } : {}
  if (!(await take(tx, address, AT_LINKS))) return {}
  const isUnderAttack = (await count(tx, ofLink)) > LINK_UNDER_ATTACK
  if (!(await take(tx, own, isUnderAttack ? FEW_AT_LINK : AT_LINKS))) return {}
  if (await take(tx, hour, AT_LINK_IN_AN_HOUR, HOUR_SECONDS))
    return { guess: { key: own, shared: [address, ofLink, hour] } }
  return { isNewSiege: await take(tx, keyOf(`siege of link|${link}`), 1, DAY_SECONDS) }
}
/** Wrong pickup codes of one delivery note, whoever says them: six digits are soon tried. */
export const AT_CODE = 5
export async function takeCodeGuess(tx: Tx, note: string): Promise<Guess | undefined> {
  const key = keyOf(`code|${note}`)
  return (await take(tx, key, AT_CODE)) ? { key, shared: [] } : undefined
}
export interface Guess {
  key: string
  /** Where the account has never come from: what counts against the address, and against the account from everywhere. */
  shared: readonly string[]
}
/** Undefined when this address has to wait. */
export async function takeGuess(
  tx: Tx,
  ip: string,
  userName: string,
  isKnownHere: boolean,
): Promise<Guess | undefined> {
  const key = failureKey(ip, userName)
  if (isKnownHere) return (await take(tx, key, AT_ONE)) ? { key, shared: [] } : undefined
  const shared = [addressKey(ip), wideKey(ip)]
  if (!(await take(tx, shared[0]!, AT_ALL)) || !(await take(tx, shared[1]!, AT_ALL_OF_WIDE))) return undefined
  const isUnderAttack = (await count(tx, accountKey(userName))) > AT_ACCOUNT
  return (await take(tx, key, isUnderAttack ? UNDER_ATTACK : AT_ONE))
    ? { key, shared: [...shared, accountKey(userName)] }
    : undefined
}
/**
 * What somebody who is signed in, or nearly, says of their own password or second factor is counted for the session and
 * the person: another address is no new beginning.
 */
export async function takeOwnGuess(
  tx: Tx,
  person: string,
  session: Buffer | undefined,
): Promise<Guess | undefined> {
  const [ofPerson, ofSession] = [keyOf(`own|${person}`), keyOf(`own|${person}|${session?.toString('hex')}`)]
  if (session && !(await take(tx, ofSession, AT_SESSION))) return undefined
  if (!(await take(tx, ofPerson, AT_PERSON))) return undefined
  return { key: ofPerson, shared: session ? [ofSession] : [] }
}
/** It was right, or right so far: what was counted for it counts no more. */
export async function giveBack(tx: Tx, guess: Guess): Promise<void> {
  await tx.run(
    'failures.back',
    'UPDATE login_failures SET count = greatest(count - 1, 0) WHERE key = ANY ($1)',
    [[guess.key, ...guess.shared]],
  )
}
/** Signed in: earlier guesses of this address at this account are forgotten. */
export async function clearFailures(tx: Tx, guess: Guess): Promise<void> {
  if (guess.shared.length) await giveBack(tx, guess)
  tx.send('failures.clear', 'DELETE FROM login_failures WHERE key = $1', [guess.key])
}

/** The account has been signed in to from this address, or one beside it, before. */
export async function comesFrom(tx: Tx, user: { tenant: string; id: string }, ip: string): Promise<boolean> {
  const { rows } = await tx.query(
    'failures.known',
    row({ ip: text }),
    'SELECT DISTINCT ip FROM sessions WHERE tenant_id = $1 AND user_id = $2',
    [user.tenant, user.id],
  )
  return rows.some((r) => networkOf(r.ip) === networkOf(ip))
}
