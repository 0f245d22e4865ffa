import type { Tx } from '../../database/connect.ts'
import { found, unlessSeen } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { tell } from '../live/live.service.ts'
import { unlessForgotten } from '../persons/forgotten.reads.ts'
import { type LockedWorker, lockWorker } from './workers.queries.ts'

/** Loads and locks, and refuses whoever has seen an older version. */
export async function lockSeen(tx: Tx, call: Call, id: string, version: number): Promise<LockedWorker> {
  const worker = found(await lockWorker(tx, call.user.scope, id))
  unlessSeen(worker, version, '位工人')
  unlessForgotten(worker.w_name)
  return worker
}

/** Without the id: those who see single sites hear it too, and may not see the person. */
export const tellBranch = (tx: Tx, call: Call, bc: string): void =>
  tell(tx, call, { topic: 'worker', bc, site: null, id: '' })
