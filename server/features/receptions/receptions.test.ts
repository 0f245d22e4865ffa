import { receptionsApi as api } from '@zhuguan/contract/features/receptions/receptions.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { timelineApi } from '@zhuguan/contract/features/timeline/timeline.api.ts'
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
  const again = await gm.ask(api.cancel, { body: { ...(await seen(id)), reason: '改天' } })
  expect([again.code, again.msg]).toEqual([409, '当前为“到访中”，不能取消；可以：完成'])
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
  expect(cells[0]!.slice(0, 3)).toEqual(['时间', '接待人', '目的'])
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
