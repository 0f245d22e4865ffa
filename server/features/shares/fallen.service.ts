import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../../database/connect.ts'
import { revokeLink, shortenLinks } from '../links/links.service.ts'
import { tellChange } from '../live/live.service.ts'
import { notify } from '../notifications/notifications.service.ts'
import { fallenShares, outlivedShares } from './shares.queries.ts'

/**
 * Links to a case that its home took back: nobody has seen it through them since, as is asked at every byte. They are
 * taken back, and whoever sent them is told. A link to a case that was agreed to anew for less says the earlier day.
 */
export async function takeBackFallen(tx: Tx, tenant: string): Promise<number> {
  const fallen = await fallenShares(tx, tenant)
  if (fallen.length > 0) await revokeLink(tx, tenant, ...fallen.map((l) => l.id))
  for (const l of fallen) {
    await notify(tx, {
      tenant,
      user: [l.maker_id],
      title: `案例“${l.title}”业主不再同意公开，您发${l.person ? `给${l.person}` : '出'}的链接已收回`,
      link: linkTo('ShareList', { id: l.id }),
      personal: true,
    })
    tellChange(tx, tenant, { topic: 'share', bc: l.bc_id, site: null, id: l.id })
  }
  for (const k of await outlivedShares(tx, tenant)) await shortenLinks(tx, tenant, 'share', [k.id], k.end)
  return fallen.length
}
