import { homeSince } from '../../kit/home-time.ts'
import type { ShownLink } from '../../kit/link-kind.ts'
import { there } from '../../kit/row.ts'
import type { Tx } from '../../kit/tx.ts'

/** A picture of a line that this contact's home may read, on a device that was let in. */
export async function isInThread(tx: Tx, link: ShownLink, key: string): Promise<boolean> {
  const { rows } = await tx.query(
    'threads.picture',
    there,
    `SELECT 1
     FROM home_devices d
     JOIN home_contacts c ON c.tenant_id = $1 AND c.id = d.contact_id AND c.ended_at IS NULL
     JOIN thread_messages m ON m.tenant_id = $1 AND m.site_id = c.site_id AND m.at >= ${homeSince('c.site_id')}
       AND m.pictures && ARRAY[$4]
     WHERE d.tenant_id = $1 AND d.link_id = $2 AND d.device = $3 AND d.state = 'bound'
     LIMIT 1`,
    [link.tenant, link.id, link.device, key],
  )
  return rows.length > 0
}
