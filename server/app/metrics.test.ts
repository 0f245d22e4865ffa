import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { ROOT } from '../kit/paths.ts'
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
  expect(valueOf(text, 'zhuguan_pool_connections_max{pool="app"}')).toBe(8)
  expect(valueOf(text, 'zhuguan_refused_total{class="people"}')).toBe(0)
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
  expect(valueOf(text, 'zhuguan_job_last_success_timestamp_seconds{kind="story"}')).toBe(1_700_000_000)
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

test('the release, the weight of disk, files and database, and devices by state are told', async () => {
  const { text } = await read()
  expect(text).toMatch(/^zhuguan_build_info\{version="\d+\.\d+\.\d+",node="v\d+[\d.]+"\} 1$/m)
  const free = valueOf(text, 'zhuguan_disk_free_bytes')!
  expect(free).toBeGreaterThan(1_000_000)
  expect(valueOf(text, 'zhuguan_disk_size_bytes')).toBeGreaterThan(free)
  expect(valueOf(text, 'zhuguan_files_place_up{kind="folder"}')).toBe(1)
  expect(valueOf(text, 'zhuguan_files_place_unanswered_total')).toBe(0)
  // The gateway is counted for all stories of this process together.
  expect(valueOf(text, 'zhuguan_gateway_unanswered_total')).toBeGreaterThanOrEqual(0)
  expect(valueOf(text, 'zhuguan_database_size_bytes')).toBeGreaterThan(5_000_000)
  const [own] = await server.sql<{ bytes: number; n: number }>(
    `SELECT (SELECT coalesce(sum(bytes), 0)::float8 FROM files) AS bytes,
       (SELECT count(*)::int FROM devices WHERE deleted_at IS NULL) AS n`,
  )
  expect(valueOf(text, 'zhuguan_files_size_bytes')).toBe(own!.bytes)
  expect(valueOf(text, 'zhuguan_files_leaving')).toBe(0)
  expect(valueOf(text, 'zhuguan_log_verified_timestamp_seconds')).toBe(0)
  const states = [...text.matchAll(/^zhuguan_devices\{state="[a-zA-Z]+"\} (\d+)$/gm)]
  expect(states).toHaveLength(6)
  expect(states.reduce((sum, [, n]) => sum + Number(n), 0)).toBe(own!.n)
})

const ALERTS = join(ROOT, 'deploy', 'prometheus')
/** The judge is Debian's (package prometheus); where it is not installed that is said aloud. */
const promtool = process.env.PROMTOOL ?? 'promtool'
const has = spawnSync(promtool, ['--version']).status === 0
if (!has) console.warn('promtool is not installed: names of figures and rules of alerts are not judged')
test.skipIf(!has)('Prometheus takes each figure of ours, and the rules alert when they should', async () => {
  const { text } = await read()
  const own = text.split('\n').filter((line) => /^(# (HELP|TYPE) )?zhuguan_/.test(line))
  const judged = spawnSync(promtool, ['check', 'metrics'], { input: `${own.join('\n')}\n`, encoding: 'utf8' })
  expect([judged.status, judged.stdout + judged.stderr]).toEqual([0, ''])
  const rules = spawnSync(promtool, ['test', 'rules', join(ALERTS, 'rules.test.yaml')], { encoding: 'utf8' })
  expect([rules.status, rules.stdout + rules.stderr]).toEqual([0, expect.stringContaining('SUCCESS')])
})
test('what rules and the dashboard ask for is told', async () => {
  // Of what was asked nothing is said before the first answer.
  await read()
  const { text } = await read()
  const files = await Promise.all(
    ['rules.yaml', 'dashboard.json'].map((f) => readFile(join(ALERTS, f), 'utf8')),
  )
  const asked = files.join('\n').match(/zhuguan_[a-z_]+/g) ?? []
  expect(asked.length).toBeGreaterThan(30)
  expect(asked.filter((name) => !text.includes(`${name} `) && !text.includes(`${name}{`))).toEqual([])
})
