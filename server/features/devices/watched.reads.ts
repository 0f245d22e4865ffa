import { deviceStatus } from '@zhuguan/contract/features/devices/devices.record.ts'

import { float8, int2, row, text, uuid } from '../../kit/row.ts'
import type { Tx } from '../../kit/tx.ts'

const { faulty, offline, online } = deviceStatus.code
/** States in which a device on a site is watched: a rate is of these. */
export const WATCHED_STATES: readonly number[] = [online, offline, faulty]

/** Seconds since 1970, with their fraction. */
const moment = (column: string): string => `extract(epoch FROM ${column})::float8`
/** From when until when no server listened, as `u`: between two times in which one did. */
const UNHEARD = `(
  SELECT h.to_at AS from_at, lead(h.from_at) OVER (ORDER BY h.from_at) AS to_at FROM hearing h
) u`
const unheardIn = (from: string, to: string) =>
  `FROM ${UNHEARD} WHERE u.to_at > greatest(u.from_at, ${from}) AND u.from_at < ${to}`

/** Whether some of a time went unheard. */
export const someUnheard = (from: string, to: string): string => `EXISTS (SELECT 1 ${unheardIn(from, to)})`
/**
 * The seconds of a time that count: those in which a server listened. `unheard` says of the period around it whether
 * any did not, so that ordinary days are not searched.
 */
export const heardSeconds = (from: string, to: string, unheard: string): string =>
  `(CASE WHEN ${unheard} THEN extract(epoch FROM ${to} - ${from})
       - (SELECT coalesce(sum(extract(epoch FROM least(u.to_at, ${to}) - greatest(u.from_at, ${from}))), 0)
          ${unheardIn(from, to)})
     ELSE extract(epoch FROM ${to} - ${from}) END)`

/**
 * Where devices stood and when, as rows of a device, a site and a time: what they are today changes no day of before.
 * One that nobody wrote down stands there since it left the place before, or ever since.
 */
export const STOOD = `(
    SELECT s.device_id, s.site_id, s.from_at, s.to_at FROM device_stands s WHERE s.tenant_id = $1
    UNION ALL
    SELECT d.id, d.site_id, coalesce(l.left_at, '-infinity'), NULL
    FROM devices d
    LEFT JOIN LATERAL (
      SELECT max(e.to_at) AS left_at, bool_or(e.to_at IS NULL) AS open
      FROM device_stands e
      WHERE e.tenant_id = $1 AND e.device_id = d.id) l ON true
    WHERE d.tenant_id = $1 AND d.site_id IS NOT NULL AND d.deleted_at IS NULL AND l.open IS NOT TRUE)`
/**
 * What watched devices were while they stood on the sites `w` that `where` allows: rows `v` with the branch, the site
 * and the time that a state and a place have in common. The tenant is the statement's first value, as `scoped` puts it.
 */
export const watchedOn = (where: string): string => `(
    SELECT w.tenant_id, w.bc_id, w.id AS site_id, s.device_id, v.state, v.cause,
      greatest(v.from_at, s.from_at) AS from_at, least(v.to_at, s.to_at) AS to_at
    FROM sites w
    JOIN ${STOOD} s ON s.site_id = w.id
    JOIN device_spans v ON v.tenant_id = $1 AND v.device_id = s.device_id AND v.state IN (1, 2, 4)
      AND v.from_at < coalesce(s.to_at, 'infinity') AND coalesce(v.to_at, 'infinity') > s.from_at
    WHERE ${where}) v`

export interface Moments {
  from: number
  to: number
}
const PERIOD = ['to_timestamp($1)', 'to_timestamp($2)'] as const

/** The parts of a time in which no server listened. */
export async function unheardParts(tx: Tx, { from, to }: Moments): Promise<Moments[]> {
  const { rows } = await tx.query(
    'devices.unheard',
    row({ from: float8, to: float8 }),
    `SELECT ${moment('u.from_at')} AS from, ${moment('u.to_at')} AS to
     ${unheardIn(...PERIOD)}
     ORDER BY u.from_at`,
    [from, to],
  )
  return rows
}

/**
 * The cameras that stood on a site in a time, and when, a row for each stay. One that nobody wrote down stands there
 * since it left the place before, or ever since. The site is found in the caller's reach before.
 */
export async function camerasAt(tx: Tx, tenant: string, site: string, { from, to }: Moments) {
  const { rows } = await tx.query(
    'devices.camerasat',
    row({
      id: uuid,
      sn: text,
      model: text,
      /** Its place now, as long as it is on the books. */
      bc: uuid.null,
      site: uuid.null,
      from: float8,
      to: float8.null,
    }),
    `SELECT d.id, d.sn, d.model, CASE WHEN d.deleted_at IS NULL THEN d.bc_id END AS bc,
       CASE WHEN d.deleted_at IS NULL THEN d.site_id END AS site,
       ${moment('greatest(s.from_at, to_timestamp(0))')} AS from, ${moment('s.to_at')} AS to
     FROM device_stands s
     JOIN devices d ON d.tenant_id = $1 AND d.id = s.device_id AND d.type = 'camera'
     WHERE s.tenant_id = $1 AND s.site_id = $2 AND s.from_at < to_timestamp($4)
       AND (s.to_at IS NULL OR s.to_at > to_timestamp($3))
     UNION ALL
     SELECT d.id, d.sn, d.model, d.bc_id, d.site_id, coalesce(l.left_at, 0), NULL
     FROM devices d
     LEFT JOIN LATERAL (
       SELECT max(${moment('e.to_at')}) AS left_at, bool_or(e.to_at IS NULL) AS open
       FROM device_stands e
       WHERE e.tenant_id = $1 AND e.device_id = d.id) l ON true
     WHERE d.tenant_id = $1 AND d.site_id = $2 AND d.type = 'camera' AND d.deleted_at IS NULL
       AND l.open IS NOT TRUE AND coalesce(l.left_at, 0) < $4
     ORDER BY sn, "from"`,
    [tenant, site, from, to],
  )
  return rows
}

/** States of devices in a time, oldest first, whole; `next` is what ended it. */
export async function spansOf(tx: Tx, tenant: string, devices: readonly string[], { from, to }: Moments) {
  const { rows } = await tx.query(
    'devices.spansof',
    row({
      device: uuid,
      state: int2.of(deviceStatus),
      cause: text,
      from: float8,
      to: float8.null,
      next: text.null,
    }),
    `SELECT s.device_id AS device, s.state, s.cause, ${moment('s.from_at')} AS from,
       ${moment('s.to_at')} AS to,
       (SELECT n.cause
        FROM device_spans n
        WHERE n.tenant_id = $1 AND n.device_id = s.device_id AND n.from_at > s.from_at
        ORDER BY n.from_at LIMIT 1) AS next
     FROM device_spans s
     WHERE s.tenant_id = $1 AND s.device_id = ANY ($2::uuid[]) AND s.from_at < to_timestamp($4)
       AND (s.to_at IS NULL OR s.to_at > to_timestamp($3))
     ORDER BY s.device_id, s.from_at`,
    [tenant, devices, from, to],
  )
  return rows
}
export type CameraStay = Awaited<ReturnType<typeof camerasAt>>[number]
export type WatchedSpan = Awaited<ReturnType<typeof spansOf>>[number]
