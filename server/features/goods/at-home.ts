import { contractState } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { finding, goodsOutcome } from '@zhuguan/contract/features/goods/goods.record.ts'
import { type HomeCommand, homeRefusal } from '@zhuguan/contract/features/sites/homes.record.ts'

import type { Tx } from '../../database/connect.ts'
import { found, refuse } from '../../kit/refuse.ts'
import { bool, row, text } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { homeOf } from '../sites/sites.reads.ts'

/** The claim of somebody who finds fault with goods; nothing of what is fine, or goes back beyond the order. */
function commandOf(of: { result: number | null; outcome: string }): HomeCommand | undefined {
  if (of.result === finding.code.short) return 'short'
  if (of.result === finding.code.exchange) return 'exchange'
  if (of.result !== finding.code.return) return undefined
  return of.outcome === goodsOutcome.code.again ? 'again' : 'back'
}
/** What goes back is reduced from a contract that can still be changed, and from no other. */
async function refuseReduction(tx: Tx, call: Pick<Call, 'user'>, order: string): Promise<void> {
  const { finishing, live } = contractState.code
  const { rows } = await tx.query(
    'goods.contractof',
    row({ state: text.of(contractState), signed: bool }),
    `SELECT c.state, c.bill_signed_on IS NOT NULL AS signed
     FROM orders o
     JOIN contracts c ON c.tenant_id = $1 AND c.id = o.contract_id
     WHERE o.tenant_id = $1 AND o.id = $2`,
    [call.user.tenant, order],
  )
  const c = found(rows[0])
  if (c.state === live || (c.state === finishing && !c.signed)) return
  const stands = c.state === finishing ? '竣工结算单已经签字' : `合同${contractState.label(c.state)}`
  refuse(`${stands}，不能再走减项；不要的请选“公司承担”`)
}
/**
 * Refuses what could be begun at this home but never be carried out. `begun`: it was asked for while it could be, and
 * is only approved now.
 */
export async function refuseAtHome(
  tx: Tx,
  call: Pick<Call, 'now' | 'user'>,
  { order, site }: { order: string; site: string },
  asked: readonly { result: number | null; outcome: string }[],
  { begun = false }: { begun?: boolean } = {},
): Promise<void> {
  if (asked.some((of) => of.outcome === goodsOutcome.code.reduce)) await refuseReduction(tx, call, order)
  const commands = [...new Set(asked.flatMap((of) => commandOf(of) ?? []))]
  if (commands.length === 0) return
  const home = await homeOf(tx, call.user.tenant, site)
  for (const command of commands) refuse(homeRefusal(command, home, shanghaiDay(call.now()), { begun }))
}
