import type { Tx } from '../../database/connect.ts'
import type { Call } from '../../kit/serve.ts'

/** What somebody may do has changed: every server forgets when it hears of it. */
export const announceAccess = (tx: Tx): void => tx.send('access.tell', `SELECT pg_notify('access', '')`, [])

/** The same, and this server forgets with the commit already. */
export function tellAccess(tx: Tx, call: Pick<Call, 'forgetAccess'>): void {
  announceAccess(tx)
  tx.afterCommit(call.forgetAccess)
}
