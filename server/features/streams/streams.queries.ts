import { deviceStatus } from '@zhuguan/contract/features/devices/devices.record.ts'
import { LOST_S } from '@zhuguan/contract/features/streams/streams.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { float8, int2, int4, row, text, uuid } from '../../kit/row.ts'
import { epoch } from '../../kit/statement.ts'
import { deviceScope } from '../devices/devices.reads.ts'
import { HOME_COLUMNS, homeColumns, lookings } from '../looking/looking.reads.ts'

/** A camera where it stands now, with its newest still; it stays there until the view is written down. */
export async function cameraNow(tx: Tx, scope: Scope, id: string) {
  const where = deviceScope(scope).add((p) => `d.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'streams.camera',
    row({
      device_id: uuid,
      sn: text,
      status: int2.of(deviceStatus),
      site_id: uuid.null,
      bc_id: uuid.null,
      picture: text.null,
      pictureAt: float8.null,
    }),
    `SELECT d.id AS device_id, d.sn, d.device_status AS status, d.site_id, d.bc_id, d.last_picture AS picture,
       ${epoch('d.last_picture_at')} AS "pictureAt"
     FROM devices d
     WHERE ${where.text}
     FOR SHARE OF d`,
    where.values,
  )
  return rows[0]
}

/** The homes of these cameras, as far as they are in reach and stand on a site. */
export async function homesOfCameras(tx: Tx, scope: Scope, devices: readonly string[]) {
  const where = deviceScope(scope).add((p) => `d.id = ANY (${p}::uuid[])`, devices)
  const { rows } = await tx.query(
    'streams.homes',
    row({ device_id: uuid, ...homeColumns }),
    `SELECT d.id AS device_id, ${HOME_COLUMNS}
     FROM devices d
     JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id
     WHERE ${where.text}`,
    where.values,
  )
  return rows
}

const OPEN = `v.live AND v.ended_at IS NULL AND v.to_at > :now - interval '${LOST_S} seconds'`

/** The number of live views that somebody has open. */
export async function openViews(tx: Tx, tenant: string, user: string): Promise<number> {
  const { rows } = await tx.query(
    'streams.open',
    row({ n: int4 }),
    `SELECT count(*)::int AS n FROM video_views v WHERE v.tenant_id = $1 AND v.user_id = $2 AND ${OPEN}`,
    [tenant, user],
  )
  return rows[0]!.n
}

/**
 * Of these views of a person, those that may go on: kept until now, and their camera still stands where it stood when
 * they began, in the reach, and somebody may still look into that home; with the time at which that ends.
 */
export async function livingViews(tx: Tx, scope: Scope, user: string, views: readonly string[]) {
  const where = deviceScope(scope)
    .add((p) => `v.id = ANY (${p}::uuid[])`, views)
    .add((p) => `v.user_id = ${p}::uuid`, user)
    .plain(OPEN)
  const { rows } = await tx.query(
    'streams.living',
    row({ view: uuid, sn: text, picture: text.null, pictureAt: float8.null, ...homeColumns }),
    `SELECT v.id AS view, d.sn, d.last_picture AS picture, ${epoch('d.last_picture_at')} AS "pictureAt",
       ${HOME_COLUMNS}
     FROM devices d
     JOIN video_views v ON v.tenant_id = $1 AND v.device_id = d.id AND v.site_id = d.site_id
     JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id
     WHERE ${where.text}`,
    where.values,
  )
  const looks = await lookings(tx, scope.tenant, rows, tx.now)
  return rows.flatMap((one) => {
    const { why, until } = looks(one)
    return why ? [] : [{ ...one, lookUntil: until }]
  })
}
