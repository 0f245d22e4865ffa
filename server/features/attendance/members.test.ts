import { api } from '@zhuguan/contract/api.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { openToday } from '../../app/clock.ts'
import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { report } from '../../testing/device.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { recomputeDays } from './attendance.service.ts'

const HOUR = 3_600_000
const DAYS = 90
let server: TestServer
let gm: Person
let today: string
let bc: string

beforeAll(async () => {
  server = await startTestServer()
  today = shanghaiDay(server.now())
  server.later(startOfDay(today).getTime() + 15 * HOUR - server.now().getTime())
  await openToday(server.db, server.now())
  gm = await server.as('branch_gm')
  bc = (await gm.call(api.sites.list, {})).list[0]!.bc_id
})
afterAll(() => server.stop())

interface Crew {
  site: string
  sn: string
  workers: string[]
}
/** Sites of the branch with a terminal, and who is expected there today. */
const crews = async (): Promise<Crew[]> =>
  server.sql<Crew>(
    `SELECT w.id AS site, min(d.sn) AS sn, array_agg(DISTINCT m.worker_id::text) AS workers
     FROM sites w
     JOIN devices d ON d.site_id = w.id AND d.type = 'faceTerminal'
     JOIN site_members m ON m.site_id = w.id AND m.left_on IS NULL AND m.entered_on <= $2
     WHERE w.bc_id = $1 AND w.status = 1 AND w.start_date <= $2
     GROUP BY w.id HAVING count(DISTINCT m.worker_id) > 2 ORDER BY w.id`,
    [bc, today],
  )
const punch = async (crew: Crew, worker: string, id: string) => {
  const device = server.devices.find((d) => d.sn === crew.sn)!
  const [w] = await server.sql<{ w_id: string }>('SELECT w_id FROM workers WHERE id = $1', [worker])
  const at = Math.floor(server.now().getTime() / 1000) - 60
  const event = { id, kind: 'clockin', at, w_id: w!.w_id, direction: 'in' }
  const { data } = await report(server.url, device, [event], server.now())
  expect(data.rejected).toEqual([])
}
const siteDay = async (site: string, day = today) =>
  (
    await server.sql<{ expected: number; absent: number; present: number }>(
      'SELECT expected, absent, present FROM site_days WHERE site_id = $1 AND day = $2',
      [site, day],
    )
  )[0]!
type Group = DataOf<typeof api.statistics.attendGroups>['list'][number]
const groups = async (by: 'site' | 'person' | 'trade' | 'branch', query: object = {}): Promise<Group[]> => {
  const all: Group[] = []
  for (let pageNo = 1; ; pageNo += 1) {
    const { list, totalCount } = await gm.call(api.statistics.attendGroups, {
      query: { by, from: today, to: today, sort: ['name'], pageNo, pageSize: 100, ...query },
    })
    all.push(...list)
    if (all.length >= totalCount) return all
  }
}

test('a guest makes up for nobody: on every page the rate is of members, and the guest stands beside it', async () => {
  const [home, away] = await crews()
  const guest = home!.workers.find((w) => !away!.workers.includes(w))!
  const before = await siteDay(away!.site)
  const atHome = await siteDay(home!.site)
  expect(before.present).toBe(0)
  await punch(away!, guest, 'guest')
  const after = await siteDay(away!.site)
  expect(after).toEqual({ expected: before.expected, absent: before.expected, present: 1 })
  expect(await siteDay(home!.site)).toEqual(atHome)
  await punch(away!, away!.workers[0]!, 'member')
  const { expected } = before

  const bySite = (await groups('site')).find((g) => g.id === away!.site)!
  expect(bySite).toMatchObject({ due: expected, attended: 1, guests: 1, present: 2 })
  expect(bySite.rate).toBe(Math.round(1000 / expected) / 10)
  const byPerson = (await groups('person')).find((g) => g.id === guest)!
  expect(byPerson).toMatchObject({ due: 1, attended: 0, guests: 1, present: 1, rate: 0 })
  const all = await gm.call(api.statistics.attend, { query: { from: today, to: today, grain: 'day' } })
  expect(all.periods[0]).toMatchObject({ attended: 1, guests: 1, present: 2 })
  expect(all.days[0]).toMatchObject({ attended: 1 })
  const sheet = (await gm.call(api.statistics.dailySheet, { query: { from: today, to: today } })).list[0]!
  expect(sheet).toMatchObject({ attended: 1, guests: 1, present: 2 })
  const monitor = (await gm.call(api.statistics.monitor, {})).branches.find((b) => b.bc_id === bc)!
  expect(monitor).toMatchObject({ guests: 1, present: 2 })
  const day = (await gm.call(api.statistics.siteDays, { query: { from: today, to: today } })).list.find(
    (d) => d.site_id === away!.site,
  )!
  expect(day).toMatchObject({ expected, present: 2, guests: 1 })
  expect((await gm.call(api.sites.details, { query: { id: away!.site } })).today).toMatchObject({
    expected,
    present: 2,
    guests: 1,
  })
  const card = (await gm.call(api.home.cards, {})).figures.find((c) => c.card === 'attendance')!
  expect(card.value).toBe(Math.round((1000 * 1) / all.periods[0]!.due) / 10)
  expect([...card.parts, ...card.beside].map((p) => p.value)).toEqual([1, 1])
  const listed = async (more: object) =>
    (await gm.call(api.attendance.list, { query: { attendance: [1], ...more } })).totalCount
  expect([await listed({}), await listed({ guest: true }), await listed({ guest: false })]).toEqual([2, 1, 1])
  // Who is absent is listed as often as it is counted.
  const missing = await gm.call(api.attendance.list, { query: { attendance: [2], site_id: away!.site } })
  expect(missing.totalCount).toBe(expected - 1)
})

test('who stands on two sites is expected at one: where sent last, or came, or the plan says', async () => {
  const [one, two] = (await crews()).slice(2)
  const worker = one!.workers[0]!
  const [w] = await server.sql<{ w_type: number }>(
    'UPDATE workers SET w_type = 3 WHERE id = $1 RETURNING w_type',
    [worker],
  )
  expect(w!.w_type).toBe(3)
  await server.sql(
    `UPDATE site_stages SET planned_start = '2020-01-01', planned_finish = '2020-01-02',
       actual_start = NULL, actual_finish = NULL WHERE stage = 'tiling' AND site_id = ANY ($1::uuid[])`,
    [[one!.site, two!.site]],
  )
  const was = [await siteDay(one!.site), await siteDay(two!.site)].map((d) => d.expected)
  const expects = async () => [(await siteDay(one!.site)).expected, (await siteDay(two!.site)).expected]
  await gm.call(api.workers.send, { body: { id: worker, site_id: two!.site, day: today } })
  expect(await expects()).toEqual([was[0]! - 1, was[1]! + 1])
  // Comes to the first: that is where the day counts, there as a member, elsewhere as nobody.
  await punch(one!, worker, 'first')
  expect(await expects()).toEqual(was)
  const mine = (await groups('person')).find((g) => g.id === worker)!
  expect(mine).toMatchObject({ due: 1, attended: 1, guests: 0 })
  const of = async (site: string) => (await groups('site')).find((g) => g.id === site)!
  expect(await of(one!.site)).toMatchObject({ due: was[0]!, attended: 1, guests: 0 })
  expect(await of(two!.site)).toMatchObject({ due: was[1]!, attended: 0 })
  const absent = async (site: string) =>
    (
      await gm.call(api.attendance.list, { query: { attendance: [2], site_id: site, pageSize: 100 } })
    ).list.map((r) => r.worker_id)
  expect(await absent(two!.site)).not.toContain(worker)
  // The plan has the trade's stage at the second today: whoever comes to the first is a guest there.
  await server.sql(
    `UPDATE site_stages SET planned_start = $2, planned_finish = $2 WHERE stage = 'tiling' AND site_id = $1`,
    [two!.site, addDays(today, 1)],
  )
  const next = addDays(today, 1)
  server.later(24 * HOUR)
  gm = await server.as('branch_gm')
  await openToday(server.db, server.now())
  await punch(one!, worker, 'tomorrow')
  expect((await siteDay(two!.site, next)).expected).toBe(was[1]! + 1)
  expect(await siteDay(one!.site, next)).toMatchObject({
    expected: was[0]! - 1,
    present: 1,
    absent: was[0]! - 1,
  })
  // A plan that is moved later leaves the day that is over as it was, also when the night recounts it.
  await server.sql(
    `UPDATE site_stages SET planned_start = '2020-01-01', planned_finish = '2020-01-02'
     WHERE stage = 'tiling' AND site_id = $1`,
    [two!.site],
  )
  server.later(24 * HOUR)
  gm = await server.as('branch_gm')
  await server.db.tx(SYSTEM, (tx) => recomputeDays(tx, gm.tenant, next, next))
  expect((await siteDay(two!.site, next)).expected).toBe(was[1]! + 1)
  await gm.call(api.workers.recall, { body: { id: worker, site_id: two!.site, day: today, score: 5 } })
})

test('ninety days of punches, members and guests, against a count that knows nothing of the product', async () => {
  const end = shanghaiDay(server.now())
  const first = addDays(end, -DAYS)
  const list = await crews()
  const sites = list.map((c) => c.site)
  await server.sql(
    `UPDATE site_members SET entered_on = $1 WHERE left_on IS NULL AND site_id = ANY ($2::uuid[])`,
    [addDays(first, -1), sites],
  )
  await server.sql('UPDATE sites SET start_date = least(start_date, $2) WHERE id = ANY ($1::uuid[])', [
    sites,
    first,
  ])
  await server.sql('SELECT ensure_months($1::date, $2::date)', [first, end])
  await server.sql('DELETE FROM attendance_events WHERE bc_id = $1', [bc])
  await server.sql('DELETE FROM day_posts')
  // Nobody was taken off afterwards in this history.
  await server.sql('UPDATE site_members SET counted_from = NULL, counted_to = NULL')
  const people = list.flatMap((c) => c.workers)
  let seed = 20_261_123
  const random = (n: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * n)
  }
  const raw: { site: string; worker: string; day: string; at: Date }[] = []
  for (let i = 0; i < DAYS; i += 1)
    for (const crew of list) {
      const day = addDays(first, i)
      const came = crew.workers.filter(() => random(4) > 0)
      const guests = random(3) === 0 ? [people[random(people.length)]!] : []
      for (const worker of [...came, ...guests])
        raw.push({
          site: crew.site,
          worker,
          day,
          at: new Date(startOfDay(day).getTime() + (8 + random(8)) * HOUR),
        })
    }
  await server.sql(
    `INSERT INTO attendance_events (tenant_id, id, bc_id, site_id, worker_id, at, day, direction, source, device_id,
       event_id)
     SELECT $1, gen_random_uuid(), $2, x.site, x.worker, x.at, x.day, 'in', 'face', d.id, gen_random_uuid()::text
     FROM json_to_recordset($3::json) AS x(site uuid, worker uuid, day date, at timestamptz)
     JOIN LATERAL (SELECT id FROM devices WHERE site_id = x.site AND type = 'faceTerminal' LIMIT 1) d ON true`,
    [gm.tenant, bc, JSON.stringify(raw)],
  )
  await server.sql(`UPDATE site_days SET blind = false, rest = false WHERE bc_id = $1`, [bc])
  await server.db.tx(SYSTEM, (tx) => recomputeDays(tx, gm.tenant, first, addDays(end, -1)))
  await server.sql(`UPDATE site_days SET blind = false, rest = false WHERE bc_id = $1`, [bc])
  // As autovacuum does a minute after so much was written.
  await server.sql('ANALYZE attendance_days, site_days, site_members, day_posts')
  // By hand: of each site and day the members, those of them with a punch, and the others with one.
  const own = new Map(list.map((c) => [c.site, new Set(c.workers)]))
  const byHand = new Map<string, { due: number; attended: number; guests: number }>()
  for (const crew of list) byHand.set(crew.site, { due: crew.workers.length * DAYS, attended: 0, guests: 0 })
  const seen = new Set<string>()
  for (const { site, worker, day } of raw) {
    if (seen.has(`${site}${worker}${day}`)) continue
    seen.add(`${site}${worker}${day}`)
    byHand.get(site)![own.get(site)!.has(worker) ? 'attended' : 'guests'] += 1
  }
  const span = { from: first, to: addDays(end, -1) }
  const told = new Map((await groups('site', span)).map((g) => [g.id, g]))
  let guests = 0
  for (const [site, figures] of byHand) {
    expect(told.get(site), site).toMatchObject({
      ...figures,
      rate: Math.round((figures.attended * 1000) / figures.due) / 10,
    })
    guests += figures.guests
  }
  expect(guests).toBeGreaterThan(100)
  const of = (
    f: 'due' | 'attended' | 'guests',
    rows: Iterable<Record<'due' | 'attended' | 'guests', number>>,
  ) => [...rows].reduce((n, r) => n + r[f], 0)
  for (const by of ['trade', 'person'] as const) {
    const rows = await groups(by, span)
    expect(of('attended', rows), by).toBe(of('attended', byHand.values()))
    expect(of('guests', rows), by).toBe(guests)
  }
  // Hours come to the same by whatever they are grouped; a punch every four minutes leaves rests of tenths.
  await server.sql(
    `UPDATE attendance_days
     SET last_at = first_at + interval '4 minutes' * (1 + abs(hashtext(worker_id::text || day)) % 90)
     WHERE bc_id = $1`,
    [bc],
  )
  const tenths = (rows: { hours: number | null }[]) =>
    rows.reduce((n, r) => n + Math.round(10 * (r.hours ?? 0)), 0)
  const sums: number[] = []
  for (const by of ['site', 'trade', 'person'] as const) sums.push(tenths(await groups(by, span)))
  const whole = tenths((await groups('branch', span)).filter((g) => g.id === bc))
  expect(whole).toBeGreaterThan(1000)
  expect(sums).toEqual([whole, whole, whole])
  const branch = (await groups('branch', span)).find((g) => g.id === bc)!
  expect([branch.attended, branch.guests]).toEqual([of('attended', byHand.values()), guests])
})
