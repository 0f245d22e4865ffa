import type { Tx } from '../../database/connect.ts'
import { Refused } from '../../kit/refuse.ts'
import { int8, row, text } from '../../kit/row.ts'
import { seal, unseal } from '../../kit/secret.ts'
import { BATCH, COLUMNS, link, logRow, signHead, type Verdict } from './userlogs.service.ts'

/** A place in a chain up to which it holds: its line, and the hash there. */
interface Place {
  seq: number
  hash: string
}
export const BEGINNING: Place = { seq: 0, hash: '' }
export interface Walked extends Verdict {
  /** Where to go on; nothing where the walk is over. */
  on: Place | null
  /** How many lines are sealed. */
  of: number
}
/** Looks at a few lines, each time in a transaction of its own: a long walk holds nothing up and keeps no snapshot. */
export type Look = <T>(look: (tx: Tx) => Promise<T>) => Promise<T>

/** A place that only we can have told: whoever gives it back walked the chain up to there. */
export const sealPlace = (secret: Buffer, tenant: string, { seq, hash }: Place): string =>
  seal(secret, JSON.stringify(['log', tenant, seq, hash]))
export function readPlace(secret: Buffer, tenant: string, text: string): Place {
  const strange = new Refused('这次校验不能接着做，请从头开始', 400)
  let read: unknown
  try {
    read = JSON.parse(unseal(secret, text))
  } catch {
    throw strange
  }
  const [kind, whose, seq, hash] = read as [string, string, number, string]
  if (kind !== 'log' || whose !== tenant) throw strange
  return { seq, hash }
}

const headRow = row({ seq: int8, hash: text, signature: text })
/** Some lines behind a place, and the signed heads among them; `last` is the chain's newest head. */
async function piece(tx: Tx, tenant: string, { seq }: Place) {
  const { rows: lines } = await tx.query(
    'log.walk',
    logRow,
    `SELECT ${COLUMNS} FROM user_logs WHERE tenant_id = $1 AND seq > $2 ORDER BY seq LIMIT ${BATCH}`,
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
    row({ seq: int8 }),
    'SELECT seq FROM log_heads WHERE tenant_id = $1 ORDER BY seq DESC LIMIT 1',
    [tenant],
  )
  return { lines, heads: new Map(heads.map((h) => [h.seq, h])), last: newest[0]?.seq ?? 0 }
}

/** Walks a tenant's chain from a place on, so many lines at most: every hash, every gap, every signed head. */
export async function walkLog(
  look: Look,
  tenant: string,
  secret: Buffer,
  from: Place,
  most = Infinity,
): Promise<Walked> {
  let { seq, hash } = from
  for (;;) {
    const { heads, last, lines } = await look((tx) => piece(tx, tenant, { seq, hash }))
    const broken = (why: string): Walked => ({ ok: false, checked: seq, why, on: null, of: last })
    if (lines.length === 0)
      return seq < last ? broken('末尾的记录被删除') : { ok: true, checked: seq, why: '', on: null, of: last }
    for (const r of lines) {
      if (r.seq !== seq + 1) return broken(`第 ${seq + 1} 行缺失`)
      const next = link(hash, r, r.seq)
      seq = r.seq
      hash = next
      if (r.hash !== hash) return broken(`第 ${seq} 行被改动`)
      const head = heads.get(seq)
      if (head && (head.hash !== hash || head.signature !== signHead(secret, tenant, seq, hash)))
        return broken(`第 ${seq} 行的签名不符`)
    }
    if (seq - from.seq >= most) return { ok: true, checked: seq, why: '', on: { seq, hash }, of: last }
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
    const { checked, of, ok, on, why } = await walkLog(look, tenant, secret, from, LINES_TOLD)
    if (!on) return { ok, checked, why }
    told(checked, of)
    from = on
  }
}
