import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
const NUMBERS: Record<string, string> = {
  早来: '13711110001',
  早走: '13711110002',
  又来: '13711110003',
  晚来: '13711110004',
  补错: '13711110005',
  隔日: '13711110006',
  邻家: '13711110007',
}
const people: Record<string, string> = {}
let alarm = ''
let night = ''

/** A site of the manager's with an alarm at 15:20 of the day before, and punches of workers around it. */
beforeAll(async () => {
  server = await startTestServer()
  const [site] = await server.sql<{ id: string; tenant_id: string; bc_id: string; camera: string }>(
    `SELECT s.id, s.tenant_id, s.bc_id, d.id AS camera FROM sites s
     JOIN users u ON u.tenant_id = s.tenant_id AND u.user_name = 'pm' AND s.manager_id = u.id
     JOIN devices d ON d.tenant_id = s.tenant_id AND d.site_id = s.id AND d.type = 'camera' LIMIT 1`,
  )
  const [other] = await server.sql<{ id: string }>(
    'SELECT id FROM sites WHERE tenant_id = $1 AND bc_id = $2 AND id <> $3 LIMIT 1',
    [site!.tenant_id, site!.bc_id, site!.id],
  )
  await server.sql("DELETE FROM attendance_events WHERE site_id = $1 AND at > now() - interval '5 days'", [
    site!.id,
  ])
  for (const [name, phone] of Object.entries(NUMBERS)) {
    const [worker] = await server.sql<{ id: string }>(
      `INSERT INTO workers (tenant_id, id, bc_id, w_id, w_name, w_type, w_contact)
       VALUES ($1, gen_random_uuid(), $2, $3, $4, 3, $5) RETURNING id`,
      [site!.tenant_id, site!.bc_id, `Z${phone.slice(-4)}`, name, phone],
    )
    people[name] = worker!.id
    await server.sql(
      `INSERT INTO site_members (tenant_id, site_id, worker_id, entered_on)
       VALUES ($1, $2, $3, :today - 30)`,
      [site!.tenant_id, site!.id, worker!.id],
    )
  }
  const punch = (
    name: string,
    at: string,
    direction: 'in' | 'out',
    more: { ago?: number; site?: string; undone?: boolean } = {},
  ) =>
    server.sql(
      `WITH moment AS (SELECT (:today - $4::int + $5::time) AT TIME ZONE 'Asia/Shanghai' AS at),
         first AS (INSERT INTO attendance_events
           (tenant_id, id, bc_id, site_id, worker_id, at, day, direction, source, reason)
           SELECT $1, gen_random_uuid(), $2, $3, $6, at, :today - $4::int, $7, $8, '测试' FROM moment RETURNING id, at)
       INSERT INTO attendance_events
         (tenant_id, id, bc_id, site_id, worker_id, at, day, direction, source, reason, reverses)
       SELECT $1, gen_random_uuid(), $2, $3, $6, at, :today - $4::int, $7, 'makeup', '补错了', id FROM first
       WHERE $8 = 'makeup'`,
      [
        site!.tenant_id,
        site!.bc_id,
        more.site ?? site!.id,
        more.ago ?? 1,
        at,
        people[name],
        direction,
        more.undone ? 'makeup' : 'face',
      ],
    )
  await punch('早来', '08:05', 'in')
  await punch('早走', '08:10', 'in')
  await punch('早走', '12:00', 'out')
  await punch('又来', '08:15', 'in')
  await punch('又来', '11:30', 'out')
  await punch('又来', '13:00', 'in')
  await punch('又来', '17:30', 'out')
  await punch('晚来', '15:21', 'in')
  await punch('补错', '08:00', 'in', { undone: true })
  await punch('隔日', '08:00', 'in', { ago: 2 })
  await punch('邻家', '08:00', 'in', { site: other!.id })
  const raise = async (ago: number, at: string, type: string) =>
    (
      await server.sql<{ id: string }>(
        `INSERT INTO alarms (tenant_id, id, bc_id, site_id, device_id, type, at, last_seen, confidence, due_at)
         SELECT $1, gen_random_uuid(), $2, $3, $4, $7, m, m, 0.9, m + interval '2 days'
         FROM (SELECT (:today - $5::int + $6::time) AT TIME ZONE 'Asia/Shanghai' AS m) x RETURNING id`,
        [site!.tenant_id, site!.bc_id, site!.id, site!.camera, ago, at, type],
      )
    )[0]!.id
  alarm = await raise(1, '15:20', 'smoking')
  // The night after the day before yesterday: who came that morning and never left is still there.
  night = await raise(1, '02:00', 'noclothes')
})
afterAll(() => server.stop())

const seen = async (who: string, id = alarm) =>
  (await (await server.as(who)).call(alarmsApi.details, { query: { id } })).onSite

test('an alarm says who was clocked in at that minute, each with a number of which the middle is hidden', async () => {
  for (const who of ['pm', 'branch_gm', 'hq_ops', 'inspector']) {
    const there = await seen(who)
    expect(there.map((w) => [w.w_name, w.w_contact])).toEqual([
      ['早来', '137****0001'],
      ['又来', '137****0003'],
    ])
    for (const number of Object.values(NUMBERS)) expect(JSON.stringify(there)).not.toContain(number)
  }
  expect((await seen('pm', night)).map((w) => w.w_name)).toEqual(['隔日'])
})

test('the whole number comes for a reason, by right, and the look is written down', async () => {
  const [first] = await seen('pm')
  const ask = async (who: string, reason: string) =>
    (await server.as(who)).ask(workersApi.phone, { body: { id: first!.id, reason } })
  expect((await ask('inspector', '报警核实')).msg).toBe('No Permission')
  expect((await ask('pm', '')).code).not.toBe(200)
  expect((await ask('pm', '报警核实')).data).toEqual({ phone: '13711110001' })
  const logs = await server.sql('SELECT 1 FROM user_logs WHERE object_id = $1', [first!.id])
  expect(logs).toHaveLength(1)
})

test('of another branch or group nobody is told', async () => {
  for (const who of ['branch_gm2', 'other'])
    expect(await (await server.as(who)).ask(alarmsApi.details, { query: { id: alarm } })).toMatchObject({
      status: 403,
    })
})
