import { NIGHT_ENDS } from '@zhuguan/contract/features/attendance/attendance.record.ts'

import type { Tx } from '../../database/connect.ts'
import { byDevice, type Detection, seen } from '../../kit/detection.ts'
import { uuidv7 } from '../../kit/ids.ts'
import { bool, date, int4, int8, row, type RowOf, there, uuid } from '../../kit/row.ts'
import { addDays, shanghaiDay, shanghaiTime } from '../../kit/shanghai.ts'
import { announceAll } from '../live/live.bulk.ts'
import { counts, dayOfWork, endOfNight, IS_NIGHT, peopleOf } from './attendance.reads.ts'
import { decidePosts } from './posts.service.ts'
import { countNoWork, countRuns } from './standstill.service.ts'

/** Clock-ins: each its one row, the person's day on the site and the site's day, in the same transaction; exact under late events. */
export async function fileClockins(tx: Tx, all: readonly Detection[]): Promise<void> {
  const ins = seen(all, 'clockin').map((d) => ({
    ...d,
    day: shanghaiDay(new Date(d.event.at * 1000)),
    who: d.worker!,
  }))
  if (ins.length === 0) return
  tx.send(
    'attendance.events',
    `INSERT INTO attendance_events
       (tenant_id, id, bc_id, site_id, worker_id, device_id, event_id, at, day, direction, picture, similarity)
     SELECT d.tenant, x.id, d.bc, d.site, x.worker, d.device, x.event, to_timestamp(x.at), x.day, x.direction,
       x.picture, x.similarity
     FROM json_to_recordset($1::json)
       AS x(d int, id uuid, worker uuid, event text, at float8, day date, direction text, picture text, similarity real)
     JOIN json_to_recordset($2::json) AS d(d int, tenant uuid, bc uuid, site uuid, device uuid) USING (d)`,
    byDevice(
      ins,
      ({ who, event, day }) => ({
        id: uuidv7(),
        worker: who,
        event: event.id,
        at: event.at,
        day,
        direction: event.direction,
        picture: event.picture,
        similarity: event.similarity,
      }),
      ({ device }) => ({ tenant: device.tenant, bc: device.bc, site: device.site, device: device.id }),
    ),
  )
  await filePunches(
    tx,
    ins.map((d) => ({
      tenant: d.device.tenant,
      day: d.day,
      site: d.device.site,
      worker: d.who,
      bc: d.device.bc,
      at: d.event.at,
      makeup: false,
    })),
  )
  await announceAll(
    tx,
    ins.map((d) => ({
      tenant: d.device.tenant,
      bc: d.device.bc,
      site: d.device.site,
      topic: 'attendance',
      what: 'changed',
      id: d.device.site,
    })),
  )
}

export interface NewPunch {
  tenant: string
  day: string
  site: string
  worker: string
  bc: string
  at: number
  makeup: boolean
}
/** The effect of new punches on the person's day, the site's day and the days without work. */
export async function filePunches(tx: Tx, punches: readonly NewPunch[]): Promise<void> {
  const [night, day] = [punches.filter(isOfNight), punches.filter((p) => !isOfNight(p))]
  if (night.length) await holdPersons(tx, night)
  if (day.length) await addPunches(tx, day)
  // Counted from the events, with those just added.
  if (night.length) await recountNights(tx, night)
}
const isOfNight = ({ at }: { at: number }) => shanghaiTime(new Date(at * 1000)).slice(11) <= NIGHT_ENDS

interface OfNight {
  tenant: string
  site: string
  worker: string
  at: number
}
const byTenant = (punches: readonly OfNight[]): [string, OfNight[]][] =>
  [...new Set(punches.map((p) => p.tenant))]
    .sort()
    .map((tenant) => [tenant, punches.filter((p) => p.tenant === tenant)])
const workersOf = (punches: readonly OfNight[]) => [...new Set(punches.map((p) => p.worker))].sort()

/** A punch of the small hours was taken back. */
export async function settleNight(tx: Tx, punch: OfNight): Promise<void> {
  if (!isOfNight(punch)) return
  await holdPersons(tx, [punch])
  await recountNights(tx, [punch])
}
/** Whoever files another punch of the same persons has committed it before, or finds these. */
async function holdPersons(tx: Tx, punches: readonly OfNight[]): Promise<void> {
  for (const [tenant, own] of byTenant(punches))
    await tx.run(
      'attendance.holdworkers',
      `SELECT FROM workers k WHERE k.tenant_id = $1 AND k.id = ANY ($2) ORDER BY k.id FOR NO KEY UPDATE OF k`,
      [tenant, workersOf(own)],
    )
}
/** The day that each exit of these nights belongs to, and everything that is counted by it, anew. */
async function recountNights(tx: Tx, punches: readonly OfNight[]): Promise<void> {
  for (const [tenant, own] of byTenant(punches)) {
    const nights = new Map(
      own.map((p) => {
        const day = shanghaiDay(new Date(p.at * 1000))
        return [
          `${p.site}${p.worker}${day}`,
          { site: p.site, worker: p.worker, from: addDays(day, -1), to: day },
        ]
      }),
    )
    const days = new Map<string, SiteDay>()
    for (const [, night] of [...nights].sort(([a], [b]) => (a < b ? -1 : 1))) {
      await moveExits(tx, tenant, night)
      await recountDays(tx, tenant, night)
      for (const day of [night.from, night.to])
        days.set(`${night.site}${day}`, { tenant, day, site: night.site })
    }
    const touched = [...days.values()]
    const others = await decidePosts(tx, tenant, [...new Set(touched.map((d) => d.day))], workersOf(own))
    const woken = await countSiteDays(tx, [...touched, ...others])
    await workResumed(tx, touched, woken)
    // A day that is over may have lost its only exit.
    const today = shanghaiDay(tx.now)
    for (const { day, site } of touched) if (day < today) await countEmptied(tx, tenant, day, site)
  }
}
/** A day that is over, on which nobody came any more. */
async function countEmptied(tx: Tx, tenant: string, day: string, site: string): Promise<void> {
  const { rows } = await tx.query(
    'attendance.emptied',
    there,
    `SELECT 1 FROM site_days d
     WHERE d.tenant_id = $1 AND d.day = $2 AND d.site_id = $3 AND d.present = 0 AND NOT d.no_work AND NOT d.rest`,
    [tenant, day, site],
  )
  if (rows.length) await countNoWork(tx, tenant, day, day, [site])
}
/** Exits of these days' mornings that stand under another day than the one on which the person came. */
const moveExits = (tx: Tx, tenant: string, { from, to, site, worker }: Days) =>
  tx.run(
    'attendance.exits',
    `UPDATE attendance_events e SET day = ${dayOfWork('e')}
     WHERE e.tenant_id = $1 AND e.at >= $2::date::timestamp AT TIME ZONE 'Asia/Shanghai'
       AND e.at < ${endOfNight('$3::date')} AND e.direction = 'out' AND ${IS_NIGHT('e')}
       AND ($4::uuid IS NULL OR e.site_id = $4) AND ($5::uuid IS NULL OR e.worker_id = $5)
       AND e.reverses IS NULL AND e.day <> ${dayOfWork('e')}`,
    [tenant, from, to, site ?? null, worker ?? null],
  )

/** Punches that belong to the day of their own date. */
async function addPunches(tx: Tx, punches: readonly NewPunch[]): Promise<void> {
  const days = new Map<
    string,
    Omit<NewPunch, 'at' | 'makeup'> & { first: number; last: number; count: number; makeups: number }
  >()
  for (const p of punches) {
    const key = `${p.tenant}|${p.day}|${p.site}|${p.worker}`
    const row = days.get(key)
    if (!row)
      days.set(key, {
        tenant: p.tenant,
        day: p.day,
        site: p.site,
        worker: p.worker,
        bc: p.bc,
        first: p.at,
        last: p.at,
        count: 1,
        makeups: p.makeup ? 1 : 0,
      })
    else
      Object.assign(row, {
        first: Math.min(row.first, p.at),
        last: Math.max(row.last, p.at),
        count: row.count + 1,
        makeups: row.makeups + (p.makeup ? 1 : 0),
      })
  }
  // Ordered by key: two servers filing the same days take turns instead of waiting for each other.
  const rows = [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, r]) => r)
  const kept = await tx.query(
    'attendance.days',
    row({ ...siteDay, worker: uuid, count: int4 }),
    `INSERT INTO attendance_days AS k
       (tenant_id, day, site_id, worker_id, bc_id, first_at, last_at, count, makeups)
     SELECT tenant, day, site, worker, bc, to_timestamp(first), to_timestamp(last), count, makeups
     FROM json_to_recordset($1::json)
       AS x(tenant uuid, day date, site uuid, worker uuid, bc uuid, first float8, last float8, count int, makeups int)
     ON CONFLICT (tenant_id, day, site_id, worker_id) DO UPDATE SET
       first_at = least(k.first_at, excluded.first_at),
       last_at = greatest(k.last_at, excluded.last_at),
       count = k.count + excluded.count,
       makeups = k.makeups + excluded.makeups
     RETURNING k.tenant_id AS tenant, k.day, k.site_id AS site, k.worker_id AS worker, k.count`,
    [JSON.stringify(rows)],
  )
  // Only a person's first punch of a day changes whom the site's day counts: a row that holds just what was sent is new.
  const first = kept.rows.filter(
    (r) => days.get(`${r.tenant}|${r.day}|${r.site}|${r.worker}`)?.count === r.count,
  )
  if (first.length === 0) return
  const changed = first.map(({ tenant, day, site }) => ({ tenant, day, site }))
  for (const tenant of new Set(first.map((r) => r.tenant))) {
    const own = first.filter((r) => r.tenant === tenant)
    changed.push(
      ...(await decidePosts(
        tx,
        tenant,
        [...new Set(own.map((r) => r.day))],
        own.map((r) => r.worker),
      )),
    )
  }
  const woken = await countSiteDays(tx, changed)
  await workResumed(tx, changed, woken)
}

const siteDay = row({ tenant: uuid, day: date, site: uuid })
export type SiteDay = RowOf<typeof siteDay>
/**
 * The site's day, counted anew from its people; present people are work. The days are held by a statement of their own:
 * the count then sees what other servers committed before. Answers the days that had counted as days without work.
 */
export async function countSiteDays(tx: Tx, days: readonly SiteDay[]): Promise<SiteDay[]> {
  const each = new Map(days.map((d) => [`${d.tenant}|${d.day}|${d.site}`, d]))
  const keys = JSON.stringify(
    [...each.values()].sort((a, b) =>
      `${a.tenant}${a.day}${a.site}` < `${b.tenant}${b.day}${b.site}` ? -1 : 1,
    ),
  )
  const { rows } = await tx.query(
    'attendance.hold',
    row({ ...siteDay, no_work: bool }),
    `INSERT INTO site_days AS k (tenant_id, day, site_id, bc_id, rest, tidiness)
     SELECT x.tenant, x.day, x.site, w.bc_id, rest_day(w.tenant_id, w.bc_id, x.day),
       CASE WHEN x.day = (:now AT TIME ZONE 'Asia/Shanghai')::date THEN w.tidiness END
     FROM json_to_recordset($1::json) AS x(tenant uuid, day date, site uuid)
     JOIN sites w ON w.tenant_id = x.tenant AND w.id = x.site
     ORDER BY 1, 2, 3
     ON CONFLICT (tenant_id, day, site_id)
     DO UPDATE SET bc_id = k.bc_id
     RETURNING k.tenant_id AS tenant, k.day, k.site_id AS site, k.no_work`,
    [keys],
  )
  tx.send(
    'attendance.sitedays',
    `UPDATE site_days k
     SET expected = n.expected, absent = n.absent, present = n.present, no_work = k.no_work AND n.present = 0
     FROM json_to_recordset($1::json) AS x(tenant uuid, day date, site uuid)
     CROSS JOIN LATERAL ${peopleOf('x.tenant', 'x.site', 'x.day')} n
     WHERE k.tenant_id = x.tenant AND k.day = x.day AND k.site_id = x.site
       AND (k.expected, k.absent, k.present, k.no_work) IS DISTINCT FROM (n.expected, n.absent, n.present,
         k.no_work AND n.present = 0)`,
    [keys],
  )
  return rows.filter((r) => r.no_work)
}

/** Sites were judged: their running day knows their newest verdict. */
export function noteTidiness(tx: Tx, sites: readonly { tenant: string; site: string }[]): void {
  tx.send(
    'attendance.tidiness',
    `UPDATE site_days k SET tidiness = w.tidiness
     FROM unnest($1::uuid[], $2::uuid[]) AS x(tenant, site)
     JOIN sites w ON w.tenant_id = x.tenant AND w.id = x.site
     WHERE k.tenant_id = x.tenant
       AND k.day = (:now AT TIME ZONE 'Asia/Shanghai')::date
       AND k.site_id = x.site
       AND k.tidiness IS DISTINCT FROM w.tidiness`,
    [sites.map((s) => s.tenant), sites.map((s) => s.site)],
  )
}

/** The rows of a new day, so that its figures know whom they expect before the first one clocks in. */
export async function openDay(tx: Tx, tenant: string, day: string): Promise<void> {
  await decidePosts(tx, tenant, [day], null)
  const { rows } = await tx.query(
    'attendance.building',
    row({ site: uuid }),
    `SELECT w.id AS site
     FROM sites w
     WHERE w.tenant_id = $1 AND w.status = 1 AND w.start_date <= $2 AND w.deleted_at IS NULL`,
    [tenant, day],
  )
  if (rows.length)
    await countSiteDays(
      tx,
      rows.map(({ site }) => ({ tenant, day, site })),
    )
}

/** Somebody came: a site that stood still does so no longer, and a late clock-in takes its day back out of the sum. */
async function workResumed(tx: Tx, days: readonly SiteDay[], woken: readonly SiteDay[]): Promise<void> {
  const { rows } = await tx.query(
    'attendance.still',
    row({ tenant: uuid, site: uuid }),
    `SELECT w.tenant_id AS tenant, w.id AS site
     FROM sites w
     JOIN unnest($1::uuid[], $2::uuid[]) AS k(tenant, site) ON w.tenant_id = k.tenant AND w.id = k.site
     WHERE w.no_work_run > 0`,
    [days.map((d) => d.tenant), days.map((d) => d.site)],
  )
  const affected = [...rows, ...woken]
  for (const tenant of [...new Set(affected.map((a) => a.tenant))].sort())
    await countRuns(
      tx,
      tenant,
      [...new Set(affected.filter((a) => a.tenant === tenant).map((a) => a.site))].sort(),
    )
}

export interface Days {
  from: string
  to: string
  site?: string
  worker?: string
}
/** People's days as their raw events tell them; answers how many rows were not so. The rows are held first, so that nothing filed meanwhile is lost. */
export async function recountDays(tx: Tx, tenant: string, { from, to, site, worker }: Days): Promise<number> {
  const only = '($4::uuid IS NULL OR k.site_id = $4) AND ($5::uuid IS NULL OR k.worker_id = $5)'
  const values = [tenant, from, to, site ?? null, worker ?? null]
  await tx.query(
    'attendance.lock',
    row({ count: int8 }),
    `SELECT count(*)
     FROM (SELECT 1 FROM attendance_days k WHERE k.tenant_id = $1 AND k.day BETWEEN $2 AND $3 AND ${only}
         ORDER BY k.day, k.site_id, k.worker_id FOR UPDATE) held`,
    values,
  )
  const { rows } = await tx.query(
    'attendance.recount',
    row({ n: int4 }),
    `WITH n AS (SELECT k.day, k.site_id, k.worker_id, (array_agg(k.bc_id ORDER BY k.at))[1] AS bc_id, min(k.at) AS first_at, max(k.at) AS last_at, count(*)::int AS count, count(*) FILTER (WHERE k.source = 'makeup')::int AS makeups
       FROM attendance_events k WHERE k.tenant_id = $1 AND k.at >= $2::date::timestamp AT TIME ZONE 'Asia/Shanghai' AND k.at < ${endOfNight('$3::date')} AND k.day BETWEEN $2 AND $3 AND ${only} AND ${counts('k')} GROUP BY 1, 2, 3),
     gone AS (DELETE FROM attendance_days k WHERE k.tenant_id = $1 AND k.day BETWEEN $2 AND $3 AND ${only} AND NOT EXISTS (SELECT 1 FROM n WHERE n.day = k.day AND n.site_id = k.site_id AND n.worker_id = k.worker_id) RETURNING 1),
     changed AS (UPDATE attendance_days k SET first_at = n.first_at, last_at = n.last_at, count = n.count, makeups = n.makeups FROM n
       WHERE k.tenant_id = $1 AND k.day = n.day AND k.site_id = n.site_id AND k.worker_id = n.worker_id AND (k.first_at, k.last_at, k.count, k.makeups) IS DISTINCT FROM (n.first_at, n.last_at, n.count, n.makeups) RETURNING 1),
     added AS (INSERT INTO attendance_days (tenant_id, day, site_id, worker_id, bc_id, first_at, last_at, count, makeups)
       SELECT $1, n.day, n.site_id, n.worker_id, n.bc_id, n.first_at, n.last_at, n.count, n.makeups FROM n
       WHERE NOT EXISTS (SELECT 1 FROM attendance_days k WHERE k.tenant_id = $1 AND k.day = n.day AND k.site_id = n.site_id AND k.worker_id = n.worker_id) ON CONFLICT DO NOTHING RETURNING 1)
     SELECT ((SELECT count(*) FROM gone) + (SELECT count(*) FROM changed) + (SELECT count(*) FROM added))::int AS n`,
    values,
  )
  return rows[0]!.n
}

/** Days of people and of sites, and days without work, anew from the raw events. Answers how many people's days differed. */
export async function recomputeDays(tx: Tx, tenant: string, from: string, to: string): Promise<number> {
  const exits = await moveExits(tx, tenant, { from, to })
  // What was moved left a day beside these, or came to one.
  const span = exits.rowCount ? { from: addDays(from, -1), to: addDays(to, 1) } : { from, to }
  const differed = await recountDays(tx, tenant, span)
  const { rows } = await tx.query(
    'attendance.known',
    siteDay,
    `SELECT $1::uuid AS tenant, day, site_id AS site
     FROM site_days
     WHERE tenant_id = $1 AND day BETWEEN $2 AND $3
     UNION
     SELECT $1, day, site_id
     FROM attendance_days
     WHERE tenant_id = $1 AND day BETWEEN $2 AND $3`,
    [tenant, span.from, span.to],
  )
  if (rows.length) await countSiteDays(tx, rows)
  // A day that is not over cannot be a day without work yet.
  const yesterday = addDays(shanghaiDay(tx.now), -1)
  if (span.from <= yesterday)
    await countNoWork(tx, tenant, span.from, span.to < yesterday ? span.to : yesterday)
  return differed
}
