import { type HomeDevice, homeDeviceState } from '@zhuguan/contract/features/owners/home-devices.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { homeSince } from '../../kit/home-time.ts'
import type { LinkTarget } from '../../kit/link-kind.ts'
import { bool, float8, int4, row, text, timestamptz, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { dayBegins, epoch } from '../../kit/statement.ts'
import { unlessForgotten } from '../persons/forgotten.reads.ts'
import { WARRANTY_UNTIL } from '../sites/sites.reads.ts'

const NAME = 'coalesce(h.name, o.name)'
const CONTACTS = `home_contacts h
   LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
   JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id`
/** After a contract was terminated the owner still reads for so many days what became of it. */
const AFTER_END = 30
const { terminated } = siteStatus.code

/** A contact of a home in reach, who is still of it. */
export async function contactTarget(tx: Tx, scope: Scope, id: string): Promise<LinkTarget | undefined> {
  const where = scoped(scope, 'h')
    .add((p) => `h.id = ${p}::uuid`, id)
    .plain('h.ended_at IS NULL')
  const { rows } = await tx.query(
    'homedevices.target',
    row({ bc_id: uuid, code: text, person: text }),
    `SELECT h.bc_id, w.code || ' ' || w.ws_name AS code, ${NAME} AS person FROM ${CONTACTS} WHERE ${where.text}`,
    where.values,
  )
  if (rows[0]) unlessForgotten(rows[0].person)
  return rows[0]
}
/** The branch in which a contact's home stands, until the end of the transaction. */
export const heldBranch = async (tx: Tx, tenant: string, id: string): Promise<string | undefined> =>
  (await contactBehind(tx, tenant, id, { held: true }))?.bc_id
export async function contactLives(tx: Tx, tenant: string, id: string): Promise<boolean> {
  const { rows } = await tx.query(
    'homedevices.lives',
    row({ lives: bool }),
    `SELECT EXISTS (SELECT 1 FROM home_contacts h JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id
       WHERE h.tenant_id = $1 AND h.id = $2 AND h.ended_at IS NULL AND w.deleted_at IS NULL) AS lives`,
    [tenant, id],
  )
  return rows[0]!.lives
}
/** Until when a link may live: the last day of the warranty, some days after the contract ended. */
export async function homeUntil(tx: Tx, tenant: string, id: string): Promise<Date | null> {
  const { rows } = await tx.query(
    'homedevices.until',
    row({ until: timestamptz.null }),
    `SELECT CASE WHEN w.status = ${terminated} THEN coalesce(w.terminated_at + interval '${AFTER_END} days', :now)
         ELSE ${dayBegins(`((${WARRANTY_UNTIL}) + 1)`)} END AS until
     FROM home_contacts h JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id
     WHERE h.tenant_id = $1 AND h.id = $2`,
    [tenant, id],
  )
  return rows[0]?.until ?? null
}
export async function countLinks(tx: Tx, tenant: string, site: string): Promise<number> {
  const { rows } = await tx.query(
    'homedevices.countlinks',
    row({ n: int4 }),
    `SELECT count(*)::int AS n
     FROM links l JOIN home_contacts h ON h.tenant_id = $1 AND h.id = l.target_id
     WHERE l.tenant_id = $1 AND l.kind = 'owner' AND l.revoked_at IS NULL AND l.expires_at > :now AND h.site_id = $2`,
    [tenant, site],
  )
  return rows[0]!.n
}

/**
 * Whose link it is, where their home stands now, and since when it is theirs who own it; `held`: until the end of the
 * transaction it changes no branch.
 */
export async function contactBehind(tx: Tx, tenant: string, id: string, { held = false } = {}) {
  const { rows } = await tx.query(
    'homedevices.contact',
    row({
      id: uuid,
      site_id: uuid,
      bc_id: uuid,
      name: text,
      since: timestamptz,
      ws_name: text,
      steward_id: uuid.null,
      manager_id: uuid.null,
    }),
    // The branch of the site: a row that waited for a move is read anew, what it is joined with is not.
    `SELECT h.id, h.site_id, w.bc_id, ${NAME} AS name, coalesce(${homeSince('h.site_id')}, h.since) AS since,
       w.ws_name, w.steward_id, w.manager_id
     FROM ${CONTACTS}
     WHERE h.tenant_id = $1 AND h.id = $2 AND h.ended_at IS NULL${held ? ' FOR SHARE OF w' : ''}`,
    [tenant, id],
  )
  return rows[0]
}
export type HomeContact = NonNullable<Awaited<ReturnType<typeof contactBehind>>>
/**
 * That they are still of the home, until the transaction ends. The home is locked first, as whoever ends a contact
 * does: who was let in and waits here meanwhile is asked anew.
 */
export async function holdContact(
  tx: Tx,
  tenant: string,
  of: Pick<HomeContact, 'id' | 'site_id'>,
): Promise<boolean> {
  await tx.query(
    'homedevices.holdhome',
    row({ id: uuid }),
    'SELECT w.id FROM sites w WHERE w.tenant_id = $1 AND w.id = $2 FOR NO KEY UPDATE',
    [tenant, of.site_id],
  )
  const { rows } = await tx.query(
    'homedevices.hold',
    row({ id: uuid }),
    `SELECT h.id FROM home_contacts h
     WHERE h.tenant_id = $1 AND h.id = $2 AND h.site_id = $3 AND h.ended_at IS NULL
     FOR SHARE`,
    [tenant, of.id, of.site_id],
  )
  return rows.length > 0
}

const shown = row<HomeDevice>({
  id: uuid,
  name: text,
  code: text,
  state: text.of(homeDeviceState),
  askedAt: float8,
  boundAt: float8.null,
  boundBy: text,
  onlyHand: text,
  lastSeenAt: float8,
})
const numbered = row({ ...shown, device: text })
const device = row({ ...shown, device: text, only_hand: uuid.null })
const DEVICE = `d.id, d.name, d.code, d.state, ${epoch('d.asked_at')} AS "askedAt",
   ${epoch('d.bound_at')} AS "boundAt", d.bound_by AS "boundBy", ${epoch('d.last_seen_at')} AS "lastSeenAt",
   coalesce((SELECT u.nickname FROM users u WHERE u.tenant_id = $1 AND u.id = d.only_hand), '') AS "onlyHand"`
/** What was removed is not shown; the link of before and what it had bound are over. */
const SHOWN = `d.state <> 'removed' AND EXISTS (SELECT 1 FROM links l
   WHERE l.tenant_id = $1 AND l.id = d.link_id AND l.revoked_at IS NULL AND l.expires_at > :now)`

export async function deviceBehind(tx: Tx, tenant: string, link: string, number: string) {
  const { rows } = await tx.query(
    'homedevices.one',
    device,
    `SELECT ${DEVICE}, d.device, d.only_hand FROM home_devices d
     WHERE d.tenant_id = $1 AND d.link_id = $2 AND d.device = $3`,
    [tenant, link, number],
  )
  return rows[0]
}
export const devicesBehind = async (tx: Tx, tenant: string, link: string) =>
  (
    await tx.query(
      'homedevices.behind',
      numbered,
      `SELECT ${DEVICE}, d.device FROM home_devices d
       WHERE d.tenant_id = $1 AND d.link_id = $2 AND d.state <> 'removed' ORDER BY d.asked_at, d.id`,
      [tenant, link],
    )
  ).rows
export async function devicesOf(tx: Tx, scope: Scope, site: string) {
  const where = scoped(scope, 'd')
    .add((p) => `d.site_id = ${p}::uuid`, site)
    .plain(SHOWN)
  const { rows } = await tx.query(
    'homedevices.ofsite',
    row({ ...shown, contact_id: uuid, person: text }),
    `SELECT ${DEVICE}, d.contact_id, ${NAME} AS person
     FROM home_devices d
     JOIN home_contacts h ON h.tenant_id = $1 AND h.id = d.contact_id
     LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
     WHERE ${where.text}
     ORDER BY d.state, d.asked_at, d.id`,
    where.values,
  )
  return rows
}
/** One in reach with whose it is, before it is locked. */
export async function deviceInReach(tx: Tx, scope: Scope, id: string) {
  const where = scoped(scope, 'd').add((p) => `d.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'homedevices.inreach',
    row({ id: uuid, contact_id: uuid, link_id: uuid }),
    `SELECT d.id, d.contact_id, d.link_id FROM home_devices d WHERE ${where.text}`,
    where.values,
  )
  return rows[0]
}

/** How many of a link's devices are bound and ask, one after the other with whoever counts those of the contact too. */
export async function countDevices(tx: Tx, tenant: string, contact: string, link: string) {
  await tx.query(
    'homedevices.turn',
    row({ id: uuid }),
    'SELECT h.id FROM home_contacts h WHERE h.tenant_id = $1 AND h.id = $2 FOR UPDATE',
    [tenant, contact],
  )
  const { rows } = await tx.query(
    'homedevices.count',
    row({ asking: int4, bound: int4 }),
    `SELECT count(*) FILTER (WHERE d.state = 'asking')::int AS asking,
       count(*) FILTER (WHERE d.state = 'bound')::int AS bound
     FROM home_devices d WHERE d.tenant_id = $1 AND d.link_id = $2`,
    [tenant, link],
  )
  return rows[0]!
}
/** Number of devices of a contact that read the home now. */
export async function countBound(tx: Tx, tenant: string, contact: string): Promise<number> {
  const { rows } = await tx.query(
    'homedevices.countbound',
    row({ n: int4 }),
    `SELECT count(*)::int AS n FROM home_devices d
     WHERE d.tenant_id = $1 AND d.contact_id = $2 AND d.state = 'bound' AND ${SHOWN}`,
    [tenant, contact],
  )
  return rows[0]!.n
}
/** From which addresses a link's devices ask. */
export const askingFrom = async (tx: Tx, tenant: string, link: string): Promise<string[]> =>
  (
    await tx.query(
      'homedevices.asking',
      row({ ip: text }),
      `SELECT DISTINCT ON (d.id) p.ip
       FROM home_devices d
       JOIN link_openings p ON p.tenant_id = $1 AND p.link_id = d.link_id AND p.device = d.device
       WHERE d.tenant_id = $1 AND d.link_id = $2 AND d.state = 'asking'
       ORDER BY d.id, p.at`,
      [tenant, link],
    )
  ).rows.map(({ ip }) => ip)
export const addDevice = (
  tx: Tx,
  tenant: string,
  d: { id: string; contact: HomeContact; link: string; device: string; name: string; code: string },
) =>
  tx.run(
    'homedevices.add',
    `INSERT INTO home_devices (tenant_id, id, bc_id, site_id, contact_id, link_id, device, name, code, state, asked_at,
       last_seen_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'asking', :now, :now)
     ON CONFLICT (tenant_id, link_id, device) DO NOTHING`,
    [tenant, d.id, d.contact.bc_id, d.contact.site_id, d.contact.id, d.link, d.device, d.name, d.code],
  )
/** @returns whether it was still asking; `staff`: who of the company let it in, `hand`: who alone stands behind it */
export const bindDevice = async (
  tx: Tx,
  tenant: string,
  id: string,
  by: { name: string; staff: string | null; hand: string | null },
): Promise<boolean> =>
  !!(
    await tx.run(
      'homedevices.bind',
      `UPDATE home_devices d SET state = 'bound', bound_at = :now, bound_by = $3, allowed_by = $4, only_hand = $5
       WHERE d.tenant_id = $1 AND d.id = $2 AND d.state = 'asking'`,
      [tenant, id, by.name, by.staff, by.hand],
    )
  ).rowCount
/** Whether a device came in by one hand alone: nothing where it is not bound, or somebody has vouched for it. */
export async function handBehind(tx: Tx, tenant: string, id: string): Promise<string | undefined> {
  const { rows } = await tx.query(
    'homedevices.hand',
    row({ only_hand: uuid }),
    `SELECT d.only_hand FROM home_devices d
     WHERE d.tenant_id = $1 AND d.id = $2 AND d.state = 'bound' AND d.only_hand IS NOT NULL`,
    [tenant, id],
  )
  return rows[0]?.only_hand
}
/** Somebody else says whose it is. */
export const vouchFor = (tx: Tx, tenant: string, id: string) =>
  tx.run(
    'homedevices.vouch',
    'UPDATE home_devices d SET only_hand = NULL WHERE d.tenant_id = $1 AND d.id = $2',
    [tenant, id],
  )
export async function removeDevices(
  tx: Tx,
  tenant: string,
  of: { device: string } | { contacts: readonly string[] },
  { by, why }: { by: string; why: string },
): Promise<{ id: string; name: string }[]> {
  const { rows } = await tx.query(
    'homedevices.remove',
    row({ id: uuid, name: text }),
    `UPDATE home_devices d SET state = 'removed', removed_at = :now, removed_by = $4, removed_for = $5
     WHERE d.tenant_id = $1 AND (d.id = $2 OR d.contact_id = ANY ($3::uuid[])) AND d.state <> 'removed'
     RETURNING id, name`,
    [tenant, 'device' in of ? of.device : null, 'contacts' in of ? of.contacts : [], by, why],
  )
  return rows
}
/** A minute is near enough for “last seen”. */
export const seeDevice = (tx: Tx, tenant: string, id: string) =>
  tx.run(
    'homedevices.seen',
    `UPDATE home_devices d SET last_seen_at = :now
     WHERE d.tenant_id = $1 AND d.id = $2 AND d.last_seen_at < :now - interval '1 minute'`,
    [tenant, id],
  )
/** Contacts of a home: those of today, or those that are not of it any more; and all who share an owner's record. */
export async function contactsOf(
  tx: Tx,
  tenant: string,
  of: { site: string; gone: boolean } | { owner: string },
): Promise<string[]> {
  const { rows } = await tx.query(
    'homedevices.contacts',
    row({ id: uuid }),
    `SELECT h.id FROM home_contacts h
     WHERE h.tenant_id = $1 AND (h.site_id = $2 OR h.owner_id = $3) AND (h.ended_at IS NOT NULL) = $4`,
    [tenant, 'site' in of ? of.site : null, 'owner' in of ? of.owner : null, 'site' in of && of.gone],
  )
  return rows.map(({ id }) => id)
}
