import { alarmType, correctionStatus } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { deviceType, spanCause } from '@zhuguan/contract/features/devices/devices.record.ts'
import type { MonitorFigures } from '@zhuguan/contract/features/statistics/monitor.record.ts'
import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { float8, int2, int4, row, type Row, text, uuid } from '../../kit/row.ts'
import { hasBranch, scoped, scopedBranches, whole } from '../../kit/scoped.ts'
import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import type { Where } from '../../kit/statement.ts'
import { epoch } from '../../kit/statement.ts'
import { DUE, GUESTS } from '../attendance/attendance.reads.ts'
import { deviceScope } from '../devices/devices.reads.ts'

const FEED = 12
const hour = (column: string) => `extract(hour FROM ${column} AT TIME ZONE 'Asia/Shanghai')::int`

/** Where the newest of each kind may be read, beside where they are counted; nowhere: nothing is listed. */
export type Feeds = Record<'arrivals' | 'alarms' | 'down', Scope | undefined>

/** Today as it stands now, from rows the caller may see. */
export async function monitor(
  tx: Tx,
  scope: Scope,
  now: Date,
  bc: string[] | undefined,
  feeds: Feeds = { arrivals: scope, alarms: scope, down: scope },
): Promise<MonitorFigures> {
  const day = shanghaiDay(now)
  const [begin, end] = [startOfDay(day), startOfDay(addDays(day, 1))]
  const mine = (alias: string) => scoped(scope, alias).when(bc, (p) => `${alias}.bc_id = ANY(${p}::uuid[])`)
  const today = (alias: string) => mine(alias).add((p) => `${alias}.day = ${p}::date`, day)
  const between = (where: Where, column: string) =>
    where.add((p) => `${column} >= ${p}`, begin).add((p) => `${column} < ${p}`, end)
  const listed = (where: Where, alias: string, reach: Scope | undefined): Where => {
    if (!reach) return where.plain('false')
    if (whole(reach)) return where
    return where.either([
      [(p) => `${alias}.bc_id = ANY(${p}::uuid[])`, reach.bcs ?? []],
      [(p) => `${alias}.site_id = ANY(${p}::uuid[])`, reach.sites ?? []],
    ])
  }
  const all = async <R>(name: string, columns: Row<R>, sql: (where: Where) => string, where: Where) =>
    (await tx.query(name, columns, sql(where), where.values)).rows

  const askedSites = all(
    'monitor.sites',
    row({ bc_id: uuid, sites: int4, worked: int4, expected: int4, present: int4, guests: int4 }),
    (w) =>
      `SELECT d.bc_id, count(*)::int AS sites, count(*) FILTER (WHERE d.present > 0)::int AS worked,
         ${DUE} AS expected, coalesce(sum(d.present), 0)::int AS present,
         ${GUESTS} AS guests
       FROM site_days d
       WHERE ${w.text}
       GROUP BY 1`,
    today('d'),
  )
  const askedDevices = all(
    'monitor.devices',
    row({ bc_id: uuid, on: int4, total: int4 }),
    (w) =>
      `SELECT d.bc_id, count(*) FILTER (WHERE d.device_status = 1)::int AS "on", count(*)::int AS total
       FROM devices d WHERE ${w.text} GROUP BY 1`,
    deviceScope(scope)
      .when(bc, (p) => `d.bc_id = ANY(${p}::uuid[])`)
      .plain('d.bind_status = 2 AND d.device_status IN (1, 2, 4)'),
  )
  const askedRaised = all(
    'monitor.raised',
    row({ bc_id: uuid, hour: int4, n: int4 }),
    (w) =>
      `SELECT a.bc_id, ${hour('a.at')} AS hour, count(*)::int AS n FROM alarms a WHERE ${w.text} GROUP BY 1, 2`,
    between(mine('a'), 'a.at'),
  )
  const askedDone = all(
    'monitor.done',
    row({ bc_id: uuid, hour: int4, n: int4 }),
    (w) =>
      `SELECT a.bc_id, ${hour('a.closed_at')} AS hour, count(*)::int AS n FROM alarms a WHERE ${w.text} GROUP BY 1, 2`,
    between(mine('a'), 'a.closed_at'),
  )
  const askedOpen = all(
    'monitor.open',
    row({ bc_id: uuid, n: int4 }),
    (w) =>
      `SELECT a.bc_id, count(*)::int AS n FROM alarms a WHERE ${w.text} AND a.correction_status IN (1, 2) GROUP BY 1`,
    mine('a'),
  )
  const askedArrived = all(
    'monitor.arrived',
    row({ hour: int4, n: int4 }),
    (w) =>
      `SELECT ${hour('y.first_at')} AS hour, count(*)::int AS n FROM attendance_days y WHERE ${w.text} GROUP BY 1`,
    today('y'),
  )
  const askedCompanies = all(
    'monitor.branches',
    row({ bc_id: uuid, bc_name: text }),
    (w) => `SELECT c.bc_id, c.bc_name FROM companies c WHERE ${w.text} ORDER BY c.sort, c.bc_name`,
    scopedBranches(scope, 'c').when(bc, (p) => `c.bc_id = ANY(${p}::uuid[])`),
  )

  const askedArrivals = all(
    'monitor.arrivals',
    row<MonitorFigures['arrivals'][number]>({
      worker_id: uuid,
      w_name: text,
      w_type: int2.of(workerType),
      site_id: uuid,
      ws_name: text,
      at: float8,
      picture: text.null,
    }),
    (w) =>
      `SELECT y.worker_id, k.w_name, k.w_type, y.site_id, s.ws_name, ${epoch('y.first_at')} AS at,
         (SELECT e.picture
          FROM attendance_events e
          WHERE e.tenant_id = y.tenant_id AND e.worker_id = y.worker_id AND e.site_id = y.site_id
            AND e.at = y.first_at
          LIMIT 1) AS picture
       FROM attendance_days y
       JOIN workers k ON k.tenant_id = y.tenant_id AND k.id = y.worker_id
       JOIN sites s ON s.tenant_id = y.tenant_id AND s.id = y.site_id
       WHERE ${w.text}
       ORDER BY y.first_at DESC, y.worker_id
       LIMIT ${FEED}`,
    listed(today('y'), 'y', feeds.arrivals),
  )
  const askedDown = all(
    'monitor.down',
    row<MonitorFigures['down'][number]>({
      id: uuid,
      sn: text,
      type: text.of(deviceType),
      site_id: uuid,
      ws_name: text,
      since: float8,
      cause: text.of(spanCause),
    }),
    (w) =>
      `SELECT d.id, d.sn, d.type, d.site_id, s.ws_name, ${epoch('p.from_at')} AS since, p.cause
       FROM devices d
       JOIN device_spans p ON p.tenant_id = d.tenant_id AND p.device_id = d.id AND p.to_at IS NULL
       JOIN sites s ON s.tenant_id = d.tenant_id AND s.id = d.site_id
       WHERE ${w.text}
       ORDER BY p.from_at DESC, d.id
       LIMIT 50`,
    listed(
      deviceScope(scope)
        .when(bc, (p) => `d.bc_id = ANY(${p}::uuid[])`)
        .plain('d.bind_status = 2 AND d.device_status IN (2, 4)'),
      'd',
      feeds.down,
    ),
  )
  const askedAlarms = all(
    'monitor.alarms',
    row<MonitorFigures['alarms'][number]>({
      id: uuid,
      type: text.of(alarmType),
      site_id: uuid,
      ws_name: text,
      at: float8,
      correctionStatus: int2.of(correctionStatus),
      picture: text.null,
    }),
    (w) =>
      `SELECT a.id, a.type, a.site_id, s.ws_name, ${epoch('a.at')} AS at,
         a.correction_status AS "correctionStatus", a.picture
       FROM alarms a
       JOIN sites s ON s.tenant_id = a.tenant_id AND s.id = a.site_id
       WHERE ${w.text}
       ORDER BY a.at DESC, a.id DESC
       LIMIT ${FEED}`,
    listed(between(mine('a'), 'a.at'), 'a', feeds.alarms),
  )
  // Asked together they travel together.
  const [sites, devices, raised, done, open, arrived, companies, arrivals, down, alarms] = await Promise.all([
    askedSites,
    askedDevices,
    askedRaised,
    askedDone,
    askedOpen,
    askedArrived,
    askedCompanies,
    askedArrivals,
    askedDown,
    askedAlarms,
  ])
  // Who sees single sites is told of no branch but theirs.
  const known = new Set([...sites, ...devices, ...open].map((r) => r.bc_id))

  const sum = (rows: { n: number }[]) => rows.reduce((total, r) => total + r.n, 0)
  return {
    day,
    at: Math.floor(now.getTime() / 1000),
    branches: companies
      .filter((c) => hasBranch(scope, c.bc_id) || known.has(c.bc_id))
      .map(({ bc_id, bc_name }) => {
        const [s, v] = [sites.find((r) => r.bc_id === bc_id), devices.find((r) => r.bc_id === bc_id)]
        const of = <R extends { bc_id: string; n: number }>(rows: R[]) =>
          sum(rows.filter((r) => r.bc_id === bc_id))
        return {
          bc_id,
          bc_name,
          sites: s?.sites ?? 0,
          worked: s?.worked ?? 0,
          expected: s?.expected ?? 0,
          present: s?.present ?? 0,
          guests: s?.guests ?? 0,
          devicesOnline: v?.on ?? 0,
          devicesTotal: v?.total ?? 0,
          raised: of(raised),
          done: of(done),
          open: of(open),
        }
      }),
    hours: Array.from({ length: 24 }, (_, h) => ({
      hour: h,
      arrived: sum(arrived.filter((r) => r.hour === h)),
      raised: sum(raised.filter((r) => r.hour === h)),
      done: sum(done.filter((r) => r.hour === h)),
    })),
    arrivals,
    down,
    alarms,
  }
}
