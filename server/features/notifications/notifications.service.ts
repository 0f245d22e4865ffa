import type { Tx } from '../../database/connect.ts'
import { row, uuid } from '../../kit/row.ts'
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

/** What these people were told about a record waits no longer: their notices that lead there are read. */
export async function settle(
  tx: Tx,
  n: { tenant: string; users: readonly (string | null)[]; link: string },
): Promise<void> {
  const { rows } = await tx.query(
    'notifications.settle',
    row({ user_id: uuid }),
    `UPDATE notifications SET read_at = :now
     WHERE tenant_id = $1 AND user_id = ANY ($2::uuid[]) AND link = $3 AND read_at IS NULL
     RETURNING user_id`,
    [n.tenant, [...new Set(n.users.filter((id) => id !== null))], n.link],
  )
  for (const user of new Set(rows.map((r) => r.user_id))) tellPerson(tx, n.tenant, user, 'notification', '')
}
