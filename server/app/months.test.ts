import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { startTestServer, type TestServer } from '../testing/start.ts'
import { testTime } from '../testing/time.ts'
import { openToday } from './clock.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

test('the first act of a month far ahead finds its partition, whether or not a device has reported in it', async () => {
  const later = new Date(testTime() + 100 * 86_400_000)
  const part = `site_events_${later.toISOString().slice(0, 7).replace('-', '')}`
  const exists = async () =>
    (await server.sql<{ t: string | null }>('SELECT to_regclass($1)::text AS t', [part]))[0]!.t !== null
  expect(await exists()).toBe(false)
  await openToday(server.db, later)
  expect(await exists()).toBe(true)
  // Twice a day costs nothing, and what is there stays.
  await openToday(server.db, later)
  const pm = await server.as('pm')
  expect((await pm.call(sitesApi.list)).totalCount).toBeGreaterThan(0)
})
