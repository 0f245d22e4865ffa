import type { Tx } from '../connect.ts'

/** Rows by column names, one statement; `more` is what follows the rows (ON CONFLICT …). */
export async function insert(
  tx: Tx,
  table: string,
  rows: readonly Record<string, unknown>[],
  more = '',
): Promise<number> {
  if (rows.length === 0) return 0
  const columns = Object.keys(rows[0]!)
  const { rowCount } = await tx.run(
    `seed.${table}`,
    `INSERT INTO ${table} (${columns.join(', ')})
     SELECT ${columns.join(', ')} FROM json_populate_recordset(NULL::${table}, $1::json) ${more}`,
    [JSON.stringify(rows)],
  )
  return rowCount ?? 0
}
