import type { Tx } from '../../database/connect.ts'
import { type Detection, seen } from '../../kit/detection.ts'
import { uuidv7 } from '../../kit/ids.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { announceAll, tellSites } from '../live/live.bulk.ts'
import { countRuns } from './no-work.service.ts'

/** Clock-ins: the raw event, the person's day on the site and the site's day, in the same transaction; exact under late events. */
export async function fileClockins(tx: Tx, all: readonly Detection[]): Promise<void> {
  const ins = seen(all, 'clockin').map((d) => ({ ...d, day: shanghaiDay(new Date(d.event.at * 1000)), who: d.worker! }))
  if (ins.length === 0) return
  await tx.query(
    'attendance.events',
    `INSERT INTO attendance_events (tenant_id, id, bc_id, site_id, worker_id, device_id, at, day, direction, picture, similarity)
     SELECT t, i, b, s, w, d, to_timestamp(a), y, r, p, m FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[], $7::float8[], $8::date[], $9::text[], $10::text[], $11::real[]) AS x(t, i, b, s, w, d, a, y, r, p, m)`,
    [ins.map((d) => d.device.tenant), ins.map(() => uuidv7()), ins.map((d) => d.device.bc), ins.map((d) => d.device.site), ins.map((d) => d.who.id), ins.map((d) => d.device.id), ins.map((d) => d.event.at), ins.map((d) => d.day), ins.map((d) => d.event.direction), ins.map((d) => d.event.picture ?? null), ins.map((d) => d.event.similarity ?? null)],
  )
  const days = new Map<string, { tenant: string; day: string; site: string; worker: string; bc: string; first: number; last: number; count: number }>()
  for (const d of ins) {
    const key = `${d.device.tenant}|${d.day}|${d.device.site}|${d.who.id}`
    const row = days.get(key)
    if (!row) days.set(key, { tenant: d.device.tenant, day: d.day, site: d.device.site, worker: d.who.id, bc: d.device.bc, first: d.event.at, last: d.event.at, count: 1 })
    else Object.assign(row, { first: Math.min(row.first, d.event.at), last: Math.max(row.last, d.event.at), count: row.count + 1 })
  }
  // Ordered by key: two servers filing the same days take turns instead of waiting for each other.
  const rows = [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, r]) => r)
  await tx.query(
    'attendance.days',
    `INSERT INTO attendance_days AS k (tenant_id, day, site_id, worker_id, bc_id, first_at, last_at, count)
     SELECT tenant, day, site, worker, bc, to_timestamp(first), to_timestamp(last), count FROM json_to_recordset($1::json) AS x(tenant uuid, day date, site uuid, worker uuid, bc uuid, first float8, last float8, count int)
     ON CONFLICT (tenant_id, day, site_id, worker_id) DO UPDATE SET first_at = least(k.first_at, excluded.first_at), last_at = greatest(k.last_at, excluded.last_at), count = k.count + excluded.count`,
    [JSON.stringify(rows)],
  )
  const siteDays = [...new Map(rows.map((r) => [`${r.tenant}|${r.day}|${r.site}`, { tenant: r.tenant, day: r.day, site: r.site }])).values()]
  const woken = await countSiteDays(tx, siteDays)
  await workResumed(tx, siteDays, woken)
  await tellSites(tx, ins.map((d) => ({ tenant: d.device.tenant, bc: d.device.bc, site: d.device.site, kind: 'clockin', at: d.event.at, title: `${d.who.name} ${d.event.direction === 'in' ? '进场' : '离场'}`, actor: d.who.name, ref: d.who.id, picture: d.event.picture ?? null })))
  await announceAll(tx, ins.map((d) => ({ tenant: d.device.tenant, bc: d.device.bc, site: d.device.site, topic: 'attendance', what: 'changed', id: d.device.site })))
}

export interface SiteDay {
  tenant: string
  day: string
  site: string
}
/**
 * The site's day, counted anew from its people; present people are work. The days are held by a statement of their own:
 * the count then sees what other servers committed before. Answers the days that had counted as days without work.
 */
export async function countSiteDays(tx: Tx, days: readonly SiteDay[]): Promise<SiteDay[]> {
  const keys = JSON.stringify([...days].sort((a, b) => (`${a.tenant}${a.day}${a.site}` < `${b.tenant}${b.day}${b.site}` ? -1 : 1)))
  const { rows } = await tx.query<SiteDay & { no_work: boolean }>(
    'attendance.hold',
    `INSERT INTO site_days AS k (tenant_id, day, site_id, bc_id) SELECT x.tenant, x.day, x.site, w.bc_id FROM json_to_recordset($1::json) AS x(tenant uuid, day date, site uuid) JOIN sites w ON w.tenant_id = x.tenant AND w.id = x.site ORDER BY 1, 2, 3
     ON CONFLICT (tenant_id, day, site_id) DO UPDATE SET bc_id = k.bc_id RETURNING k.tenant_id AS tenant, k.day, k.site_id AS site, k.no_work`,
    [keys],
  )
  await tx.query(
    'attendance.sitedays',
    `UPDATE site_days k SET expected = n.expected, present = n.present, no_work = k.no_work AND n.present = 0 FROM json_to_recordset($1::json) AS x(tenant uuid, day date, site uuid)
     CROSS JOIN LATERAL (SELECT (SELECT count(*) FROM site_members m WHERE m.tenant_id = x.tenant AND m.site_id = x.site AND m.entered_on <= x.day AND (m.left_on IS NULL OR m.left_on >= x.day)) AS expected,
       (SELECT count(*) FROM attendance_days a WHERE a.tenant_id = x.tenant AND a.day = x.day AND a.site_id = x.site) AS present) n
     WHERE k.tenant_id = x.tenant AND k.day = x.day AND k.site_id = x.site AND (k.expected, k.present, k.no_work) IS DISTINCT FROM (n.expected, n.present, k.no_work AND n.present = 0)`,
    [keys],
  )
  return rows.filter((r) => r.no_work)
}

/** Somebody came: a site that stood still does so no longer, and a late clock-in takes its day back out of the sum. */
async function workResumed(tx: Tx, days: readonly SiteDay[], woken: readonly SiteDay[]): Promise<void> {
  const { rows } = await tx.query<{ tenant: string; site: string }>('attendance.still', 'SELECT w.tenant_id AS tenant, w.id AS site FROM sites w JOIN unnest($1::uuid[], $2::uuid[]) AS k(tenant, site) ON w.tenant_id = k.tenant AND w.id = k.site WHERE w.no_work_run > 0', [days.map((d) => d.tenant), days.map((d) => d.site)])
  const affected = [...rows, ...woken]
  for (const tenant of [...new Set(affected.map((a) => a.tenant))].sort()) await countRuns(tx, tenant, [...new Set(affected.filter((a) => a.tenant === tenant).map((a) => a.site))].sort())
}
