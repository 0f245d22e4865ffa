import { randomUUID } from 'node:crypto'

import { notificationsApi } from '@zhuguan/contract/features/notifications/notifications.api.ts'
import { SUBSCRIPTION } from '@zhuguan/contract/features/statistics/daily-sheet.record.ts'
import { viewsApi } from '@zhuguan/contract/features/views/views.api.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { connect } from '../database/connect.ts'
import { openFileStore } from '../features/files/file-store.ts'
import { addDays, shanghaiDay, startOfDay } from '../kit/shanghai.ts'
import { startTestServer, type TestServer } from '../testing/start.ts'
import { startClock } from './clock.ts'
import { runOf } from './jobs.ts'

const HOUR = 3_600_000
const MINUTE = 60_000

let server: TestServer
let tenants: string[]
beforeAll(async () => {
  server = await startTestServer()
  tenants = (await server.sql<{ id: string }>('SELECT id FROM tenants ORDER BY id')).map((t) => t.id)
  expect(tenants.length).toBeGreaterThan(1)
})
afterAll(() => server.stop())

/** A second process: its own connections, its own clock, the same database. */
async function another(): Promise<{ look(): Promise<number>; close(): Promise<void>; warnings: Error[] }> {
  const db = connect(server.logins, { max: 2, now: server.now })
  const warnings: Error[] = []
  const clock = startClock({
    db,
    now: server.now,
    secretKey: server.secretKey,
    files: openFileStore(server.dataDir),
    dataDir: server.dataDir,
    warn: (error) => void warnings.push(error as Error),
    everyMs: HOUR,
  })
  return {
    look: clock.look,
    warnings,
    async close() {
      await clock.close()
      await db.close()
    },
  }
}
const nextDay = (hour: number) =>
  server.later(
    startOfDay(addDays(shanghaiDay(server.now()), 1)).getTime() + hour * HOUR - server.now().getTime(),
  )
const runs = (kind: string) =>
  server.sql<{ tenant_id: string; done_for: Date | null; error: string; failures: number }>(
    'SELECT tenant_id, done_for, error, failures FROM job_runs WHERE kind = $1 ORDER BY tenant_id',
    [kind],
  )

test('work that was missed is made up at the next start, once, whatever the number of servers', async () => {
  // The days of a server that does not run: it has met the groups, then it was off until the afternoon.
  const gm = await server.as('branch_gm')
  await gm.call(viewsApi.save, { body: { name: SUBSCRIPTION, value: { on: true } } })
  nextDay(15)
  const day = shanghaiDay(server.now())
  const clocks = await Promise.all([another(), another(), another()])
  try {
    await Promise.all(clocks.map((c) => c.look()))
    for (const kind of ['openDay', 'attendance', 'noWork', 'dailySheet'])
      expect([kind, (await runs(kind)).map((r) => r.done_for && shanghaiDay(r.done_for))]).toEqual([
        kind,
        tenants.map(() => day),
      ])
    const told = (await (await server.as('branch_gm')).call(notificationsApi.list)).list.filter((n) =>
      n.title.includes('日报'),
    )
    expect(told.map((n) => n.title)).toEqual([`${addDays(day, -1)} 的日报已经出来`])
    expect(await Promise.all(clocks.map((c) => c.look()))).toEqual([0, 0, 0])
    expect(clocks.flatMap((c) => c.warnings)).toEqual([])
  } finally {
    await Promise.all(clocks.map((c) => c.close()))
  }
})

test('what fails for one group is its own: the others have theirs, it is written down and tried again', async () => {
  const [first, ...others] = tenants
  await server.sql(`CREATE FUNCTION refuse_day() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.tenant_id = '${first}' AND NEW.kind = 'openDay' AND NEW.done_for IS DISTINCT FROM OLD.done_for THEN
        RAISE EXCEPTION 'this group cannot';
      END IF;
      RETURN NEW;
    END $$`)
  await server.sql(
    'CREATE TRIGGER refuse_day BEFORE UPDATE ON job_runs FOR EACH ROW EXECUTE FUNCTION refuse_day()',
  )
  nextDay(1)
  const day = shanghaiDay(server.now())
  const clock = await another()
  try {
    await clock.look()
    const opened = async () =>
      (await runs('openDay')).filter((r) => shanghaiDay(r.done_for!) === day).map((r) => r.tenant_id)
    expect(await opened()).toEqual(others)
    expect((await runs('openDay')).find((r) => r.tenant_id === first)).toMatchObject({
      error: 'this group cannot',
      failures: 1,
    })
    expect(clock.warnings.map((e) => e.message)).toContain('this group cannot')
    await server.sql('DROP TRIGGER refuse_day ON job_runs')
    // Not at once, so that a broken one does not run the whole day long.
    await clock.look()
    expect(await opened()).toEqual(others)
    server.later(2 * MINUTE)
    await clock.look()
    expect(await opened()).toEqual(tenants)
    expect((await runs('openDay')).map((r) => r.failures)).toEqual(tenants.map(() => 0))
  } finally {
    await clock.close()
  }
})

test('who died holding something is waited for while its lease lasts, then taken over', async () => {
  nextDay(1)
  const day = shanghaiDay(server.now())
  await server.sql(
    `UPDATE job_runs SET holder = $1, held_until = :now::timestamptz + interval '90 seconds' WHERE kind = 'noWork'`,
    [randomUUID()],
  )
  const counted = async () => (await runs('noWork')).filter((r) => shanghaiDay(r.done_for!) === day).length
  const clock = await another()
  try {
    await clock.look()
    expect(await counted()).toBe(0)
    server.later(2 * MINUTE)
    await clock.look()
    expect(await counted()).toBe(tenants.length)
  } finally {
    await clock.close()
  }
})

test('work that takes longer than its lease keeps it', async () => {
  const until = async () =>
    (
      await server.sql<{ held_until: Date }>(
        `SELECT held_until FROM job_runs WHERE kind = 'slow' AND held_until IS NOT NULL`,
      )
    )[0]!.held_until
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    let wider = 0
    const slow = {
      kind: 'slow',
      at: '00:00',
      async run() {
        const before = await until()
        server.later(MINUTE)
        vi.advanceTimersByTime(MINUTE / 2)
        await expect.poll(until, { timeout: 5_000 }).not.toEqual(before)
        wider += Number((await until()).getTime() - before.getTime() >= MINUTE)
      },
    }
    expect(await runOf(server.db, slow, server.now())).toBe(true)
    expect(wider).toBe(tenants.length)
  } finally {
    vi.useRealTimers()
  }
})

test('days on which no server ran are counted by the first night after them', async () => {
  const standing = await server.sql<{ id: string; start: string }>(
    `SELECT id, start_date::text AS start FROM sites WHERE status = 1 ORDER BY id LIMIT 1`,
  )
  const last = shanghaiDay(server.now())
  for (let n = 0; n < 10; n += 1) nextDay(1)
  const clock = await another()
  try {
    await clock.look()
    const days = await server.sql<{ day: string }>(
      'SELECT day::text FROM site_days WHERE site_id = $1 AND day >= $2 AND day < $3 ORDER BY 1',
      [standing[0]!.id, last, shanghaiDay(server.now())],
    )
    expect(days.map((d) => d.day)).toEqual(Array.from({ length: 10 }, (_, n) => addDays(last, n)))
  } finally {
    await clock.close()
  }
})

test('after a clock that ran ten days ahead is right again every day has its work, and none has it twice', async () => {
  await server.sql(
    `CREATE TABLE done_moments (tenant_id uuid, kind text, done_for timestamptz);
     CREATE FUNCTION note_moment() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
       $$ BEGIN INSERT INTO public.done_moments VALUES (NEW.tenant_id, NEW.kind, NEW.done_for); RETURN NEW; END $$;
     CREATE TRIGGER note_moment AFTER UPDATE OF done_for ON job_runs FOR EACH ROW EXECUTE FUNCTION note_moment()`,
  )
  const openedOn = async (day: string) =>
    (
      await server.sql<{ n: number }>(
        `SELECT count(*)::int AS n FROM done_moments WHERE kind = 'openDay' AND done_for = $1`,
        [startOfDay(day)],
      )
    )[0]!.n
  nextDay(9)
  const today = shanghaiDay(server.now())
  const clock = await another()
  try {
    await clock.look()
    server.later(240 * HOUR)
    await clock.look()
    // Held by a server of the false time.
    await server.sql(
      `UPDATE job_runs SET holder = $1, held_until = :now::timestamptz + interval '1 minute'`,
      [randomUUID()],
    )
    server.later(-240 * HOUR)
    expect(await clock.look()).toBe(0)
    for (let day = 1; day <= 3; day += 1) {
      nextDay(9)
      await clock.look()
    }
    const days = [0, 1, 2, 3].map((n) => addDays(today, n))
    expect(await Promise.all(days.map(openedOn))).toEqual(days.map(() => tenants.length))
  } finally {
    await clock.close()
    await server.sql('DROP TRIGGER note_moment ON job_runs')
  }
})
