import { linkKind } from '@zhuguan/contract/features/links/links.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { OpenedLink } from '../../kit/link-kind.ts'
import type { Tx } from '../../kit/tx.ts'
import { tellChange } from '../live/live.service.ts'
import { notify } from '../notifications/notifications.service.ts'
import { frameOf } from './shares.queries.ts'

/** The list of what was sent shows it at once; the first time whoever sent it is told, and is asked to follow it up. */
export async function tellOpened(tx: Tx, { bc_id, first, id, tenant }: OpenedLink): Promise<void> {
  tellChange(tx, tenant, { topic: 'share', bc: bc_id, site: null, id })
  if (!first) return
  const link = await frameOf(tx, tenant, id)
  const who = link.person || '客户'
  await notify(tx, {
    tenant,
    user: [link.maker_id],
    title: `${who} 打开了您发的${linkKind.label(link.kind)}“${link.title}”，可以跟进了`,
    link: linkTo('ShareList', { id }),
    informed: true,
    personal: true,
  })
}
