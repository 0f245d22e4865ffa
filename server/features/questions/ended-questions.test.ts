import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { toldLog } from '../../testing/told-log.ts'

let server: TestServer
let gm: Person, steward: Person, admin: Person
let homes: { id: string; steward: string; manager: string; contact: string; version: number }[]
beforeAll(async () => {
  server = await startTestServer()
  ;[gm, steward, admin] = [await server.as('branch_gm'), await server.as('steward'), await server.as('admin')]
  homes = await server.sql(
    `SELECT w.id, s.id AS steward, m.id AS manager, h.id AS contact, h.version
     FROM sites w JOIN users m ON m.id = w.manager_id JOIN users s ON s.id = w.steward_id
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id = w.owner_id AND h.ended_at IS NULL
     WHERE w.status = 1 AND m.user_name = 'pm' AND s.user_name = 'steward' ORDER BY w.code`,
  )
  await server.sql(`UPDATE sites SET contract = '', progress = 100 WHERE id = ANY ($1)`, [
    homes.map((h) => h.id),
  ])
  await server.sql('DELETE FROM contracts WHERE site_id = ANY ($1)', [homes.map((h) => h.id)])
})
afterAll(() => server.stop())

const { questions } = api
const ask = async (site_id: string, words = '客厅瓷砖选哪一款') =>
  (
    await steward.call(questions.ask, {
      body: { site_id, words, neededBy: addDays(shanghaiDay(server.now()), 2) },
    })
  ).id
const one = async (id: string) => (await admin.call(questions.list, { query: { id } })).list[0]!
const told = async (id: string) =>
  (
    await server.sql<{ title: string }>(
      'SELECT title FROM notifications WHERE cause_id = $1 AND read_at IS NULL',
      [id],
    )
  ).map((n) => n.title)
const version = async (id: string) => (await admin.call(api.sites.details, { query: { id } })).version
const end = async (id: string, action: 'finish' | 'terminate') =>
  gm.ask(api.sites.state, { body: { id, version: await version(id), action, reason: '业主退单' } })
const effects = async (id: string, change: 'finish' | 'terminate') =>
  (await gm.call(api.sites.foresee, { query: { id, change } })).effects

test('finished and terminated, what nobody has decided is withdrawn by the system, as was said before', async () => {
  for (const [at, how, why] of [
    [homes[0]!, 'finish', '工地完工'],
    [homes[1]!, 'terminate', '工地终止'],
  ] as const) {
    const ids = [await ask(at.id), await ask(at.id, '木门颜色')]
    expect(await effects(at.id, how)).toContain('2 个待业主决定的问题由系统撤回')
    expect((await end(at.id, how)).msg).toBe('')
    for (const id of ids) {
      expect(await one(id)).toMatchObject({ state: 'withdrawn', withdrawnFor: why })
      expect(await told(id)).toEqual([expect.stringContaining(`已由系统撤回：${why}`)])
    }
    const again = { id: ids[0]!, version: (await one(ids[0]!)).version }
    const anew = { site_id: at.id, words: '再问一次', neededBy: '2099-01-01' }
    const msg = (await steward.ask(questions.ask, { body: { ...anew, again } })).msg
    expect(msg).toContain(how === 'finish' ? '工地已完工' : '合同已终止')
  }
  expect((await effects(homes[2]!.id, 'terminate')).join()).not.toContain('待业主决定')
})

test('into another branch it goes along with its day; the old one reads nothing of it any more', async () => {
  const at = homes[2]!
  const id = await ask(at.id)
  const [to] = await server.sql<{ bc: string; steward: string; manager: string }>(
    `SELECT c.bc_id AS bc, s.id AS steward, m.id AS manager FROM companies c
     JOIN users s ON s.bc_id = c.bc_id AND s.user_name = 'steward2'
     JOIN users m ON m.bc_id = c.bc_id AND m.user_name = 'pm2' WHERE c.code = 'NB'`,
  )
  const needed = (await one(id)).neededBy
  const move = { id: at.id, version: await version(at.id), bc_id: to!.bc, reason: '业主要求宁波施工' }
  expect((await admin.ask(api.sites.move, { body: move })).msg).toBe('')
  expect((await gm.call(questions.list, { query: { id } })).list).toEqual([])
  const there = await server.as('branch_gm2')
  const { list } = await there.call(questions.list, { query: { id } })
  expect(list).toMatchObject([{ bc_id: to!.bc, state: 'open', neededBy: needed }])
})

test('the home is another owner’s: what the old one had not decided is withdrawn, and said', async () => {
  const at = homes[3]!
  const [open, done] = [await ask(at.id), await ask(at.id, '木门颜色')]
  await steward.call(questions.withdraw, { body: { id: done, version: 0, reason: '当面说好了' } })
  const sold = {
    id: at.contact,
    version: at.version,
    name: '新业主',
    phone: '',
    promises: 'taken',
    reason: '房屋转让',
  } as const
  await gm.call(api.owners.change, { body: sold })
  expect(await one(open)).toMatchObject({ state: 'withdrawn', withdrawnFor: '更换业主' })
  expect(await one(done)).toMatchObject({ withdrawnFor: '当面说好了' })
  const lines = await toldLog(server, `action = '撤回询问' AND object_id = $1`, [open])
  expect(lines.map((l) => l.after.text)).toEqual(['更换业主'])
})

test('whose account is stopped leaves nothing behind: the post that follows is reminded', async () => {
  const at = homes[4]!
  const id = await ask(at.id)
  const [next] = await server.sql<{ id: string; user_name: string }>(
    `SELECT u.id, u.user_name FROM users u JOIN users s ON s.bc_id = u.bc_id
     WHERE s.id = $1 AND u.post = 1 AND u.id <> s.id LIMIT 1`,
    [at.steward],
  )
  const left = await gm.call(api.accounts.leaving, { query: { id: at.steward } })
  expect(JSON.stringify(left)).not.toContain('业主决定')
  await gm.call(api.sites.people, {
    body: { id: at.id, version: await version(at.id), steward_id: next!.id, manager_id: at.manager },
  })
  await gm.call(questions.withdraw, {
    body: { id, version: (await one(id)).version, reason: '业主当面定了' },
  })
  const heard = await server.sql<{ user_name: string }>(
    `SELECT u.user_name FROM notifications n JOIN users u ON u.id = n.user_id
     WHERE n.cause_id = $1 AND n.read_at IS NULL ORDER BY u.user_name`,
    [id],
  )
  expect(heard.map((h) => h.user_name)).toContain(next!.user_name)
})
