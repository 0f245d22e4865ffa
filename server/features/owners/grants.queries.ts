import { consentState } from '@zhuguan/contract/features/consents/consents.record.ts'
import { deviceStatus } from '@zhuguan/contract/features/devices/devices.record.ts'
import {
  type ContactVideo,
  grantState,
  type VideoGrant,
} from '@zhuguan/contract/features/owners/grants.record.ts'
import { contactRelation } from '@zhuguan/contract/features/owners/owners.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { bool, float8, int2, int4, row, text, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { epoch } from '../../kit/statement.ts'
import { deviceScope } from '../devices/devices.reads.ts'
import { settingSql } from '../settings/settings.reads.ts'

const NAME = 'coalesce(h.name, o.name)'
/** The camera of line `k` of grant `g` has stood in this home ever since. */
export const STILL_HERE = `d.site_id = g.site_id AND d.deleted_at IS NULL AND NOT EXISTS (
   SELECT 1 FROM device_stands e
   WHERE e.tenant_id = $1 AND e.device_id = d.id AND e.site_id = g.site_id AND e.to_at >= k.added_at)`
export const HOUSE_FROM = `${settingSql('ownerVideoFrom', '$1', 'h.bc_id')} #>> '{}'`
export const HOUSE_TO = `${settingSql('ownerVideoTo', '$1', 'h.bc_id')} #>> '{}'`

const grantColumns = row({
  id: uuid,
  contact_id: uuid,
  state: text.of(grantState),
  fromDay: text,
  toDay: text,
  from: text,
  to: text,
  grantedBy: text,
  changedBy: text,
  changedAt: float8,
  reason: text,
  version: int4,
})
const GRANT = `g.id, g.contact_id, g.state, g.from_day::text AS "fromDay", g.to_day::text AS "toDay",
   g.from_time AS "from", g.to_time AS "to", g.granted_by AS "grantedBy", g.changed_by AS "changedBy",
   ${epoch('g.changed_at')} AS "changedAt", g.reason, g.version`

/** Who of a home is asked, what they answered, and what they have. */
export async function contactsVideo(tx: Tx, scope: Scope, site: string): Promise<ContactVideo[]> {
  const where = scoped(scope, 'h')
    .add((p) => `h.site_id = ${p}::uuid`, site)
    .plain('h.ended_at IS NULL')
  const grantsWhere = scoped(scope, 'g')
    .add((p) => `g.site_id = ${p}::uuid`, site)
    .plain(`g.state <> 'ended'`)
  const [contacts, grants, cameras] = await Promise.all([
    tx.query(
      'grants.contacts',
      row({
        contact_id: uuid,
        name: text,
        relation: text.of(contactRelation),
        consent: int2.of(consentState).null,
        consentAt: float8.null,
        consentBy: text,
      }),
      `SELECT h.id AS contact_id, ${NAME} AS name, h.relation, c.state AS consent,
         ${epoch('coalesce(c.withdrawn_at, c.recorded_at)')} AS "consentAt",
         coalesce(c.withdrawn_by, c.recorded_by, '') AS "consentBy"
       FROM home_contacts h
       LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
       LEFT JOIN LATERAL (SELECT x.* FROM consents x
         WHERE x.tenant_id = $1 AND x.kind = 'ownerVideo' AND x.subject_id = h.id
         ORDER BY x.recorded_at DESC, x.id DESC LIMIT 1) c ON true
       WHERE ${where.text}
       ORDER BY h.owner_id IS NULL, h.since, h.id`,
      where.values,
    ),
    tx.query(
      'grants.ofsite',
      grantColumns,
      `SELECT ${GRANT} FROM video_grants g WHERE ${grantsWhere.text}`,
      grantsWhere.values,
    ),
    tx.query(
      'grants.camerasof',
      row({ grant: uuid, id: uuid, sn: text, here: bool }),
      `SELECT g.id AS "grant", d.id, d.sn, (${STILL_HERE}) AS here
       FROM video_grants g
       JOIN video_grant_cameras k ON k.tenant_id = $1 AND k.grant_id = g.id
       JOIN devices d ON d.tenant_id = $1 AND d.id = k.device_id
       WHERE ${grantsWhere.text} ORDER BY d.sn`,
      grantsWhere.values,
    ),
  ])
  const whole = (g: (typeof grants.rows)[number]): VideoGrant => ({
    ...g,
    cameras: cameras.rows.filter((c) => c.grant === g.id).map(({ here, id, sn }) => ({ here, id, sn })),
  })
  return contacts.rows.map((c) => {
    const grant = grants.rows.find((g) => g.contact_id === c.contact_id)
    return { ...c, grant: grant ? whole(grant) : null }
  })
}

/** A home with what a grant asks of it. */
export async function homeForVideo(tx: Tx, tenant: string, site: string) {
  const { rows } = await tx.query(
    'grants.home',
    row({ status: int2.of(siteStatus), from: text, to: text }),
    `SELECT h.status, ${HOUSE_FROM} AS "from", ${HOUSE_TO} AS "to"
     FROM sites h WHERE h.tenant_id = $1 AND h.id = $2`,
    [tenant, site],
  )
  return rows[0]!
}
/** Cameras in reach: those of a site, or those of these ids. */
export async function camerasIn(tx: Tx, scope: Scope, of: { site: string } | { ids: readonly string[] }) {
  const where = deviceScope(scope).plain(`d.type = 'camera'`)
  if ('site' in of) where.add((p) => `d.site_id = ${p}::uuid`, of.site)
  else where.add((p) => `d.id = ANY (${p}::uuid[])`, of.ids)
  const { rows } = await tx.query(
    'grants.cameras',
    row({ id: uuid, sn: text, site_id: uuid.null, status: int2.of(deviceStatus) }),
    `SELECT d.id, d.sn, d.site_id, d.device_status AS status FROM devices d WHERE ${where.text} ORDER BY d.sn`,
    where.values,
  )
  return rows
}

export async function lockGrant(tx: Tx, scope: Scope, id: string) {
  const where = scoped(scope, 'g').add((p) => `g.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'grants.lock',
    row({ ...grantColumns, bc_id: uuid, site_id: uuid, here: bool }),
    `SELECT ${GRANT}, g.bc_id, g.site_id, EXISTS (
       SELECT 1 FROM video_grant_cameras k JOIN devices d ON d.tenant_id = $1 AND d.id = k.device_id
       WHERE k.tenant_id = $1 AND k.grant_id = g.id AND ${STILL_HERE}) AS here
     FROM video_grants g WHERE ${where.text} FOR UPDATE OF g`,
    where.values,
  )
  return rows[0]
}
export interface NewGrant {
  id: string
  bc: string
  site: string
  contact: string
  fromDay: string
  toDay: string
  from: string
  to: string
  by: string
  cameras: readonly string[]
}
export async function addGrant(tx: Tx, tenant: string, g: NewGrant): Promise<void> {
  await tx.run(
    'grants.add',
    `INSERT INTO video_grants (tenant_id, id, bc_id, site_id, contact_id, from_day, to_day, from_time, to_time, state,
       granted_by, granted_at, changed_by, changed_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'active', $10, :now, $10, :now)`,
    [tenant, g.id, g.bc, g.site, g.contact, g.fromDay, g.toDay, g.from, g.to, g.by],
  )
  await tx.run(
    'grants.addcameras',
    `INSERT INTO video_grant_cameras (tenant_id, grant_id, device_id, added_at)
     SELECT $1, $2, x, :now FROM unnest($3::uuid[]) x`,
    [tenant, g.id, g.cameras],
  )
}
/** Moves grants that are not over. @returns how many */
export async function moveGrants(
  tx: Tx,
  tenant: string,
  of: { id: string } | { contacts: readonly string[] } | { site: string },
  to: { state: string; from: readonly string[]; by: string; reason: string },
): Promise<number> {
  const { rowCount } = await tx.run(
    'grants.move',
    `UPDATE video_grants g
     SET state = $5, changed_by = $6, changed_at = :now, reason = $7, version = version + 1
     WHERE g.tenant_id = $1 AND (g.id = $2 OR g.contact_id = ANY ($3::uuid[]) OR g.site_id = $4)
       AND g.state = ANY ($8::text[])`,
    [
      tenant,
      'id' in of ? of.id : null,
      'contacts' in of ? of.contacts : [],
      'site' in of ? of.site : null,
      to.state,
      to.by,
      to.reason,
      to.from,
    ],
  )
  return rowCount ?? 0
}
export async function countGrants(tx: Tx, tenant: string, site: string): Promise<number> {
  const { rows } = await tx.query(
    'grants.count',
    row({ n: int4 }),
    `SELECT count(*)::int AS n FROM video_grants g
     WHERE g.tenant_id = $1 AND g.site_id = $2 AND g.state <> 'ended'`,
    [tenant, site],
  )
  return rows[0]!.n
}
