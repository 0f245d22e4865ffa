import { consentState } from '@zhuguan/contract/features/consents/consents.record.ts'
import { deviceStatus } from '@zhuguan/contract/features/devices/devices.record.ts'
import { grantState } from '@zhuguan/contract/features/owners/grants.record.ts'
import type { SeenBy } from '@zhuguan/contract/features/owners/home-video.record.ts'
import type { looksApi } from '@zhuguan/contract/features/owners/looks.api.ts'
import { LOOK_LOST_S } from '@zhuguan/contract/features/owners/looks.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'
import { viewPurpose } from '@zhuguan/contract/features/video/purposes.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { bool, float8, int2, row, text, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { staffOf } from '../../kit/staff-of.ts'
import { contains, dayBegins, epoch, type PageOf } from '../../kit/statement.ts'
import { answerOf } from '../consents/consents.reads.ts'
import { HOME_COLUMNS, homeColumns } from '../looking/looking.reads.ts'
import { HOUSE_FROM, HOUSE_TO, STILL_HERE } from './grants.queries.ts'
import type { HomeContact } from './home-devices.queries.ts'

/** A look by link that goes on: it has not ended, and its page has said so lately. */
const LOOKING = `v.user_id IS NULL AND v.ended_at IS NULL AND v.to_at > :now - interval '${LOOK_LOST_S} seconds'`

const gotten = row({
  linked: bool,
  bound: bool,
  ...homeColumns,
  consent: int2.of(consentState).null,
  consentAt: float8.null,
  grant: text.of(grantState).null,
  fromDay: text,
  toDay: text,
  from: text,
  to: text,
  changedAt: float8.null,
  houseFrom: text,
  houseTo: text,
})
export interface Behind {
  contact: string
  link: string
  /** The row of the device. */
  device: string
}
/** All that a look asks for but the camera, as it stands at this moment; nothing where the contact is gone. */
export async function standing(tx: Tx, tenant: string, of: Behind) {
  const { rows } = await tx.query(
    'looks.standing',
    gotten,
    `SELECT l.id IS NOT NULL AS linked, p.id IS NOT NULL AS bound, ${HOME_COLUMNS},
       ${answerOf('ownerVideo', '$1', 'h.id')} AS consent,
       (SELECT ${epoch('max(coalesce(x.withdrawn_at, x.recorded_at))')} FROM consents x
         WHERE x.tenant_id = $1 AND x.kind = 'ownerVideo' AND x.subject_id = h.id) AS "consentAt",
       g.state AS "grant", coalesce(g.from_day::text, '') AS "fromDay", coalesce(g.to_day::text, '') AS "toDay",
       coalesce(g.from_time, '') AS "from", coalesce(g.to_time, '') AS "to", ${epoch('g.changed_at')} AS "changedAt",
       ${HOUSE_FROM} AS "houseFrom", ${HOUSE_TO} AS "houseTo"
     FROM home_contacts h
     JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id AND w.deleted_at IS NULL
     LEFT JOIN links l ON l.tenant_id = $1 AND l.id = $3 AND l.kind = 'owner' AND l.target_id = h.id
       AND l.revoked_at IS NULL AND l.expires_at > :now
     LEFT JOIN home_devices p ON p.tenant_id = $1 AND p.id = $4 AND p.link_id = l.id AND p.contact_id = h.id
       AND p.state = 'bound'
     LEFT JOIN video_grants g ON g.tenant_id = $1 AND g.contact_id = h.id AND g.state <> 'ended'
     WHERE h.tenant_id = $1 AND h.id = $2 AND h.ended_at IS NULL`,
    [tenant, of.contact, of.link, of.device],
  )
  return rows[0]
}
export type Standing = NonNullable<Awaited<ReturnType<typeof standing>>>

/**
 * The cameras of a contact's grant that have stood in the home since; with the newest still where that is of this home,
 * of these people's time, and shows no alarm.
 */
export async function grantedCameras(tx: Tx, tenant: string, contact: string) {
  const { rows } = await tx.query(
    'looks.cameras',
    row({
      id: uuid,
      sn: text,
      status: int2.of(deviceStatus),
      picture: text.null,
      pictureAt: float8.null,
    }),
    `SELECT d.id, d.sn, d.device_status AS status, p.key AS picture,
       CASE WHEN p.key IS NOT NULL THEN ${epoch('d.last_picture_at')} END AS "pictureAt"
     FROM video_grants g
     JOIN home_contacts h ON h.tenant_id = $1 AND h.id = g.contact_id
     JOIN video_grant_cameras k ON k.tenant_id = $1 AND k.grant_id = g.id
     JOIN devices d ON d.tenant_id = $1 AND d.id = k.device_id
     LEFT JOIN files p ON p.tenant_id = $1 AND p.key = d.last_picture AND p.site_id = g.site_id
       AND d.last_picture_at >= h.since AND NOT EXISTS (SELECT FROM alarms a
         WHERE a.tenant_id = $1 AND a.device_id = d.id AND a.at = d.last_picture_at)
     WHERE g.tenant_id = $1 AND g.contact_id = $2 AND g.state <> 'ended' AND ${STILL_HERE}
     ORDER BY d.sn`,
    [tenant, contact],
  )
  return rows
}
export type GrantedCamera = Awaited<ReturnType<typeof grantedCameras>>[number]

/** Looks of a device, whether they go on and why they ended. */
export async function looksOn(tx: Tx, tenant: string, device: string, views: readonly string[]) {
  const { rows } = await tx.query(
    'looks.ondevice',
    row({ view: uuid, camera: uuid, going: bool, why: text }),
    `SELECT v.id AS view, v.device_id AS camera, (${LOOKING}) AS going, v.ended_for AS why
     FROM video_views v
     WHERE v.tenant_id = $1 AND v.home_device_id = $2 AND v.id = ANY ($3::uuid[])`,
    [tenant, device, views],
  )
  return rows
}
/**
 * Looks that go on in a home, and its branch: one after the other with whoever begins one there or takes the home into
 * another branch.
 */
export async function looking(tx: Tx, tenant: string, site: string) {
  const home = await tx.query(
    'looks.turn',
    row({ bc_id: uuid }),
    'SELECT w.bc_id FROM sites w WHERE w.tenant_id = $1 AND w.id = $2 FOR UPDATE',
    [tenant, site],
  )
  const { rows } = await tx.query(
    'looks.looking',
    row({ view: uuid, camera: uuid, device: uuid }),
    `SELECT v.id AS view, v.device_id AS camera, v.home_device_id AS device FROM video_views v
     WHERE v.tenant_id = $1 AND v.site_id = $2 AND ${LOOKING}`,
    [tenant, site],
  )
  return { bc: home.rows[0]!.bc_id, going: rows }
}
/** The person whom a running look by link is of. */
export async function lookBehind(tx: Tx, tenant: string, view: string, of: { link: string; device: string }) {
  const { rows } = await tx.query(
    'looks.behind',
    row({ contact: uuid, camera: uuid }),
    `SELECT v.contact_id AS contact, v.device_id AS camera FROM video_views v
     WHERE v.tenant_id = $1 AND v.id = $2 AND v.link_id = $3 AND v.home_device_id = $4 AND ${LOOKING}`,
    [tenant, view, of.link, of.device],
  )
  return rows[0]
}

const MOST_SEEN = 50
/** Who of the company looked into the home since it is theirs: post and surname, never what somebody wrote. */
export async function staffViews(tx: Tx, tenant: string, of: HomeContact): Promise<SeenBy[]> {
  const { rows } = await tx.query(
    'looks.staff',
    row({
      at: float8,
      name: text,
      post: int2.of(principalPost).null,
      role: text,
      camera: text,
      from: float8,
      to: float8,
      recorded: bool,
      purpose: text.of(viewPurpose),
    }),
    `SELECT ${epoch('v.at')} AS at, v.user_name AS name, u.post, ${ROLE} AS role, d.sn AS camera,
       ${epoch('v.from_at')} AS "from", ${epoch('v.to_at')} AS "to", NOT v.live AS recorded, v.purpose
     FROM video_views v
     JOIN devices d ON d.tenant_id = $1 AND d.id = v.device_id
     LEFT JOIN users u ON u.tenant_id = $1 AND u.id = v.user_id
     WHERE v.tenant_id = $1 AND v.site_id = $2 AND v.user_id IS NOT NULL AND v.at >= to_timestamp($3)
     ORDER BY v.at DESC, v.id DESC LIMIT ${MOST_SEEN}`,
    [tenant, of.site_id, of.since.getTime() / 1_000],
  )
  return rows.map(({ name, post, role, ...seen }) => ({
    ...seen,
    who: staffOf(post === null ? role || '员工' : principalPost.label(post), name),
  }))
}
/** What somebody is, by their first role. */
const ROLE = `coalesce((SELECT r.name FROM user_roles x JOIN roles r ON r.tenant_id = $1 AND r.id = x.role_id
   WHERE x.tenant_id = $1 AND x.user_id = v.user_id ORDER BY r.name LIMIT 1), '')`

const POST = principalPost.options.reduce(
  (sql, o) => `${sql} WHEN ${o.value} THEN '${o.label}'`,
  'CASE u.post',
)
type Asked = QueryOf<(typeof looksApi)['looks']>
const SECONDS = `greatest(0, extract(epoch FROM v.to_at - v.from_at))::int`
const COMMON = `v.id, ${epoch('v.at')} AS at, v.site_id, w.ws_name AS "siteName", d.sn AS "cameraSn",
   ${epoch('v.from_at')} AS "from", ${epoch('v.to_at')} AS "to", ${SECONDS} AS seconds`
const JOINS = `JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
   JOIN devices d ON d.tenant_id = $1 AND d.id = v.device_id`
const ordered = (q: Asked) => ({
  sort: q.sort,
  otherwise: 'v.at DESC',
  tie: 'v.id DESC',
  sortable: { at: 'v.at', seconds: SECONDS },
  filled: ['at', 'seconds'] as const,
  pageNo: q.pageNo,
  pageSize: q.pageSize,
})
const asked = (scope: Scope, q: Asked) =>
  scoped(scope, 'v')
    .add((p) => `v.site_id = ${p}::uuid`, q.site_id)
    .when(q.from, (p) => `v.at >= ${dayBegins(p)}`)
    .when(q.to, (p) => `v.at < ${dayBegins(p)} + interval '1 day'`)
    .when(
      q.keyword || undefined,
      (p) => `(v.user_name ILIKE ${p} OR v.device_id IN (
         SELECT c.id FROM devices c WHERE c.tenant_id = $1 AND c.sn ILIKE ${p}))`,
      contains,
    )

export const lookPage = (scope: Scope, q: Asked): PageOf => ({
  name: 'looks.page',
  columns: `${COMMON}, v.user_name AS person, coalesce(p.name, '') AS device, (${LOOKING}) AS running,
     CASE WHEN ${LOOKING} THEN '正在看' WHEN v.ended_for <> '' THEN v.ended_for ELSE '页面已关闭' END AS ended`,
  base: 'video_views v',
  joins: `${JOINS} LEFT JOIN home_devices p ON p.tenant_id = $1 AND p.id = v.home_device_id`,
  where: asked(scope, q).plain('v.user_id IS NULL'),
  ...ordered(q),
})
export const homeViewPage = (scope: Scope, q: QueryOf<(typeof looksApi)['views']>): PageOf => ({
  name: 'looks.views',
  columns: `${COMMON}, v.user_name AS "userName",
     coalesce((${POST} END),
       ${ROLE}) AS post,
     CASE WHEN v.live THEN '直播' ELSE '录像' END AS what, v.purpose, v.words`,
  base: 'video_views v',
  joins: `${JOINS} LEFT JOIN users u ON u.tenant_id = $1 AND u.id = v.user_id`,
  where: asked(scope, q)
    .plain('v.user_id IS NOT NULL')
    .when(q.purpose, (p) => `v.purpose = ANY(${p}::text[])`),
  ...ordered(q),
})
