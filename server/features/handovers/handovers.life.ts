import { handoverState } from '@zhuguan/contract/features/handovers/handovers.record.ts'

import { row, text, uuid } from '../../kit/row.ts'
import { follows, type SiteLife } from '../../kit/site-life.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { noticeOf } from './handovers.service.ts'

const along = follows('handovers')
/**
 * The sheet goes where its site goes, and the branch that sold it answers no more; who keeps the site from now on has
 * it to confirm.
 */
export const handoversLife: SiteLife = {
  ...along,
  moving: {
    ...along.moving,
    async move(tx, call, site, to) {
      await along.moving.move(tx, call, site, to)
      await tx.run(
        'handovers.moved',
        'UPDATE handovers SET store_id = NULL, consultant_id = NULL WHERE tenant_id = $1 AND site_id = $2',
        [call.user.tenant, site.id],
      )
    },
  },
  async keeping(tx, call, site, person) {
    const { id: actor, tenant } = call.user
    const { rows } = await tx.query(
      'handovers.unconfirmed',
      row({ id: uuid, bc_id: uuid, site_id: uuid, siteName: text }),
      `SELECT h.id, h.bc_id, h.site_id, w.ws_name AS "siteName"
       FROM handovers h
       JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id
       WHERE h.tenant_id = $1 AND h.site_id = $2 AND h.state <> '${handoverState.code.confirmed}'
       ORDER BY h.made_at DESC, h.id
       LIMIT 1`,
      [tenant, site],
    )
    for (const h of rows)
      await passTurn(tx, 'handover', 'open', {
        ...noticeOf(h),
        tenant,
        actor,
        named: { steward: person },
        title: `${h.siteName} 由您负责了，请看销售交底并确认`,
      })
  },
}
