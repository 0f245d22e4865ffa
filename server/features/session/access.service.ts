import type { Tx } from '../../database/connect.ts'

/** What somebody may do has changed: this server forgets with the commit, the others when they hear of it. */
export function tellAccess(tx: Tx, forgetAccess: () => void): void {
  tx.send('access.tell', `SELECT pg_notify('access', '')`, [])
  tx.afterCommit(forgetAccess)
}
