import { siteActions } from '@zhuguan/contract/features/sites/sites.actions.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'

import type { Tx } from '../../database/connect.ts'
import { found } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import type { SiteEnding } from '../../kit/site-life.ts'
import { lockSite } from './sites.queries.ts'
import { tellSite } from './sites.service.ts'

/** A site ends with its contract; whoever ends that may end it, and all that is kept of it takes part. */
export async function terminateSite(
  tx: Tx,
  call: Call,
  life: SiteEnding,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  const site = found(await lockSite(tx, call.user.scope, id))
  await tx.run(
    'sites.terminate',
    `UPDATE sites SET status = ${siteStatus.code.terminated}, contract = '', no_work = '{}', no_work_run = 0,
       terminated_at = :now, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [call.user.tenant, id],
  )
  await life.end(tx, call, site, 'terminate', reason)
  await call.log(tx, {
    action: siteActions.table.terminate.label,
    object: 'site',
    objectId: id,
    before: { status: site.status },
    after: { status: siteStatus.code.terminated, reason },
  })
  tellSite(tx, call, site, `${siteActions.table.terminate.label}：${reason}`)
}
