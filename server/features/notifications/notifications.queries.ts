import { EVERY_PERMISSION } from '@zhuguan/contract/kit/permits.ts'

import type { Tx } from '../../database/connect.ts'
import { personReaches } from '../../kit/person-reach.ts'
import { bool, float8, int4, row, text, uuid } from '../../kit/row.ts'
import type { SessionUser } from '../../kit/serve.ts'
import { isAway, isHere } from '../../kit/standing-in.ts'
import { epoch } from '../../kit/statement.ts'

/** The newest notices of a person, and how many of all are unread. */
export async function noticesOf(tx: Tx, { id, tenant }: SessionUser) {
  const list = tx.query(
    'notifications.list',
    row({ id: uuid, title: text, link: text, at: float8, times: int4, read: bool }),
    `SELECT id, title, link, ${epoch('at')} AS at, times, read_at IS NOT NULL AS read
     FROM notifications
     WHERE tenant_id = $1 AND user_id = $2
     ORDER BY at DESC
     LIMIT 50`,
    [tenant, id],
  )
  const unread = tx.query(
    'notifications.unread',
    row({ n: int4 }),
    'SELECT count(*)::int AS n FROM notifications WHERE tenant_id = $1 AND user_id = $2 AND read_at IS NULL',
    [tenant, id],
  )
  const [{ rows }, { rows: count }] = await Promise.all([list, unread])
  return { unread: count[0]!.n, list: rows }
}

/** Marks these as read, or all of the person's. */
export const readNotices = (tx: Tx, { id, tenant }: SessionUser, ids: readonly string[] | undefined) =>
  tx.run(
    'notifications.read',
    `UPDATE notifications SET read_at = :now
     WHERE tenant_id = $1 AND user_id = $2 AND read_at IS NULL AND ($3::uuid[] IS NULL OR id = ANY ($3))`,
    [tenant, id, ids ?? null],
  )

export interface Written {
  tenant: string
  people: readonly { id: string; notice: string }[]
  title: string
  link: string
  /** The page that the link opens, and the site that it is about. */
  page: string | null
  site?: string | undefined
  /** The site that it is about, whoever was chosen. */
  about?: string | undefined
  cause?: { kind: string; id: string } | undefined
  /** Whose it is: who hears it because they stand in for one of them reads for whom. */
  whose: readonly string[]
}
/** For whom `u` hears it, where that is none of those whose it is. */
const INSTEAD = `coalesce((SELECT '（代 ' || other.nickname || '）'
       FROM absences a
       JOIN users other ON other.tenant_id = $1 AND other.id = a.user_id
       WHERE ${isAway('$1', 'other.id', 'a')} AND a.deputy_id = u.id AND other.id = ANY ($10::uuid[])
         AND u.id <> ALL ($10)
       ORDER BY other.nickname LIMIT 1), '')`

/** Writes a message to each of these people who may open it, or renews the unread one of the same cause. */
export async function addNotices(tx: Tx, n: Written): Promise<{ id: string; user_id: string }[]> {
  const { rows } = await tx.query(
    'notifications.add',
    row({ id: uuid, user_id: uuid }),
    `INSERT INTO notifications AS n (tenant_id, id, user_id, title, link, at, cause_kind, cause_id, of_site)
     SELECT u.tenant_id, x.id, u.id, $4 || ${INSTEAD}, $5, :now, $6, $7, $11::uuid
     FROM unnest($2::uuid[], $3::uuid[]) AS x(user_id, id)
     JOIN users u ON u.tenant_id = $1 AND u.id = x.user_id AND u.status = 1 AND u.deleted_at IS NULL
     WHERE $8::text IS NULL OR EXISTS (
       SELECT 1
       FROM user_roles ur
       JOIN roles ro ON ro.tenant_id = $1 AND ro.id = ur.role_id AND ro.status = 1
       JOIN role_pages rp ON rp.tenant_id = $1 AND rp.role_id = ro.id
       JOIN pages p ON p.tenant_id = $1 AND p.id = rp.page_id AND p.component_name = $8
       WHERE ur.tenant_id = $1 AND ur.user_id = u.id
         AND ($9::uuid IS NULL OR EXISTS (
           SELECT 1 FROM sites w WHERE w.tenant_id = $1 AND w.id = $9 AND ${personReaches('$1', 'u', 'ro', 'w')})))
     ORDER BY u.id
     ON CONFLICT (tenant_id, cause_kind, cause_id, user_id) WHERE read_at IS NULL AND cause_kind IS NOT NULL
     DO UPDATE SET title = excluded.title, link = excluded.link, at = excluded.at, times = n.times + 1
     RETURNING n.id, n.user_id`,
    [
      n.tenant,
      n.people.map((p) => p.id),
      n.people.map((p) => p.notice),
      n.title,
      n.link,
      n.cause?.kind ?? null,
      n.cause?.id ?? null,
      n.page,
      n.site ?? null,
      n.whose,
      n.about ?? null,
    ],
  )
  return rows
}

/** Where the record is, whose turn it is to act on. */
export interface TurnPlace {
  bc_id: string | null
  site_id?: string | null
  store_id?: string | null
  /** The company or store that receives, for its people. */
  receiver_id?: string | null
}
export interface Able {
  tenant: string
  /** Only these, where the record names somebody. */
  among: readonly string[] | null
  except: readonly string[]
  label: string | null
  /** By this role. */
  role?: string
  page: string | null
  place: TurnPlace
  receiver: boolean
}
/** Of the place, and of the whole group. */
export interface Reached {
  near: string[]
  wide: string[]
}
/**
 * People with an open account who may do this where the record is and may open the page on which it is read: those who
 * belong to the place, and those who see the whole group.
 */
export async function ableTo(tx: Tx, a: Able): Promise<Reached> {
  const reaches = (role: string) =>
    a.receiver
      ? `${role}.data_scope IN ('branches', 'stores') AND ${personReaches('$1', 'u', role, 'x')}`
      : personReaches('$1', 'u', role, 'x')
  const asked = a.receiver ? 'receivers' : 'people'
  const { rows } = await tx.query(
    `turns.${asked}`,
    row({ id: uuid, near: bool }),
    `SELECT u.id, bool_or(r.data_scope <> 'tenant') AS near
     FROM users u
     JOIN user_roles ur ON ur.tenant_id = $1 AND ur.user_id = u.id
     JOIN roles r ON r.tenant_id = $1 AND r.id = ur.role_id AND r.status = 1
     CROSS JOIN LATERAL (
       SELECT coalesce(w.bc_id, $6::uuid) AS bc_id, coalesce(w.store_id, $8::uuid) AS store_id, w.manager_id,
         w.steward_id
       FROM (SELECT 1) one
       LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = $7) x
     WHERE u.tenant_id = $1 AND u.status = 1 AND u.deleted_at IS NULL
       AND ($2::uuid[] IS NULL OR u.id = ANY ($2)) AND u.id <> ALL ($3::uuid[])
       AND ${reaches('r')} AND ($9::text IS NULL OR r.code = $9)
       AND ($4::text IS NULL OR EXISTS (
         SELECT 1 FROM role_powers p
         WHERE p.tenant_id = $1 AND p.role_id = r.id AND p.label IN ($4, '${EVERY_PERMISSION}')))
       AND ($5::text IS NULL OR EXISTS (
         SELECT 1
         FROM user_roles vr
         JOIN roles o ON o.tenant_id = $1 AND o.id = vr.role_id AND o.status = 1
         JOIN role_pages rp ON rp.tenant_id = $1 AND rp.role_id = o.id
         JOIN pages g ON g.tenant_id = $1 AND g.id = rp.page_id AND g.component_name = $5
         WHERE vr.tenant_id = $1 AND vr.user_id = u.id AND ${reaches('o')}))
     GROUP BY u.id
     ORDER BY u.id`,
    [
      a.tenant,
      a.among,
      a.except,
      a.label,
      a.page,
      a.receiver ? a.place.receiver_id : a.place.bc_id,
      a.receiver ? null : (a.place.site_id ?? null),
      a.receiver ? a.place.receiver_id : (a.place.store_id ?? null),
      a.role ?? null,
    ],
  )
  const ids = (near: boolean) => rows.filter((r) => r.near === near).map((r) => r.id)
  return { near: ids(true), wide: ids(false) }
}

/** Who of these is away today, and who stands in; nobody where that account is closed or they are away too. */
export async function standInsOf(
  tx: Tx,
  tenant: string,
  people: readonly string[],
): Promise<Map<string, string | null>> {
  if (people.length === 0) return new Map()
  const { rows } = await tx.query(
    'turns.standins',
    row({ id: uuid, deputy: uuid.null }),
    `SELECT u.id, d.id AS deputy
     FROM users u
     JOIN absences a ON ${isAway('$1', 'u.id', 'a')}
     LEFT JOIN users d ON d.tenant_id = $1 AND d.id = a.deputy_id AND ${isHere('$1', 'd')}
     WHERE u.tenant_id = $1 AND u.id = ANY ($2)`,
    [tenant, people],
  )
  return new Map(rows.map((r) => [r.id, r.deputy]))
}
