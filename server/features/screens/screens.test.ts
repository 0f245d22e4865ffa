import { companiesApi, storesApi } from '@zhuguan/contract/features/companies/companies.api.ts'
import { arrangementsApi } from '@zhuguan/contract/features/screens/arrangements.api.ts'
import { screensApi } from '@zhuguan/contract/features/screens/screens.api.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { shownHome } from '../../testing/shown-home.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { type Wall, wallOf } from '../../testing/walls.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { forgetScreens } from './screens.queries.ts'

let server: TestServer
let gm: Person
let admin: Person
let store: { id: string; name: string; bc_id: string; tenant_id: string }
beforeAll(async () => {
  server = await startTestServer()
  // Days pass in these stories.
  gm = await server.as('branch_gm')
  admin = await server.as('admin')
  await server.sql(`UPDATE sessions SET expires_at = expires_at + interval '90 days'`)
  ;[store] = (await server.sql(
    `SELECT k.id, k.name, k.bc_id, k.tenant_id FROM stores k JOIN users u ON u.bc_id = k.bc_id
     WHERE u.user_name = 'branch_gm' AND k.status = 1 ORDER BY k.name LIMIT 1`,
  )) as [typeof store]
})
afterAll(() => server.stop())

const SECOND = 1_000
const MINUTE = 60 * SECOND
let count = 0
type Scene = BodyOf<typeof arrangementsApi.add>['scenes'][number]
const scene = (kind: Scene['kind'], more: Partial<Scene> = {}): Scene => ({
  kind,
  seconds: 10,
  words: kind === 'notice' ? '周六店庆，到店有礼' : '',
  from: null,
  to: null,
  ...more,
})
const arranged = async (scenes: Scene[] = [scene('figures')], more: object = {}) => {
  const name = `编排 ${(count += 1)}`
  const { id } = await gm.call(arrangementsApi.add, { body: { store_id: store.id, name, scenes, ...more } })
  return { id, name }
}
const details = (id: string) => gm.call(arrangementsApi.details, { query: { id } })
const seen = async (id: string) => ({ id, version: (await details(id)).version })
const screenRow = async (id: string) =>
  (await admin.call(screensApi.list, { query: { pageSize: 100 } })).list.find((s) => s.id === id)!
const pairing = (code: string, more: object = {}) => ({
  body: {
    code,
    name: `屏幕 ${(count += 1)}`,
    store_id: store.id,
    kind: 'public' as const,
    arrangement_id: null,
    ...more,
  },
})
async function paired(more: object = {}): Promise<{ wall: Wall; id: string }> {
  const wall = wallOf(server)
  const { code } = await wall.look()
  const { id } = await gm.call(screensApi.pair, pairing(code, more))
  server.later(2 * SECOND)
  return { wall, id }
}
const NO_CODE = '没有屏幕在显示这个配对码：可能输错了、已经用过或超过 10 分钟，请看屏幕上现在的码'

test('a wall shows a code and belongs to nobody; who types it sees the browser, and it is good once', async () => {
  const wall = wallOf(server)
  const first = await wall.look()
  expect(first).toMatchObject({ state: 'unpaired', left: 600, content: null })
  expect(first.code).toMatch(/^[A-HJKMNP-Z2-9]{6}$/)
  expect((await wall.look()).code).toBe(first.code)
  const [row] = await server.sql<{ n: number }>('SELECT count(*)::int AS n FROM screens WHERE hash IS NULL')
  expect(row!.n).toBe(0)
  const found = await gm.call(screensApi.find, {
    query: { code: `${first.code.slice(0, 3)} ${first.code.slice(3).toLowerCase()}` },
  })
  expect(found).toMatchObject({ width: 1920, height: 1080, browser: 'Windows · Chrome', near: true })
  expect(found.place).not.toContain('127.0.0.1')
  const { id } = await gm.call(screensApi.pair, pairing(first.code, { name: '前厅大屏' }))
  expect(await gm.ask(screensApi.pair, pairing(first.code))).toMatchObject({ code: 400, msg: NO_CODE })
  server.later(2 * SECOND)
  const now = await wall.look()
  expect(now).toMatchObject({ state: 'wall', code: '' })
  expect(now.content).toMatchObject({ store: store.name, scenes: [], arrangement: null })
  const [line] = await server.sql<{ action: string; after: { name: string } }>(
    `SELECT action, after FROM user_logs WHERE object = 'screen' AND object_id = $1`,
    [id],
  )
  expect(line).toMatchObject({
    action: '配对屏幕',
    after: { name: '前厅大屏', kind: 'public', store: store.name },
  })
})

test('the cookie is the wall’s own: no script reads it, and only its digest is kept', async () => {
  const wall = wallOf(server)
  const answer = await wall.asks()
  const said = answer.headers.get('set-cookie')!
  expect(said).toMatch(/^screen=[\w-]{43}; Path=\/open\/screen; Max-Age=\d+; HttpOnly; SameSite=Strict$/)
  const secret = wall.cookie().slice('screen='.length)
  const kept = await server.sql('SELECT k::text AS row FROM screen_codes k')
  expect(JSON.stringify(kept)).not.toContain(secret)
})

test('a code lapses after ten minutes; typed too late it pairs nothing, and the wall shows another', async () => {
  const wall = wallOf(server)
  const { code } = await wall.look()
  server.later(10 * MINUTE)
  expect(await gm.ask(screensApi.pair, pairing(code))).toMatchObject({ code: 400, msg: NO_CODE })
  const next = await wall.look()
  expect(next.state).toBe('unpaired')
  expect(next.code).not.toBe(code)
})

test('codes are not found by trying: whoever tries too often waits, right or wrong', async () => {
  const sales = await server.as('hq_ops')
  const { code } = await wallOf(server).look()
  const answers: number[] = []
  for (let i = 0; i < 85; i += 1)
    answers.push((await sales.ask(screensApi.find, { query: { code: 'ZZZZZZ' } })).code)
  expect(answers.slice(0, 60).every((c) => c === 400)).toBe(true)
  expect(answers.at(-1)).toBe(429)
  expect((await sales.ask(screensApi.find, { query: { code } })).code).toBe(429)
  server.later(11 * MINUTE)
})

test('who may not pair finds no code, and a store of another branch is nobody’s to pair to', async () => {
  const { code } = await wallOf(server).look()
  const sales = await server.as('sales')
  expect((await sales.ask(screensApi.find, { query: { code } })).code).toBe(401)
  const [other] = await server.sql<{ id: string }>(
    'SELECT id FROM stores WHERE tenant_id = $1 AND bc_id <> $2 LIMIT 1',
    [store.tenant_id, store.bc_id],
  )
  expect((await gm.ask(screensApi.pair, pairing(code, { store_id: other!.id }))).code).toBe(403)
  // What was refused has not used the code up.
  expect((await gm.ask(screensApi.pair, pairing(code))).code).toBe(200)
})

test('a wall that was taken back says so in five seconds, not why, and gets no more; a key begins anew', async () => {
  const { id: arrangement } = await arranged()
  const { id, wall } = await paired({ arrangement_id: arrangement })
  expect((await wall.look()).content?.scenes).toHaveLength(1)
  const { version } = await screenRow(id)
  await gm.call(screensApi.revoke, { body: { id, version, reason: '机器被人拿走了' } })
  server.later(4 * SECOND)
  expect(await wall.look()).toMatchObject({
    state: 'revoked',
    content: null,
    stamp: '',
  })
  // Whoever stands before it, or has taken it, reads no words of staff.
  expect(wall.heard.join()).not.toContain('机器被人拿走了')
  expect((await wall.report()).code).toBe(404)
  expect(await screenRow(id)).toMatchObject({ state: 'revoked', why: '机器被人拿走了' })
  const again = await wall.look({ anew: true })
  expect(again.state).toBe('unpaired')
  expect((await wall.look()).code).toBe(again.code)
})

test('a wall that was taken back is forgotten after a year and more, one that hangs there never', async () => {
  const [gone, hangs] = [await paired(), await paired()]
  const { version } = await screenRow(gone.id)
  await gm.call(screensApi.revoke, { body: { id: gone.id, version, reason: '搬走了' } })
  const forget = () => server.db.tx(SYSTEM, (tx) => forgetScreens(tx, store.tenant_id, 10))
  const age = (days: number) =>
    server.sql(`UPDATE screens SET revoked_at = :now - $1 * interval '1 day' WHERE id = $2`, [days, gone.id])
  await age(399)
  await forget()
  expect(await server.sql('SELECT 1 FROM screens WHERE id = $1', [gone.id])).toHaveLength(1)
  await age(401)
  await forget()
  expect(await server.sql('SELECT 1 FROM screens WHERE id = $1', [gone.id])).toEqual([])
  expect((await hangs.wall.look()).state).toBe('wall')
})

test('a copy of the cookie paints nothing while the wall itself is there; of two tabs one paints', async () => {
  const { wall } = await paired()
  expect((await wall.look()).state).toBe('wall')
  const thief = wall.copied()
  expect(await thief.look()).toMatchObject({ state: 'elsewhere', content: null })
  server.later(3 * SECOND)
  expect((await wall.look()).state).toBe('wall')
  // The first tab is closed: the other one goes on by itself.
  server.later(9 * SECOND)
  expect((await thief.look()).state).toBe('wall')
  expect((await wall.look()).state).toBe('elsewhere')
})

test('replaced after a lost cookie: name, store, kind and arrangement stay, the old cookie opens nothing', async () => {
  const { id: arrangement, name } = await arranged()
  const { id, wall } = await paired({ arrangement_id: arrangement, name: '二楼走廊屏' })
  const fresh = wallOf(server)
  const { code } = await fresh.look()
  const { version } = await screenRow(id)
  await gm.call(screensApi.replace, { body: { id, version, code } })
  server.later(2 * SECOND)
  expect((await fresh.look()).content).toMatchObject({ arrangement: name })
  expect((await wall.look()).state).toBe('unpaired')
  expect(await screenRow(id)).toMatchObject({ name: '二楼走廊屏', kind: 'public', arrangementName: name })
})

test('a scene for the house never reaches a wall for guests: not paired, sent, saved, nor painted', async () => {
  const staff = await arranged([scene('figures'), scene('alarms'), scene('ranking')])
  const open = await arranged([scene('figures')])
  const { id, wall } = await paired({ arrangement_id: open.id, name: '门口的屏' })
  const { code } = await wallOf(server).look()
  const pair = await gm.ask(screensApi.pair, pairing(code, { arrangement_id: staff.id }))
  expect(pair).toMatchObject({ code: 409 })
  expect(pair.msg).toContain('是对外的屏幕，不能放报警统计、分公司排名')
  const send = await gm.ask(arrangementsApi.send, { body: { ...(await seen(staff.id)), screens: [id] } })
  expect(send.msg).toBe(
    '门口的屏是对外的屏幕，不能放报警统计、分公司排名；请去掉这些场景，或换一块内部的屏幕',
  )
  const { name, closes, opens } = await details(open.id)
  const edit = await gm.ask(arrangementsApi.edit, {
    body: { ...(await seen(open.id)), name, opens, closes, scenes: [scene('alarms')] },
  })
  expect(edit.msg).toContain('门口的屏是对外的屏幕')
  await server.sql('UPDATE screens SET arrangement_id = $1 WHERE id = $2', [staff.id, id])
  server.later(2 * SECOND)
  const { content } = await wall.look()
  expect(content?.scenes.map((s) => s.kind)).toEqual(['figures'])
  expect(wall.heard.join()).not.toMatch(/smoking|ranking|judged/)
})

test('a wall of the house has them: counts of alarms without a picture, branches by how tidy they are', async () => {
  const staff = await arranged([scene('alarms'), scene('ranking')])
  const { wall } = await paired({ arrangement_id: staff.id, kind: 'staff' })
  const [alarms, ranking] = (await wall.look()).content!.scenes
  expect(alarms).toMatchObject({
    kind: 'alarms',
    types: [{ type: 'cameraproblem' }, { type: 'noclothes' }, { type: 'smoking' }],
  })
  expect(ranking).toMatchObject({ kind: 'ranking' })
  // As far as the branch of its store, whoever paired it.
  const [own] = await server.sql<{ name: string }>('SELECT bc_name AS name FROM companies WHERE bc_id = $1', [
    store.bc_id,
  ])
  expect(ranking?.kind === 'ranking' && ranking.branches.map((b) => b.bc_name)).toEqual([own!.name])
  expect(wall.heard.join()).not.toMatch(/\.jpg|picture/)
})

test('the figures are those of the branch, counted here by hand', async () => {
  server.later(20 * SECOND)
  await server.sql(
    `INSERT INTO attendance_days (tenant_id, day, site_id, worker_id, bc_id, first_at, last_at, count)
     SELECT w.tenant_id, :today, w.id, k.id, w.bc_id, :now, :now, 1
     FROM (SELECT * FROM sites WHERE bc_id = $1 AND status = 1 ORDER BY code LIMIT 2) w,
       (SELECT * FROM workers WHERE bc_id = $1 ORDER BY w_id LIMIT 3) k
     ON CONFLICT DO NOTHING`,
    [store.bc_id],
  )
  await server.sql(
    `UPDATE sites SET community = '翠苑新村 3 幢 2 单元 502 室' WHERE id = (
       SELECT id FROM sites WHERE bc_id = $1 AND status = 1 ORDER BY code LIMIT 1)`,
    [store.bc_id],
  )
  const { id } = await arranged([scene('figures'), scene('now')])
  const { wall } = await paired({ arrangement_id: id })
  const [figures, now] = (await wall.look()).content!.scenes
  const [hand] = await server.sql(
    `SELECT (SELECT count(*)::int FROM sites WHERE bc_id = $1 AND status = 1 AND deleted_at IS NULL) AS building,
       (SELECT count(*)::int FROM (SELECT DISTINCT worker_id FROM attendance_days WHERE bc_id = $1 AND day = :today) d)
         AS present,
       (SELECT count(*)::int FROM sites WHERE bc_id = $1 AND status = 4 AND deleted_at IS NULL
         AND to_char(actual_finish, 'YYYY-MM') = to_char(:today, 'YYYY-MM')) AS finished`,
    [store.bc_id],
  )
  expect(figures).toMatchObject({ kind: 'figures', ...hand })
  expect(hand!.present).toBeGreaterThan(2)
  const places = now?.kind === 'now' ? now.places : []
  expect(places.map((p) => p.community)).toContain('翠苑新村')
  expect(wall.heard.join()).not.toMatch(/502|单元/)
})

test('every byte that a wall for guests got names no person, telephone, address or amount', async () => {
  const { id } = await arranged([scene('figures'), scene('now'), scene('notice')])
  const { wall } = await paired({ arrangement_id: id })
  for (let round = 0; round < 20; round += 1) {
    await wall.look()
    server.later(16 * SECOND)
    await wall.report({ frames: round + 2 })
  }
  const canaries = await server.sql<{ word: string }>(
    `SELECT w_name AS word FROM workers WHERE tenant_id = $1 UNION SELECT w_contact FROM workers WHERE tenant_id = $1
     UNION SELECT name FROM owners WHERE tenant_id = $1 UNION SELECT phone FROM owners WHERE tenant_id = $1
     UNION SELECT nickname FROM users WHERE tenant_id = $1 UNION SELECT address FROM sites WHERE tenant_id = $1
     UNION SELECT ws_name FROM sites WHERE tenant_id = $1 UNION SELECT code FROM sites WHERE tenant_id = $1
     UNION SELECT phone FROM stores WHERE tenant_id = $1`,
    [store.tenant_id],
  )
  const bytes = wall.heard.join('\n')
  expect(bytes.length).toBeGreaterThan(2_000)
  const words = canaries.map((c) => c.word).filter((word) => word && word.length > 1)
  expect(words.length).toBeGreaterThan(300)
  expect(words.filter((word) => bytes.includes(word))).toEqual([])
  expect(bytes).not.toMatch(/\b1[3-9]\d{9}\b|tenant|token|[¥￥]|[0-9a-f]{8}-[0-9a-f]{4}-/)
  // The control: the store's own name is there, and a name that is put into the notice is found.
  expect(bytes).toContain(store.name)
})

test('a notice stands from its first day to its last', async () => {
  const [{ today, next }] = (await server.sql<{ today: string; next: string }>(
    `SELECT :today::text AS today, (:today + 1)::text AS next`,
  )) as [{ today: string; next: string }]
  const { id } = await arranged([
    scene('notice', { words: '今天打烊早', from: today, to: today }),
    scene('notice', { words: '明天开业', from: next, to: null }),
  ])
  const { wall } = await paired({ arrangement_id: id })
  const words = async () =>
    (await wall.look()).content!.scenes.map((s) => (s.kind === 'notice' ? s.words : ''))
  expect(await words()).toEqual(['今天打烊早'])
  server.later(24 * 60 * MINUTE)
  expect(await words()).toEqual(['明天开业'])
})

test('an answer that would only repeat itself is empty; what was changed arrives with the next look', async () => {
  const { id } = await arranged([scene('notice')])
  const { wall } = await paired({ arrangement_id: id })
  const first = await wall.look()
  expect(first.content).not.toBe(null)
  expect((await wall.look({ stamp: first.stamp })).content).toBe(null)
  const { closes, name, opens } = await details(id)
  await gm.call(arrangementsApi.edit, {
    body: { ...(await seen(id)), name, opens, closes, scenes: [scene('notice', { words: '改在周日' })] },
  })
  server.later(2 * SECOND)
  expect((await wall.look({ stamp: first.stamp })).content!.scenes).toMatchObject([{ words: '改在周日' }])
  await gm.call(arrangementsApi.undo, { body: await seen(id) })
  server.later(2 * SECOND)
  expect((await wall.look()).stamp).toBe(first.stamp)
  // An arrangement that is deleted while it is painted leaves the house's own scene.
  await gm.call(arrangementsApi.del, { body: await seen(id) })
  server.later(2 * SECOND)
  expect((await wall.look()).content).toMatchObject({ scenes: [], arrangement: null, store: store.name })
})

test('two who arrange at once: the second is told, and nothing of theirs is kept', async () => {
  const { id } = await arranged([scene('figures')])
  const one = await seen(id)
  const { name } = await details(id)
  const save = (seconds: number) =>
    gm.ask(arrangementsApi.edit, {
      body: { ...one, name, opens: null, closes: null, scenes: [scene('figures', { seconds })] },
    })
  expect((await save(20)).code).toBe(200)
  const late = await save(30)
  expect(late.code).toBe(409)
  expect(late.msg).toMatch(/^已被 .+ 于 .+ 处理，请刷新后再试$/)
  expect((await details(id)).scenes).toMatchObject([{ seconds: 20 }])
})

test('what makes no wall is refused in a sentence: 0 seconds, 400 scenes, no words', async () => {
  const add = (scenes: Scene[], more: object = {}) =>
    gm.ask(arrangementsApi.add, { body: { store_id: store.id, name: '不行的', scenes, ...more } })
  expect((await add([scene('figures', { seconds: 0 })])).msg).toContain('每个场景至少 5 秒')
  expect((await add([scene('figures', { seconds: 601 })])).msg).toContain('每个场景最多 600 秒')
  expect((await add(Array.from({ length: 400 }, () => scene('figures')))).msg).toContain(
    '一个编排最多 40 个场景',
  )
  expect((await add([])).msg).toContain('请至少放一个场景')
  expect((await add([scene('notice', { words: '' })])).msg).toContain('请写门店通知的文字')
  expect((await add([scene('notice', { from: '2027-02-02', to: '2027-02-01' })])).msg).toContain(
    '开始日期不能晚于结束日期',
  )
  expect((await add([scene('figures')], { opens: '09:00' })).msg).toContain('要么都填')
  expect((await add([scene('figures')], { opens: '09:00', closes: '09:00' })).msg).toContain('不能相同')
  const { name } = await arranged()
  expect((await add([scene('figures')], { name })).msg).toBe(`这个门店已经有叫 ${name} 的编排`)
  const [row] = await server.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM arrangements WHERE name = '不行的'`,
  )
  expect(row!.n).toBe(0)
})

test('a screen paints while its frames move; one whose count stands still is silent, whatever it says', async () => {
  const { id, wall } = await paired()
  expect((await screenRow(id)).state).toBe('silent')
  await wall.look()
  await wall.report({ frames: 7, scene: 'house', age: 3 })
  expect(await screenRow(id)).toMatchObject({
    state: 'paired',
    scene: 'house',
    frames: 7,
    age: 3,
    bundle: 'LinkApp-test.js',
  })
  for (let i = 0; i < 5; i += 1) {
    server.later(15 * SECOND)
    await wall.report({ frames: 7, scene: 'house' })
  }
  const still = await screenRow(id)
  expect(still.state).toBe('silent')
  expect(still.saidAt! - still.movedAt!).toBe(75)
  await wall.report({ frames: 8 })
  expect((await screenRow(id)).state).toBe('paired')
})

test('a store that closes takes its walls with it; opened again they stay dark', async () => {
  const { id } = await gm.call(storesApi.add, {
    body: { name: '临时展厅', bc_id: store.bc_id, address: '', principal: '', phone: '', status: 1 },
  })
  const { id: screen, wall } = await paired({ store_id: id })
  expect((await wall.look()).state).toBe('wall')
  const row = async () => (await gm.call(storesApi.list, { query: { keyword: '临时展厅' } })).list[0]!
  const put = async (status: 1 | 2) => {
    const { address, bc_id, name, phone, principal, receivesOrders, version } = await row()
    await gm.call(storesApi.edit, {
      body: {
        id,
        version,
        name,
        bc_id,
        address,
        principal,
        phone,
        receivesOrders,
        lng: null,
        lat: null,
        status,
        confirmed: true,
      },
    })
  }
  const tied = await gm.ask(storesApi.del, { body: { id, version: (await row()).version } })
  expect(tied.msg).toContain('屏幕')
  await put(2)
  server.later(3 * SECOND)
  expect(await wall.look()).toMatchObject({ state: 'revoked' })
  const { code } = await wallOf(server).look()
  expect((await gm.ask(screensApi.pair, pairing(code, { store_id: id }))).msg).toBe(
    '临时展厅已经停用，不能再用来放屏幕',
  )
  await put(1)
  server.later(3 * SECOND)
  expect((await wall.look()).state).toBe('revoked')
  expect((await screenRow(screen)).state).toBe('revoked')
})

test('a branch that is stopped takes all of its walls with it', async () => {
  const [nb] = await server.sql<{ store: string; bc_id: string; version: number }>(
    `SELECT k.id AS store, c.bc_id, c.version FROM companies c JOIN stores k ON k.bc_id = c.bc_id AND k.status = 1
     WHERE c.tenant_id = $1 AND c.bc_id <> $2 LIMIT 1`,
    [store.tenant_id, store.bc_id],
  )
  const wall = wallOf(server)
  const { code } = await wall.look()
  await admin.call(screensApi.pair, pairing(code, { store_id: nb!.store }))
  server.later(2 * SECOND)
  expect((await wall.look()).state).toBe('wall')
  const row = (await admin.call(companiesApi.list, { query: { pageSize: 100 } })).list.find(
    (c) => c.id === nb!.bc_id,
  )!
  const {
    bc_name,
    city,
    id,
    lat,
    lng,
    phone,
    principal,
    receivesOrders,
    sort: _sort,
    address,
    code: no,
    version,
  } = row
  await admin.call(companiesApi.edit, {
    body: {
      id,
      version,
      bc_name,
      code: no,
      city,
      address,
      principal,
      phone,
      receivesOrders,
      lng,
      lat,
      status: 2,
    },
  })
  server.later(3 * SECOND)
  expect(await wall.look()).toMatchObject({ state: 'revoked' })
})

test('sent to several, each is there with its next look; one of another branch refuses them all', async () => {
  const { id, name } = await arranged([scene('notice')])
  const walls = [await paired(), await paired()]
  const screens = walls.map((w) => w.id)
  await gm.call(arrangementsApi.send, { body: { ...(await seen(id)), screens } })
  server.later(2 * SECOND)
  for (const { wall } of walls) expect((await wall.look()).content).toMatchObject({ arrangement: name })
  expect(await details(id)).toMatchObject({ screens: 2, sceneCount: 1, seconds: 10 })
  const [foreign] = await server.sql<{ id: string }>(
    `INSERT INTO screens (tenant_id, id, bc_id, store_id, name, kind, hash, width, height, paired_by, paired_at)
     SELECT k.tenant_id, gen_random_uuid(), k.bc_id, k.id, '别处的', 'public', sha256('elsewhere'), 1, 1, '', :now
     FROM stores k WHERE k.tenant_id = $1 AND k.bc_id <> $2 LIMIT 1 RETURNING id`,
    [store.tenant_id, store.bc_id],
  )
  const other = await arranged([scene('figures')])
  const send = async (who: Person, ids: string[]) =>
    who.ask(arrangementsApi.send, { body: { ...(await seen(other.id)), screens: ids } })
  expect((await send(gm, [...screens, foreign!.id])).code).toBe(403)
  expect((await send(admin, [...screens, foreign!.id])).msg).toContain('别处的在别的分公司')
  server.later(2 * SECOND)
  expect((await walls[0]!.wall.look()).content).toMatchObject({ arrangement: name })
})

test('a person sees the same in their own tab, and of the house’s scenes what their pages show', async () => {
  const { id } = await arranged([scene('figures'), scene('alarms'), scene('ranking')])
  const kinds = async (who: Person) =>
    (await who.call(arrangementsApi.show, { query: { id } })).content!.scenes.map((s) => s.kind)
  expect(await kinds(gm)).toEqual(['figures', 'alarms', 'ranking'])
  await server.sql(
    'UPDATE user_stores SET store_id = $1 WHERE user_id = (SELECT id FROM users WHERE user_name = $2)',
    [store.id, 'sales'],
  )
  const sales = await server.as('sales')
  expect(await kinds(sales)).toEqual(['figures'])
  const ranking = (await gm.call(arrangementsApi.show, { query: { id } })).content!.scenes[2]
  expect(ranking?.kind === 'ranking' && ranking.branches).toHaveLength(1)
})

test('a home that its people agreed to is on the wall; taken back it and every byte of it are gone', async () => {
  const home = await shownHome(server, gm, { bc: store.bc_id })
  const { id } = await arranged([scene('case')])
  const { wall } = await paired({ arrangement_id: id })
  const [shown] = (await wall.look()).content!.scenes
  expect(shown).toMatchObject({
    kind: 'case',
    title: '南北通透的家',
    pictures: [{ key: home.key }],
    layout: null,
  })
  expect((await wall.picture({ case_id: home.id, key: home.key })).bytes.length).toBeGreaterThan(50)
  expect((await wall.picture({ case_id: home.id, key: home.raw })).code).toBe(404)
  expect((await wallOf(server).picture({ case_id: home.id, key: home.key })).code).toBe(404)
  expect(
    (await gm.ask(arrangementsApi.picture, { body: { id, case_id: home.id, key: home.key } })).status,
  ).toBe(200)
  await server.sql(
    `UPDATE consents SET state = 3, withdrawn_at = :now, withdrawn_by = '业主', withdrawn_why = '不想了'
     WHERE subject_id = $1`,
    [home.contact],
  )
  server.later(4 * SECOND)
  expect((await wall.look()).content).toMatchObject({ scenes: [], store: store.name })
  expect((await wall.picture({ case_id: home.id, key: home.key })).code).toBe(404)
  expect(
    (await gm.ask(arrangementsApi.picture, { body: { id, case_id: home.id, key: home.key } })).code,
  ).toBe(404)
})

test('two hundred walls ask the database for their figures once', async () => {
  const { id } = await arranged([scene('figures')])
  const { wall } = await paired({ arrangement_id: id })
  server.later(20 * SECOND)
  const before = (await wall.look()).content!.scenes[0]!
  await server.sql(
    `UPDATE sites SET status = 1 WHERE id = (SELECT id FROM sites WHERE bc_id = $1 AND status = 2 LIMIT 1)`,
    [store.bc_id],
  )
  server.later(10 * SECOND)
  expect((await wall.look()).content!.scenes[0]).toEqual(before)
  server.later(6 * SECOND)
  expect((await wall.look()).content!.scenes[0]).not.toEqual(before)
})

test('a wall that asks without end is told to wait, alone', async () => {
  const { wall } = await paired()
  const other = await paired()
  const codes = []
  for (let i = 0; i < 100; i += 1) codes.push((await wall.asks()).code)
  expect(codes).toContain(429)
  expect((await other.wall.asks()).code).toBe(200)
})
