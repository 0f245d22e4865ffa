import type { MonitorFigures } from '@zhuguan/contract/features/statistics/monitor.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { hasBranch, scoped, scopedBranches } from '../../kit/scoped.ts'
import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import type { Where } from '../../kit/statement.ts'
import { epoch } from '../../kit/statement.ts'
import { deviceScope } from '../devices/devices.reads.ts'

const FEED = 12
const hour = (column: string) => `extract(hour FROM ${column} AT TIME ZONE 'Asia/Shanghai')::int`

/** Today as it stands now, from rows the caller may see. */
export async function monitor(
  tx: Tx,
  scope: Scope,
  now: Date,
  bc: string[] | undefined,
): Promise<MonitorFigures> {
  const day = shanghaiDay(now)
  const [begin, end] = [startOfDay(day), startOfDay(addDays(day, 1))]
  const mine = (alias: string) => scoped(scope, alias).when(bc, (p) => `${alias}.bc_id = ANY(${p}::uuid[])`)
  const today = (alias: string) => mine(alias).add((p) => `${alias}.day = ${p}::date`, day)
  const between = (where: Where, column: string) =>
    where.add((p) => `${column} >= ${p}`, begin).add((p) => `${column} < ${p}`, end)
  const all = async <R>(name: string, text: (where: Where) => string, where: Where) =>
    (await tx.query<R & Record<string, unknown>>(`monitor.${name}`, text(where), where.values)).rows

  const sites = await all<{
    bc_id: string
    sites: number
    worked: number
    expected: number
    present: number
  }>(
    'sites',
    (w) =>
      `SELECT d.bc_id, count(*)::int AS sites, count(*) FILTER (WHERE d.present > 0)::int AS worked, coalesce(sum(d.expected), 0)::int AS expected, coalesce(sum(d.present), 0)::int AS present FROM site_days d WHERE ${w.text} GROUP BY 1`,
    today('d'),
  )
  const devices = await all<{ bc_id: string; on: number; total: number }>(
    'devices',
    (w) =>
      `SELECT d.bc_id, count(*) FILTER (WHERE d.device_status = 1)::int AS "on", count(*)::int AS total
       FROM devices d WHERE ${w.text} GROUP BY 1`,
    deviceScope(scope)
      .when(bc, (p) => `d.bc_id = ANY(${p}::uuid[])`)
      .plain('d.bind_status = 2 AND d.device_status IN (1, 2, 4)'),
  )
  const raised = await all<{ bc_id: string; hour: number; n: number }>(
    'raised',
    (w) =>
      `SELECT a.bc_id, ${hour('a.at')} AS hour, count(*)::int AS n FROM alarms a WHERE ${w.text} GROUP BY 1, 2`,
    between(mine('a'), 'a.at'),
  )
  const done = await all<{ bc_id: string; hour: number; n: number }>(
    'done',
    (w) =>
      `SELECT a.bc_id, ${hour('a.closed_at')} AS hour, count(*)::int AS n FROM alarms a WHERE ${w.text} GROUP BY 1, 2`,
    between(mine('a'), 'a.closed_at'),
  )
  const open = await all<{ bc_id: string; n: number }>(
    'open',
    (w) =>
      `SELECT a.bc_id, count(*)::int AS n FROM alarms a WHERE ${w.text} AND a.correction_status IN (1, 2) GROUP BY 1`,
    mine('a'),
  )
  const arrived = await all<{ hour: number; n: number }>(
    'arrived',
    (w) =>
      `SELECT ${hour('y.first_at')} AS hour, count(*)::int AS n FROM attendance_days y WHERE ${w.text} GROUP BY 1`,
    today('y'),
  )
  // Who sees single sites is told of no branch but theirs.
  const known = new Set([...sites, ...devices, ...open].map((r) => r.bc_id))
  const companies = await all<{ bc_id: string; bc_name: string }>(
    'branches',
    (w) => `SELECT c.bc_id, c.bc_name FROM companies c WHERE ${w.text} ORDER BY c.sort, c.bc_name`,
    scopedBranches(scope, 'c').when(bc, (p) => `c.bc_id = ANY(${p}::uuid[])`),
  )

  const arrivals = await all<MonitorFigures['arrivals'][number]>(
    'arrivals',
    (
      w,
    ) => `SELECT y.worker_id, k.w_name, k.w_type, y.site_id, s.ws_name, ${epoch('y.first_at')} AS at, (SELECT e.picture FROM attendance_events e WHERE e.tenant_id = y.tenant_id AND e.worker_id = y.worker_id AND e.site_id = y.site_id AND e.at = y.first_at LIMIT 1) AS picture
    FROM attendance_days y JOIN workers k ON k.tenant_id = y.tenant_id AND k.id = y.worker_id JOIN sites s ON s.tenant_id = y.tenant_id AND s.id = y.site_id WHERE ${w.text} ORDER BY y.first_at DESC, y.worker_id LIMIT ${FEED}`,
    today('y'),
  )
  const down = await all<MonitorFigures['down'][number]>(
    'down',
    (
      w,
    ) => `SELECT d.id, d.sn, d.type, d.site_id, s.ws_name, ${epoch('p.from_at')} AS since, p.cause FROM devices d JOIN device_spans p ON p.tenant_id = d.tenant_id AND p.device_id = d.id AND p.to_at IS NULL JOIN sites s ON s.tenant_id = d.tenant_id AND s.id = d.site_id
    WHERE ${w.text} ORDER BY p.from_at DESC, d.id LIMIT 50`,
    deviceScope(scope)
      .when(bc, (p) => `d.bc_id = ANY(${p}::uuid[])`)
      .plain('d.bind_status = 2 AND d.device_status IN (2, 4)'),
  )
  const alarms = await all<MonitorFigures['alarms'][number]>(
    'alarms',
    (w) =>
      `SELECT a.id, a.type, a.site_id, s.ws_name, ${epoch('a.at')} AS at, a.correction_status AS "correctionStatus", a.picture FROM alarms a JOIN sites s ON s.tenant_id = a.tenant_id AND s.id = a.site_id WHERE ${w.text} ORDER BY a.at DESC, a.id DESC LIMIT ${FEED}`,
    between(mine('a'), 'a.at'),
  )

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
