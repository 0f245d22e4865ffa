import { row, timestamptz } from '../kit/row.ts'
import type { Database, Scope } from './connect.ts'

/** The database's own time: only to compare a server's clock with. */
export async function databaseNow(db: Database, scope: Scope): Promise<Date> {
  const { rows } = await db.tx(
    scope,
    (tx) => tx.query('clock.own', row({ at: timestamptz }), 'SELECT clock_timestamp() AS at', []),
    { readOnly: true },
  )
  return rows[0]!.at
}
