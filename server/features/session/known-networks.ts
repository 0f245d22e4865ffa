import type { Database } from '../../database/connect.ts'
import { networkOf } from '../../kit/network.ts'
import { row, text } from '../../kit/row.ts'
import { shared } from '../../kit/shared.ts'
import { SYSTEM } from './access.reads.ts'

/** Asked of the database so often at most, however many sign in. */
const FRESH_MS = 30_000

/** Whether somebody has signed in from an address, or one beside it, before: of whatever group and account. */
export function knownNetworks(db: Database): (ip: string) => Promise<boolean> {
  const all = shared(FRESH_MS, async () => {
    const { rows } = await db.tx(
      SYSTEM,
      (tx) => tx.last('signin.networks', row({ ip: text }), 'SELECT DISTINCT ip FROM sessions', []),
      { readOnly: true },
    )
    return new Set(rows.map((r) => networkOf(r.ip)))
  })
  // A database that is away knows nobody; the sign-in itself says so.
  return (ip) =>
    all().then(
      (known) => known.has(networkOf(ip)),
      () => false,
    )
}
