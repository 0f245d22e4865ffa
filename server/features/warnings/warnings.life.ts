import { warningEnd } from '@zhuguan/contract/features/warnings/warnings.record.ts'

import { row, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { follows, foreseen, type LivingSite, type SiteLife } from '../../kit/site-life.ts'
import type { Tx } from '../../kit/tx.ts'
import { UNCLOSED } from './warnings.reads.ts'
import { closeBySystem } from './weighing.service.ts'

async function unclosed(tx: Tx, call: Call, site: LivingSite): Promise<string[]> {
  const { rows } = await tx.query(
    'warnings.living',
    row({ id: uuid }),
    `SELECT v.id FROM warnings v WHERE v.tenant_id = $1 AND v.site_id = $2 AND ${UNCLOSED}`,
    [call.user.tenant, site.id],
  )
  return rows.map((r) => r.id)
}
/** They go along into another branch, whose thresholds count from then on; with the site they end. */
export const warningsLife: SiteLife = {
  ...follows('warnings'),
  ending: {
    async foresee(tx, call, site) {
      const { length } = await unclosed(tx, call, site)
      return foreseen([length > 0 && `${length} 条没有关闭的预警由系统关闭`])
    },
    async end(tx, call, site) {
      const ids = await unclosed(tx, call, site)
      await closeBySystem(
        tx,
        call.user.tenant,
        ids.map((id) => ({ id, ended: warningEnd.code.over })),
      )
    },
  },
}
