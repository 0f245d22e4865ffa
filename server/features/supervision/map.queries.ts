import { PLACE_DAYS } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import {
  type CheckIn,
  checkInBy,
  type MapFigures,
} from '@zhuguan/contract/features/supervision/supervision.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'

import type { Tx } from '../../database/connect.ts'
import { float8, int2, row, text, uuid } from '../../kit/row.ts'
import { dayBegins, epoch, TODAY } from '../../kit/statement.ts'

const by = checkInBy.code
/** Nothing older is shown, whatever is still there. */
const KEPT = `${dayBegins(`(${TODAY} - ${PLACE_DAYS - 1})`)}`
/** `sql` of one person's check-ins, newest first, at most so many of each way. */
const checkIns = (person: string, since: string, most: string) => `(
       SELECT p.begun_at AS at, '${by.patrol}' AS by, p.site_id, p.lng, p.lat
       FROM patrols p
       WHERE p.tenant_id = $1 AND p.inspector_id = ${person} AND p.bc_id = $2 AND p.kind <> 'remote'
         AND p.begun_at >= ${since} AND p.begun_at >= ${KEPT}
       ORDER BY p.begun_at DESC ${most})
     UNION ALL (
       SELECT e.at, '${by.terminal}', e.site_id, s.lng, s.lat
       FROM workers k
       JOIN attendance_events e ON e.tenant_id = $1 AND e.worker_id = k.id AND e.bc_id = $2 AND e.source <> 'makeup'
         AND e.at >= ${since} AND e.at >= ${KEPT}
       JOIN sites s ON s.tenant_id = $1 AND s.id = e.site_id
       WHERE k.tenant_id = $1 AND k.user_id = ${person}
       ORDER BY e.at DESC ${most})`
const LEADS = `EXISTS (SELECT FROM sites o WHERE o.tenant_id = $1 AND o.bc_id = $2 AND o.deleted_at IS NULL
       AND o.status = ${siteStatus.code.building} AND u.id IN (o.steward_id, o.manager_id))`

interface At {
  tenant: string
  bc: string
  /** The bound for this one alone. */
  person: string | null
}
type Found = { id: string } & { [K in keyof CheckIn]: CheckIn[K] }
/** Today's check-ins of each, in their order, or the last one of each. */
export async function checkInsOf(tx: Tx, at: At, which: 'last' | 'today'): Promise<Found[]> {
  const source =
    which === 'today'
      ? checkIns('u.id', dayBegins(TODAY), '')
      : `SELECT * FROM (${checkIns('u.id', KEPT, 'LIMIT 1')}) y ORDER BY y.at DESC LIMIT 1`
  const { rows } = await tx.query(
    `supervision.checkins${which}`,
    row<Found>({
      id: uuid,
      at: float8,
      by: text.of(checkInBy),
      site_id: uuid,
      siteName: text,
      lng: float8.null,
      lat: float8.null,
    }),
    `SELECT u.id, ${epoch('x.at')} AS at, x.by, x.site_id, w.ws_name AS "siteName", x.lng, x.lat
     FROM users u
     CROSS JOIN LATERAL (${source}) x
     JOIN sites w ON w.tenant_id = $1 AND w.id = x.site_id
     WHERE u.tenant_id = $1 AND ($3::uuid IS NULL OR u.id = $3) AND (u.post IS NOT NULL OR ${LEADS})
     ORDER BY u.id, x.at, x.by, x.site_id`,
    [at.tenant, at.bc, at.person],
  )
  return rows
}

/** Managers and stewards of the branch. */
export async function managersOf(tx: Tx, at: At) {
  const { rows } = await tx.query(
    'supervision.managers',
    row({ id: uuid, nickname: text, post: int2.of(principalPost) }),
    `SELECT u.id, u.nickname, coalesce(u.post, ${principalPost.code.manager})::int2 AS post
     FROM users u
     WHERE u.tenant_id = $1 AND ($3::uuid IS NULL OR u.id = $3) AND u.status = 1 AND u.deleted_at IS NULL
       AND (u.bc_id = $2 AND u.post IS NOT NULL OR ${LEADS})
     ORDER BY 3, 2, 1`,
    [at.tenant, at.bc, at.person],
  )
  return rows
}

/** Sites under construction on which none of those who lead sites was for so many days, the longest first. */
export async function unvisitedSites(tx: Tx, at: At, days: number): Promise<MapFigures['unvisited']> {
  const { rows } = await tx.query(
    'supervision.unvisited',
    row<MapFigures['unvisited'][number]>({
      id: uuid,
      ws_name: text,
      lng: float8.null,
      lat: float8.null,
      lastAt: float8.null,
    }),
    `SELECT w.id, w.ws_name, w.lng, w.lat, ${epoch('v.at')} AS "lastAt"
     FROM sites w
     CROSS JOIN LATERAL (SELECT greatest(
       (SELECT max(p.begun_at) FROM patrols p
        JOIN users u ON u.tenant_id = $1 AND u.id = p.inspector_id AND u.post IS NOT NULL
        WHERE p.tenant_id = $1 AND p.site_id = w.id AND p.kind <> 'remote' AND p.begun_at >= ${KEPT}),
       (SELECT max(d.last_at) FROM attendance_days d
        JOIN workers k ON k.tenant_id = $1 AND k.id = d.worker_id AND k.user_id IS NOT NULL
        WHERE d.tenant_id = $1 AND d.site_id = w.id AND d.day > ${TODAY} - ${PLACE_DAYS})) AS at) v
     WHERE w.tenant_id = $1 AND w.bc_id = $2 AND w.status = ${siteStatus.code.building} AND w.deleted_at IS NULL
       AND ($3::uuid IS NULL OR $3 IN (w.steward_id, w.manager_id))
       AND (v.at IS NULL OR v.at < ${dayBegins(`(${TODAY} - $4::int + 1)`)})
     ORDER BY v.at NULLS FIRST, w.code`,
    [at.tenant, at.bc, at.person, days],
  )
  return rows
}
