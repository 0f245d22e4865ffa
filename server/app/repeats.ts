import { createHash } from 'node:crypto'

import { type Endpoint, nothing } from '@zhuguan/contract/kit/api.ts'
import type { FastifyRequest } from 'fastify'

import type { Database, Reader, Tx } from '../database/connect.ts'
import { Refused } from '../kit/refuse.ts'
import { bytea, row, text } from '../kit/row.ts'
import { seal, unseal } from '../kit/secret.ts'
import type { SessionUser } from '../kit/serve.ts'

const KEY = /^[\w-]{8,128}$/
const HEADER = 'idempotency-key'
const sha256 = (bytes: string | Buffer): Buffer => createHash('sha256').update(bytes).digest()
const hashOf = ({ method, url, body }: FastifyRequest): Buffer =>
  sha256(
    `${method} ${url} ${Buffer.isBuffer(body) ? sha256(body).toString('hex') : JSON.stringify(body ?? null)}`,
  )

/** The same request came before and is done: what it was answered with. */
export class Repeated extends Error {
  readonly data: unknown
  constructor(data: unknown) {
    super('repeated')
    this.data = data
  }
}

/** What a request has written: it may do so in several reaches, one transaction after the other. */
interface Writing {
  claimed: boolean
  transactions: number
  /** What its first transaction brought, as it is kept. */
  kept: unknown
}
const writings = new WeakMap<FastifyRequest, Writing>()

type Write = <T>(fn: (tx: Tx) => Promise<T>) => Promise<T>

/**
 * How a request writes. With an Idempotency-Key its first transaction claims the key and keeps its own answer; whoever
 * comes again, at once or after a lost answer, waits for the first and gets what it got (docs/decisions/0142).
 */
export function writeOnce(
  db: Database,
  user: SessionUser,
  request: FastifyRequest,
  reader: Reader | undefined,
): Write {
  const plain: Write = (fn) => db.tx(user.scope, fn, { reader })
  const header = request.headers[HEADER]
  if (header === undefined) return plain
  const key = String(header)
  if (!KEY.test(key)) throw new Refused('Idempotency-Key 应为 8-128 位字母、数字、下划线或连字符', 400)
  const identity = [user.tenant, user.id, sha256(key)]
  const asked = hashOf(request)

  async function claim(tx: Tx): Promise<void> {
    const { rowCount } = await tx.run(
      'repeats.claim',
      `INSERT INTO idempotency (tenant_id, user_id, key_hash, request_hash, at)
       VALUES ($1, $2, $3, $4, :now)
       ON CONFLICT DO NOTHING`,
      [...identity, asked],
    )
    if (rowCount) return
    const { rows } = await tx.query(
      'repeats.first',
      row({ request_hash: bytea, answer: text.null }),
      'SELECT request_hash, answer FROM idempotency WHERE tenant_id = $1 AND user_id = $2 AND key_hash = $3',
      identity,
    )
    const first = rows[0]
    if (!first?.request_hash.equals(asked)) throw new Refused('这个 Idempotency-Key 已经用于另一个请求', 409)
    throw new Repeated(first.answer === null ? null : JSON.parse(unseal(sealingOf(key), first.answer)))
  }

  const writing: Writing = writings.get(request) ?? { claimed: false, transactions: 0, kept: null }
  writings.set(request, writing)
  return async (fn) => {
    writing.transactions += 1
    if (writing.claimed) return plain(fn)
    writing.claimed = true
    try {
      return await plain(async (tx) => {
        await claim(tx)
        const answer = await fn(tx)
        if (answer !== null && answer !== undefined) keep(tx, user, key, answer)
        writing.kept = answer
        return answer
      })
    } catch (error) {
      // Its claim went with it; the next transaction of the request is the first one then.
      writing.claimed = false
      throw error
    }
  }
}

const sealingOf = (key: string): Buffer => sha256(`answer:${key}`)
const keep = (tx: Tx, user: SessionUser, key: string, answer: unknown): void =>
  tx.send(
    'repeats.keep',
    'UPDATE idempotency SET answer = $4 WHERE tenant_id = $1 AND user_id = $2 AND key_hash = $3',
    [user.tenant, user.id, sha256(key), seal(sealingOf(key), JSON.stringify(answer))],
  )

/**
 * Whoever sends a request again is answered as it was: what its handler made of its transactions is kept where that is
 * something else than the first of them brought. A server that dies in between has kept that, or nothing.
 */
export async function keepWhole(
  db: Database,
  user: SessionUser | undefined,
  request: FastifyRequest,
  answer: unknown,
): Promise<void> {
  const writing = writings.get(request)
  if (!user || !writing?.claimed || answer === null || answer === undefined) return
  if (writing.transactions < 2 && answer === writing.kept) return
  await db.tx(user.scope, async (tx) => keep(tx, user, String(request.headers[HEADER]), answer))
}

/** What a request that is done was answered, as its call says it; the words of a server that died are none of those. */
export function answeredBefore({ data: schema }: Pick<Endpoint, 'data'>, kept: unknown): unknown {
  if (schema === nothing) return null
  if (schema.safeParse(kept ?? null).success) return kept
  throw new Refused('这个请求已经办好了，请刷新看结果', 409)
}
