import { receptionsApi as api } from '@zhuguan/contract/features/receptions/receptions.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { timelineApi } from '@zhuguan/contract/features/timeline/timeline.api.ts'
import { accountsApi } from '@zhuguan/contract/features/users/accounts.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { cellsOf } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let gm: Person
let steward: Person
let site: { id: string; steward: string; manager: string }
beforeAll(async () => {
  server = await startTestServer()
  ;[gm, steward] = [await server.as('branch_gm'), await server.as('steward')]
  ;[site] = (await server.sql<typeof site>(
    `SELECT w.id, w.steward_id AS steward, w.manager_id AS manager FROM sites w
     JOIN users s ON s.id = w.steward_id AND s.user_name = 'steward' JOIN users m ON m.id = w.manager_id
       AND m.user_name = 'pm' WHERE w.status = 1 ORDER BY w.code LIMIT 1`,
  )) as [typeof site]
})
afterAll(() => server.stop())

const tomorrow = () => addDays(shanghaiDay(server.now()), 1)
const at = (time: string, day = tomorrow()) => ({ day, time })
const look = { purpose: 'look', remark: '' } as const
const add = (who: Person, more: object = at('10:00')) =>
  who.call(api.add, { body: { site_id: site.id, host_id: site.steward, ...look, ...more } })
const one = async (id: string) =>
  (await gm.call(api.list, { query: { site_id: site.id, pageSize: 100 } })).list.find((r) => r.id === id)!
const seen = async (id: string) => ({ id, version: (await one(id)).version })

test('agreed on, come, received and written down; the host hears, and no more when it is over', async () => {
  const { id } = await add(gm)
  const told = () =>
    server.sql('SELECT title, read_at IS NULL AS unread FROM notifications WHERE cause_id = $1', [id])
  expect(await told()).toEqual([{ title: expect.stringContaining('请你接待（看工地）'), unread: true }])
  expect(await one(id)).toMatchObject({
    state: 'planned',
    planned: true,
    arrivedAt: null,
    hostName: expect.any(String),
  })
  const early = await steward.ask(api.miss, { body: { ...(await seen(id)), reason: '没有来' } })
  expect([early.code, early.msg]).toEqual([409, '还没有到约定的时间'])
  await steward.call(api.arrive, { body: await seen(id) })
  // Who has come does not vanish by whoever happens to receive them.
  const again = await steward.ask(api.cancel, { body: { ...(await seen(id)), reason: '改天' } })
  expect([again.code, again.msg]).toEqual([409, '已经到访；录错了由登记人、客服或分公司总经理取消'])
  expect((await steward.ask(api.finish, { body: { ...(await seen(id)), reason: '' } })).code).toBe(400)
  await steward.call(api.finish, { body: { ...(await seen(id)), reason: '看了水电，要求多一个插座' } })
  expect(await one(id)).toMatchObject({
    state: 'done',
    record: '看了水电，要求多一个插座',
    endedAt: expect.any(Number),
  })
  expect((await told()).filter((n) => n.unread)).toEqual([])
  const { list } = await gm.call(timelineApi.list, { query: { site_id: site.id } })
  expect(list.map((l) => l.title)).toEqual(
    expect.arrayContaining(['业主到访（看工地）：完成 看了水电，要求多一个插座', '业主到访（看工地）：已到']),
  )
})

test('entered at the wrong home it is taken back by whoever entered it or supervises; no score', async () => {
  const pm = await server.as('pm')
  const service = await server.as('service')
  for (const by of [steward, service]) {
    const { id } = await add(steward, {})
    expect(
      (await pm.ask(api.cancel, { body: { ...(await seen(id)), reason: '录错了' } })).code,
    ).toBeGreaterThan(400)
    expect((await by.ask(api.cancel, { body: { ...(await seen(id)), reason: '' } })).code).toBe(400)
    await by.call(api.cancel, { body: { ...(await seen(id)), reason: '录错了，是隔壁家' } })
    expect(await one(id)).toMatchObject({ state: 'cancelled', record: '录错了，是隔壁家', overdue: false })
    const score = await service.ask(api.score, { body: { ...(await seen(id)), score: 5, words: '' } })
    expect(score.code).toBe(409)
  }
})

test('a plan past its time and a visit that nobody ended stand out', async () => {
  const { id } = await add(gm, at('10:00'))
  const came = await add(steward, {})
  const overdue = async () => [(await one(id)).overdue, (await one(came.id)).overdue]
  expect(await overdue()).toEqual([false, false])
  await server.sql(`UPDATE receptions SET at = :now - interval '1 minute' WHERE id = $1`, [id])
  await server.sql(`UPDATE receptions SET arrived_at = :now - interval '23 hours' WHERE id = $1`, [came.id])
  expect(await overdue()).toEqual([true, false])
  await server.sql(`UPDATE receptions SET arrived_at = :now - interval '25 hours' WHERE id = $1`, [came.id])
  expect(await overdue()).toEqual([true, true])
  await steward.call(api.finish, { body: { ...(await seen(came.id)), reason: '忘了点' } })
  await gm.call(api.cancel, { body: { ...(await seen(id)), reason: '改天' } })
  expect(await overdue()).toEqual([false, false])
})

const unread = (id: string) =>
  server
    .sql<{ user_name: string }>(
      `SELECT u.user_name FROM notifications n JOIN users u ON u.id = n.user_id
       WHERE n.cause_id = $1 AND n.read_at IS NULL ORDER BY 1`,
      [id],
    )
    .then((rows) => rows.map((r) => r.user_name))

test('another host, and both are told; whoever cannot receive there is none', async () => {
  const { id } = await add(gm, at('11:00'))
  const host = async (host_id: string, who = gm) =>
    who.ask(api.host, { body: { ...(await seen(id)), host_id } })
  const [supplier] = await server.sql<{ id: string }>(`SELECT id FROM users WHERE user_name = 'supplier'`)
  expect((await host(supplier!.id)).msg).toBe('这个人不能在这个工地接待，请换一位')
  expect((await host(site.steward)).msg).toBe('已经由他接待')
  expect((await host(site.manager, await server.as('branch_gm2'))).code).toBe(403)
  expect(await one(id)).toMatchObject({ host_id: site.steward })
  expect((await host(site.manager)).code).toBe(200)
  expect(await one(id)).toMatchObject({ host_id: site.manager, state: 'planned' })
  expect(await unread(id)).toEqual(['pm', 'steward'])
  await steward.call(api.arrive, { body: await seen(id) })
  expect((await host(site.steward)).code).toBe(200)
  await steward.call(api.finish, { body: { ...(await seen(id)), reason: '看过了' } })
  expect((await host(site.manager)).code).toBe(409)
})

test('whoever leaves hands their visits over; a site with another steward is received by that one', async () => {
  await server.sql(
    `UPDATE receptions SET state = 'done', arrived_at = at, ended_at = at WHERE state IN ('planned', 'arrived')`,
  )
  const { id } = await add(gm, { ...at('12:00'), host_id: site.manager })
  const leaving = async (of: string) =>
    (await gm.call(accountsApi.leaving, { query: { id: of } })).work.find((w) => w.kind === 'receptions')
  const theirs = (await leaving(site.manager))!
  expect(theirs).toMatchObject({ count: 1, title: '1 次没有结束的业主到访要接待' })
  const people = theirs.people.map((p) => p.id)
  expect(people).toContain(site.steward)
  expect(people).not.toContain(site.manager)
  // What the steward receives goes along with the site, without being asked for.
  await gm.call(api.host, { body: { ...(await seen(id)), host_id: site.steward } })
  expect(await leaving(site.steward)).toBeUndefined()
  const [next] = await server.sql<{ id: string }>(
    `SELECT u.id FROM users u JOIN sites w ON w.id = $1 AND w.bc_id = u.bc_id
     WHERE u.post = (SELECT s.post FROM users s WHERE s.id = $2) AND u.status = 1 AND u.id <> $2
     LIMIT 1`,
    [site.id, site.steward],
  )
  const lead = async (steward_id: string) => {
    const { version } = await gm.call(sitesApi.details, { query: { id: site.id } })
    await gm.call(sitesApi.people, { body: { id: site.id, version, steward_id, manager_id: site.manager } })
  }
  await lead(next!.id)
  expect(await one(id)).toMatchObject({ host_id: next!.id })
  await lead(site.steward)
  await gm.call(api.cancel, { body: { ...(await seen(id)), reason: '改天' } })
})

test('a site that moves takes its visits along, foreseen; the new steward receives, or nobody', async () => {
  const admin = await server.as('admin')
  const [to] = await server.sql<{ bc: string; steward: string; manager: string }>(
    `SELECT c.bc_id AS bc, s.id AS steward, m.id AS manager FROM companies c
     JOIN users s ON s.bc_id = c.bc_id AND s.user_name = 'steward2'
     JOIN users m ON m.bc_id = c.bc_id AND m.user_name = 'pm2' WHERE c.code = 'NB'`,
  )
  const { bc_id } = await gm.call(sitesApi.details, { query: { id: site.id } })
  const made = await gm.call(sitesApi.add, {
    body: {
      ws_name: '要搬的家',
      bc_id,
      address: '某路 9 号',
      owner: '葛女士',
      steward_id: site.steward,
      manager_id: site.manager,
    },
  })
  const body = { site_id: made.id, host_id: site.steward, ...look, ...at('10:00') }
  const { id } = await gm.call(api.add, { body })
  const q = { id: made.id, change: 'move' as const, bc_id: to!.bc }
  expect((await admin.call(sitesApi.foresee, { query: q })).effects.join()).toContain(
    '1 次已约或正在进行的业主到访随工地转过去，',
  )
  const version = async () => (await admin.call(sitesApi.details, { query: { id: made.id } })).version
  await admin.call(sitesApi.move, {
    body: { id: made.id, version: await version(), bc_id: to!.bc, reason: '业主要求宁波施工' },
  })
  const there = await server.as('branch_gm2')
  const now = async () =>
    (await there.call(api.list, { query: { site_id: made.id, pageSize: 100 } })).list.find((r) => r.id === id)
  expect(await now()).toMatchObject({ host_id: null, hostName: '', state: 'planned', bc_id: to!.bc })
  // Who leads there hears that nobody receives them, and of the old branch nobody.
  expect(await unread(id)).toContain('branch_gm2')
  expect(await unread(id)).not.toContain('branch_gm')
  const posts = { steward_id: to!.steward, manager_id: to!.manager }
  await there.call(sitesApi.people, { body: { id: made.id, version: await version(), ...posts } })
  expect(await now()).toMatchObject({ host_id: to!.steward })
  expect(await unread(id)).toContain('steward2')
})

test('whoever comes unasked is there at once; a time that has passed is no plan', async () => {
  const { id } = await add(steward, {})
  expect(await one(id)).toMatchObject({ state: 'arrived', planned: false })
  const bad = async (more: object) => {
    const { code, msg } = await gm.ask(api.add, {
      body: { site_id: site.id, host_id: site.steward, ...look, ...more },
    })
    return [code, msg]
  }
  expect(await bad(at('10:00', '2020-01-01'))).toEqual([400, '约定的时间已经过了；人已经在，请不填时间'])
  expect(await bad({ day: tomorrow() })).toEqual([400, '日期和时间请一起填'])
  expect(
    await bad({
      host_id: (await server.sql<{ id: string }>(`SELECT id FROM users WHERE user_name = 'supplier'`))[0]!.id,
    }),
  ).toEqual([400, '这个人不能在这个工地接待，请换一位'])
})

test('nobody came: after the time, with a reason; called off before it', async () => {
  const { id } = await add(gm, at('11:00'))
  await server.sql(`UPDATE receptions SET at = :now - interval '1 hour' WHERE id = $1`, [id])
  await steward.call(api.miss, { body: { ...(await seen(id)), reason: '电话不接' } })
  expect(await one(id)).toMatchObject({ state: 'missed', record: '电话不接', arrivedAt: null })
  const other = await add(gm, at('15:00'))
  await gm.call(api.cancel, { body: { ...(await seen(other.id)), reason: '业主出差' } })
  expect((await one(other.id)).state).toBe('cancelled')
})

test('two at one hour are shown to whoever plans, of the site and of the host', async () => {
  const { id } = await add(gm, at('16:00'))
  const beside = async (time: string, host_id?: string) =>
    (await gm.call(api.beside, { query: { site_id: site.id, host_id, ...at(time) } })).map((r) => r.id)
  expect(await beside('16:30')).toEqual([id])
  expect(await beside('17:01')).toEqual([])
  const [elsewhere] = await server.sql<{ id: string }>(
    `SELECT id FROM sites WHERE steward_id = $1 AND id <> $2 AND status = 1 LIMIT 1`,
    [site.steward, site.id],
  )
  const of = (host_id?: string) =>
    gm
      .call(api.beside, { query: { site_id: elsewhere!.id, host_id, ...at('15:30') } })
      .then((r) => r.map((x) => x.id))
  expect([await of(), await of(site.steward)]).toEqual([[], [id]])
})

test('of two who receive at once one is told who was first; another branch sees nothing', async () => {
  const { id } = await add(gm, at('09:00'))
  const body = await seen(id)
  const both = await Promise.all([gm.ask(api.arrive, { body }), steward.ask(api.arrive, { body })])
  expect(both.map((a) => a.code).sort()).toEqual([200, 409])
  expect(both.find((a) => a.code === 409)!.msg).toContain('已被')
  const theirs = await server.as('branch_gm2')
  expect((await theirs.ask(api.list, { query: { site_id: site.id } })).code).toBe(403)
  expect((await theirs.ask(api.finish, { body: { ...(await seen(id)), reason: '试试看' } })).code).toBe(403)
  expect((await (await server.as('inspector')).ask(api.list, { query: { site_id: site.id } })).code).toBe(401)
  const file = await gm.ask(api.export, { query: { site_id: site.id } })
  const cells = await cellsOf(file.bytes)
  expect(cells[0]!.slice(0, 4)).toEqual(['时间', '业主', '接待人', '目的'])
})

test('a site that ends cancels what is open, as was said; then repairs alone are received, or nobody', async () => {
  const made = await gm.call(sitesApi.add, {
    body: {
      ws_name: '终止前的家',
      bc_id: (await one((await add(gm, at('18:00'))).id)).bc_id,
      address: '某路 9 号',
      owner: '葛女士',
      steward_id: site.steward,
      manager_id: site.manager,
    },
  })
  const plan = { site_id: made.id, host_id: site.steward, ...look, ...at('10:00') }
  const { id } = await gm.call(api.add, { body: plan })
  const there = await gm.call(api.add, { body: { site_id: made.id, host_id: site.steward, ...look } })
  const { effects } = await gm.call(sitesApi.foresee, { query: { id: made.id, change: 'terminate' } })
  expect(effects).toContain('2 次已约或正在进行的业主到访取消')
  const { version } = await gm.call(sitesApi.details, { query: { id: made.id } })
  const admin = await server.as('admin')
  await admin.call(sitesApi.state, {
    body: { id: made.id, version, action: 'terminate', reason: '业主退单' },
  })
  expect(await server.sql('SELECT state, record FROM receptions WHERE id = $1', [id])).toEqual([
    { state: 'cancelled', record: '工地已结束' },
  ])
  // Who had come by then had come all the same.
  expect(
    await server.sql('SELECT state, arrived_at IS NOT NULL AS came FROM receptions WHERE id = $1', [
      there.id,
    ]),
  ).toEqual([{ state: 'cancelled', came: true }])
  expect(
    await server.sql('SELECT 1 FROM notifications WHERE cause_id = $1 AND read_at IS NULL', [id]),
  ).toEqual([])
  expect((await gm.ask(api.add, { body: plan })).msg).toBe('合同已终止，不再接待')
  await server.sql('UPDATE sites SET status = 4 WHERE id = $1', [made.id])
  expect((await gm.ask(api.add, { body: plan })).msg).toBe('已完工的工地只登记维修')
  await gm.call(api.add, { body: { ...plan, purpose: 'repair' } })
  await server.sql('UPDATE sites SET status = 1, owner_id = NULL WHERE id = $1', [made.id])
  expect((await gm.ask(api.add, { body: plan })).msg).toContain('还没有业主')
})
