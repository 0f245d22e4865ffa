import { receptionState } from '@zhuguan/contract/features/receptions/receptions.record.ts'

import { int4, row, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { follows, foreseen, type LivingSite, type SiteLife } from '../../kit/site-life.ts'
import type { Tx } from '../../kit/tx.ts'
import { settle } from '../notifications/notifications.service.ts'

const OPEN = `('${receptionState.code.planned}', '${receptionState.code.arrived}')`

async function openOf(tx: Tx, call: Call, site: LivingSite): Promise<number> {
  const { rows } = await tx.query(
    'receptions.open',
    row({ n: int4 }),
    `SELECT count(*)::int AS n FROM receptions r WHERE r.tenant_id = $1 AND r.site_id = $2 AND r.state IN ${OPEN}`,
    [call.user.tenant, site.id],
  )
  return rows[0]!.n
}
/** They go along into another branch; those that have not been ended by then end with the site. */
export const receptionsLife: SiteLife = {
  ...follows('receptions'),
  ending: {
    async foresee(tx, call, site) {
      const open = await openOf(tx, call, site)
      return foreseen([open > 0 && `${open} 次已约或正在进行的业主到访取消`])
    },
    async end(tx, call, site) {
      const { tenant } = call.user
      const { rows } = await tx.query(
        'receptions.over',
        row({ id: uuid }),
        `UPDATE receptions r
         SET state = '${receptionState.code.cancelled}', ended_at = :now, record = '工地已结束',
           changed_by = $3, changed_at = :now, version = r.version + 1
         WHERE r.tenant_id = $1 AND r.site_id = $2 AND r.state IN ${OPEN}
         RETURNING id`,
        [tenant, site.id, call.user.nickname],
      )
      for (const { id } of rows) await settle(tx, tenant, { kind: 'reception', id })
    },
  },
}
