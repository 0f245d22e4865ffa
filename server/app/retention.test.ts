import { randomUUID } from 'node:crypto'

import { isPage } from '@zhuguan/contract/pages.ts'
import { PERMISSIONS } from '@zhuguan/contract/permissions.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { openFileStore } from '../features/files/file-store.ts'
import { addDays, shanghaiDay, startOfDay } from '../kit/shanghai.ts'
import { startTestServer, type TestServer } from '../testing/start.ts'
import { branchRetention } from './branch-retention.ts'
import type { Job } from './jobs.ts'
import { KINDS } from './kept.ts'
import { caseRetention, FORGETTING, leavingFiles, looseClips, loosePictures, RETENTION } from './retention.ts'

let server: TestServer
let branches: { tenant_id: string; bc_id: string; device: string }[]
beforeAll(async () => {
  server = await startTestServer()
  branches = await server.sql(
    `SELECT DISTINCT ON (d.bc_id) d.tenant_id, d.bc_id, d.id AS device FROM devices d WHERE d.bc_id IS NOT NULL
     ORDER BY d.bc_id, d.id`,
  )
})
afterAll(() => server.stop())

const job = (kind: string): Job => RETENTION.find((j) => j.kind === `retention.${kind}`)!
const forget = async (kind: string, tenant = '') =>
  (await job(kind).run({
    db: server.db,
    tenant,
    day: shanghaiDay(server.now()),
    since: null,
    met: server.now(),
    now: server.now(),
    stopped: () => false,
  })) ?? ''
const count = async (from: string, values: unknown[] = []) =>
  (await server.sql<{ n: number }>(`SELECT count(*)::int AS n FROM ${from}`, values))[0]!.n
const daysAgo = (days: number) => addDays(shanghaiDay(server.now()), -days)

test('months that nobody keeps are dropped, branches that keep less lose theirs row by row, and every other row stays', async () => {
  const EACH = 30_000
  const keepsLess = branches[0]!
  await server.sql(`INSERT INTO settings (tenant_id, bc_id, key, value) VALUES ($1, $2, 'rawDays', '60')`, [
    keepsLess.tenant_id,
    keepsLess.bc_id,
  ])
  for (const days of [900, 500, 100, 20]) {
    const day = daysAgo(days)
    await server.sql('SELECT ensure_months($1::date, $1::date)', [day])
    for (const { tenant_id, device } of branches)
      await server.sql(
        `INSERT INTO raw_events (tenant_id, device_id, event_id, at, received_at, kind, body)
         SELECT $1, $2, n::text, $3::timestamptz + n * interval '1 second', :now, 'heartbeat', '{}'
         FROM generate_series(1, $4::int) n`,
        [tenant_id, device, startOfDay(day), days === 100 ? EACH : 100],
      )
  }
  const kept = (device: string, days: number) =>
    count(`raw_events WHERE device_id = $1 AND at >= $2 AND at < $2::timestamptz + interval '1 day'`, [
      device,
      startOfDay(daysAgo(days)),
    ])
  expect(await forget('rawMonths')).toMatch(/^删除 \d+ 个月$/)
  for (const { tenant_id } of branches) await forget('rawRows', tenant_id)

  for (const { device } of branches) {
    const less = device === keepsLess.device
    expect([await kept(device, 900), await kept(device, 500)]).toEqual([0, 0])
    expect([await kept(device, 100), await kept(device, 20)]).toEqual([less ? 0 : EACH, 100])
  }
  const months = await server.sql<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'raw_events'::regclass`,
  )
  const names = months.map((m) => m.name)
  for (const [days, stays] of [
    [900, false],
    [500, false],
    [100, true],
    [20, true],
  ] as const)
    expect([days, names.includes(`raw_events_${daysAgo(days).slice(0, 7).replace('-', '')}`)]).toEqual([
      days,
      stays,
    ])
  // The timeline of that month is the business itself.
  expect(
    await count(`pg_class WHERE relname = 'site_events_${daysAgo(900).slice(0, 7).replace('-', '')}'`),
  ).toBe(1)
})

test('a reader of raw reports is not pushed aside: the month goes at the next try', async () => {
  const day = daysAgo(1_000)
  const name = `raw_events_${day.slice(0, 7).replace('-', '')}`
  await server.sql('SELECT ensure_months($1::date, $1::date)', [day])
  await server.sql('BEGIN')
  await server.sql('SELECT count(*) FROM raw_events')
  await expect(forget('rawMonths')).rejects.toThrow(/lock timeout/)
  await server.sql('COMMIT')
  await forget('rawMonths')
  expect(await count(`pg_class WHERE relname = $1`, [name])).toBe(0)
})

test('receipts, messages, nonces, sessions, notices, failures and half-done imports have their end, and not before', async () => {
  const { tenant_id, device } = branches[0]!
  const user = (
    await server.sql<{ id: string }>('SELECT id FROM users WHERE tenant_id = $1 LIMIT 1', [tenant_id])
  )[0]!.id
  const MANY = 25_000
  await server.sql(
    `INSERT INTO device_receipts (device_id, event_id, received_on)
     SELECT $1, 'r' || n, CASE WHEN n % 5 = 0 THEN $3::date ELSE $2::date END FROM generate_series(1, $4::int) n`,
    [device, daysAgo(10), daysAgo(8), MANY],
  )
  await server.sql(
    `INSERT INTO live_events (tenant_id, topic, what, ref_id, at)
     SELECT $1, 'site', 'changed', 'm' || n, :now - CASE WHEN n > 20000 THEN interval '1 hour' ELSE interval '3 hours' END
     FROM generate_series(1, $2::int) n`,
    [tenant_id, MANY],
  )
  await server.sql(
    `INSERT INTO device_nonces (device_id, nonce, expires_at)
     SELECT $1, 'n' || n, :now + (n - 20000) * interval '1 minute' FROM generate_series(1, $2::int) n`,
    [device, MANY],
  )
  await server.sql(
    `INSERT INTO sessions (token_hash, tenant_id, user_id, created_at, expires_at)
     SELECT sha256(n::text::bytea), $1, $2, :now - interval '1 year', :now - n * interval '1 day'
     FROM generate_series(20, 40) n`,
    [tenant_id, user],
  )
  await server.sql(
    `INSERT INTO notifications (tenant_id, id, user_id, title, at, read_at)
     SELECT $1, gen_random_uuid(), $2, 'old', :now - n * interval '100 days', CASE WHEN n % 2 = 0 THEN :now END
     FROM generate_series(1, 5) n`,
    [tenant_id, user],
  )
  // The person who was away, and who stood in: three years.
  await server.sql(
    `INSERT INTO absences (tenant_id, id, user_id, deputy_id, from_day, to_day, entered_by, entered_at)
     SELECT $1, gen_random_uuid(), $2, (SELECT id FROM users WHERE tenant_id = $1 AND id <> $2 LIMIT 1), x.day, x.day,
       '', :now
     FROM (VALUES ($3::date), ($4::date)) x(day)`,
    [tenant_id, user, daysAgo(1_096), daysAgo(1_095)],
  )
  await server.sql(
    `INSERT INTO login_failures (key, count, until) VALUES ('gone', 1, :now - interval '1 minute'), ('held', 1, :now + interval '1 minute')`,
  )
  for (const [n, days] of [3, 8, 9].entries()) {
    const id = randomUUID()
    await server.sql(
      `INSERT INTO imports (tenant_id, id, user_id, kind, file_name, total, at)
       VALUES ($1, $2, $3, 'worker:import', $4, 2, :now - $5 * interval '1 day')`,
      [tenant_id, id, user, `${n}.xlsx`, days],
    )
    await server.sql(
      `INSERT INTO import_rows (tenant_id, import_id, row_no, cells) SELECT $1, $2, n, '[]' FROM generate_series(1, 2) n`,
      [tenant_id, id],
    )
  }
  // Messages of channels: a month after them; what waits is not forgotten.
  await server.sql(
    `INSERT INTO channel_messages (tenant_id, id, channel_id, event, kind, cause_id, at, since, next_at, state)
     SELECT k.tenant_id, gen_random_uuid(), k.id, 'waiting', 'alarm', 'old ' || x.days,
       :now - x.days * interval '1 day', :now, :now, x.state
     FROM (VALUES (29, 'sent'), (31, 'sent'), (32, 'givenUp'), (40, 'queued')) x(days, state),
       (SELECT * FROM channels WHERE tenant_id = $1 LIMIT 1) k`,
    [tenant_id],
  )
  const log = await count('user_logs')
  for (const { kind, whole } of RETENTION) if (whole) await forget(kind.slice('retention.'.length))
  const groups = await server.sql<{ id: string }>('SELECT id FROM tenants')
  for (const kind of ['absences', 'channel_messages']) for (const { id } of groups) await forget(kind, id)
  expect(await count(`device_receipts WHERE event_id LIKE 'r%'`)).toBe(MANY / 5)
  expect(await count(`live_events WHERE ref_id LIKE 'm%'`)).toBe(5_000)
  expect(await count(`device_nonces WHERE nonce LIKE 'n%'`)).toBeLessThanOrEqual(5_001)
  expect(await count(`device_nonces WHERE nonce LIKE 'n%'`)).toBeGreaterThan(4_990)
  expect(await count(`sessions WHERE created_at < :now - interval '300 days'`)).toBe(10)
  expect(await count(`notifications WHERE title = 'old'`)).toBe(1)
  expect(await server.sql('SELECT key FROM login_failures')).toEqual([{ key: 'held' }])
  expect(await count('absences')).toBe(1)
  expect(
    await server.sql(`SELECT cause_id FROM channel_messages WHERE cause_id LIKE 'old %' ORDER BY cause_id`),
  ).toEqual([{ cause_id: 'old 29' }, { cause_id: 'old 40' }])
  expect([await count('imports'), await count('import_rows')]).toEqual([1, 2])
  // A chain that lacks its beginning proves nothing: the log is kept.
  expect(await count('user_logs')).toBeGreaterThanOrEqual(log)
})

test('after a rest of more than a week, or under a clock that jumped ahead, the first night deletes nothing', async () => {
  const { tenant_id, device } = branches[1]!
  await server.sql('SELECT ensure_months($1::date, $1::date)', [daysAgo(900)])
  await server.sql(
    `INSERT INTO raw_events (tenant_id, device_id, event_id, at, received_at, kind, body)
     VALUES ($1, $2, 'careful', $3, :now, 'heartbeat', '{}')`,
    [tenant_id, device, startOfDay(daysAgo(900))],
  )
  const nightAfter = (days: number) =>
    job('rawMonths').run({
      db: server.db,
      tenant: '',
      day: shanghaiDay(server.now()),
      since: startOfDay(daysAgo(days)),
      met: server.now(),
      now: server.now(),
      stopped: () => false,
    })
  expect(await nightAfter(8)).toContain('先不删除')
  expect(await count(`raw_events WHERE event_id = 'careful'`)).toBe(1)
  expect(await nightAfter(1)).toMatch(/^删除 \d+ 个月$/)
  expect(await count(`raw_events WHERE event_id = 'careful'`)).toBe(0)
})

test('every table, every kind of file and every job of the night belongs to one kind of what is kept', async () => {
  const tables = await server.sql<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`,
  )
  // A table that two kinds tell stands here twice, and that is as red as one that none tells.
  expect(KINDS.flatMap((k) => k.tables).toSorted()).toEqual(tables.map((t) => t.name))
  const files = openFileStore(server.dataDir)
  const jobs = [
    ...FORGETTING,
    ...branchRetention(files),
    caseRetention(files),
    looseClips(files),
    loosePictures(files),
    leavingFiles(files),
  ]
  expect(KINDS.flatMap((k) => k.jobs ?? []).toSorted()).toEqual(jobs.map((j) => j.kind).toSorted())
  expect(new Set(KINDS.map((k) => k.key)).size).toBe(KINDS.length)
  // What a statement of ours gives a file.
  const kinds = [
    'case',
    'clip',
    'consent',
    'contract',
    'document',
    'face',
    'goods',
    'identity',
    'pdf',
    'picture',
    'product',
  ]
  expect(KINDS.flatMap((k) => k.files ?? []).toSorted()).toEqual(kinds)
  const written = await server.sql<{ kind: string }>('SELECT DISTINCT kind FROM files')
  expect(written.filter((f) => !kinds.includes(f.kind))).toEqual([])
  const columns = await server.sql<{ name: string }>(
    `SELECT c.relname || '.' || a.attname AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relnamespace = 'public'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped`,
  )
  const named = KINDS.flatMap((k) => (k.column ? [k.column] : []))
  expect(named.filter((column) => !columns.some((c) => c.name === column))).toEqual([])
})

test('of every kind it is said how long, why and by what right; what has days has a job, who sees it is there', () => {
  for (const k of KINDS) {
    expect([k.key, k.days !== null || k.until !== '', !!k.title, !!k.starts, !!k.purpose]).toEqual([
      k.key,
      true,
      true,
      true,
      true,
    ])
    if (k.days !== null) expect([k.key, (k.jobs ?? []).length > 0]).toEqual([k.key, true])
    if (k.whose) expect([k.key, k.ground]).not.toEqual([k.key, 'none'])
    for (const label of k.seen) {
      const page = label.startsWith('page:') ? label.slice('page:'.length) : ''
      expect([label, page ? isPage(page) : Object.hasOwn(PERMISSIONS, label)]).toEqual([label, true])
    }
  }
})
