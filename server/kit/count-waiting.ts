import { int4, row } from './row.ts'
import type { Tx } from './tx.ts'

/**
 * The number of rows that wait at a place: `from` with its conditions names the tenant $1 and the branch or
 * receiver $2.
 */
export const countWaiting =
  (name: string, from: string) =>
  async (tx: Tx, tenant: string, place: string): Promise<number> => {
    const { rows } = await tx.query(name, row({ n: int4 }), `SELECT count(*)::int AS n FROM ${from}`, [
      tenant,
      place,
    ])
    return rows[0]!.n
  }
