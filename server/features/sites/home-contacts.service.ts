import type { Tx } from '../../database/connect.ts'
import type { Call } from '../../kit/serve.ts'

/** Sites that somebody owns have that person as a contact, who signs; those that have one already keep it. */
export function makeSignatories(tx: Tx, call: Call, sites: readonly string[]): void {
  const { nickname, tenant } = call.user
  tx.send(
    'sites.signatories',
    `INSERT INTO home_contacts (tenant_id, id, bc_id, site_id, owner_id, relation, since, changed_by, changed_at)
     SELECT w.tenant_id, x.id, w.bc_id, w.id, w.owner_id, 'owner', :now, $3, :now
     FROM json_to_recordset($2::json) AS x(id uuid, site uuid)
     JOIN sites w ON w.tenant_id = $1 AND w.id = x.site AND w.owner_id IS NOT NULL
     ON CONFLICT (tenant_id, site_id) WHERE owner_id IS NOT NULL AND ended_at IS NULL DO NOTHING`,
    [tenant, JSON.stringify(sites.map((site) => ({ id: call.newId(), site }))), nickname],
  )
}

/** A home in another branch has a record of its owner there; its contacts go along. */
export const followHome = (tx: Tx, tenant: string, site: string): Promise<unknown> =>
  tx.run(
    'sites.contactsalong',
    `UPDATE home_contacts h
     SET bc_id = w.bc_id,
       owner_id = CASE WHEN h.owner_id IS NOT NULL AND h.ended_at IS NULL THEN w.owner_id ELSE h.owner_id END
     FROM sites w
     WHERE h.tenant_id = $1 AND h.site_id = $2 AND w.tenant_id = $1 AND w.id = $2`,
    [tenant, site],
  )

/** Whoever was of the home is not any more: names and numbers stay as they were on that day. */
export const endContacts = (
  tx: Tx,
  call: Call,
  of: { site: string; reason: string; contact?: string },
): Promise<unknown> =>
  tx.run(
    'sites.endcontacts',
    `UPDATE home_contacts h
     SET ended_at = :now, ended_by = $4, ended_for = $5, version = h.version + 1, changed_by = $4, changed_at = :now,
       name = coalesce(h.name, (SELECT o.name FROM owners o WHERE o.tenant_id = $1 AND o.id = h.owner_id)),
       phone = coalesce(h.phone, (SELECT o.phone FROM owners o WHERE o.tenant_id = $1 AND o.id = h.owner_id))
     WHERE h.tenant_id = $1 AND h.site_id = $2 AND h.ended_at IS NULL AND ($3::uuid IS NULL OR h.id = $3)`,
    [call.user.tenant, of.site, of.contact ?? null, call.user.nickname, of.reason],
  )

export interface Person {
  name: string
  relation: string
  phone: string
}
/** Besides the signatory a home has so many at most: false where there is no room for another. */
export async function addPerson(
  tx: Tx,
  call: Call,
  of: Person & { id: string; bc: string; site: string; most: number },
): Promise<boolean> {
  const { rowCount } = await tx.run(
    'sites.addcontact',
    `INSERT INTO home_contacts (tenant_id, id, bc_id, site_id, name, phone, relation, since, changed_by, changed_at)
     SELECT $1, $2, $3, $4, $5, $6, $7, :now, $8, :now
     WHERE $9 > (SELECT count(*) FROM home_contacts h
       WHERE h.tenant_id = $1 AND h.site_id = $4 AND h.owner_id IS NULL AND h.ended_at IS NULL)`,
    [call.user.tenant, of.id, of.bc, of.site, of.name, of.phone, of.relation, call.user.nickname, of.most],
  )
  return rowCount === 1
}
export const editPerson = (tx: Tx, call: Call, id: string, to: Person): Promise<unknown> =>
  tx.run(
    'sites.editcontact',
    `UPDATE home_contacts h
     SET name = $3, relation = $4, phone = $5, version = h.version + 1, changed_by = $6, changed_at = :now
     WHERE h.tenant_id = $1 AND h.id = $2`,
    [call.user.tenant, id, to.name, to.relation, to.phone, call.user.nickname],
  )
