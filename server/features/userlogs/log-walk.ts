import { GONE } from '@zhuguan/contract/kit/logged.ts'

import type { Tx } from '../../database/connect.ts'
import { Refused } from '../../kit/refuse.ts'
import { int8, outer, row, type RowOf, text, timestamptz } from '../../kit/row.ts'
import { seal, unseal } from '../../kit/secret.ts'
import { besideFault } from './personal.ts'
import {
  BATCH,
  COLUMNS,
  link,
  logRow,
  signBlackening,
  signHead,
  standsOf,
  type Verdict,
} from './userlogs.service.ts'

/** A place in a chain up to which it holds: its line, the hash there, and how many lines before it are blackened. */
interface Place {
  seq: number
  hash: string
  blackened: number
}
export const BEGINNING: Place = { seq: 0, hash: '', blackened: 0 }
export interface Walked extends Verdict {
  /** The line to go on from; nothing where the walk is over. */
  on: Place | null
  /** Number of lines that are sealed. */
  of: number
}
/** Looks at a few lines, each time in a transaction of its own: a long walk holds nothing up and keeps no snapshot. */
export type Look = <T>(look: (tx: Tx) => Promise<T>) => Promise<T>

/** A place that only we can have told: whoever gives it back walked the chain up to there. */
export const sealPlace = (secret: Buffer, tenant: string, { seq, hash, blackened }: Place): string =>
  seal(secret, JSON.stringify(['log', tenant, seq, hash, blackened]))
export function readPlace(secret: Buffer, tenant: string, text: string): Place {
  const strange = new Refused('这次校验不能接着做，请从头开始', 400)
  let read: unknown
  try {
    read = JSON.parse(unseal(secret, text))
  } catch {
    throw strange
  }
  const [kind, whose, seq, hash, blackened] = read as [string, string, number, string, number]
  if (kind !== 'log' || whose !== tenant) throw strange
  return { seq, hash, blackened }
}

/** A sealed line with its entry, where something was taken out of it: one statement reads both, of one moment. */
export const sealedRow = {
  ...logRow,
  ...outer(row({ previous: text, was: text, stands: text, signature: text, taken_at: timestamptz })),
}
export type SealedLine = RowOf<typeof sealedRow>
export const SEALED_COLUMNS = `${COLUMNS}, b.previous, b.was, b.stands, b.signature, b.at AS taken_at`
export const SEALED_LINES = `user_logs l
     LEFT JOIN log_blackened b ON b.tenant_id = $1 AND b.seq = l.seq`

/** The fault of the line with this number behind the one with the hash `previous`; nothing where it holds. */
export function faultOf(r: SealedLine, seq: number, previous: string, secret: Buffer): string {
  const { signature, stands, taken_at: at, was } = r
  if (was !== null && stands !== null && at !== null) {
    // Signed of another line, or behind another, it is none.
    const signed = signBlackening(secret, r.tenant_id, { seq, previous, was, stands, at })
    if (signature !== signed || was !== r.hash || r.previous !== previous)
      return `第 ${seq} 行的涂黑记录不是系统签名的`
    return stands === standsOf(r) ? '' : `第 ${seq} 行涂黑之后又被改动`
  }
  if (r.hash !== link(previous, r, seq))
    return JSON.stringify([r.user_name, r.object_id, r.before, r.after]).includes(GONE)
      ? `第 ${seq} 行被改动：像是涂黑，但没有签名的涂黑记录`
      : `第 ${seq} 行被改动`
  const fault = besideFault([r.before, r.after], r.beside)
  if (fault === 'strange') return `第 ${seq} 行的个人信息和它的指纹不符`
  return fault && `第 ${seq} 行的个人信息被删去，没有签名的涂黑记录`
}

const headRow = row({ seq: int8, hash: text, signature: text })
/** Some lines behind a place, and the signed heads among them; `last` is the chain's newest head. */
async function piece(tx: Tx, tenant: string, { seq }: Place) {
  const { rows: lines } = await tx.query(
    'log.walk',
    sealedRow,
    `SELECT ${SEALED_COLUMNS}
     FROM ${SEALED_LINES}
     WHERE l.tenant_id = $1 AND l.seq > $2
     ORDER BY l.seq
     LIMIT ${BATCH}`,
    [tenant, seq],
  )
  const { rows: heads } = await tx.query(
    'log.heads',
    headRow,
    `SELECT seq, hash, signature FROM log_heads WHERE tenant_id = $1 AND seq > $2 AND seq <= $3`,
    [tenant, seq, lines.at(-1)?.seq ?? seq],
  )
  const { rows: newest } = await tx.query(
    'log.newest',
    row({ last: int8, entry: int8 }),
    `SELECT coalesce((SELECT max(h.seq) FROM log_heads h WHERE h.tenant_id = $1), 0) AS last,
       coalesce((SELECT max(b.seq) FROM log_blackened b WHERE b.tenant_id = $1), 0) AS entry`,
    [tenant],
  )
  return { lines, heads: new Map(heads.map((h) => [h.seq, h])), ...newest[0]! }
}

/** Walks a tenant's chain from a place on, so many lines at most: every hash, every gap, every signed head. */
export async function walkLog(
  look: Look,
  tenant: string,
  secret: Buffer,
  from: Place,
  most = Infinity,
): Promise<Walked> {
  let { seq, hash, blackened } = from
  for (;;) {
    const { entry, heads, last, lines } = await look((tx) => piece(tx, tenant, { seq, hash, blackened }))
    const told = (ok: boolean, why = '', on: Place | null = null): Walked => ({
      ok,
      checked: seq,
      blackened,
      why,
      on,
      of: last,
    })
    if (lines.length === 0) {
      if (seq < last) return told(false, '末尾的记录被删除')
      return entry > seq ? told(false, `涂黑记录写着第 ${entry} 行，没有这一行`) : told(true)
    }
    for (const r of lines) {
      if (r.seq !== seq + 1) return told(false, `第 ${seq + 1} 行缺失`)
      seq = r.seq
      const fault = faultOf(r, seq, hash, secret)
      if (fault) return told(false, fault)
      hash = r.hash!
      if (r.was !== null) blackened += 1
      const head = heads.get(seq)
      if (head && (head.hash !== hash || head.signature !== signHead(secret, tenant, seq, hash)))
        return told(false, `第 ${seq} 行的签名不符`)
    }
    if (seq - from.seq >= most) return told(true, '', { seq, hash, blackened })
  }
}
/** A command says how far it is each time that it has walked so many. */
const LINES_TOLD = 100_000
/** The whole chain at once, for a command: `told` hears how far it is. */
export async function verifyLog(
  look: Look,
  tenant: string,
  secret: Buffer,
  told: (checked: number, of: number) => void = () => {},
): Promise<Verdict> {
  for (let from = BEGINNING; ;) {
    const { blackened, checked, of, ok, on, why } = await walkLog(look, tenant, secret, from, LINES_TOLD)
    if (!on) return { ok, checked, blackened, why }
    told(checked, of)
    from = on
  }
}
