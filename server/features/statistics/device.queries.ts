import { deviceStatus } from '@zhuguan/contract/features/devices/devices.record.ts'
import type { DeviceFigures } from '@zhuguan/contract/features/statistics/device.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { float8, int4, row, text, uuid } from '../../kit/row.ts'
import { scoped, siteScope } from '../../kit/scoped.ts'
import type { Where } from '../../kit/statement.ts'
import { epoch } from '../../kit/statement.ts'
import { deviceScope } from '../devices/devices.reads.ts'
import { heardSeconds, someUnheard, watchedOn } from '../devices/watched.reads.ts'
import type { Span } from './span.ts'

const LONGEST = 10
const HOURS = '3600.0'
const keys = Object.keys(deviceStatus.code) as (keyof typeof deviceStatus.code)[]

/** Figures of devices; counts by state, type and branch each equal the list of devices with that filter. */
export async function deviceStatistics(
  tx: Tx,
  scope: Scope,
  span: Span,
  bc: string[] | undefined,
): Promise<DeviceFigures> {
  const mine = (where: Where) => where.when(bc, (p) => `d.bc_id = ANY(${p}::uuid[])`)
  const device = mine(deviceScope(scope))
  const counts = async (column: string) =>
    (
      await tx.query(
        'statistics.devices',
        row({ key: text, count: int4 }),
        `SELECT ${column}::text AS key, count(*)::int AS count
         FROM devices d
         WHERE ${device.text}
         GROUP BY 1
         ORDER BY 1`,
        device.values,
      )
    ).rows
  const askedStatus = counts('d.device_status')
  const askedType = counts('d.type')
  const askedByBranch = tx.query(
    'statistics.devicebranch',
    row<DeviceFigures['byBranch'][number]>({
      bc_id: uuid,
      bc_name: text,
      online: int4,
      offline: int4,
      notEnabled: int4,
      faulty: int4,
      spare: int4,
      inStock: int4,
    }),
    `SELECT c.bc_id, c.bc_name,
       ${keys.map((k) => `count(*) FILTER (WHERE d.device_status = ${deviceStatus.code[k]})::int AS "${k}"`).join(', ')}
     FROM devices d
     JOIN companies c ON c.tenant_id = d.tenant_id AND c.bc_id = d.bc_id
     WHERE ${device.text}
     GROUP BY 1, 2
     ORDER BY c.bc_name`,
    device.values,
  )

  const bound = mine(deviceScope(scope)).plain('d.bind_status = 2')
  // Of past days counts where a device stood then, not what it is now.
  const places = siteScope(scope).when(bc, (p) => `w.bc_id = ANY(${p}::uuid[])`)
  const stood = watchedOn(places.text)
  const n = places.values.length
  const within = heardSeconds(
    'greatest(v.from_at, e.begin)',
    'least(coalesce(v.to_at, :now), e.upto)',
    'e.deaf',
  )
  // Asked once a day and not once a span: OFFSET keeps it where it is written.
  const asked = (periods: string) =>
    `(SELECT g.*, ${someUnheard('g.begin', 'g.upto')} AS deaf FROM (${periods}) g OFFSET 0) e`
  const days = asked(`SELECT g::date AS day, g AT TIME ZONE 'Asia/Shanghai' AS begin,
         least(:now, (g + interval '1 day') AT TIME ZONE 'Asia/Shanghai') AS upto
         FROM generate_series($${n + 1}::date::timestamp, $${n + 2}::date::timestamp, interval '1 day') g`)
  const askedOnlineByDay = tx.query(
    'statistics.online',
    row<DeviceFigures['onlineByDay'][number]>({ day: text, rate: float8.null }),
    `SELECT e.day::text AS day,
       round(100 * coalesce(sum(${within}) FILTER (WHERE v.state = 1), 0)
         / nullif(sum(${within}), 0), 1)::float8 AS rate
     FROM ${days}
     LEFT JOIN ${stood} ON v.from_at < e.upto AND (v.to_at IS NULL OR v.to_at > e.begin)
     GROUP BY e.day
     ORDER BY e.day`,
    [...places.values, span.from, span.to],
  )
  const period = asked(`SELECT $${n + 1}::date::timestamp AT TIME ZONE 'Asia/Shanghai' AS begin,
         least(:now, ($${n + 2}::date + 1)::timestamp AT TIME ZONE 'Asia/Shanghai') AS upto`)
  const askedCauses = tx.query(
    'statistics.causes',
    row<DeviceFigures['causes'][number]>({ cause: text, times: int4, hours: float8 }),
    `SELECT v.cause, count(*)::int AS times,
       round((sum(${within}) / ${HOURS})::numeric, 1)::float8 AS hours
     FROM ${period}
     JOIN ${stood} ON v.state IN (2, 4) AND v.from_at < e.upto AND (v.to_at IS NULL OR v.to_at > e.begin)
     GROUP BY 1
     ORDER BY 3 DESC`,
    [...places.values, span.from, span.to],
  )
  const askedLongest = tx.query(
    'statistics.longest',
    row<DeviceFigures['longest'][number]>({
      id: uuid,
      sn: text,
      type: text,
      site_id: uuid.null,
      siteName: text,
      bc_name: text,
      since: float8,
      cause: text,
    }),
    `SELECT d.id, d.sn, d.type, d.site_id, coalesce(w.ws_name, '') AS "siteName",
       coalesce(c.bc_name, '') AS bc_name, ${epoch('s.from_at')} AS since, s.cause
     FROM devices d
     JOIN device_spans s ON s.tenant_id = d.tenant_id AND s.device_id = d.id AND s.to_at IS NULL
     LEFT JOIN sites w ON w.tenant_id = d.tenant_id AND w.id = d.site_id
     LEFT JOIN companies c ON c.tenant_id = d.tenant_id AND c.bc_id = d.bc_id
     WHERE ${bound.text} AND d.device_status = ${deviceStatus.code.offline}
     ORDER BY s.from_at, d.id
     LIMIT ${LONGEST}`,
    bound.values,
  )
  // Asked together they travel together.
  const [byStatus, byType, byBranch, onlineByDay, causes, longest, needed] = await Promise.all([
    askedStatus,
    askedType,
    askedByBranch,
    askedOnlineByDay,
    askedCauses,
    askedLongest,
    need(tx, scope, bc),
  ])
  return {
    total: byStatus.reduce((sum, s) => sum + s.count, 0),
    byStatus,
    byType,
    byBranch: byBranch.rows,
    onlineByDay: onlineByDay.rows,
    causes: causes.rows,
    longest: longest.rows,
    need: needed,
  }
}

/** Sites under construction that nobody watches, against what lies spare or in stock in their branch. */
async function need(tx: Tx, scope: Scope, bc: string[] | undefined): Promise<DeviceFigures['need']> {
  const where = siteScope(scope)
    .when(bc, (p) => `w.bc_id = ANY(${p}::uuid[])`)
    .plain('w.status = 1')
  const lacks = (type: string) =>
    `count(*) FILTER (WHERE NOT EXISTS (SELECT 1 FROM devices v WHERE v.tenant_id = w.tenant_id AND v.site_id = w.id AND v.type = '${type}' AND v.deleted_at IS NULL))::int`
  const free = (type: string) =>
    `(SELECT count(*)::int FROM devices d WHERE ${scoped(scope, 'd').text} AND d.bc_id = g.bc_id AND d.type = '${type}' AND d.device_status IN (5, 6) AND d.deleted_at IS NULL)`
  const { rows } = await tx.query(
    'statistics.need',
    row<DeviceFigures['need'][number]>({
      bc_id: uuid,
      bc_name: text,
      noCamera: int4,
      noTerminal: int4,
      cameras: int4,
      terminals: int4,
    }),
    `SELECT g.bc_id, c.bc_name, g."noCamera", g."noTerminal", ${free('camera')} AS cameras, ${free('faceTerminal')} AS terminals
     FROM (SELECT w.tenant_id, w.bc_id, ${lacks('camera')} AS "noCamera", ${lacks('faceTerminal')} AS "noTerminal" FROM sites w WHERE ${where.text} GROUP BY 1, 2) g JOIN companies c ON c.tenant_id = g.tenant_id AND c.bc_id = g.bc_id ORDER BY c.bc_name`,
    where.values,
  )
  return rows
}
