import { contractState } from '@zhuguan/contract/features/contracts/contracts.record.ts'

import type { Tx } from '../../database/connect.ts'
import { row, text } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { foreseen, type LivingSite, type SiteLife } from '../../kit/site-life.ts'

const { live, ending } = contractState.code
/** The open contract of a site, by its number. */
async function liveOf(tx: Tx, call: Call, site: LivingSite): Promise<string | undefined> {
  const { rows } = await tx.query(
    'contracts.livesite',
    row({ code: text }),
    `SELECT c.code FROM contracts c
     WHERE c.tenant_id = $1 AND c.site_id = $2 AND c.state IN ('${live}', '${ending}')`,
    [call.user.tenant, site.id],
  )
  return rows[0]?.code
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
}
