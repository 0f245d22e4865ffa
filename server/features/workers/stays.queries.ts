import { violationStatus } from '@zhuguan/contract/features/violations/violations.record.ts'
import type { staysApi } from '@zhuguan/contract/features/workers/stays.api.ts'
import { stayState, type TrackPoint } from '@zhuguan/contract/features/workers/stays.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { float8, row, text, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { epoch, type PageOf } from '../../kit/statement.ts'

/** A person's times on sites, as far as the reader sees the sites. */
export function stayPage(scope: Scope, q: QueryOf<(typeof staysApi)['list']>): PageOf {
  const where = scoped(scope, 'k')
    .add((p) => `k.worker_id = ${p}::uuid`, q.worker_id)
    .when(q.site_id, (p) => `k.site_id = ${p}::uuid`)
    .plain(q.stay === stayState.code.now && 'k.left_on IS NULL')
    .plain(q.stay === stayState.code.left && 'k.left_on IS NOT NULL')
  const days = `(SELECT count(*)::int FROM attendance_days a WHERE a.tenant_id = $1 AND a.site_id = k.site_id
    AND a.worker_id = k.worker_id AND a.day BETWEEN k.entered_on AND coalesce(k.left_on, 'infinity'))`
  return {
    name: 'stays.page',
    alias: 'k',
    base: `(SELECT m.*, w.bc_id, w.ws_name FROM site_members m
      JOIN sites w ON w.tenant_id = $1 AND w.id = m.site_id AND w.deleted_at IS NULL
      WHERE m.tenant_id = $1) k`,
    joins: `JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
      JOIN workers x ON x.tenant_id = $1 AND x.id = k.worker_id`,
    where,
    columns: `k.site_id || ':' || k.entered_on AS id, k.site_id, k.ws_name, c.bc_name, x.w_type,
      k.entered_on::text AS "enteredOn", k.left_on::text AS "leftOn", ${days} AS days,
      (SELECT count(*)::int FROM violations v WHERE v.tenant_id = $1 AND v.worker_id = k.worker_id
         AND v.site_id = k.site_id AND v.status <> ${violationStatus.code.withdrawn}
         AND (v.at AT TIME ZONE 'Asia/Shanghai')::date
           BETWEEN k.entered_on AND coalesce(k.left_on, 'infinity')) AS breaks,
      k.score, coalesce(k.scored_by, '') AS "scoredBy"`,
    sort: q.sort,
    otherwise: 'k.left_on IS NULL DESC, k.entered_on DESC',
    tie: 'k.site_id, k.entered_on',
    sortable: { enteredOn: 'k.entered_on', days, score: 'k.score' },
    filled: ['enteredOn', 'days'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

/** The places where a person clocked in on a day, in order, on sites that the reader sees. */
export async function trackOf(
  tx: Tx,
  scope: Scope,
  q: { worker_id: string; day: string },
): Promise<TrackPoint[]> {
  const where = scoped(scope, 'e')
    .add((p) => `e.worker_id = ${p}::uuid`, q.worker_id)
    .add((p) => `e.day = ${p}::date`, q.day)
  const { rows } = await tx.query(
    'stays.track',
    row<TrackPoint>({
      at: float8,
      direction: text,
      source: text,
      picture: text.null,
      site_id: uuid,
      ws_name: text,
      lng: float8.null,
      lat: float8.null,
    }),
    `SELECT ${epoch('e.at')} AS at, e.direction, e.source, e.picture, e.site_id, w.ws_name, w.lng, w.lat
     FROM attendance_events e
     JOIN sites w ON w.tenant_id = $1 AND w.id = e.site_id
     WHERE ${where.text} AND e.reverses IS NULL
       AND NOT EXISTS (SELECT 1 FROM attendance_events r
         WHERE r.tenant_id = $1 AND r.reverses = e.id AND r.at = e.at)
     ORDER BY e.at, e.id`,
    where.values,
  )
  return rows
}
