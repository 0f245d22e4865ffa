import type pg from 'pg'

import { sized } from '../tools/size.ts'
import { dropIndexes } from './indexes.ts'
import { MANY_SITES } from './size.ts'

const PER_SITE = 5
const WORKERS = sized(20_000, 400)
/** People's days a day: five at each of five thousand sites. */
export const PER_DAY = MANY_SITES * PER_SITE

const INDEXED = ['attendance_days', 'attendance_events']
/** Twenty thousand workers who stand on five thousand sites; six expected on each, five come. */
async function fillPeople(owner: pg.Client, bc: string): Promise<void> {
  await owner.query(
    `INSERT INTO workers (tenant_id, id, w_id, w_name, bc_id, w_type) SELECT c.tenant_id, gen_random_uuid(), 'B' || i, '工人' || i, c.bc_id, 1 + i % 7 FROM companies c, generate_series(0, ${WORKERS - 1}) i WHERE c.bc_id = $1`,
    [bc],
  )
  await owner.query(
    `CREATE TABLE bench_people AS SELECT w.tenant_id, w.bc_id, w.id AS site_id, k.id AS worker_id, j AS place FROM (SELECT *, row_number() OVER (ORDER BY code) - 1 AS n FROM sites WHERE bc_id = $1 AND code LIKE 'B%') w
    CROSS JOIN generate_series(0, ${PER_SITE}) j JOIN (SELECT *, row_number() OVER (ORDER BY w_id) - 1 AS n FROM workers WHERE w_id LIKE 'B%') k ON k.n = (w.n * ${PER_SITE} + j) % ${WORKERS}`,
    [bc],
  )
  await owner.query(
    `INSERT INTO site_members (tenant_id, site_id, worker_id, entered_on) SELECT tenant_id, site_id, worker_id, '2020-01-01' FROM bench_people ON CONFLICT DO NOTHING`,
  )
  await owner.query('ANALYZE workers, site_members, bench_people')
}

/** Attendance of `rows` people's days back from yesterday, with one raw event each; the indexes are made when the rows are in. Answers the first and the last day. */
export async function fillHistory(
  owner: pg.Client,
  bc: string,
  rows: number,
): Promise<{ from: string; to: string }> {
  if (!(await owner.query(`SELECT to_regclass('bench_people') AS t`)).rows[0].t) await fillPeople(owner, bc)
  const days = Math.ceil(rows / PER_DAY)
  const {
    rows: [span],
  } = await owner.query(`SELECT (current_date - $1::int)::text AS from, (current_date - 1)::text AS to`, [
    days,
  ])
  const {
    rows: [had],
  } = await owner.query(
    `SELECT coalesce(min(day), current_date)::text AS first FROM site_days WHERE site_id = (SELECT site_id FROM bench_people LIMIT 1) AND day < current_date`,
  )
  await owner.query('SELECT ensure_months($1::date, current_date)', [span.from])
  const many = rows > 200_000
  const makeIndexes = many ? await dropIndexes(owner, INDEXED) : undefined
  await owner.query(
    `INSERT INTO attendance_days (tenant_id, day, site_id, worker_id, bc_id, first_at, last_at, count)
    SELECT p.tenant_id, d::date, p.site_id, p.worker_id, p.bc_id, d + interval '7 hours' + p.n * interval '100 ms', d + interval '17 hours', 1
    FROM generate_series($1::date::timestamp, $2::date::timestamp - interval '1 day', interval '1 day') d, (SELECT *, row_number() OVER () AS n FROM bench_people WHERE place < ${PER_SITE} ORDER BY site_id, worker_id) p`,
    [span.from, had.first],
  )
  await owner.query(
    `INSERT INTO attendance_events (tenant_id, id, bc_id, site_id, worker_id, at, day, direction) SELECT k.tenant_id, gen_random_uuid(), k.bc_id, k.site_id, k.worker_id, k.first_at, k.day, 'in' FROM attendance_days k WHERE k.day >= $1 AND k.day < $2 AND k.bc_id = $3`,
    [span.from, had.first, bc],
  )
  await owner.query(
    `INSERT INTO site_days (tenant_id, day, site_id, bc_id, expected, present, absent) SELECT p.tenant_id, d::date, p.site_id, p.bc_id, ${PER_SITE + 1}, ${PER_SITE}, 1 FROM generate_series($1::date::timestamp, $2::date::timestamp - interval '1 day', interval '1 day') d, (SELECT DISTINCT tenant_id, bc_id, site_id FROM bench_people) p`,
    [span.from, had.first],
  )
  await makeIndexes?.()
  await owner.query('VACUUM ANALYZE attendance_days, attendance_events, site_days')
  return span
}
