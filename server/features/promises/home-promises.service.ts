import { promiseSource } from '@zhuguan/contract/features/promises/promises.record.ts'

import type { Tx } from '../../database/connect.ts'
import type { Call } from '../../kit/serve.ts'
import { lockOpen } from './promises.queries.ts'
import { lapse } from './promises.service.ts'

/** What was promised to whoever is not of this home any more; what was due already counts as not kept. */
export async function withdrawPromises(tx: Tx, call: Call, site: string, why: string): Promise<number> {
  const open = await lockOpen(tx, call.user.scope, { site })
  for (const promise of open) await lapse(tx, call, promise, { why, bySystem: true })
  return open.length
}

/** How much of what was promised there still waits to be kept. */
export const countPromises = async (tx: Tx, call: Call, site: string): Promise<number> =>
  (await lockOpen(tx, call.user.scope, { site })).length

const { hand, message } = promiseSource.code
/** It was made of what the home said in its thread. */
export const promisedInThread = (tx: Tx, tenant: string, id: string): Promise<unknown> =>
  tx.run(
    'promises.inthread',
    `UPDATE promises SET source = '${message}' WHERE tenant_id = $1 AND id = $2 AND source = '${hand}'`,
    [tenant, id],
  )
