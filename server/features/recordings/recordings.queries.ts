import { alarmType } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import {
  filmFormat,
  holdFor,
  LONGEST_RECORDING_S,
  markKind,
} from '@zhuguan/contract/features/recordings/recordings.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { CONCEALED, keptFrom } from '../../kit/kept-from.ts'
import { bool, float8, int4, int8, row, text, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { epoch, Where } from '../../kit/statement.ts'
import { HOME_COLUMNS, homeColumns } from '../looking/looking.reads.ts'
import { settingSql } from '../settings/settings.reads.ts'

/** Places of devices by time; one that was never moved has always stood where it stands. */
const STANDS = `(SELECT o.device_id, o.site_id, o.from_at, o.to_at
     FROM device_stands o
     WHERE o.tenant_id = $1
     UNION ALL
     SELECT n.id, n.site_id, '-infinity', NULL
     FROM devices n
     WHERE n.tenant_id = $1 AND n.site_id IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM device_stands e WHERE e.tenant_id = $1 AND e.device_id = n.id))`

/** Cameras that stand on a site of the reach or once recorded there. */
export async function camerasOfSite(tx: Tx, scope: Scope, site: string) {
  const where = scoped(scope, 'w', { site: 'id' })
    .add((p) => `w.id = ${p}::uuid`, site)
    .plain('w.deleted_at IS NULL')
  const there = await tx.query(
    'recordings.site',
    row({ id: uuid }),
    `SELECT w.id FROM sites w WHERE ${where.text}`,
    where.values,
  )
  if (!there.rows[0]) return undefined
  const { rows } = await tx.query(
    'recordings.cameras',
    row({ device_id: uuid, deviceSn: text, model: text, here: bool, last: float8.null }),
    `SELECT k.device_id, coalesce(d.sn, '已调走的摄像头') AS "deviceSn", coalesce(d.model, '') AS model, k.here,
       (SELECT ${epoch('r.to_at')}
        FROM recordings r
        WHERE r.tenant_id = $1 AND r.site_id = $2 AND r.device_id = k.device_id
        ORDER BY r.to_at DESC
        LIMIT 1) AS last
     FROM (SELECT s.device_id, bool_or(s.to_at IS NULL) AS here
           FROM ${STANDS} s
           WHERE s.site_id = $2
           GROUP BY s.device_id) k
     LEFT JOIN devices d ON d.tenant_id = $1 AND d.id = k.device_id
     WHERE (d.type = 'camera' AND d.deleted_at IS NULL)
       OR EXISTS (SELECT 1 FROM recordings o
         WHERE o.tenant_id = $1 AND o.site_id = $2 AND o.device_id = k.device_id)
     ORDER BY k.here DESC, 2`,
    [scope.tenant, site],
  )
  return rows
}

/** Cameras that stood on a site between two moments. */
export async function camerasThen(
  tx: Tx,
  tenant: string,
  { site, from, to }: { site: string; from: Date; to: Date },
): Promise<string[]> {
  const { rows } = await tx.query(
    'recordings.camerasthen',
    row({ id: uuid }),
    `SELECT DISTINCT d.id
     FROM ${STANDS} s
     JOIN devices d ON d.tenant_id = $1 AND d.id = s.device_id AND d.type = 'camera'
     WHERE s.site_id = $2 AND s.from_at < $4::timestamptz AND (s.to_at IS NULL OR s.to_at > $3::timestamptz)
     ORDER BY d.id`,
    [tenant, site, from, to],
  )
  return rows.map((r) => r.id)
}

const LATEST = 12
/** Cameras that stand on sites of the reach and recorded there, the last first. */
export async function latestOf(tx: Tx, scope: Scope) {
  const where = scoped(scope, 'w', { site: 'id' }).plain('w.deleted_at IS NULL')
  const { rows } = await tx.query(
    'recordings.latest',
    row({
      device_id: uuid,
      deviceSn: text,
      siteName: text,
      from: float8,
      to: float8,
      format: text.of(filmFormat).null,
    }),
    `SELECT d.id AS device_id, d.sn AS "deviceSn", w.ws_name AS "siteName", ${epoch('k.from_at')} AS from,
       ${epoch('k.to_at')} AS to, k.format
     FROM sites w
     JOIN devices d ON d.tenant_id = $1 AND d.site_id = w.id AND d.type = 'camera' AND d.deleted_at IS NULL
     CROSS JOIN LATERAL (
       SELECT r.from_at, r.to_at, r.format
       FROM recordings r
       WHERE r.tenant_id = $1 AND r.site_id = w.id AND r.device_id = d.id
       ORDER BY r.to_at DESC
       LIMIT 1) k
     WHERE ${where.text}
     ORDER BY k.to_at DESC, d.sn
     LIMIT ${LATEST}`,
    where.values,
  )
  return rows
}

/** A camera that stands or stood on a site of the reach; one that has left it altogether keeps only its number. */
export async function cameraInReach(tx: Tx, scope: Scope, device: string) {
  const where = scoped(scope, 'w', { site: 'id' })
    .add((p) => `s.device_id = ${p}::uuid`, device)
    .plain('w.deleted_at IS NULL')
    .plain('d.deleted_at IS NULL')
  const { rows } = await tx.query(
    'recordings.camera',
    row({ sn: text }),
    `SELECT coalesce(d.sn, '已调走的摄像头') AS sn
     FROM sites w
     JOIN ${STANDS} s ON s.site_id = w.id
     LEFT JOIN devices d ON d.tenant_id = $1 AND d.id = s.device_id
     WHERE ${where.text}
     LIMIT 1`,
    where.values,
  )
  return rows[0]
}

interface Asked {
  device: string
  from: Date
  to: Date
}
/** Its places between two moments, of what the reach holds, and what counts in the branch of each. */
export async function standsOf(tx: Tx, scope: Scope, { device, from, to }: Asked) {
  const where = scoped(scope, 'w', { site: 'id' })
    .add((p) => `s.device_id = ${p}::uuid`, device)
    .add((p) => `s.from_at < ${p}::timestamptz`, to)
    .add((p) => `(s.to_at IS NULL OR s.to_at > ${p}::timestamptz)`, from)
  const { rows } = await tx.query(
    'recordings.stands',
    row({ site_id: uuid, siteName: text, bc_id: uuid, days: int4, ...homeColumns }),
    `SELECT w.id AS site_id, w.ws_name AS "siteName", w.bc_id, ${HOME_COLUMNS},
       ${settingSql('recordingDays', '$1', 'w.bc_id')}::text::int AS days
     FROM sites w
     JOIN ${STANDS} s ON s.site_id = w.id
     WHERE ${where.text}
     ORDER BY s.from_at`,
    where.values,
  )
  return rows
}

/** Stretches of `alias` that touch the asked time; nothing is longer than a day, so the index finds them. */
const during = (scope: Scope, alias: string, { device, from, to }: Asked): Where =>
  scoped(scope, alias)
    .add((p) => `${alias}.device_id = ${p}::uuid`, device)
    .add((p) => `${alias}.from_at > ${p}::timestamptz - interval '${LONGEST_RECORDING_S + 1} seconds'`, from)
    .add((p) => `${alias}.from_at < ${p}::timestamptz`, to)
    .add((p) => `${alias}.to_at > ${p}::timestamptz`, from)

export async function piecesOf(tx: Tx, scope: Scope, asked: Asked) {
  const where = during(scope, 'r', asked).plain('r.to_at > r.from_at')
  const { rows } = await tx.query(
    'recordings.pieces',
    row({ id: uuid, from: float8, to: float8, bytes: int8, format: text.of(filmFormat).null }),
    `SELECT r.id, ${epoch('r.from_at')} AS from, ${epoch('r.to_at')} AS to, r.bytes, r.format
     FROM recordings r
     WHERE ${where.text}
     ORDER BY r.from_at, r.id`,
    where.values,
  )
  return rows
}

/** The fields of a recording that only the server needs. */
const filed = {
  id: uuid,
  device_id: uuid,
  site_id: uuid,
  bc_id: uuid,
  from: float8,
  to: float8,
  key: text,
  format: text.of(filmFormat).null,
}
/** The same with what only the server needs of them. */
export async function filesOf(tx: Tx, scope: Scope, asked: Asked) {
  const where = during(scope, 'r', asked).plain('r.to_at > r.from_at').plain('w.deleted_at IS NULL')
  const { rows } = await tx.query(
    'recordings.files',
    row(filed),
    `SELECT r.id, r.device_id, r.site_id, r.bc_id, ${epoch('r.from_at')} AS from, ${epoch('r.to_at')} AS to, r.key,
       r.format
     FROM recordings r
     JOIN sites w ON w.tenant_id = $1 AND w.id = r.site_id
     WHERE ${where.text}
     ORDER BY r.from_at, r.id
     LIMIT 1000`,
    where.values,
  )
  return rows
}

export async function holdsOf(tx: Tx, scope: Scope, asked: Asked) {
  const where = during(scope, 'h', asked).plain('h.released_at IS NULL').plain('h.until_at > :now')
  const { rows } = await tx.query(
    'recordings.holds',
    row({
      id: uuid,
      from: float8,
      to: float8,
      for: text.of(holdFor),
      reason: text,
      until: float8,
      by: text,
    }),
    `SELECT h.id, ${epoch('h.from_at')} AS from, ${epoch('h.to_at')} AS to,
       CASE WHEN x.kept THEN '${holdFor.code.person}' ELSE h."for" END AS "for",
       CASE WHEN x.kept THEN '${CONCEALED}' ELSE h.reason END AS reason, ${epoch('h.until_at')} AS until,
       h.held_by AS by
     FROM recording_holds h
     CROSS JOIN LATERAL (SELECT ${keptFrom('h.feedback_id', `$${where.values.length + 1}`)} AS kept) x
     WHERE ${where.text}
     ORDER BY h.from_at, h.id`,
    [...where.values, scope.user],
  )
  return rows
}

/** The other events of that time: what this camera raised, and who clocked in and out on the sites. */
export async function marksOf(tx: Tx, scope: Scope, asked: Asked, sites: readonly string[]) {
  const where = scoped(scope, 'a')
    .add((p) => `a.device_id = ${p}::uuid`, asked.device)
    .add((p) => `a.at >= ${p}::timestamptz`, asked.from)
    .add((p) => `a.at < ${p}::timestamptz`, asked.to)
  const alarms = await tx.query(
    'recordings.alarms',
    row({ kind: text.of(markKind), at: float8, type: text.of(alarmType), id: uuid }),
    `SELECT '${markKind.code.alarm}' AS kind, ${epoch('a.at')} AS at, a.type, a.id
     FROM alarms a
     WHERE ${where.text}
     ORDER BY a.at
     LIMIT 500`,
    where.values,
  )
  const punches = await tx.query(
    'recordings.clockins',
    row({ kind: text.of(markKind), at: float8 }),
    `SELECT '${markKind.code.clockin}' AS kind, ${epoch('e.at')} AS at
     FROM attendance_events e
     WHERE e.tenant_id = $1 AND e.site_id = ANY ($2::uuid[]) AND e.at >= $3 AND e.at < $4
     ORDER BY e.at
     LIMIT 500`,
    [scope.tenant, sites, asked.from, asked.to],
  )
  return [...alarms.rows, ...punches.rows.map((r) => ({ ...r, type: null, id: null }))].sort(
    (a, b) => a.at - b.at,
  )
}

/** One recording of the reach: that of its own site, wherever its camera stands by now. */
export async function recordingOf(tx: Tx, scope: Scope, id: string) {
  const where = scoped(scope, 'r').add((p) => `r.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'recordings.one',
    row({ ...filed, sn: text }),
    `SELECT r.id, r.device_id, r.site_id, r.bc_id, ${epoch('r.from_at')} AS from, ${epoch('r.to_at')} AS to, r.key,
       r.format, coalesce(d.sn, '') AS sn
     FROM recordings r
     JOIN sites w ON w.tenant_id = $1 AND w.id = r.site_id AND w.deleted_at IS NULL
     LEFT JOIN devices d ON d.tenant_id = $1 AND d.id = r.device_id
     WHERE ${where.text}`,
    where.values,
  )
  return rows[0]
}

/** A hold that still holds, kept from being released twice. */
export async function lockHold(tx: Tx, scope: Scope, id: string) {
  const where = scoped(scope, 'h').add((p) => `h.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'recordings.hold',
    row({ device_id: uuid, site_id: uuid, from: float8, to: float8, released: bool }),
    `SELECT h.device_id, h.site_id, ${epoch('h.from_at')} AS from, ${epoch('h.to_at')} AS to,
       h.released_at IS NOT NULL AS released
     FROM recording_holds h
     WHERE ${where.text}
     FOR NO KEY UPDATE OF h`,
    where.values,
  )
  return rows[0]
}

/** What was recorded in the hours that are held for a complaint. */
export async function heldFilms(tx: Tx, scope: Scope, feedback: string) {
  const where = scoped(scope, 'h')
    .add((p) => `h.feedback_id = ${p}::uuid`, feedback)
    .plain('h.released_at IS NULL')
    .plain('h.until_at > :now')
  const { rows } = await tx.query(
    'recordings.heldfor',
    row({ ...filed, deviceSn: text, hourFrom: float8, hourTo: float8 }),
    `SELECT r.id, r.device_id, r.site_id, r.bc_id, ${epoch('r.from_at')} AS from, ${epoch('r.to_at')} AS to, r.key,
       r.format, coalesce(d.sn, '已调走的摄像头') AS "deviceSn", ${epoch('h.from_at')} AS "hourFrom",
       ${epoch('h.to_at')} AS "hourTo"
     FROM recording_holds h
     JOIN recordings r ON r.tenant_id = $1 AND r.device_id = h.device_id AND r.site_id = h.site_id
       AND r.from_at > h.from_at - interval '${LONGEST_RECORDING_S + 1} seconds' AND r.from_at < h.to_at
       AND r.to_at > h.from_at
     LEFT JOIN devices d ON d.tenant_id = $1 AND d.id = h.device_id
     WHERE ${where.text}
     ORDER BY "deviceSn", r.from_at, r.id`,
    where.values,
  )
  return rows
}
