import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { report } from '../../testing/device.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { testNow } from '../../testing/time.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { recomputeDays } from './attendance.service.ts'

let server: TestServer
let pm: Person
let terminal: TestServer['devices'][number]
const people: { id: string; w_id: string }[] = []
const today = shanghaiDay(testNow())
const day = (ago: number) => addDays(today, -ago)
/** Seconds of a clock, which may run past 24 into the next morning. */
const at = (ago: number, hour: number) => startOfDay(day(ago)).getTime() / 1000 + Math.round(hour * 3_600)
const HOUR = 3_600
let event = 0
const punch = (who: number, direction: 'in' | 'out', ago: number, hour: number) =>
  report(server.url, terminal, [
    { id: `n${++event}`, kind: 'clockin', at: at(ago, hour), w_id: people[who]!.w_id, direction },
  ])

beforeAll(async () => {
  server = await startTestServer()
  pm = await server.as('pm')
  const mine = new Set(
    (await pm.call(api.sites.list, { query: { pageSize: 100 } })).list
      .filter((s) => s.status === 1)
      .map((s) => s.id),
  )
  terminal = server.devices.find(
    (d) => d.type === 'faceTerminal' && d.workers.length > 4 && mine.has(d.site),
  )!
  people.push(
    ...(await server.sql<never>('SELECT id, w_id FROM workers WHERE w_id = ANY ($1) ORDER BY w_id', [
      terminal.workers,
    ])),
  )
  await server.sql('UPDATE sites SET start_date = $2 WHERE id = $1', [terminal.site, day(30)])
  await server.sql('UPDATE site_members SET entered_on = $2 WHERE site_id = $1', [terminal.site, day(25)])
  await server.sql(`INSERT INTO settings (tenant_id, key, value) VALUES ($1, 'makeupDays', '20')`, [
    pm.tenant,
  ])
})
afterAll(() => server.stop())

/** A person's day as the list has it. */
const onDay = async (who: number, ago: number) => {
  const query = { from: day(ago), to: day(ago), site_id: terminal.site, worker_id: people[who]!.id }
  const [row] = (await pm.call(api.attendance.list, { query })).list
  return row ? [row.status, row.count, row.hours] : undefined
}
const cameOn = async (who: number, ago: number) => ((await onDay(who, ago))?.[0] === 1 ? 1 : 0)
/** What is kept of the site's day. */
const siteDay = async (ago: number) => {
  const [row] = await server.sql<{ present: number; no_work: boolean }>(
    'SELECT present, no_work FROM site_days WHERE site_id = $1 AND day = $2',
    [terminal.site, day(ago)],
  )
  return row && [row.present, row.no_work]
}
const makeUp = (who: number, ago: number, more: { in?: string; out?: string }) =>
  pm.ask(api.attendance.makeup, {
    body: { site_id: terminal.site, worker_id: people[who]!.id, day: day(ago), reason: '夜班', ...more },
  })

test('an exit shortly after midnight is of the day on which the person came, and makes no day of its own', async () => {
  await punch(0, 'in', 5, 20)
  await punch(0, 'out', 4, 0 + 1 / 60)
  expect(await onDay(0, 5)).toEqual([1, 2, 4])
  expect(await cameOn(0, 4)).toBe(0)
  expect([await siteDay(5), (await siteDay(4))?.[0] ?? 0]).toEqual([[1, false], 0])
  const query = { site_id: terminal.site, worker_id: people[0]!.id, day: day(5) }
  expect((await pm.call(api.attendance.punches, { query })).map((p) => [p.direction, p.at])).toEqual([
    ['in', at(5, 20)],
    ['out', at(4, 1 / 60)],
  ])
  // At six sharp it still is; a second later somebody was seen in the morning.
  await punch(1, 'in', 5, 22)
  await punch(1, 'out', 4, 6)
  await punch(2, 'in', 5, 22)
  await punch(2, 'out', 4, 6 + 1 / HOUR)
  expect([await onDay(1, 5), await cameOn(1, 4)]).toEqual([[1, 2, 8], 0])
  expect([await onDay(2, 5), await onDay(2, 4)]).toEqual([
    [1, 1, null],
    [1, 1, null],
  ])
})

test('whoever enters after midnight leaves on the same day, whichever of the two is heard of first', async () => {
  await punch(3, 'in', 3, 0.5)
  await punch(3, 'out', 3, 3)
  expect([await onDay(3, 3), await cameOn(3, 4)]).toEqual([[1, 2, 2.5], 0])
  // The terminal was off line: the exit came first, and the day before had only it.
  await punch(4, 'out', 2, 4)
  expect([await cameOn(4, 3), await cameOn(4, 2), await siteDay(3)]).toEqual([1, 0, [2, false]])
  await punch(4, 'in', 2, 1)
  expect([await cameOn(4, 3), await onDay(4, 2)]).toEqual([0, [1, 2, 3]])
  expect([await siteDay(3), await siteDay(2)]).toEqual([
    [1, false],
    [1, false],
  ])
})

test('a night shift is made up in one: the exit is of the next morning, at six at the latest', async () => {
  expect((await makeUp(0, 15, { in: '20:00', out: '02:00' })).code).toBe(200)
  expect([await onDay(0, 15), await cameOn(0, 14)]).toEqual([[1, 2, 6], 0])
  const nights = await server.sql<{ at: number }>(
    `SELECT floor(extract(epoch FROM at))::float8 AS at FROM attendance_events
     WHERE worker_id = $1 AND day = $2 ORDER BY at`,
    [people[0]!.id, day(15)],
  )
  expect(nights.map((n) => n.at)).toEqual([at(15, 20), at(14, 2)])
  for (const [from, to] of [
    ['20:00', '06:01'],
    ['20:00', '20:00'],
    ['08:00', '07:00'],
  ] as const)
    expect(await makeUp(1, 15, { in: from, out: to })).toMatchObject({
      code: 400,
      msg: '离场时间应晚于进场时间；夜班的离场在次日，最晚 06:00',
    })
  expect((await makeUp(1, 15, { in: '22:00', out: '06:00' })).code).toBe(200)
  expect(await onDay(1, 15)).toEqual([1, 2, 8])
  // Only the exit was missed: of the next morning too, but of the same after an entry past midnight.
  await punch(2, 'in', 3, 21)
  expect((await makeUp(2, 3, { out: '01:30' })).code).toBe(200)
  expect([await onDay(2, 3), await cameOn(2, 2)]).toEqual([[1, 2, 4.5], 0])
  await punch(3, 'in', 6, 0.25)
  expect((await makeUp(3, 6, { out: '02:15' })).code).toBe(200)
  expect(await onDay(3, 6)).toEqual([1, 2, 2])
  // Of tonight nobody knows yet.
  expect((await makeUp(4, 0, { in: '00:00', out: '00:00' })).code).toBe(400)
  // Nights that meet are not both true, though their days differ.
  expect((await makeUp(0, 14, { in: '01:00', out: '03:00' })).msg).toMatch(
    /^与已有的补卡重叠：.* 20:00–02:00/,
  )
})

test('a made up entry past midnight that is taken back gives the exit back to the evening', async () => {
  await punch(4, 'in', 6, 19)
  await punch(4, 'out', 5, 3)
  expect(await onDay(4, 6)).toEqual([1, 2, 8])
  const made = await makeUp(4, 5, { in: '01:00' })
  expect(made.code).toBe(200)
  expect([await onDay(4, 6), await onDay(4, 5)]).toEqual([
    [1, 1, null],
    [1, 2, 2],
  ])
  await pm.call(api.attendance.withdraw, { body: { id: made.data.ids[0]!, reason: '看错了人' } })
  expect([await onDay(4, 6), await cameOn(4, 5)]).toEqual([[1, 2, 8], 0])
})

test('five hundred punches of days and nights in any order, against a count in seconds of its own', async () => {
  let seed = 20_261_124
  const dice = (n: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * n)
  }
  await server.sql('DELETE FROM attendance_events WHERE site_id = $1', [terminal.site])
  await server.sql('DELETE FROM attendance_days WHERE site_id = $1', [terminal.site])
  await server.sql('DELETE FROM site_days WHERE site_id = $1', [terminal.site])
  const first = 6
  const all: { who: number; direction: 'in' | 'out'; second: number }[] = []
  const from = at(first, 0)
  for (let n = 0; n < 500; n += 1) {
    const ago = 2 + dice(first - 2)
    // Half of them lie between eight in the evening and seven in the morning.
    const second = dice(2) ? 72_000 + dice(39_600) : dice(86_400)
    all.push({
      who: dice(5),
      direction: dice(2) ? 'in' : 'out',
      second: (first - ago) * 86_400 + second,
    })
  }
  for (let n = 0; n < all.length; n += 25)
    await report(
      server.url,
      terminal,
      all.slice(n, n + 25).map((p) => ({
        id: `r${++event}`,
        kind: 'clockin',
        at: from + p.second,
        w_id: people[p.who]!.w_id,
        direction: p.direction,
      })),
    )

  // Books of the story: seconds since the first midnight, whole days by division.
  const books = new Map<string, { first: number; last: number; count: number }>()
  for (const p of all) {
    const date = Math.floor(p.second / 86_400)
    const clock = p.second - date * 86_400
    const hasEntered = all.some(
      (o) => o.who === p.who && o.direction === 'in' && o.second >= date * 86_400 && o.second <= p.second,
    )
    const worked = p.direction === 'out' && clock <= 21_600 && !hasEntered ? date - 1 : date
    const key = `${worked}:${p.who}`
    const book = books.get(key) ?? { first: p.second, last: p.second, count: 0 }
    book.first = Math.min(book.first, p.second)
    book.last = Math.max(book.last, p.second)
    book.count += 1
    books.set(key, book)
  }
  const kept = await server.sql<{ day: string; worker: string; first: number; last: number; count: number }>(
    `SELECT day::text, worker_id AS worker, extract(epoch FROM first_at)::float8 - $2 AS first,
       extract(epoch FROM last_at)::float8 - $2 AS last, count
     FROM attendance_days WHERE site_id = $1`,
    [terminal.site, from],
  )
  const shown = Object.fromEntries(
    kept.map((k) => {
      const date = (startOfDay(k.day).getTime() / 1000 - from) / 86_400
      const who = people.findIndex((p) => p.id === k.worker)
      return [`${date}:${who}`, { first: k.first, last: k.last, count: k.count }]
    }),
  )
  expect(shown).toEqual(Object.fromEntries(books))

  // The site's days: how many came, and whether anybody did.
  for (let date = -1; date <= first; date += 1) {
    const came = [0, 1, 2, 3, 4].filter((who) => books.has(`${date}:${who}`)).length
    const [row] = await server.sql<{ present: number }>(
      'SELECT present FROM site_days WHERE site_id = $1 AND day = $2',
      [terminal.site, day(first - date)],
    )
    expect(row?.present ?? 0, `day ${date}`).toBe(came)
  }
  // The list, its total and the nightly recount say the same.
  const page = await pm.call(api.attendance.list, {
    query: { from: day(first + 1), to: today, site_id: terminal.site, attendance: 1, pageSize: 1 },
  })
  expect(page.totalCount).toBe(books.size)
  const differed = await server.db.tx(SYSTEM, (tx) => recomputeDays(tx, pm.tenant, day(first + 1), today))
  expect(differed).toBe(0)
  const again = await server.sql('SELECT count(*)::int AS n FROM attendance_days WHERE site_id = $1', [
    terminal.site,
  ])
  expect(again).toEqual([{ n: books.size }])
})
