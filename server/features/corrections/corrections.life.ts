import { correctionStatus } from '@zhuguan/contract/features/alarms/alarms.record.ts'

import { int4, row } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { follows, foreseen, type LivingSite, type SiteLife } from '../../kit/site-life.ts'
import type { Tx } from '../../kit/tx.ts'

const { correcting, open } = correctionStatus.code

async function unsettled(tx: Tx, call: Call, site: LivingSite) {
  const { rows } = await tx.query(
    'corrections.moving',
    row({ alarms: int4, open: int4, correcting: int4 }),
    `SELECT count(*) FILTER (WHERE k.correction_status = ${open} AND k.source = 'alarm')::int AS alarms,
       count(*) FILTER (WHERE k.correction_status = ${open} AND k.source <> 'alarm')::int AS open,
       count(*) FILTER (WHERE k.correction_status = ${correcting})::int AS correcting
     FROM corrections k
     WHERE k.tenant_id = $1 AND k.site_id = $2 AND k.correction_status IN (${open}, ${correcting})`,
    [call.user.tenant, site.id],
  )
  return rows[0]!
}

const along = follows('corrections')
/** Whoever corrects belongs to the branch of before and would not see the site any more: they finish first. */
export const correctionsLife: SiteLife = {
  goesAlong: along.goesAlong,
  ending: {
    async foresee(tx, call, site, how) {
      // Whoever finishes a site settles them first (`siteActions.finish`).
      if (how === 'finish') return foreseen([])
      const n = await unsettled(tx, call, site)
      return foreseen([
        n.alarms > 0 && `${n.alarms} 条未整改的报警留在原处，仍要判定`,
        n.open > 0 && `${n.open} 张还没有指派的整改单留在原处，仍要指派`,
        n.correcting > 0 && `${n.correcting} 条正在整改的问题不会取消，仍要整改和复核`,
      ])
    },
    async end() {},
  },
  moving: {
    ...along.moving,
    async foresee(tx, call, site) {
      const n = await unsettled(tx, call, site)
      return foreseen(
        [
          n.alarms > 0 && `${n.alarms} 条未整改的报警随工地转过去，由新分公司判定`,
          n.open > 0 && `${n.open} 张还没有指派的整改单随工地转过去，由新分公司指派`,
        ],
        [n.correcting > 0 && `还有 ${n.correcting} 条问题正在整改，请先复核或由主管取消`],
      )
    },
  },
}
