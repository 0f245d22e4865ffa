import { api } from '@zhuguan/contract/api.ts'
import { customersImport } from '@zhuguan/contract/features/customers/customers.import.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { badRows, checked, sheetOf, stored } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

const { customers, settings } = api
let server: TestServer
let gm: Person, hq: Person
let place: { bc_id: string; bc_name: string; store_id: string }
beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  hq = await server.as('admin')
  place = (
    await server.sql<typeof place>(
      `SELECT s.bc_id, c.bc_name, s.id AS store_id FROM users u JOIN user_stores t ON t.user_id = u.id
       JOIN stores s ON s.id = t.store_id JOIN companies c ON c.bc_id = s.bc_id
       WHERE u.user_name = 'sales' ORDER BY s.name LIMIT 1`,
    )
  )[0]!
})
afterAll(() => server.stop())

const write = (who: Person, names: string[], bcId?: string) =>
  who.ask(settings.update, { body: { ...(bcId && { bcId }), values: { customerSources: names } } })
let many = 0
const add = (source: string) =>
  gm.ask(customers.add, {
    body: {
      bc_id: place.bc_id,
      store_id: place.store_id,
      name: '来源客',
      phone: `1350000${String(1000 + (many += 1))}`,
      source,
    },
  })
const offered = async () =>
  (await gm.call(customers.sources, {})).filter((s) => s.offered).map((s) => s.label)

test('the group says which sources there are; no branch does; who is there already keeps theirs', async () => {
  expect(await offered()).toEqual([
    '自然到店',
    '来电',
    '线上',
    '老业主介绍',
    '渠道',
    '小区活动',
    '分享留资',
    '其他',
  ])
  const online = await add('online')
  expect(online.code).toBe(200)
  expect((await add('抖音')).msg).toContain('不在集团的来源里')
  const own = await write(gm, ['抖音'], place.bc_id)
  expect([own.code, own.msg]).toEqual([400, expect.stringContaining('由集团统一设置')])
  expect((await write(hq, [])).msg).toContain('至少留一个来源')
  expect((await write(hq, ['抖音', '自然到店', '老业主介绍', '其他', '抖音'])).code).toBe(200)
  expect(await offered()).toEqual(['抖音', '自然到店', '老业主介绍', '其他'])

  // Entry takes what is offered, and no more what is not.
  const tiktok = await add('抖音')
  expect(tiktok.code).toBe(200)
  expect((await add('online')).msg).toContain('“线上”不在集团的来源里')
  // The customer of before keeps the source through an edit, and cannot get another one that is gone.
  const edit = async (id: string, source: string) => {
    const k = await gm.call(customers.details, { query: { id } })
    const { address, area, budget, community, name, store_id, style, version } = k
    return gm.ask(customers.edit, {
      body: { id, version, address, area, budget, community, name, store_id, style, source },
    })
  }
  expect((await edit(online.data.id, 'online')).code).toBe(200)
  expect((await edit(tiktok.data.id, 'call')).code).toBe(400)

  // Filters, the board and the answers say it by its name; sources of before can still be looked for.
  const listed = await gm.call(customers.list, { query: { source: ['抖音'] } })
  expect(listed.list.map((k) => [k.id, k.source])).toEqual([[tiktok.data.id, '抖音']])
  const old = (await gm.call(customers.sources, {})).filter((s) => !s.offered).map((s) => s.value)
  expect(old).toContain('online')
  const board = await gm.call(api.signingBoard.read, { query: {} })
  expect(JSON.stringify(board)).toContain('"抖音"')

  // A list is checked by the same words.
  const titles = customersImport.columns.map((c) => c.title)
  const rows = [
    { name: '表一', phone: '13511110001', bc_id: place.bc_name, source: '抖音' },
    { name: '表二', phone: '13511110002', bc_id: place.bc_name, source: '线上' },
  ].map((r) => customersImport.columns.map((c) => (r as Record<string, string>)[c.key] ?? ''))
  const state = await checked(server.url, gm, customersImport, await sheetOf(titles, rows))
  expect(state).toMatchObject({ good: 1, bad: 1 })
  const [bad] = await badRows(gm, customersImport, state.id)
  expect(bad!.errors).toEqual([{ column: 'source', text: '应为：抖音、自然到店、老业主介绍、其他' }])
  await stored(gm, customersImport, state.id)
  // One that is taken away while customers bear it stays in sight.
  expect((await write(hq, ['自然到店', '其他'])).code).toBe(200)
  expect((await gm.call(customers.sources, {})).filter((s) => !s.offered).map((s) => s.value)).toContain(
    '抖音',
  )
})
