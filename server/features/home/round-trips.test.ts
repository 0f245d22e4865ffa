import { homeApi } from '@zhuguan/contract/features/home/home.api.ts'
import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'

import { int4, row } from '../../kit/row.ts'
import type { Tx } from '../../kit/tx.ts'
import { startTestServer, type TestServer } from '../../testing/start.ts'
import { SYSTEM } from '../session/access.reads.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())
afterEach(() => vi.restoreAllMocks())

/** What is sent in one write is waited for once; the end of what only reads is waited for by nobody. */
async function tripsOf(work: () => Promise<unknown>): Promise<number> {
  const query = pg.Client.prototype.query
  let trips = 0
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    const statements = Reflect.get(Object(args[0]), 'statements') as { text: string }[] | undefined
    if (statements?.some(({ text }) => text !== 'COMMIT')) trips += 1
    return Reflect.apply(query, this, args) as never
  })
  await work()
  spy.mockRestore()
  return trips
}

const TRIES = 8
/** Where something else runs on the machine, the server's own work may lie in every one of a few tries. */
const PATIENT = 30
const PAUSE_MS = [100, 1_000] as const
/** How often a call may wait for a database that is far away; who asks is looked up by the first of them. */
const CEILINGS = [
  [homeApi.cards, 3],
  [homeApi.waiting, 1],
  [statisticsApi.monitor, 1],
  [statisticsApi.devices, 1],
  [statisticsApi.dailySheet, 1],
  [statisticsApi.attend, 2],
] as const
test.each(['branch_gm', 'hq_ops', 'steward', 'cashier'])(
  'the first pages of %s wait for the database a few times, however many figures they show',
  async (role) => {
    const who = await server.as(role)
    for (const [endpoint, most] of CEILINGS) {
      // What is asked once a session, and connections that are made, are no figure of a page.
      const first = await who.ask(endpoint)
      if (first.code !== 200) continue
      // The server's own work meanwhile is not the page's: one undisturbed try tells.
      let trips = Infinity
      for (let i = 0; i < PATIENT && trips > most; i += 1) {
        if (i) await new Promise((r) => setTimeout(r, Math.min(PAUSE_MS[0] * i, PAUSE_MS[1])))
        trips = Math.min(trips, await tripsOf(() => who.call(endpoint)))
      }
      expect(trips, `${endpoint.path} ${trips}`).toBeLessThanOrEqual(most)
      expect(trips).toBeGreaterThan(0)
    }
  },
)

test('the control: questions asked one after another are as many trips, those asked together one', async () => {
  const question = (tx: Tx) => tx.query('test.trip', row({ n: int4 }), 'SELECT 1 AS n')
  // The least of some: the server's own work meanwhile is counted, too.
  async function read(work: (tx: Tx) => Promise<unknown>): Promise<number> {
    let least = Infinity
    for (let i = 0; i < TRIES; i += 1)
      least = Math.min(least, await tripsOf(() => server.db.tx(SYSTEM, work, { readOnly: true })))
    return least
  }
  expect(
    await read(async (tx) => {
      for (let i = 0; i < 6; i += 1) await question(tx)
    }),
  ).toBe(6)
  expect(await read((tx) => Promise.all(Array.from({ length: 6 }, () => question(tx))))).toBe(1)
})
