import type { Tx } from '../../database/connect.ts'
import { bytea, float8, int4, row, type RowOf, text, timestamptz } from '../../kit/row.ts'
import { epoch } from '../../kit/statement.ts'

const shown = row({ code: text, expiresAt: float8 })
/** The code that a browser shows, while it is good. */
export async function codeOf(tx: Tx, hash: Buffer): Promise<RowOf<typeof shown> | undefined> {
  const { rows } = await tx.query(
    'screens.code',
    shown,
    `SELECT k.code, ${epoch('k.expires_at')} AS "expiresAt" FROM screen_codes k
     WHERE k.hash = $1 AND k.expires_at > :now`,
    [hash],
  )
  return rows[0]
}
/** A new code for a browser. @returns whether nobody else shows the same */
export async function showCode(
  tx: Tx,
  c: { hash: Buffer; code: string; width: number; height: number; agent: string; ip: string; until: Date },
): Promise<boolean> {
  await tx.run('screens.lapsed', 'DELETE FROM screen_codes k WHERE k.code = $1 AND k.expires_at <= :now', [
    c.code,
  ])
  const { rowCount } = await tx.run(
    'screens.showcode',
    `INSERT INTO screen_codes (hash, code, width, height, agent, ip, expires_at)
     SELECT $1, $2, $3, $4, $5, $6, $7
     WHERE NOT EXISTS (SELECT FROM screen_codes o WHERE o.code = $2)
     ON CONFLICT (hash) DO UPDATE SET code = excluded.code, width = excluded.width, height = excluded.height,
       agent = excluded.agent, ip = excluded.ip, expires_at = excluded.expires_at`,
    [c.hash, c.code, c.width, c.height, c.agent.slice(0, 300), c.ip, c.until],
  )
  return rowCount === 1
}

const asking = row({
  hash: bytea,
  width: int4,
  height: int4,
  agent: text,
  ip: text,
  expires_at: timestamptz,
})
export type Asking = RowOf<typeof asking>
const ASKING = 'k.hash, k.width, k.height, k.agent, k.ip, k.expires_at'
/** The person who shows this code. */
export async function askingBy(tx: Tx, code: string): Promise<Asking | undefined> {
  const { rows } = await tx.query(
    'screens.asking',
    asking,
    `SELECT ${ASKING} FROM screen_codes k WHERE k.code = $1 AND k.expires_at > :now`,
    [code],
  )
  return rows[0]
}
/** The same, once: of two who type it at the same moment one finds nothing. */
export async function takeCode(tx: Tx, code: string): Promise<Asking | undefined> {
  const { rows } = await tx.query(
    'screens.takecode',
    asking,
    `DELETE FROM screen_codes k WHERE k.code = $1 AND k.expires_at > :now RETURNING ${ASKING}`,
    [code],
  )
  return rows[0]
}
