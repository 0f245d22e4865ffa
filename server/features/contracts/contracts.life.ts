import { contractState } from '@zhuguan/contract/features/contracts/contracts.record.ts'

import type { Tx } from '../../database/connect.ts'
import { row, text } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { foreseen, type LivingSite, type SiteLife } from '../../kit/site-life.ts'
import { tellContract } from './contracts.service.ts'

/** The live contract of a site, by its number. */
async function liveOf(tx: Tx, call: Call, site: LivingSite): Promise<string | undefined> {
  const { rows } = await tx.query(
    'contracts.livesite',
    row({ code: text }),
    `SELECT c.code FROM contracts c
     WHERE c.tenant_id = $1 AND c.site_id = $2 AND c.state = '${contractState.code.live}'`,
    [call.user.tenant, site.id],
  )
  return rows[0]?.code
}

/** A contract goes with its site, under the number that it has; the site ends with it. */
export const contractsLife: SiteLife = {
  moving: {
    async foresee(tx, call, site, to) {
      const code = await liveOf(tx, call, site)
      return foreseen([code !== undefined && `合同 ${code} 随工地转到${to.bc_name}，编号不变`])
    },
    async move(tx, call, site, to) {
      const { rows } = await tx.query(
        'contracts.follow',
        row({ id: text }),
        `UPDATE contracts c
         SET bc_id = $3, store_id = NULL,
           owner_id = (SELECT w.owner_id FROM sites w WHERE w.tenant_id = $1 AND w.id = $2), version = c.version + 1
         WHERE c.tenant_id = $1 AND c.site_id = $2
         RETURNING c.id::text AS id`,
        [call.user.tenant, site.id, to.bc_id],
      )
      for (const { id } of rows) {
        tellContract(tx, call, { id, bc_id: site.bc_id, site_id: site.id })
        tellContract(tx, call, { id, bc_id: to.bc_id, site_id: site.id })
      }
    },
  },
}
