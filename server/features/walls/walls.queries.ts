import { deviceStatus } from '@zhuguan/contract/features/devices/devices.record.ts'
import { STILL_MINUTES } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import type { wallsApi } from '@zhuguan/contract/features/walls/walls.api.ts'
import type { PlacedCamera } from '@zhuguan/contract/features/walls/walls.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { siteNamed } from '../../kit/home-address.ts'
import { float8, int2, int4, row, text, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { contains, epoch } from '../../kit/statement.ts'
import { HOME_COLUMNS, homeColumns, type HomeRow } from '../looking/looking.reads.ts'

/** What sees something now stands before what has seen nothing for a while, and that before what is not online. */
const RANK = `CASE
         WHEN d.device_status <> ${deviceStatus.code.online} THEN 2
         WHEN d.last_picture_at >= :now - interval '${STILL_MINUTES} minutes' THEN 0
         ELSE 1
       END`

type Query = QueryOf<(typeof wallsApi)['cameras']>
const placedRow = row<
  Omit<PlacedCamera, 'noLook'> & HomeRow & { bc_id: string; rank: number; total: number }
>({
  id: uuid,
  sn: text,
  site_id: uuid,
  siteName: text,
  bc_id: uuid,
  bc_name: text,
  deviceStatus: int2,
  picture: text.null,
  pictureAt: float8.null,
  ...homeColumns,
  rank: int4,
  total: int4,
})

/** One more than the page holds, where there are more. */
export async function placedCameras(tx: Tx, scope: Scope, q: Query) {
  const where = scoped(scope, 'd')
  const named = siteNamed(where, scope, 'w')
  where
    .plain(`d.type = 'camera' AND d.deleted_at IS NULL AND w.deleted_at IS NULL`)
    .when(q.bc_id, (p) => `w.bc_id = ANY(${p}::uuid[])`)
    .when(q.site_id, (p) => `d.site_id = ANY(${p}::uuid[])`)
    .when(q.ids, (p) => `d.id = ANY(${p}::uuid[])`)
    .when(q.keyword || undefined, (p) => `(${named(p)} OR lower(d.sn) LIKE ${p})`, contains)
  const values = [...where.values]
  const at = q.after?.split(':')
  const beyond = at
    ? `WHERE (k.rank, k.site_id, k.id) > ($${values.push(Number(at[0]))}::int, $${values.push(at[1])}::uuid,
         $${values.push(at[2])}::uuid)`
    : ''
  const { rows } = await tx.query(
    'walls.cameras',
    placedRow,
    `WITH known AS MATERIALIZED (
       SELECT d.id, d.sn, d.site_id, w.ws_name, w.bc_id, d.device_status, d.last_picture, d.last_picture_at,
         ${HOME_COLUMNS}, ${RANK} AS rank
       FROM devices d
       JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id
       WHERE ${where.text})
     SELECT k.id, k.sn, k.site_id, k.ws_name AS "siteName", k.bc_id, c.bc_name, k.device_status AS "deviceStatus",
       k.last_picture AS picture, ${epoch('k.last_picture_at')} AS "pictureAt", k."siteStatus",
       k."livedIn", k."homeBc", k.rank,
       (SELECT count(*)::int FROM known) AS total
     FROM known k
     JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
     ${beyond}
     ORDER BY k.rank, k.site_id, k.id
     LIMIT ${q.pageSize + 1}`,
    values,
  )
  return rows
}
