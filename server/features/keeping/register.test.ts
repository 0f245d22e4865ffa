import { keepingApi } from '@zhuguan/contract/features/keeping/keeping.api.ts'
import { settingsApi } from '@zhuguan/contract/features/settings/settings.api.ts'
import { streamsApi } from '@zhuguan/contract/features/streams/streams.api.ts'
import { userlogsApi } from '@zhuguan/contract/features/userlogs/userlogs.api.ts'
import { UNMASKINGS } from '@zhuguan/contract/features/userlogs/userlogs.record.ts'
import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { cellsOf } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let ops: Person
let gm: Person
let camera: { id: string; bc: string }
beforeAll(async () => {
  server = await startTestServer()
  ops = await server.as('hq_ops')
  gm = await server.as('branch_gm')
  const [row] = await server.sql<{ id: string; bc: string }>(
    `SELECT d.id, d.bc_id AS bc FROM devices d
     JOIN sites w ON w.tenant_id = d.tenant_id AND w.id = d.site_id AND w.status = 1
     JOIN users u ON u.tenant_id = d.tenant_id AND u.user_name = 'branch_gm' AND u.bc_id = d.bc_id
     WHERE d.type = 'camera' AND NOT w.lived_in ORDER BY d.sn LIMIT 1`,
  )
  camera = row!
})
afterAll(() => server.stop())

const register = (query: { from?: string; to?: string } = {}) => ops.call(keepingApi.register, { query })
const of = (r: Awaited<ReturnType<typeof register>>, name: string) =>
  r.people.find((p) => p.userName === name)
const hours = (values: Record<string, unknown>) =>
  gm.call(settingsApi.update, { body: { bcId: camera.bc, values } })
/** Hours of the other half of the day: whatever the clock says, nobody is at work. */
async function closed(): Promise<void> {
  const hour = new Date(server.now().getTime() + 8 * 3_600_000).getUTCHours()
  const at = (h: number) => `${String(h).padStart(2, '0')}:00`
  const [from, to] = hour < 12 ? [13, 22] : [2, 11]
  await hours({ workStart: at(from), workEnd: at(to) })
}
const watch = () =>
  gm.call(streamsApi.open, {
    body: { device_id: camera.id, purpose: 'patrol', words: '夜间巡看', said: true },
  })

test('who read numbers, took lists away and looked out of hours stands with the list behind', async () => {
  const [worker] = await server.sql<{ id: string }>(
    `SELECT w.id FROM workers w JOIN users u ON u.tenant_id = w.tenant_id AND u.user_name = 'branch_gm'
     WHERE w.bc_id = u.bc_id ORDER BY w.id LIMIT 1`,
  )
  // The books of this story: what is really given to whom.
  const books = { unmask: 0, export: 0, offHours: 0 }
  const before = of(await register(), 'branch_gm') ?? { ...books }
  for (let i = 0; i < 3; i += 1) {
    await gm.call(workersApi.phone, { body: { id: worker!.id, reason: '通知进场' } })
    books.unmask += 1
  }
  for (const endpoint of [workersApi.export, userlogsApi.export]) {
    expect((await gm.ask(endpoint, {})).status).toBe(200)
    books.export += 1
  }
  await hours({ workStart: '00:00', workEnd: '23:59', restDays: [], calendar: '' })
  await watch()
  await closed()
  await watch()
  await watch()
  books.offHours += 2
  // What was refused gave nothing to anybody.
  const sales = await server.as('sales')
  expect((await sales.ask(workersApi.export, {})).code).not.toBe(200)
  const r = await register()
  const mine = of(r, 'branch_gm')!
  expect({
    unmask: mine.unmask - before.unmask,
    export: mine.export - before.export,
    offHours: mine.offHours - before.offHours,
  }).toEqual(books)
  expect(of(r, 'sales')).toBeUndefined()
  for (const about of ['unmask', 'export', 'offHours'] as const) {
    const list = await ops.call(userlogsApi.list, {
      query: { about, user_id: mine.user_id, from: r.from, to: r.to },
    })
    expect([about, list.totalCount]).toEqual([about, mine[about]])
  }
  // What is set afterwards judges nobody: the two stay, the one of the day stays out.
  await hours({ workStart: '00:00', workEnd: '23:59' })
  expect(of(await register(), 'branch_gm')!.offHours).toBe(mine.offHours)
  // Other days, other figures.
  const today = shanghaiDay(server.now())
  const past = await register({ from: addDays(today, -40), to: addDays(today, -31) })
  expect(of(past, 'branch_gm')).toBeUndefined()
  expect((await ops.ask(keepingApi.register, { query: { from: today, to: addDays(today, -1) } })).code).toBe(
    400,
  )
  expect(
    (await ops.ask(keepingApi.register, { query: { from: addDays(today, -366), to: today } })).code,
  ).toBe(400)
})

test('who sees a kind is said once, and that everybody reads their own notifications', async () => {
  const { kinds } = await register()
  for (const k of kinds) expect([k.key, k.seen]).toEqual([k.key, [...new Set(k.seen)]])
  expect(kinds.find((k) => k.key === 'visits')!.seen.filter((s) => s === '陌生人来访')).toHaveLength(1)
  expect(kinds.find((k) => k.key === 'notifications')!.seen).toEqual(['铃铛（各人看自己的）'])
})

test('people are counted by their newest answer, of their group alone', async () => {
  await server.sql('DELETE FROM consents')
  const [worker, second] = await server.sql<{ id: string; tenant: string }>(
    `SELECT id, tenant_id AS tenant FROM workers WHERE tenant_id = $1 ORDER BY id LIMIT 2`,
    [ops.tenant],
  )
  const [foreign] = await server.sql<{ id: string; tenant: string }>(
    'SELECT id, tenant_id AS tenant FROM users WHERE tenant_id <> $1 LIMIT 1',
    [ops.tenant],
  )
  const answer = (who: { id: string; tenant: string }, kind: string, state: number, daysAgo: number) =>
    server.sql(
      `INSERT INTO consents (tenant_id, id, kind, subject_type, subject_id, state, how, answered_on, scope, recorded_by,
         recorded_at, withdrawn_by, withdrawn_at, withdrawn_why)
       VALUES ($1, gen_random_uuid(), $2, $3, $4, $5, 'spoken', '2026-01-01', '刷脸打卡', '甲',
         :now - $6 * interval '1 day', $7, CASE WHEN $7::text IS NOT NULL THEN :now END, $7)`,
      [
        who.tenant,
        kind,
        kind === 'face' ? 'worker' : 'contact',
        who.id,
        state,
        daysAgo,
        state === 3 ? '本人' : null,
      ],
    )
  // One refused and agreed later; one took it back; the same person may be asked about two things.
  await answer(worker!, 'face', 2, 9)
  await answer(worker!, 'face', 1, 3)
  await answer(second!, 'face', 3, 5)
  await answer(second!, 'case', 2, 5)
  await answer(foreign!, 'face', 1, 5)
  const { consents } = await register()
  expect(consents.filter((c) => c.n > 0)).toEqual([
    { kind: 'face', state: 1, n: 1 },
    { kind: 'face', state: 3, n: 1 },
    { kind: 'case', state: 2, n: 1 },
  ])
  // Nobody is also a figure.
  expect(consents).toHaveLength(9)
})

test('the register is for the administrator and group operations; taking it away is logged', async () => {
  for (const role of ['branch_gm', 'pm', 'service', 'cashier', 'sales']) {
    const who = await server.as(role)
    expect([role, (await who.ask(keepingApi.register, { query: {} })).code]).toEqual([role, 401])
    expect([role, (await who.ask(keepingApi.export, {})).code]).toEqual([role, 401])
  }
  const admin = await server.as('admin')
  const r = await admin.call(keepingApi.register, { query: {} })
  // Only what is about people: each says whose, why, by what right and who sees it.
  expect(r.kinds.every((k) => k.whose && k.purpose && k.ground !== 'none')).toBe(true)
  expect(r.kinds.find((k) => k.key === 'visitorPictures')).toMatchObject({
    days: 30,
    whose: '访客',
    doors: [],
  })
  const sheet = await ops.ask(keepingApi.export, {})
  const row = (await cellsOf(sheet.bytes)).find((cells) => cells[0] === '陌生人照片')!
  expect([row[1], row[4], row[8]]).toEqual(['访客', '30 天', '不离开系统'])
  const list = await ops.call(userlogsApi.list, { query: { about: 'export', keyword: '个人信息登记' } })
  expect(list.totalCount).toBe(1)
})

test('whatever reads a whole number writes one of these actions', () => {
  const written = import.meta.glob<string>('../*/*.service.ts', {
    eager: true,
    query: '?raw',
    import: 'default',
  })
  const actions = Object.values(written).flatMap((text) =>
    [...text.matchAll(/action: '(查看[^']*)'/g)].map((m) => m[1]!),
  )
  expect([...new Set(actions)].filter((a) => a !== '查看录像').toSorted()).toEqual([...UNMASKINGS].toSorted())
})
