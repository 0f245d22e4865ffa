import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import { arrangementsApi } from '@zhuguan/contract/features/screens/arrangements.api.ts'
import { screensApi } from '@zhuguan/contract/features/screens/screens.api.ts'
import { sharesApi } from '@zhuguan/contract/features/shares/shares.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { customerPhone } from '../../testing/sharing.ts'
import { shownHome } from '../../testing/shown-home.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { type Wall, wallOf } from '../../testing/walls.ts'

let server: TestServer
let gm: Person
let store: { id: string; bc_id: string; name: string }
beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  ;[store] = (await server.sql(
    `SELECT k.id, k.bc_id, k.name FROM stores k JOIN users u ON u.bc_id = k.bc_id
     WHERE u.user_name = 'branch_gm' AND k.status = 1 ORDER BY k.name LIMIT 1`,
  )) as [typeof store]
})
afterAll(() => server.stop())

const SECOND = 1_000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE
let count = 0
async function pairedWall(): Promise<{ wall: Wall; id: string; name: string }> {
  count += 1
  const scenes = [{ kind: 'case' as const, seconds: 10, words: '', from: null, to: null }]
  const made = await gm.call(arrangementsApi.add, {
    body: { store_id: store.id, name: `案例 ${count}`, scenes },
  })
  const wall = wallOf(server)
  const { code } = await wall.look()
  const name = `大厅 ${count}`
  const of = { name, store_id: store.id, kind: 'public' as const, arrangement_id: made.id }
  const { id } = await gm.call(screensApi.pair, { body: { code, ...of } })
  server.later(2 * SECOND)
  return { wall, id, name }
}
/** The secrets that stand on the wall, by case. */
async function codesOn(wall: Wall): Promise<Map<string, string | null>> {
  const { content } = await wall.look()
  return new Map(content!.scenes.flatMap((s) => (s.kind === 'case' ? [[s.case_id, s.token]] : [])))
}
const screenRow = async (id: string) =>
  (await gm.call(screensApi.list, { query: { pageSize: 100 } })).list.find((s) => s.id === id)!
const sharesOf = (screen_id: string) =>
  gm.call(sharesApi.list, { query: { screen_id, pageSize: 100 } }).then(({ list }) => list)

test('a code of each case that its home lets links show: the same while it stands, another on each wall', async () => {
  const linked = await shownHome(server, gm, { bc: store.bc_id, places: ['screen', 'link'] })
  const unlinked = await shownHome(server, gm, { bc: store.bc_id, places: ['screen'] })
  const [hall, window] = [await pairedWall(), await pairedWall()]
  const codes = await codesOn(hall.wall)
  expect(codes.get(linked.id)).toMatch(/^[\w-]{64}$/)
  expect(codes.get(unlinked.id)).toBeNull()
  expect((await codesOn(window.wall)).get(linked.id)).not.toBe(codes.get(linked.id))
  server.later(5 * MINUTE)
  expect((await codesOn(hall.wall)).get(linked.id)).toBe(codes.get(linked.id))
  expect((await sharesOf(hall.id)).map((l) => l.title)).toEqual(['南北通透的家'])
})

test('what is scanned opens the case, and counts for the wall that it was scanned from', async () => {
  const home = await shownHome(server, gm, { bc: store.bc_id, places: ['screen', 'link'] })
  const [hall, window] = [await pairedWall(), await pairedWall()]
  const token = (await codesOn(hall.wall)).get(home.id)!
  await codesOn(window.wall)
  for (const guest of [customerPhone(server, token), customerPhone(server, token)]) {
    await guest.open()
    const { cases, maker } = (await guest.read()).data
    expect(cases.map((k) => k.title)).toEqual(['南北通透的家'])
    // Whatever staff call the screen, a guest reads whose it is.
    expect(maker).toBe(store.name)
  }
  expect((await screenRow(hall.id)).scanned).toBe(2)
  expect((await screenRow(window.id)).scanned).toBe(0)
  const rows = await sharesOf(hall.id)
  expect(rows.filter((l) => l.openings > 0)).toMatchObject([
    { makerName: `屏幕 ${hall.name}`, maker_id: null, customerName: '', openings: 2 },
  ])
})

test('a number that a guest leaves waits in the pool of the store, and the way that it came is said', async () => {
  const home = await shownHome(server, gm, { bc: store.bc_id, places: ['screen', 'link'] })
  const { name, wall } = await pairedWall()
  const guest = customerPhone(server, (await codesOn(wall)).get(home.id)!)
  await guest.open()
  await guest.read()
  expect((await guest.interest({ name: '路女士', phone: '13655557771' })).code).toBe(200)
  const [lead] = (await gm.call(customersApi.list, { query: { keyword: '路女士' } })).list
  expect(lead).toMatchObject({ name: '路女士', store_id: store.id, held: 'pool', consultant_id: null })
  const [entry] = await server.sql<{ text: string }>(
    'SELECT e.text FROM customer_events e WHERE e.customer_id = $1 ORDER BY e.at LIMIT 1',
    [lead!.id],
  )
  expect(entry!.text).toContain(`看了屏幕 ${name}上的“南北通透的家”后留下电话`)
})

test('the wall is taken back, or the home says no to links: nothing opens, and no code stands', async () => {
  const home = await shownHome(server, gm, { bc: store.bc_id, places: ['screen', 'link'] })
  const [hall, window] = [await pairedWall(), await pairedWall()]
  const [first, second] = [
    (await codesOn(hall.wall)).get(home.id)!,
    (await codesOn(window.wall)).get(home.id)!,
  ]
  const { version } = await screenRow(hall.id)
  await gm.call(screensApi.revoke, { body: { id: hall.id, version, reason: '换新屏' } })
  expect((await customerPhone(server, first).open()).code).toBe(404)
  expect((await customerPhone(server, second).open()).code).toBe(200)
  await server.sql(`UPDATE cases SET places = '{screen}' WHERE id = $1`, [home.id])
  server.later(MINUTE)
  expect((await codesOn(window.wall)).get(home.id)).toBeNull()
  expect((await customerPhone(server, second).read()).code).toBe(404)
})

test('a link of a wall lives no longer than its home agreed, and goes on with what was agreed to anew', async () => {
  const home = await shownHome(server, gm, { bc: store.bc_id, places: ['screen', 'link'] })
  const { id, wall } = await pairedWall()
  const token = (await codesOn(wall)).get(home.id)!
  const days = async () => {
    const [link] = await server.sql<{ end: Date }>(
      'SELECT expires_at AS end FROM links WHERE screen_id = $1 AND target_id = $2',
      [id, home.id],
    )
    return Math.round((link!.end.getTime() - server.now().getTime()) / DAY)
  }
  expect(await days()).toBeGreaterThanOrEqual(90)
  expect(await days()).toBeLessThanOrEqual(91)
  await server.sql(`UPDATE cases SET until = until + 300 WHERE id = $1`, [home.id])
  server.later(MINUTE)
  expect((await codesOn(wall)).get(home.id)).toBe(token)
  expect(await days()).toBe(180)
})
