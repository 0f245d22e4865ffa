import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { report } from '../testing/device.ts'
import { startTestServer, type TestServer } from '../testing/start.ts'
import { listen } from '../testing/stream.ts'
import { seconds } from '../testing/time.ts'

const TOKEN = 'a-token-of-the-test'
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ metricsToken: TOKEN })
})
afterAll(() => server.stop())

const read = async (headers: Record<string, string> = {}) => {
  const answer = await fetch(`${server.url}/metrics`, { headers })
  return { status: answer.status, text: await answer.text() }
}
/** The value of the one line that begins so. */
const valueOf = (text: string, line: string): number | undefined => {
  const found = text.split('\n').find((l) => l.startsWith(`${line} `))
  return found === undefined ? undefined : Number(found.slice(line.length + 1))
}

test('answers are counted by route and by the code inside; what is busy, waits and was filed is told', async () => {
  const gm = await server.as('branch_gm')
  for (let i = 0; i < 3; i += 1) await gm.call(sitesApi.list)
  await server.nobody().ask(sitesApi.list)
  const camera = server.devices.find((d) => d.type === 'camera')!
  await report(server.url, camera, [{ id: 'mm', kind: 'visitor', at: seconds(), seconds: 5 }])
  const stream = listen(server.url, gm)
  await stream.until(() => stream.heard.length > 0)
  const { text } = await read()
  const asked = (status: number, code: number) =>
    `zhuguan_requests_total{method="${sitesApi.list.method}",route="${sitesApi.list.path}",status="${status}",code="${code}"}`
  expect(valueOf(text, asked(200, 200))).toBe(3)
  expect(valueOf(text, asked(401, 401))).toBe(1)
  expect(valueOf(text, `zhuguan_request_seconds_count{route="${sitesApi.list.path}"}`)).toBe(4)
  expect(valueOf(text, 'zhuguan_live_streams')).toBe(1)
  expect(valueOf(text, 'zhuguan_ingest_batch_events_sum')).toBe(1)
  expect(valueOf(text, 'zhuguan_ingest_waiting_events')).toBe(0)
  expect(valueOf(text, 'zhuguan_database_up')).toBe(1)
  expect(valueOf(text, 'zhuguan_pool_connections{pool="app",state="max"}')).toBe(8)
  expect(valueOf(text, 'zhuguan_bound{class="people",state="refused"}')).toBe(0)
  // Papers are drawn for all stories of this process together.
  expect(text).toContain('zhuguan_bound{class="papers",state="waiting"}')
  expect(text).toContain('nodejs_eventloop_lag_seconds')
  await stream.close()
})

test('scheduled work says when it last succeeded and how often it failed since', async () => {
  await server.sql(
    `BEGIN; SET LOCAL app.tenant = '*';
     INSERT INTO job_runs (tenant_id, kind, met_at, succeeded_at, failures)
     SELECT id, 'story', :now, to_timestamp(1700000000), 2 FROM tenants; COMMIT`.replaceAll(
      ':now',
      'to_timestamp(1700000000)',
    ),
  )
  await new Promise((r) => setTimeout(r, 1_100))
  const { text } = await read()
  expect(valueOf(text, 'zhuguan_job_last_success_seconds{kind="story"}')).toBe(1_700_000_000)
  expect(valueOf(text, 'zhuguan_job_failures{kind="story"}')).toBe(2)
})

test('they are read from this machine, or with the token', async () => {
  const elsewhere = { 'x-forwarded-for': '203.0.113.5' }
  expect((await read()).status).toBe(200)
  expect((await read(elsewhere)).status).toBe(403)
  // A proxy on this machine that names nobody passes on strangers.
  for (const passedOn of [{ via: '1.1 proxy' }, { 'x-forwarded-host': 'zhuguan.example.com' }])
    expect((await read(passedOn as unknown as Record<string, string>)).status).toBe(403)
  expect((await read({ ...elsewhere, authorization: 'Bearer wrong-token-of-it' })).status).toBe(403)
  expect((await read({ ...elsewhere, authorization: `Bearer ${TOKEN}` })).status).toBe(200)
})
