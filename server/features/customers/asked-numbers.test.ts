import { api } from '@zhuguan/contract/api.ts'
import { customersImport } from '@zhuguan/contract/features/customers/customers.import.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { cellsOf, checked, sheetOf, stored } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

const { customers, followUps, handovers } = api
let server: TestServer
let sales: Person, gm: Person, quoter: Person
let place: { bc_id: string; store_id: string }
let me: string
beforeAll(async () => {
  server = await startTestServer()
  sales = await server.as('sales')
  gm = await server.as('branch_gm')
  quoter = await server.as('quoter')
  place = (
    await server.sql<typeof place>(
      `SELECT s.bc_id, s.id AS store_id FROM users u JOIN user_stores t ON t.user_id = u.id
       JOIN stores s ON s.id = t.store_id WHERE u.user_name = 'sales' ORDER BY s.name LIMIT 1`,
    )
  )[0]!
  me = (await server.sql<{ id: string }>(`SELECT id FROM users WHERE user_name = 'sales'`))[0]!.id
})
afterAll(() => server.stop())
const CANARY = '13571357246'
const SPOUSE = '13571357888'
/** What a person has looked for, by kind. */
const looks = async (user: string) =>
  Object.fromEntries(
    (
      await server.sql<{ kind: string; n: number }>(
        `SELECT l.kind, sum(l.n)::int AS n FROM customer_looks l JOIN users u ON u.id = l.user_id
         WHERE u.user_name = $1 GROUP BY l.kind`,
        [user],
      )
    ).map((l) => [l.kind, l.n]),
  )
const add = (who: Person, more: { phone: string; consultant_id?: string }) =>
  who.ask(customers.add, { body: { ...place, name: '周女士', community: '云栖里', ...more } })

test('a number that is asked for is counted once a day, in whatever spelling, and stands in the log', async () => {
  const first = await add(gm, { phone: CANARY, consultant_id: me })
  await gm.call(customers.addContact, {
    body: { id: first.data.id, version: 0, name: '李先生', relation: 'spouse', phone: SPOUSE },
  })
  for (const phone of [CANARY, '135 7135 7246', '+8613571357246', '１３５７１３５７２４６'])
    await sales.call(customers.known, { body: { bc_id: place.bc_id, phone } })
  expect(await looks('sales')).toEqual({ asked: 1 })
  // Refused, it has told whose number it is all the same.
  expect((await add(sales, { phone: SPOUSE })).msg).toContain('李先生')
  expect(await looks('sales')).toEqual({ asked: 2 })
  // Words find by name and by the last four; a whole number is a look, wherever it is typed.
  for (const keyword of ['周', '7246']) await sales.call(customers.list, { query: { keyword } })
  expect(await looks('sales')).toEqual({ asked: 2 })
  expect((await sales.call(customers.list, { query: { keyword: CANARY } })).totalCount).toBe(1)
  await sales.call(customers.board, { query: { keyword: '135 7135 7246' } })
  await sales.call(customers.pick, { query: { keyword: CANARY } })
  await sales.call(api.search.all, { query: { keyword: CANARY } })
  expect(await looks('sales')).toEqual({ asked: 2, search: 1 })
  const log = await server.sql<{ action: string; after: unknown; beside: unknown }>(
    `SELECT action, after, beside FROM user_logs l JOIN users u ON u.id = l.user_id
     WHERE u.user_name = 'sales' AND action IN ('查电话是否登记过', '按电话找客户') ORDER BY action`,
  )
  expect(log.map((l) => l.action)).toEqual(['按电话找客户', '查电话是否登记过', '查电话是否登记过'])
})

test('five hundred in a minute: some are answered, the rest hears a sentence, nobody is told more', async () => {
  const asked = []
  for (let i = 0; i < 500; i += 1)
    asked.push(
      quoter.ask(customers.known, { body: { bc_id: place.bc_id, phone: `1380000${String(1000 + i)}` } }),
    )
  const answers = await Promise.all(asked)
  const refused = answers.filter((a) => a.code !== 200)
  expect(answers.length - refused.length).toBeLessThanOrEqual(60)
  expect(refused.length).toBeGreaterThanOrEqual(440)
  for (const r of refused) expect(r.msg).toMatch(/一分钟内查找了 60 个电话|请求太多|太频繁/)
  expect((await looks('quoter')).asked).toBeLessThanOrEqual(60)
  // A minute later it goes on; a day has an end as well.
  server.later(61_000)
  quoter = await server.as('quoter')
  const again = { body: { bc_id: place.bc_id, phone: '13900008888' } }
  expect((await quoter.ask(customers.known, again)).code).toBe(200)
  await server.sql(`UPDATE customer_looks SET n = 200 WHERE id = (SELECT l.id FROM customer_looks l
    JOIN users u ON u.id = l.user_id WHERE u.user_name = 'quoter' ORDER BY at LIMIT 1)`)
  server.later(61_000)
  const late = await quoter.ask(customers.known, { body: { bc_id: place.bc_id, phone: '13900009999' } })
  expect(late.msg).toContain('请明天再试')
})

test('a whole number in the lists of owners, workers and of who asks is a look as well', async () => {
  const before = (await looks('branch_gm')).search ?? 0
  const words = [CANARY, '13700000001', '13700000002', '13700000003']
  await gm.call(api.owners.list, { query: { keyword: words[0]! } })
  await gm.call(api.workers.list, { query: { keyword: words[1]! } })
  await gm.call(api.persons.find, { query: { kind: 'owner', keyword: words[2]! } })
  await gm.call(api.feedback.list, { query: { keyword: words[3]! } })
  for (const keyword of ['周', '7246']) await gm.call(api.owners.list, { query: { keyword } })
  expect((await looks('branch_gm')).search).toBe(before + 4)
  const log = await server.sql<{ action: string; after: { phone: string } }>(
    `SELECT action, after FROM user_logs WHERE action IN ('按电话找业主', '按电话找工人', '按电话找本人记录')
     ORDER BY action`,
  )
  expect(log.map((l) => l.action).sort()).toEqual(
    ['按电话找业主', '按电话找业主', '按电话找工人', '按电话找本人记录'].sort(),
  )
  expect(JSON.stringify(log)).not.toContain('13700000001')
  // So many a minute and no more, in whichever list.
  const asked = []
  for (let i = 0; i < 80; i += 1)
    asked.push(gm.ask(api.workers.list, { query: { keyword: `1361111${String(1000 + i)}` } }))
  const refused = (await Promise.all(asked)).filter((a) => a.code !== 200)
  expect(refused.length).toBeGreaterThanOrEqual(20)
  for (const r of refused) expect(r.msg).toMatch(/一分钟内查找了 60 个电话|请求太多|太频繁/)
  server.later(61_000)
  gm = await server.as('branch_gm')
})

test('an import is told which numbers are known: counted, in the log, and what it says of telling stays', async () => {
  const titles = customersImport.columns.map((c) => c.title)
  const [branch] = await server.sql<{ bc_name: string }>('SELECT bc_name FROM companies WHERE bc_id = $1', [
    place.bc_id,
  ])
  const listed: Record<string, string>[] = [
    { name: '周女士', phone: CANARY },
    { name: '新客一', phone: '13622220001', told: '是' },
    { name: '新客二', phone: '13622220002' },
    { name: '新客三', phone: '13622220003', told: '说过' },
  ]
  const rows = listed.map((r) =>
    customersImport.columns.map((c) => (c.key === 'bc_id' ? branch!.bc_name : (r[c.key] ?? ''))),
  )
  const state = await checked(server.url, gm, customersImport, await sheetOf(titles, rows))
  expect(state).toMatchObject({ good: 2, bad: 2 })
  await stored(gm, customersImport, state.id)
  const told = await server.sql(
    `SELECT name, notice FROM customers WHERE phone LIKE '1362222000%' ORDER BY name`,
  )
  expect(told).toEqual([
    { name: '新客一', notice: expect.stringMatching(/^\d{4}-\d\d$/) },
    { name: '新客二', notice: '' },
  ])
  expect((await looks('branch_gm')).import).toBeGreaterThan(0)
  const log = await server.sql(`SELECT 1 FROM user_logs WHERE action = '导入核对电话'`)
  expect(log.length).toBeGreaterThan(0)
})

test('a file says in each row who took it, and the log by which mark', async () => {
  const file = await gm.ask(customers.export, { query: {} })
  const [head, ...rows] = await cellsOf(file.bytes)
  const at = head!.indexOf('导出标记')
  expect(at).toBeGreaterThan(0)
  const marks = new Set(rows.map((r) => r[at]))
  expect(marks.size).toBe(1)
  const [line] = await server.sql<{ mark: string; nickname: string }>(
    `SELECT l.after ->> 'mark' AS mark, u.nickname FROM user_logs l JOIN users u ON u.id = l.user_id
     WHERE l.action = '导出客户线索' ORDER BY l.at DESC LIMIT 1`,
  )
  expect([...marks][0]).toMatch(new RegExp(`^${line!.nickname} \\d{4}-\\d\\d-\\d\\d 导出 ${line!.mark}$`))
})

test('a telephone number is in no list, board, export, message, log or search', async () => {
  const { list } = await gm.call(customers.list, { query: { keyword: '周女士' } })
  const { id } = list[0]!
  const k = await gm.call(customers.details, { query: { id } })
  await sales.call(followUps.add, {
    body: {
      customer_id: id,
      kind: 'phone',
      at: Math.floor(server.now().getTime() / 1000),
      content: '聊过了',
    },
  })
  // Nobody types one into words either.
  for (const content of [`打 ${SPOUSE} 找她先生`, '座机 0571-88886666', '微信同号 1357135 7246'])
    expect(
      (
        await sales.ask(followUps.plan, {
          body: {
            customer_id: id,
            kind: 'phone',
            at: Math.floor(server.now().getTime() / 1000) + 9000,
            content,
          },
        })
      ).msg,
    ).toContain('电话号码')
  const lose = { id, version: k.version, why: 'price' as const, reason: `去问 ${CANARY}` }
  expect((await gm.ask(customers.lose, { body: lose })).msg).toContain('电话号码')
  const answers = [
    await gm.ask(customers.list, { query: {} }),
    await gm.ask(customers.board, { query: {} }),
    await sales.ask(customers.waits),
    await gm.ask(customers.details, { query: { id } }),
    await gm.ask(customers.pick, { query: { keyword: CANARY } }),
    await gm.ask(api.search.all, { query: { keyword: CANARY } }),
    await gm.ask(followUps.list, { query: {} }),
    await gm.ask(handovers.brief, { query: { customer_id: id } }),
    await gm.ask(api.notifications.list),
    await gm.ask(api.userlogs.list, { query: {} }),
  ]
  for (const a of answers) {
    expect(a.code).toBe(200)
    expect(a.text).not.toMatch(/13571357246|13571357888/)
  }
  const cells = JSON.stringify(await cellsOf((await gm.ask(customers.export, { query: {} })).bytes))
  expect(cells).toContain('周女士')
  expect(cells).not.toMatch(/13571357246|13571357888/)
  // Nor anywhere in the database but where numbers are kept, and in the list that was handed in.
  const tables = await server.sql<{ table: string }>(
    `SELECT c.relname AS table FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') ORDER BY 1`,
  )
  const found = []
  for (const { table } of tables) {
    const [hit] = await server.sql(
      `SELECT 1 AS hit FROM "${table}" t WHERE t::text ~ '13571357246|13571357888' LIMIT 1`,
    )
    if (hit) found.push(table)
  }
  expect(found).toEqual(['customer_contacts', 'customer_numbers', 'customers', 'import_rows'])
})
