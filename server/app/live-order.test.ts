import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { report } from '../testing/device.ts'
import { type Person, startTestServer, type TestServer } from '../testing/start.ts'
import { listen } from '../testing/stream.ts'
import { seconds } from '../testing/time.ts'
import { idOf, placeOf } from './live-place.ts'

let server: TestServer
let gm: Person
beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
})
afterAll(() => server.stop())

let n = 0
const raise = (which: number) => {
  const cameras = server.devices.filter((d) => d.type === 'camera' && d.sn.includes('HZ'))
  return report(server.url, cameras[which]!, [
    { id: `o${++n}`, kind: 'alarm', at: seconds(), type: 'smoking', confidence: 0.9 },
  ])
}
async function openedBy(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}
const say = (what: string) =>
  `INSERT INTO live_events (tenant_id, topic, what, ref_id) SELECT id, 'site', '${what}', '' FROM tenants WHERE id = '${gm.tenant}'`
const heardOf = (stream: ReturnType<typeof listen>) =>
  stream.heard.filter((h) => h.data.topic === 'site').map((h) => h.data.what)
const greeted = async (stream: ReturnType<typeof listen>) => {
  await stream.until(() => stream.heard.length > 0)
  return stream
}

test('a transaction open in another database does not silence ours', async () => {
  const other = new URL(server.ownerUrl)
  other.pathname = '/postgres'
  const foreign = await openedBy(other.href)
  await foreign.query('BEGIN')
  await foreign.query('SELECT pg_current_xact_id()')
  const stream = await greeted(listen(server.url, gm))
  await raise(0)
  await stream.until(() => stream.alarms().length === 1)
  await foreign.query('ROLLBACK')
  await foreign.end()
  await stream.close()
})

test('a long transaction of ours holds back its own messages and nobody else’s, and loses none', async () => {
  const long = await openedBy(server.logins.system)
  await long.query('BEGIN')
  await long.query(say('imported 1'))
  await long.query(say('imported 2'))
  const early = await greeted(listen(server.url, gm))
  await raise(1)
  await early.until(() => early.alarms().length === 1)
  expect(heardOf(early)).toEqual([])
  // One who leaves now and comes back later, and one who comes only now: both hear what commits afterwards.
  const last = early.alarms()[0]!.id
  const late = await greeted(listen(server.url, gm))
  await long.query('COMMIT')
  await long.end()
  const back = listen(server.url, gm, last)
  for (const stream of [early, late, back]) await stream.until(() => heardOf(stream).length === 2)
  await raise(2)
  for (const stream of [early, late, back])
    await stream.until(() => stream.heard.some((h) => h.data.topic === 'alarm' && h.id > last))
  expect(back.alarms()).toHaveLength(1)
  for (const stream of [early, late, back]) {
    expect(heardOf(stream)).toEqual(['imported 1', 'imported 2'])
    await stream.close()
  }
})

test('many writers at once, some rolled back: everything that was committed is heard once', async () => {
  const stream = await greeted(listen(server.url, gm))
  const committed: string[] = []
  await Promise.all(
    Array.from({ length: 6 }, async (_, writer) => {
      const client = await openedBy(server.logins.system)
      for (let i = 0; i < 40; i += 1) {
        await client.query('BEGIN')
        await client.query(say(`w${writer}-${i}`))
        if ((i + writer) % 5 === 0) await new Promise((r) => setTimeout(r, 15))
        const kept = (i * 7 + writer) % 4 > 0
        await client.query(kept ? 'COMMIT' : 'ROLLBACK')
        if (kept) committed.push(`w${writer}-${i}`)
      }
      await client.end()
    }),
  )
  await stream.until(() => heardOf(stream).length >= committed.length)
  expect(heardOf(stream).sort()).toEqual(committed.sort())
  // Rolled-back numbers are given up in the end: an id names no gap any more.
  const isWhole = () => /^\d+$/.test(stream.heard.at(-1)!.id)
  for (let i = 0; i < 12 && !isWhole(); i += 1) {
    await new Promise((r) => setTimeout(r, 1_000))
    const before = stream.heard.length
    await server.sql(`BEGIN; SET LOCAL app.tenant = '*'; ${say(`later ${i}`)}; COMMIT`)
    await stream.until(() => stream.heard.length > before)
  }
  expect(isWhole()).toBe(true)
  await stream.close()
})

test('an id says what is missing, and nothing that was invented is believed', () => {
  const place = { high: 105, missing: [[90, 95] as const, [103, 103] as const] }
  expect(idOf(place)).toBe('105~90-95,103-103')
  expect(placeOf('105~90-95,103-103')).toEqual(place)
  expect(placeOf('105')).toEqual({ high: 105, missing: [] })
  for (const odd of ['', '5-1', '7~9-8', '7~8-9', '1e9', `9${'~1-1'.repeat(9)}`, '١'])
    expect(placeOf(odd)).toBeUndefined()
})
