import { api } from '@zhuguan/contract/api.ts'
import type { AlarmCell } from '@zhuguan/contract/features/statistics/alarm-figures.record.ts'
import type pg from 'pg'

import { recountAlarmHours } from '../server/features/alarms/alarm-hours.service.ts'
import { sized } from '../tools/size.ts'
import { type Ground, load, type Say } from './ground.ts'
import { MANY_SITES } from './size.ts'

const ALARMS = sized(Number(process.env.BENCH_ALARMS ?? 1_000_000), 2_000)
const DAYS = 60

/** Closed corrections of the branch's many sites over the days before today, as alarms bring them. */
export async function fillCorrections(owner: pg.Client, bc: string): Promise<{ from: string; to: string }> {
  const { rows } = await owner.query<{ from: string; to: string }>(
    `SELECT (d.today - ${DAYS})::text AS from, (d.today - 1)::text AS to
     FROM (SELECT (now() AT TIME ZONE 'Asia/Shanghai')::date AS today) d`,
  )
  const span = rows[0]!
  // Without what is kept row by row, which would take long for a million; it is counted afterwards.
  await owner.query('ALTER TABLE corrections DISABLE TRIGGER USER')
  await owner.query(
    `INSERT INTO corrections (tenant_id, id, bc_id, site_id, source, source_id, at, correction_status, assignee_id,
       closed_at, due_at, step)
     SELECT w.tenant_id, k.id, w.bc_id, w.id, 'alarm', k.id, k.at, k.status, CASE k.status WHEN 3 THEN w.manager_id END,
       least(k.at + (k.i::bigint * 7919 % 90000) * interval '1 second', now()), k.at + interval '2 hours',
       CASE k.status WHEN 3 THEN 'submitted' END
     FROM (SELECT i, gen_random_uuid() AS id, CASE WHEN i % 4 = 0 THEN 4 ELSE 3 END AS status,
         ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
           + (i::bigint * 104729 % (${DAYS} * 86400)) * interval '1 second' AS at
       FROM generate_series(1, $2::int) i) k
     JOIN (SELECT w.*, row_number() OVER (ORDER BY w.code) - 1 AS n
       FROM sites w WHERE w.bc_id = $1 AND w.code LIKE 'B%') w ON w.n = k.i % ${MANY_SITES}`,
    [bc, ALARMS, span.from],
  )
  await owner.query('ALTER TABLE corrections ENABLE TRIGGER USER')
  // Nobody has counted them yet: without it what is there already is looked for row by row.
  await owner.query('ANALYZE corrections')
  return span
}

/** Each of them with its alarm, and the hours counted. */
async function fillAlarms(owner: pg.Client, bc: string): Promise<{ from: string; to: string }> {
  const span = await fillCorrections(owner, bc)
  await owner.query('ALTER TABLE alarms DISABLE TRIGGER USER')
  // NOT IN asks once for what stands; NOT EXISTS would look for each row among those that it has just written.
  await owner.query(
    `INSERT INTO alarms (tenant_id, id, bc_id, site_id, device_id, type, at, last_seen, confidence, correction_status,
       verdict, assignee_id, closed_at, due_at, step)
     SELECT k.tenant_id, k.id, k.bc_id, k.site_id, v.id,
       (ARRAY['smoking', 'noclothes', 'cameraproblem'])[1 + extract(second FROM k.at)::int % 3], k.at, k.at, 0.9,
       k.correction_status, CASE k.correction_status WHEN 3 THEN 'real' ELSE 'wrong' END, k.assignee_id, k.closed_at,
       k.due_at, k.step
     FROM corrections k
     CROSS JOIN (SELECT d.id FROM devices d WHERE d.bc_id = $1 AND d.type = 'camera' ORDER BY d.sn LIMIT 1) v
     WHERE k.bc_id = $1 AND k.source = 'alarm' AND k.id NOT IN (SELECT id FROM alarms)`,
    [bc],
  )
  await owner.query('ALTER TABLE alarms ENABLE TRIGGER USER')
  const { tenant } = (
    await owner.query<{ tenant: string }>('SELECT tenant_id AS tenant FROM companies WHERE bc_id = $1', [bc])
  ).rows[0]!
  await owner.query('BEGIN')
  // The night puts right what nobody kept.
  await recountAlarmHours(
    { run: (_name, text, values) => owner.query(text, [...(values ?? [])]) },
    tenant,
    span.from,
  )
  await owner.query('COMMIT')
  await owner.query('VACUUM ANALYZE alarms, alarm_hours, corrections')
  return span
}

/** The kept hours of alarms against counting a million each time, and equal to them. */
export async function alarmFigures(g: Ground, wants: (id: string) => boolean, say: Say): Promise<void> {
  if (!wants('P-05-alarms')) return
  const at = performance.now()
  const { from, to } = await fillAlarms(g.owner, g.home.bc)
  console.log(`${ALARMS} alarms from ${from} to ${to} in ${((performance.now() - at) / 1_000).toFixed(0)} s`)
  const headers = await g.signIn('branch_gm')
  const post = async (path: string) =>
    (
      await fetch(g.ours.url + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
      })
    ).json()
  const range = `from=${from}&to=${to}`
  const path = `${api.statistics.alarms.path}?${range}`
  const { data } = (await post(path)) as { data: { days: AlarmCell[] } }
  const live = (await (await fetch(`${g.limit.url}/alarm-figures?${range}`)).json()) as {
    data: { day: string | null; type: string; raised: number; wrong: number }[]
  }
  const kept = new Map(data.days.map((d) => [`${d.key} ${d.type}`, `${d.raised} ${d.wrong}`]))
  const byDay = live.data.filter((row) => row.day)
  const equal =
    byDay.length === kept.size &&
    byDay.every((row) => kept.get(`${row.day} ${row.type}`) === `${row.raised} ${row.wrong}`)
  for (const [what, asked] of [
    ['sites', `${api.statistics.alarmGroups.path}?by=site&pageSize=10&${range}`],
    ['times', `${api.statistics.alarmTimes.path}?${range}`],
  ] as const) {
    const began = performance.now()
    await post(asked)
    console.log(`${what} of ${ALARMS} alarms: ${(performance.now() - began).toFixed(0)} ms`)
  }
  const m = await g.against(
    () => load(g.ours.url, g.ask(path, headers), { connections: 8, ms: 2_200, warm: 500 }),
    () => load(g.limit.url, () => ({ method: 'GET', path: `/alarm-figures?${range}` })),
  )
  say(
    'P-05-alarms',
    `AlarmStatistics over ${ALARMS.toLocaleString('en')} alarms`,
    `${m.x.perSecond.toFixed(1)}/s, ${equal ? 'equal to the rows' : 'NOT EQUAL'}`,
    `${m.y.perSecond.toFixed(1)}/s live GROUP BY`,
    `${m.ratio.toFixed(1)}×`,
    '≥ 8×, equal',
    m.ratio >= 8 && equal && !m.x.failed,
  )
}
