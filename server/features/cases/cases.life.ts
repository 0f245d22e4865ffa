import { caseState } from '@zhuguan/contract/features/cases/cases.record.ts'

import { row, text } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { follows, foreseen, type LivingSite, type SiteLife } from '../../kit/site-life.ts'
import type { Tx } from '../../kit/tx.ts'
import { endCase } from './consenting.service.ts'
import { LIVING } from './living.ts'

async function livingAt(tx: Tx, call: Call, site: LivingSite) {
  const { rows } = await tx.query(
    'cases.living',
    row({ title: text, state: text.of(caseState) }),
    `SELECT k.title, k.state FROM cases k WHERE k.tenant_id = $1 AND k.site_id = $2 AND ${LIVING}`,
    [call.user.tenant, site.id],
  )
  return rows[0]
}
const along = follows('cases')
/**
 * What a home may be shown for is its people's word, not its branch's: it goes along, and a home that is handed over
 * goes on being shown. A contract that was terminated ends it.
 */
export const casesLife: SiteLife = {
  goesAlong: along.goesAlong,
  moving: {
    ...along.moving,
    async foresee(tx, call, site) {
      const k = await livingAt(tx, call, site)
      return foreseen([k !== undefined && `案例“${k.title}”随工地转过去，业主的授权不变`])
    },
  },
  ending: {
    async foresee(tx, call, site, how) {
      const k = await livingAt(tx, call, site)
      if (!k) return foreseen([])
      return how === 'terminate'
        ? foreseen([`案例“${k.title}”结束，马上不再公开，业主的授权作废`])
        : foreseen([k.state === caseState.code.published && `案例“${k.title}”继续公开到授权到期`])
    },
    async end(tx, call, site, how) {
      if (how === 'terminate') await endCase(tx, call, site.id, '工地已终止')
    },
  },
}
