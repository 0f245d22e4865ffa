import { finding, goodsOutcome } from '@zhuguan/contract/features/goods/goods.record.ts'
import { type HomeCommand, homeRefusal } from '@zhuguan/contract/features/sites/homes.record.ts'

import type { Tx } from '../../database/connect.ts'
import { refuse } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { homeOf } from '../sites/sites.reads.ts'

/** What somebody asks for who finds fault with goods; nothing of what is fine, or goes back beyond the order. */
function commandOf(of: { result: number | null; outcome: string }): HomeCommand | undefined {
  if (of.result === finding.code.short) return 'short'
  if (of.result === finding.code.exchange) return 'exchange'
  if (of.result !== finding.code.return) return undefined
  return of.outcome === goodsOutcome.code.again ? 'again' : 'back'
}
/**
 * Refuses what could be begun at this home but never be carried out. `begun`: it was asked for while it could be, and
 * is only approved now.
 */
export async function refuseAtHome(
  tx: Tx,
  call: Pick<Call, 'now' | 'user'>,
  site: string,
  asked: readonly { result: number | null; outcome: string }[],
  { begun = false }: { begun?: boolean } = {},
): Promise<void> {
  const commands = [...new Set(asked.flatMap((of) => commandOf(of) ?? []))]
  if (commands.length === 0) return
  const home = await homeOf(tx, call.user.tenant, site)
  for (const command of commands) refuse(homeRefusal(command, home, shanghaiDay(call.now()), { begun }))
}
