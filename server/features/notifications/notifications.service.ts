import type { Tx } from '../../database/connect.ts'
import { tellPerson } from '../live/live.service.ts'

/** One person's notice; `link` is a page of ours with its filter. */
export async function notify(
  tx: Tx,
  n: { tenant: string; user: string; title: string; link: string; id: string },
): Promise<void> {
  await tx.run(
    'notifications.add',
    'INSERT INTO notifications (tenant_id, id, user_id, title, link, at) VALUES ($1, $2, $3, $4, $5, :now)',
    [n.tenant, n.id, n.user, n.title, n.link],
  )
  tellPerson(tx, n.tenant, n.user, 'notification', n.id)
}
