import { notificationsApi } from '@zhuguan/contract/features/notifications/notifications.api.ts'
import { visitorsApi } from '@zhuguan/contract/features/visitors/visitors.api.ts'
import { linkTo } from '@zhuguan/contract/links.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { type ClockDeps, startClock } from '../../app/clock.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { openFileStore } from '../files/file-store.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { type Cause, notify, type Notice, settle } from './notifications.service.ts'
import { remind, type ReminderSource } from './reminders.service.ts'

let server: TestServer
let site: { id: string; tenant_id: string; ws_name: string; pm: string; steward: string }
const LINK = linkTo('AlarmEvent', { id: 'one' })

beforeAll(async () => {
  server = await startTestServer()
  const [found] = await server.sql<typeof site>(
    `SELECT w.id, w.tenant_id, w.ws_name, m.id AS pm, s.id AS steward FROM sites w
     JOIN users m ON m.id = w.manager_id JOIN users s ON s.id = w.steward_id
     WHERE m.user_name = 'pm' AND s.user_name = 'steward' LIMIT 1`,
  )
  site = found!
})
afterAll(() => server.stop())

const idOf = async (name: string) =>
  (await server.sql<{ id: string }>('SELECT id FROM users WHERE user_name = $1', [name]))[0]!.id
const tell = (n: Partial<Notice> & Pick<Notice, 'user'>) =>
  server.db.tx(SYSTEM, (tx) =>
    notify(tx, { tenant: site.tenant_id, title: '请看', link: LINK, site: site.id, ...n }),
  )
const heard = async (who: string | Person) =>
  (await (typeof who === 'string' ? await server.as(who) : who).call(notificationsApi.list)).list.filter(
    (n) => !n.read,
  )
const nobodyHears = () => server.sql('UPDATE notifications SET read_at = :now')

test('one cause told thrice is one message that counts; read, the next telling is a new one', async () => {
  await nobodyHears()
  const cause: Cause = { kind: 'alarm', id: 'thrice' }
  for (const title of ['一', '二', '三']) await tell({ user: site.pm, title, cause })
  const [only, ...others] = await heard('pm')
  expect(others).toEqual([])
  expect(only).toMatchObject({ title: '三', times: 3, link: LINK })
  const pm = await server.as('pm')
  await pm.call(notificationsApi.read, { body: { ids: [only!.id] } })
  await tell({ user: site.pm, title: '四', cause })
  expect((await heard(pm)).map((n) => [n.title, n.times])).toEqual([['四', 1]])
  await tell({ user: site.pm, title: '五', cause: { kind: 'alarm', id: 'another' } })
  await tell({ user: site.pm, title: '六' })
  await tell({ user: site.pm, title: '七' })
  expect((await heard(pm)).map((n) => n.title).toSorted()).toEqual(['七', '五', '六', '四'].toSorted())
})

test('told by two at once it is still one message, and nothing fails', async () => {
  await nobodyHears()
  const cause: Cause = { kind: 'alarm', id: 'at once' }
  await Promise.all(Array.from({ length: 12 }, () => tell({ user: [site.pm, site.steward], cause })))
  for (const who of ['pm', 'steward']) expect((await heard(who)).map((n) => n.times)).toEqual([12])
})

test('acted on, it is gone for all who were told, and for nobody else', async () => {
  await nobodyHears()
  const [visit] = await server.sql<{ id: string }>(
    `INSERT INTO visits (tenant_id, id, bc_id, site_id, at, seconds)
     SELECT tenant_id, gen_random_uuid(), bc_id, id, :now - interval '1 hour', 60 FROM sites WHERE id = $1
     RETURNING id`,
    [site.id],
  )
  const id = visit!.id
  const cause: Cause = { kind: 'visit', id }
  const gm = await server.as('branch_gm')
  await gm.call(visitorsApi.tell, { body: { id, version: 0 } })
  await tell({ user: site.pm, cause, link: linkTo('VisitorList', { id }) })
  await tell({ user: site.pm, title: '别的', cause: { kind: 'alarm', id } })
  expect([(await heard('steward')).length, (await heard('pm')).length]).toEqual([1, 2])
  await gm.call(visitorsApi.mark, { body: { id, version: 1, identity: 'delivery' } })
  expect(await heard('steward')).toEqual([])
  expect((await heard('pm')).map((n) => n.title)).toEqual(['别的'])
})

test('only who may open the link hears: no actor, closed account, stranger, nor another group', async () => {
  await nobodyHears()
  const names = [
    'pm',
    'steward',
    'branch_gm',
    'hq_ops',
    'pm2',
    'branch_gm2',
    'other',
    'other_pm',
    'order_clerk',
  ]
  const ids = new Map<string, string>()
  for (const name of names) ids.set(name, await idOf(name))
  await server.sql(`UPDATE users SET status = 2 WHERE user_name = 'steward'`)
  await tell({
    user: [...ids.values(), null],
    actor: ids.get('branch_gm')!,
    cause: { kind: 'alarm', id: 'who' },
  })
  await server.sql(`UPDATE users SET status = 1 WHERE user_name = 'steward'`)
  const told = await server.sql<{ user_name: string }>(
    `SELECT u.user_name FROM notifications n JOIN users u ON u.id = n.user_id WHERE n.cause_id = 'who'`,
  )
  expect(told.map((r) => r.user_name).toSorted()).toEqual(['hq_ops', 'pm'])
  // In the other group the same words find nobody of this one, and settle nothing of theirs.
  const [elsewhere] = await server.sql<{ tenant_id: string }>(
    `SELECT tenant_id FROM users WHERE user_name = 'other'`,
  )
  await server.db.tx(SYSTEM, (tx) => settle(tx, elsewhere!.tenant_id, { kind: 'alarm', id: 'who' }))
  expect(await heard('pm')).toHaveLength(1)
})

test('a reminder comes once a step, by how many servers soever, and not to what is settled', async () => {
  await nobodyHears()
  let step = 'first'
  let waits = true
  const source: ReminderSource = {
    kind: 'alarm',
    due: async () =>
      waits ? [{ id: 'slow', step, user: [site.pm], title: `提醒 ${step}`, link: LINK, site: site.id }] : [],
  }
  const night = () => server.db.tx(SYSTEM, (tx) => remind(tx, site.tenant_id, source))
  const sums = async () => (await Promise.all([night(), night(), night()])).reduce((a, b) => a + b)
  expect(await sums()).toBe(1)
  expect(await night()).toBe(0)
  expect((await heard('pm')).map((n) => [n.title, n.times])).toEqual([['提醒 first', 1]])
  step = 'second'
  expect(await sums()).toBe(1)
  expect((await heard('pm')).map((n) => [n.title, n.times])).toEqual([['提醒 second', 2]])
  await server.db.tx(SYSTEM, (tx) => settle(tx, site.tenant_id, { kind: 'alarm', id: 'slow' }))
  waits = false
  step = 'third'
  expect(await sums()).toBe(0)
  expect(await heard('pm')).toEqual([])
})

test('more than five of one kind to one person at one look are one message with a link to the list', async () => {
  await nobodyHears()
  const of = (ids: number, name: string): ReminderSource => ({
    kind: 'alarm',
    many: (n) => ({ title: `${n} 条等着`, link: LINK }),
    due: async () =>
      Array.from({ length: ids }, (_, i) => ({
        id: `${name}${i}`,
        step: 'x',
        // Another person has but one of them.
        user: i === 0 ? [site.pm, site.steward] : [site.pm],
        title: `${name} ${i}`,
        link: LINK,
        site: site.id,
      })),
  })
  const night = (source: ReminderSource) => server.db.tx(SYSTEM, (tx) => remind(tx, site.tenant_id, source))
  expect(await night(of(5, '五'))).toBe(5)
  expect(await heard('pm')).toHaveLength(5)
  await nobodyHears()
  expect(await night(of(6, '六'))).toBe(6)
  expect((await heard('pm')).map((n) => n.title)).toEqual(['6 条等着'])
  expect((await heard('steward')).map((n) => n.title)).toEqual(['六 0'])
  expect(await night(of(6, '六'))).toBe(0)
})

test('devices that were not brought back are reminded of by the clock of either server, once', async () => {
  await nobodyHears()
  await server.sql(
    `INSERT INTO retrievals (tenant_id, id, bc_id, site_id, device_id, person_id, due, opened_at)
     SELECT d.tenant_id, gen_random_uuid(), d.bc_id, d.site_id, d.id, $2, :today::date - 3, :now - interval '9 days'
     FROM devices d WHERE d.site_id = $1 LIMIT 2`,
    [site.id, site.pm],
  )
  const warnings: unknown[] = []
  const deps: ClockDeps = {
    db: server.db,
    now: () => server.now(),
    secretKey: server.secretKey,
    files: openFileStore(server.dataDir),
    dataDir: server.dataDir,
    warn: (error) => warnings.push(error),
    everyMs: 3_600_000,
  }
  const clocks = [startClock(deps), startClock(deps)]
  try {
    for (let i = 0; i < 2; i += 1) {
      await Promise.all(clocks.map((c) => c.look()))
      server.later(6 * 60_000)
    }
  } finally {
    await Promise.all(clocks.map((c) => c.close()))
  }
  expect(warnings).toEqual([])
  const late = (await heard('pm')).filter(
    (n) => n.link === `/device/DeviceList?retrieval=true&site_id=${site.id}`,
  )
  expect(late.map((n) => n.times)).toEqual([1])
  expect(late[0]!.title).toMatch(new RegExp(`^${site.ws_name} 还有 2 台设备没有收回，应在 .+ 前收回$`))
})
