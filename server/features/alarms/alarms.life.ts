import { correctionStatus } from '@zhuguan/contract/features/alarms/alarms.record.ts'

import { int4, row } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { follows, foreseen, type LivingSite, type SiteLife } from '../../kit/site-life.ts'
import type { Tx } from '../../kit/tx.ts'

const { correcting, open } = correctionStatus.code

async function unsettled(tx: Tx, call: Call, site: LivingSite) {
  const { rows } = await tx.query(
    'alarms.moving',
    row({ open: int4, correcting: int4 }),
    `SELECT count(*) FILTER (WHERE correction_status = ${open})::int AS open,
           count(*) FILTER (WHERE correction_status = ${correcting})::int AS correcting
         FROM alarms
         WHERE tenant_id = $1 AND site_id = $2 AND correction_status IN (${open}, ${correcting})`,
    [call.user.tenant, site.id],
  )
  return rows[0]!
}

/** Whoever corrects belongs to the branch of before and would not see the site any more: corrections are finished first. */
export const alarmsLife: SiteLife = {
  ending: {
    async foresee(tx, call, site) {
      const n = await unsettled(tx, call, site)
      return foreseen([
        n.open > 0 && `${n.open} 条未整改的报警留在原处，仍要判定`,
        n.correcting > 0 && `${n.correcting} 条正在整改的报警不会取消，仍要整改和复核`,
      ])
    },
    async end() {},
  },
  moving: {
    ...follows('alarms').moving!,
    async foresee(tx, call, site) {
      const n = await unsettled(tx, call, site)
      return foreseen(
        [n.open > 0 && `${n.open} 条未整改的报警随工地转过去，由新分公司判定`],
        [n.correcting > 0 && `还有 ${n.correcting} 条报警正在整改，请先复核或由主管取消`],
      )
    },
  },
}
