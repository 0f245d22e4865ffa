import { contractState } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { compare, minus } from '@zhuguan/contract/kit/money.ts'
import { pageLabel } from '@zhuguan/contract/permissions.ts'

import type { Tx } from '../../database/connect.ts'
import { reachOf } from '../../kit/reach.ts'
import { json, row, text } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { foreseen, type LivingSite, type SiteLife } from '../../kit/site-life.ts'
import { TODAY } from '../../kit/statement.ts'
import { passBill } from './bill-turns.ts'
import { tellContract } from './contracts.service.ts'

const { live, ending, finishing } = contractState.code
/** The open contract of a site, by its number. */
async function liveOf(tx: Tx, call: Call, site: LivingSite): Promise<string | undefined> {
  const { rows } = await tx.query(
    'contracts.livesite',
    row({ code: text }),
    `SELECT c.code FROM contracts c
     WHERE c.tenant_id = $1 AND c.site_id = $2 AND c.state IN ('${live}', '${finishing}', '${ending}')`,
    [call.user.tenant, site.id],
  )
  return rows[0]?.code
}

type ToSettle = { id: string; code: string; total: string; paid: string } | null
/** The live contract of a site, whoever finishes that. */
async function toSettle(tx: Tx, call: Call, site: LivingSite): Promise<ToSettle> {
  const { rows } = await tx.query(
    'contracts.tosettle',
    row({ found: json<ToSettle>().null }),
    'SELECT contract_to_settle($1, $2) AS found',
    [call.user.tenant, site.id],
  )
  return rows[0]!.found
}
/** Its home is finished: from now on it is billed, signed and settled. */
async function finish(tx: Tx, call: Call, site: LivingSite): Promise<void> {
  const c = await toSettle(tx, call, site)
  if (!c) return
  const { tenant } = call.user
  await tx.run('contracts.finish', `SELECT finish_contract($1, $2, ${TODAY})`, [tenant, site.id])
  await call.log(tx, {
    action: '进入竣工结算',
    object: 'contract',
    objectId: c.id,
    before: { state: live },
    after: { code: c.code, state: finishing },
  })
  const of = { id: c.id, code: c.code, bc_id: site.bc_id, site_id: site.id }
  await passBill(tx, call, of, 'begin', `${site.ws_name} 已完工，合同 ${c.code} 请办理竣工结算`)
  tellContract(tx, call, of, `合同 ${c.code} 进入竣工结算`)
}

/**
 * A site does not change its branch while a contract of it is open: customer, quotation, receipts and whoever judges
 * them are the branch's that sold it. What is void or over stays with them.
 */
export const contractsLife: SiteLife = {
  moving: {
    async foresee(tx, call, site, to) {
      const code = await liveOf(tx, call, site)
      const why = `工地有合同 ${code}，客户、报价单和收款都在原分公司，不能转到${to.bc_name}`
      return foreseen([], [code !== undefined && why])
    },
    move: async () => {},
  },
  /** Terminated with its contract, or void, nothing is left to be settled here. */
  ending: {
    async foresee(tx, call, site) {
      const c = await toSettle(tx, call, site)
      if (!c) return foreseen([])
      const readers = reachOf(call.user, pageLabel('ContractList'))
      const left = minus(c.total, c.paid)
      const money =
        compare(left, '0') < 0
          ? `应退客户 ${grouped(minus('0', left))} 元`
          : `客户还有 ${grouped(left)} 元没付`
      return foreseen([
        `合同 ${c.code} 进入竣工结算${readers ? `：合同额 ${grouped(c.total)} 元，${money}` : ''}`,
      ])
    },
    end: finish,
  },
}
