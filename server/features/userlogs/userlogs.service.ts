import { createHash, createHmac } from 'node:crypto'

import type { userlogsApi as Api } from '@zhuguan/contract/features/userlogs/userlogs.api.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { LOCKS } from '../../database/locks.ts'
import { uuidv7 } from '../../kit/ids.ts'
import { jsonWithoutPhones } from '../../kit/masked.ts'
import { overtaken, type Refused } from '../../kit/refuse.ts'
import { int8, jsonb, row, text, timestamptz, type RowOf, uuid } from '../../kit/row.ts'
import { apart, type Beside } from './personal.ts'

export interface Who {
  tenant: string
  userId: string | null
  userName: string
  ip: string
  agent: string
  /** The subsystem it was done in. */
  system?: string
}

/** A line as it is kept; of a refusal, `object` is the address that was asked. */
interface Line {
  action: string
  object: string
  objectId: string
  before?: unknown
  after?: unknown
  outcome?: 'done' | 'refused'
}

/** What lists mask no line holds. */
const masked = (value: unknown): unknown =>
  value === undefined || value === null ? value : JSON.parse(jsonWithoutPhones(value))
const jsonOf = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value))

/**
 * Adds one line to the user log, inside the transaction of the thing it tells of. What its kind of thing declares as
 * personal stands beside it, and the chain holds the digests.
 */
export async function writeLog(tx: Tx, who: Who, line: Line): Promise<void> {
  const { beside, told } = apart(line.object, [masked(line.before), masked(line.after)])
  tx.send(
    'log.write',
    `INSERT INTO user_logs (tenant_id, id, user_id, user_name, ip, agent, action, object, object_id, outcome,
         before, after, beside, system, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, :now)`,
    [
      who.tenant,
      uuidv7(),
      who.userId,
      who.userName,
      who.ip,
      who.agent.slice(0, 200),
      line.action,
      line.object,
      line.objectId,
      line.outcome ?? 'done',
      jsonOf(told[0]),
      jsonOf(told[1]),
      jsonOf(beside ?? undefined),
      who.system ?? '',
    ],
  )
}

/** Refuses whoever has seen an older version: it says who last changed the thing, and when. */
export async function fasterOne(
  tx: Tx,
  tenant: string,
  object: string,
  id: string,
  what: string,
): Promise<Refused> {
  const { rows } = await tx.query(
    'log.last',
    row({ name: text, at: timestamptz }),
    `SELECT coalesce(nullif(u.nickname, ''), l.user_name) AS name, l.at
     FROM user_logs l
     LEFT JOIN users u ON u.tenant_id = $1 AND u.id = l.user_id
     WHERE l.tenant_id = $1 AND l.object = $2 AND l.object_id = $3 AND l.outcome = 'done'
     ORDER BY l.at DESC, l.id DESC
     LIMIT 1`,
    [tenant, object, id],
  )
  const last = rows[0]
  return overtaken(what, last && { name: last.name, at: last.at.getTime() / 1000 })
}

export const logRow = row({
  tenant_id: uuid,
  id: uuid,
  at: timestamptz,
  user_id: uuid.null,
  user_name: text,
  ip: text,
  agent: text,
  system: text,
  action: text,
  object: text,
  object_id: text,
  outcome: text,
  before: jsonb<unknown>().null,
  after: jsonb<unknown>().null,
  beside: jsonb<Beside>().null,
  seq: int8.null,
  hash: text.null,
})
export type LogLine = RowOf<typeof logRow>
/** The columns of a line, of `user_logs l`. */
export const COLUMNS = Object.keys(logRow)
  .map((column) => `l.${column}`)
  .join(', ')
export const BATCH = 500

const digest = (facts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(facts)).digest('hex')
const factsOf = (r: LogLine): unknown[] => [
  r.tenant_id,
  r.id,
  r.at.toISOString(),
  r.user_id,
  r.user_name,
  r.ip,
  r.agent,
  r.system,
  r.action,
  r.object,
  r.object_id,
  r.outcome,
  r.before,
  r.after,
]
/** The hash of a line behind the one with the hash `previous`. What stands beside it is in it by its digests only. */
export const link = (previous: string, r: LogLine, seq: number): string =>
  digest([previous, seq, ...factsOf(r)])
/** All that a line holds, what stands beside it too. */
export const standsOf = (r: LogLine): string =>
  digest([...factsOf(r), Object.entries(r.beside ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))])

const sign = (secret: Buffer, text: string): string => createHmac('sha256', secret).update(text).digest('hex')
/** The signature of the head of a tenant's log. */
export const signHead = (secret: Buffer, tenant: string, seq: number, hash: string): string =>
  sign(secret, `${tenant}:${seq}:${hash}`)
/** The signed part of a line out of which something was taken. */
export interface Blackening {
  seq: number
  /** The hash of the line before it, its own, and the digest of what it holds since. */
  previous: string
  was: string
  stands: string
  /** When it was taken out. */
  at: Date
}
/** The signature of the entry of such a line. */
export const signBlackening = (secret: Buffer, tenant: string, b: Blackening): string =>
  sign(secret, ['blackened', tenant, b.seq, b.previous, b.was, b.stands, b.at.toISOString()].join(':'))

/** Seals the lines that are not in the chain yet and signs the new head. Returns how many were sealed. */
export async function sealLog(tx: Tx, tenant: string, secret: Buffer): Promise<number> {
  await tx.run('log.lock', 'SELECT pg_advisory_xact_lock($1::int, hashtext($2))', [LOCKS.log, tenant])
  const head = (
    await tx.query(
      'log.head',
      row({ seq: int8, hash: text }),
      'SELECT seq, hash FROM log_heads WHERE tenant_id = $1 ORDER BY seq DESC LIMIT 1',
      [tenant],
    )
  ).rows[0]
  const { rows } = await tx.query(
    'log.open',
    logRow,
    `SELECT ${COLUMNS} FROM user_logs l WHERE l.tenant_id = $1 AND l.seq IS NULL ORDER BY l.id LIMIT ${BATCH}`,
    [tenant],
  )
  if (rows.length === 0) return 0
  let { seq, hash } = head ?? { seq: 0, hash: '' }
  const sealed = rows.map((r) => {
    seq += 1
    hash = link(hash, r, seq)
    return { id: r.id, seq, hash }
  })
  await tx.run(
    'log.seal',
    `UPDATE user_logs l
     SET seq = s.seq, hash = s.hash
     FROM json_to_recordset($2::json) AS s(id uuid, seq bigint, hash text)
     WHERE l.tenant_id = $1 AND l.id = s.id`,
    [tenant, JSON.stringify(sealed)],
  )
  await tx.run(
    'log.newhead',
    'INSERT INTO log_heads (tenant_id, seq, hash, signature, at) VALUES ($1, $2, $3, $4, :now)',
    [tenant, seq, hash, signHead(secret, tenant, seq, hash)],
  )
  return rows.length
}

export interface Verdict {
  ok: boolean
  checked: number
  /** The number of these out of which something of a person was taken. */
  blackened: number
  /** The place where the chain first breaks, in words; empty when it holds. */
  why: string
}

/** The end of a group's chain, and the last person who walked all of it. */
export async function chainOf(tx: Tx, tenant: string): Promise<DataOf<(typeof Api)['chain']>> {
  const head = (
    await tx.query(
      'userlogs.head',
      row({ seq: int8, hash: text, at: int8 }),
      `SELECT seq, hash, extract(epoch FROM at)::bigint AS at
       FROM log_heads WHERE tenant_id = $1 ORDER BY seq DESC LIMIT 1`,
      [tenant],
    )
  ).rows[0]
  const walked = (
    await tx.query(
      'userlogs.walked',
      row({ at: int8, nickname: text, verdict: jsonb<Omit<Verdict, 'blackened'> & Partial<Verdict>>() }),
      `SELECT extract(epoch FROM l.at)::bigint AS at, coalesce(u.nickname, l.user_name) AS nickname, l.after AS verdict
       FROM user_logs l
       LEFT JOIN users u ON u.tenant_id = $1 AND u.id = l.user_id
       WHERE l.tenant_id = $1 AND l.object = 'log' AND l.after IS NOT NULL
       ORDER BY l.at DESC
       LIMIT 1`,
      [tenant],
    )
  ).rows[0]
  return {
    head: head ?? null,
    // The person who walked it before lines could be blackened counted none.
    verified: walked
      ? {
          ...walked.verdict,
          blackened: walked.verdict.blackened ?? 0,
          at: walked.at,
          nickname: walked.nickname,
        }
      : null,
  }
}
