import { receptionState } from '@zhuguan/contract/features/receptions/receptions.record.ts'

import { int4, row, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { follows, foreseen, type LivingSite, type SiteLife } from '../../kit/site-life.ts'
import type { Tx } from '../../kit/tx.ts'
import { settle } from '../notifications/notifications.service.ts'
import { rehost } from './hosting.service.ts'
import { OPEN } from './receptions.queries.ts'

async function openOf(tx: Tx, call: Call, site: LivingSite): Promise<number> {
  const { rows } = await tx.query(
    'receptions.open',
    row({ n: int4 }),
    `SELECT count(*)::int AS n FROM receptions r WHERE r.tenant_id = $1 AND r.site_id = $2 AND ${OPEN}`,
    [call.user.tenant, site.id],
  )
  return rows[0]!.n
}
const along = follows('receptions')
/** They go along into another branch; those that have not been ended by then end with the site. */
export const receptionsLife: SiteLife = {
  goesAlong: along.goesAlong,
  async keeping(tx, call, site) {
    await rehost(tx, call, site, '负责人更换')
  },
  moving: {
    async foresee(tx, call, site) {
      const open = await openOf(tx, call, site)
      return foreseen([
        open > 0 &&
          `${open} 次已约或正在进行的业主到访随工地转过去，原接待人不能再接待的，由新的项目管家接待，没有的请改接待人`,
      ])
    },
    async move(tx, call, site, to) {
      await along.moving.move(tx, call, site, to)
      await rehost(tx, call, site.id, `工地转到${to.bc_name}`)
    },
  },
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
         WHERE r.tenant_id = $1 AND r.site_id = $2 AND ${OPEN}
         RETURNING id`,
        [tenant, site.id, call.user.nickname],
      )
      for (const { id } of rows) await settle(tx, tenant, { kind: 'reception', id })
    },
  },
}
