import type { Tx } from '../../database/connect.ts'
import { int4, row, text } from '../../kit/row.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'

/** Kinds of documents that are counted without gaps, and how their numbers begin. */
const PREFIX = {
  product: 'SP',
  quotation: 'BJ',
  contract: 'HT',
  change: 'BG',
  receipt: 'SK',
  refund: 'TK',
  order: 'DD',
  batch: 'PC',
  dispatch: 'FH',
  logistics: 'WL',
  sheet: 'YS',
  goods: 'TH',
  trip: 'CC',
  statement: 'DZ',
  payment: 'FK',
  charge: 'SG',
  feedback: 'FK',
  person: 'GX',
} as const
export type NumberedKind = keyof typeof PREFIX
const DIGITS = 5

/**
 * The next numbers of a kind in a branch (or the group) and year, for documents of this transaction: others of the same
 * kind wait until it ends, so that none is left out and none given twice.
 * @param of the branch's or tenant's id, with what stands for it in the number
 */
export async function nextNumbers(
  tx: Tx,
  {
    tenant,
    kind,
    of,
    count = 1,
  }: {
    tenant: string
    kind: NumberedKind
    of: { id: string; code: string }
    count?: number
  },
): Promise<string[]> {
  const year = shanghaiDay(tx.now).slice(0, 4)
  const last = await counted(tx, { tenant, kind, of: of.id, year, count })
  return Array.from(
    { length: count },
    (_, i) => `${PREFIX[kind]}${of.code}${year}${String(last - count + 1 + i).padStart(DIGITS, '0')}`,
  )
}

/** The last of so many more of a kind in a year. */
async function counted(
  tx: Tx,
  c: { tenant: string; kind: NumberedKind; of: string; year: string; count: number },
): Promise<number> {
  const { rows } = await tx.query(
    'numbers.next',
    row({ last: int4 }),
    `INSERT INTO document_numbers AS n (tenant_id, kind, of_id, year, last)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (tenant_id, kind, of_id, year) DO UPDATE
     SET last = n.last + $5
     RETURNING n.last`,
    [c.tenant, c.kind, c.of, Number(c.year), c.count],
  )
  return rows[0]!.last
}

/**
 * The next number of a kind in the group, with the day on which it was given: FK261124-00012.
 * @param at a day of the past, for the demo's history: a year counts by itself, so day and count are of one year
 */
export async function nextNumberToday(
  tx: Tx,
  tenant: string,
  kind: NumberedKind,
  at: Date = tx.now,
): Promise<string> {
  const day = shanghaiDay(at)
  const last = await counted(tx, { tenant, kind, of: tenant, year: day.slice(0, 4), count: 1 })
  return `${PREFIX[kind]}${day.slice(2).replaceAll('-', '')}-${String(last).padStart(DIGITS, '0')}`
}

/** The next number of a kind in a branch. */
export async function nextNumberIn(
  tx: Tx,
  { tenant, kind, bc }: { tenant: string; kind: NumberedKind; bc: string },
): Promise<string> {
  const { rows } = await tx.query(
    'numbers.branch',
    row({ code: text }),
    'SELECT b.code FROM companies b WHERE b.tenant_id = $1 AND b.bc_id = $2',
    [tenant, bc],
  )
  const [number] = await nextNumbers(tx, { tenant, kind, of: { id: bc, code: rows[0]!.code } })
  return number!
}
