import type { Tx } from '../../database/connect.ts'
import { type Detection, seen } from '../../kit/detection.ts'
import { uuidv7 } from '../../kit/ids.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { announceAll, tellSites } from '../live/live.bulk.ts'

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
  await countSiteDays(tx, [...new Map(rows.map((r) => [`${r.tenant}|${r.day}|${r.site}`, { tenant: r.tenant, day: r.day, site: r.site }])).values()])
  await tellSites(tx, ins.map((d) => ({ tenant: d.device.tenant, bc: d.device.bc, site: d.device.site, kind: 'clockin', at: d.event.at, title: `${d.who.name} ${d.event.direction === 'in' ? '进场' : '离场'}`, actor: d.who.name, ref: d.who.id, picture: d.event.picture ?? null })))
  await announceAll(tx, ins.map((d) => ({ tenant: d.device.tenant, bc: d.device.bc, site: d.device.site, topic: 'attendance', what: 'changed', id: d.device.site })))
}

/** The site's day, counted anew from its people; present people are work. */
export async function countSiteDays(tx: Tx, keys: readonly { tenant: string; day: string; site: string }[]): Promise<void> {
  await tx.query(
    'attendance.sitedays',
    `INSERT INTO site_days AS k (tenant_id, day, site_id, bc_id, expected, present, no_work)
     SELECT x.tenant, x.day, x.site, w.bc_id, (SELECT count(*) FROM site_members m WHERE m.tenant_id = x.tenant AND m.site_id = x.site AND m.entered_on <= x.day AND (m.left_on IS NULL OR m.left_on >= x.day)),
       (SELECT count(*) FROM attendance_days a WHERE a.tenant_id = x.tenant AND a.day = x.day AND a.site_id = x.site), false
     FROM json_to_recordset($1::json) AS x(tenant uuid, day date, site uuid) JOIN sites w ON w.tenant_id = x.tenant AND w.id = x.site ORDER BY 1, 2, 3
     ON CONFLICT (tenant_id, day, site_id) DO UPDATE SET expected = excluded.expected, present = excluded.present, no_work = excluded.no_work AND excluded.present = 0`,
    [JSON.stringify([...keys].sort((a, b) => (`${a.tenant}${a.day}${a.site}` < `${b.tenant}${b.day}${b.site}` ? -1 : 1)))],
  )
}
