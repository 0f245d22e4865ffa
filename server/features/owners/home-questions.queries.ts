import type { Tx } from '../../database/connect.ts'
import type { ShownLink } from '../../kit/link-kind.ts'
import { bool, row } from '../../kit/row.ts'
import { PICTURES, readByHome } from '../questions/undecided.reads.ts'

/** A picture of a question that this contact's home reads, on a device that was let in. */
export async function showsQuestion(tx: Tx, link: ShownLink, key: string): Promise<boolean> {
  const { rows } = await tx.query(
    'homepage.questionpicture',
    row({ shown: bool }),
    `SELECT EXISTS (
       SELECT 1
       FROM home_devices d
       JOIN home_contacts h ON h.tenant_id = $1 AND h.id = d.contact_id AND h.ended_at IS NULL
       JOIN questions q ON ${readByHome('h.site_id')} AND q.withdrawn_for = '' AND $4 = ANY (${PICTURES})
       WHERE d.tenant_id = $1 AND d.link_id = $2 AND d.device = $3 AND d.state = 'bound') AS shown`,
    [link.tenant, link.id, link.device, key],
  )
  return rows[0]!.shown
}
