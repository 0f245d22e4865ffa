import type { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { refuse } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { lockSeen, tellSite } from './sites.service.ts'

const { building, notStarted } = siteStatus.code

/**
 * People live there while it is built, or no more. From that second on nobody looks, and nothing is kept, outside of
 * working hours: running views hear of it as of every change of the site.
 */
export async function liveIn(tx: Tx, call: Call, body: BodyOf<(typeof sitesApi)['livedIn']>): Promise<void> {
  const site = await lockSeen(tx, call, body.id, body.version)
  refuse(
    site.status === building || site.status === notStarted
      ? undefined
      : `工地${siteStatus.label(site.status)}，摄像头已经不再看，不用登记`,
  )
  const as = body.livedIn ? '工地已经登记有人居住' : '工地没有登记有人居住'
  refuse(site.livedIn === body.livedIn ? as : undefined)
  await tx.run(
    'sites.livedin',
    'UPDATE sites SET lived_in = $3, version = version + 1 WHERE tenant_id = $1 AND id = $2',
    [call.user.tenant, body.id, body.livedIn],
  )
  await call.log(tx, {
    action: '登记有人居住',
    object: 'site',
    objectId: body.id,
    before: { livedIn: site.livedIn },
    after: { livedIn: body.livedIn, reason: body.reason },
  })
  tellSite(tx, call, site, `${body.livedIn ? '登记有人居住' : '取消有人居住'}：${body.reason}`)
}
