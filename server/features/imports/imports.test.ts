import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { sitesImport } from '@zhuguan/contract/features/sites/sites.import.ts'
import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import { workersImport } from '@zhuguan/contract/features/workers/workers.import.ts'
import { MAX_IMPORT_ROWS } from '@zhuguan/contract/kit/imports.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { badRows, cellsOf, checked, download, sendSheet, sheetOf, stored } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let gm: Person
beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
})
afterAll(() => server.stop())

const HEAD = ['工号', '姓名*', '分公司*', '工种*', '性别', '联系方式', '班组', '已告知']
const person = (i: number): string[] => [
  `T${String(i).padStart(5, '0')}`,
  `测试${String.fromCharCode(0x4e00 + i)}`,
  '杭州分公司',
  '瓦工',
  '男',
  `139${String(i).padStart(8, '0')}`,
  '一班',
  '',
]
const people = (n: number, from = 0) => Array.from({ length: n }, (_, i) => person(from + i))
const count = async () => (await gm.call(workersApi.list)).totalCount
const texts = (rows: { row: number; errors: { column: string; text: string }[] }[]) =>
  Object.fromEntries(rows.map((r) => [r.row, r.errors.map((e) => `${e.column} ${e.text}`)]))

test('500 workers, 12 of them broken: the good ones are stored, the others keep their reasons and go in once they are right', async () => {
  const rows = people(500)
  const spoil: [number, number, string][] = [
    [3, 1, ''],
    [10, 2, '火星分公司'],
    [20, 2, '宁波分公司'],
    [30, 3, '飞行员'],
    [40, 4, '不详'],
    [50, 5, '12345'],
    [60, 0, 'HZ0001'],
    [70, 0, 'T 70'],
    [80, 1, '很'.repeat(21)],
    [90, 0, 'T00091'],
    [100, 5, '=1+1'],
    [110, 6, '班'.repeat(31)],
  ]
  for (const [i, column, text] of spoil) rows[i]![column] = text
  const before = await count()
  const state = await checked(server.url, gm, workersImport, await sheetOf(HEAD, rows))
  expect(state).toMatchObject({
    total: 500,
    unchecked: 0,
    good: 488,
    bad: 12,
    done: 0,
    fileName: '名单.xlsx',
  })
  const bad = await badRows(gm, workersImport, state.id)
  // The heading is row 1, so the first person stands in row 2.
  expect(texts(bad)).toEqual({
    5: ['w_name 必填'],
    12: ['bc_id 没有这个分公司，或不在您的数据范围内'],
    22: ['bc_id 没有这个分公司，或不在您的数据范围内'],
    32: [expect.stringContaining('w_type 应为：项目管家')],
    42: ['w_sex 应为：男、女'],
    52: [expect.stringContaining('w_contact 联系方式应为')],
    62: ['w_id 工号 HZ0001 已被使用'],
    72: [expect.stringContaining('w_id 工号只能是')],
    82: ['w_name 姓名最多 20 个字'],
    93: ['w_id 与第 92 行重复'],
    102: ['w_contact 是公式，请复制后“粘贴为数值”'],
    112: ['team 班组最多 30 个字'],
  })
  expect(await count()).toBe(before)

  expect(await stored(gm, workersImport, state.id)).toMatchObject({ good: 0, bad: 12, done: 488 })
  expect(await count()).toBe(before + 488)
  // Asking again stores nothing twice.
  expect(await stored(gm, workersImport, state.id)).toMatchObject({ done: 488 })
  expect(await count()).toBe(before + 488)
  const [log] = await server.sql<{ after: { rows: number; ids: string[] } }>(
    `SELECT after FROM user_logs WHERE action = '导入工人' ORDER BY at LIMIT 1`,
  )
  expect(log!.after.rows).toBe(488)
  expect(log!.after.ids).toHaveLength(488)

  // One by hand, the others by the workbook of what failed.
  const first = bad.find((r) => r.row === 5)!
  expect(
    await gm.call(workersImport.api.fix, {
      body: { id: state.id, row: 5, cells: first.cells.map((c, i) => (i === 1 ? '王补上' : c)) },
    }),
  ).toMatchObject({ state: 'good', errors: [] })
  expect(await stored(gm, workersImport, state.id)).toMatchObject({ bad: 11, done: 489 })
  const again = await cellsOf(await download(server.url, gm, workersImport.api.failed, { id: state.id }))
  expect(again[0]).toEqual([...HEAD, '原因', '原文件行号'])
  expect(again).toHaveLength(12)
  expect(again.find((r) => r[9] === '42')![8]).toBe('性别：应为：男、女')
  // What names its column itself is not named twice.
  expect(again.find((r) => r[9] === '52')![8]).toBe('联系方式应为 11 位手机号，或带区号的固定电话')
  for (const [i, column] of spoil.slice(1)) {
    const row = again.find((r) => r[9] === String(i + 2 + (i === 90 ? 1 : 0)))!
    Object.assign(row, { [i === 90 ? 0 : column]: i === 90 ? 'T90000' : person(i)[column] })
  }
  const second = await checked(server.url, gm, workersImport, await sheetOf(again[0]!, again.slice(1)))
  // Row 91 of the first file kept the number that row 90 was given by mistake.
  expect(texts(await badRows(gm, workersImport, second.id))).toEqual({})
  expect(await stored(gm, workersImport, second.id)).toMatchObject({ bad: 0, done: 11 })
  expect(await count()).toBe(before + 500)
})

test('the same list again changes nothing: every row is known', async () => {
  const before = await count()
  const state = await checked(
    server.url,
    gm,
    workersImport,
    await sheetOf(HEAD, [...people(2), ...people(2).map((p) => ['', ...p.slice(1)])]),
  )
  expect(state).toMatchObject({ good: 0, bad: 4 })
  expect(texts(await badRows(gm, workersImport, state.id))).toEqual({
    2: ['w_id 工号 T00000 已被使用', 'w_contact 库里已有同名同电话的工人，工号 T00000'],
    3: ['w_id 工号 T00001 已被使用', 'w_contact 库里已有同名同电话的工人，工号 T00001'],
    4: ['w_contact 与第 2 行重复'],
    5: ['w_contact 与第 3 行重复'],
  })
  expect(await stored(gm, workersImport, state.id)).toMatchObject({ done: 0 })
  expect(await count()).toBe(before)
})

test('a number that another branch has is refused when it is stored, without a word about whose it is', async () => {
  const state = await checked(
    server.url,
    gm,
    workersImport,
    await sheetOf(HEAD, [['NB0001', '陈外地', '杭州分公司', '木工']]),
  )
  expect(state.good).toBe(1)
  expect(await stored(gm, workersImport, state.id)).toMatchObject({ good: 0, bad: 1, done: 0 })
  expect(texts(await badRows(gm, workersImport, state.id))).toEqual({ 2: ['w_id 工号 NB0001 已被使用'] })
})

test('two people import the same list at once: every worker stands once', async () => {
  const admin = await server.as('admin')
  const bytes = await sheetOf(HEAD, people(1500, 3000))
  const before = await count()
  const [a, b] = await Promise.all([
    checked(server.url, gm, workersImport, bytes),
    checked(server.url, admin, workersImport, bytes),
  ])
  expect([a.good, b.good]).toEqual([1500, 1500])
  const [x, y] = await Promise.all([stored(gm, workersImport, a.id), stored(admin, workersImport, b.id)])
  expect(x.done + y.done).toBe(1500)
  expect(x.bad + y.bad).toBe(1500)
  expect(await count()).toBe(before + 1500)
})

test('an import is its owner’s: nobody else reads, steps, corrects or drops it', async () => {
  const state = await checked(server.url, gm, workersImport, await sheetOf(HEAD, people(3, 9000)))
  for (const name of ['admin', 'branch_gm2', 'other']) {
    const who = await server.as(name)
    const { api } = workersImport
    const id = { id: state.id }
    for (const answer of [
      await who.ask(api.rows, { query: id }),
      await who.ask(api.failed, { query: id }),
      await who.ask(api.check, { body: id }),
      await who.ask(api.run, { body: id }),
      await who.ask(api.drop, { body: id }),
      await who.ask(api.fix, { body: { ...id, row: 2, cells: person(1) } }),
    ])
      expect([answer.status, answer.text.includes('测试')], name).toEqual([403, false])
    expect((await who.call(api.latest))?.id).not.toBe(state.id)
  }
  // Nor is it another kind's.
  expect(await gm.ask(sitesImport.api.run, { body: { id: state.id } })).toMatchObject({ status: 403 })
  expect(await (await server.as('pm')).ask(workersImport.api.upload)).toMatchObject({
    code: 401,
    msg: 'No Permission',
  })
  expect((await gm.call(workersImport.api.latest))!.id).toBe(state.id)
  await gm.call(workersImport.api.drop, { body: { id: state.id } })
  expect(await gm.call(workersImport.api.latest)).toBeNull()
  expect(await server.sql('SELECT 1 FROM import_rows WHERE import_id = $1', [state.id])).toEqual([])
})

test('what is no list is refused in words and leaves what was open', async () => {
  const open = await checked(server.url, gm, workersImport, await sheetOf(HEAD, people(2, 9500)))
  const why = async (bytes: Buffer) => (await sendSheet(server.url, gm, workersImport, bytes)).msg
  expect(await why(Buffer.from('工号,姓名'))).toContain('不是 Excel')
  expect(await why(Buffer.alloc(0))).toContain('请选择')
  expect(await why(await sheetOf(['工号', '姓名', '性别'], people(2)))).toContain('没有找到：分公司、工种')
  expect(await why(await sheetOf([...HEAD, '姓名'], people(2)))).toContain('“姓名”这一列出现了两次')
  expect(await why(await sheetOf(HEAD, []))).toContain('没有数据')
  expect(await why(await sheetOf(HEAD, people(MAX_IMPORT_ROWS + 1)))).toContain('一次最多导入 20000 行')
  expect((await gm.call(workersImport.api.latest))!.id).toBe(open.id)
})

test('columns in any order, strange cells kept as text', async () => {
  const nasty = ['<script>alert(1)</script>', '+86 工头', '@SUM(A1)', "-2+3'"]
  const rows = nasty.map((team, i) => [team, '油工', '杭州分公司', `陈怪${'甲乙丙丁'[i]}`, ''])
  const state = await checked(
    server.url,
    gm,
    workersImport,
    await sheetOf(['班组', '工种', '分公司', '姓 名', '备注'], rows),
  )
  expect(state).toMatchObject({ good: 4, bad: 0 })
  await stored(gm, workersImport, state.id)
  const listed = (await gm.call(workersApi.list, { query: { keyword: '陈怪', sort: 'w_id' } })).list
  expect(listed.map((w) => w.team)).toEqual(nasty)
  expect(listed.every((w) => /^GR\d{6}$/.test(w.w_id))).toBe(true)
  // What leaves again as a workbook is no formula.
  const out = await cellsOf(await download(server.url, gm, workersApi.export, { keyword: '陈怪' }))
  const team = out[0]!.indexOf('班组')
  expect(out.slice(1).map((r) => r[team])).toEqual([nasty[0], `'${nasty[1]}`, `'${nasty[2]}`, `'${nasty[3]}`])
})

test('sites: facts, people and owner; two with one name, a strange store, a foreign branch, days in the wrong order', async () => {
  const head = sitesImport.columns.map((c) => c.title)
  const site = (name: string, more: Record<string, string> = {}) =>
    sitesImport.columns.map(
      (c) =>
        ({
          ws_name: name,
          bc_id: 'HZ',
          address: '江南大道 1 号',
          plannedStart: '2027/3/1',
          plannedFinish: '2027年6月15日',
          area: '118.5',
          ...more,
        })[c.key] ?? '',
    )
  const [existing] = (await gm.call(sitesApi.list)).list
  const state = await checked(
    server.url,
    gm,
    sitesImport,
    await sheetOf(head, [
      site('新村 1 幢 101', {
        steward_id: 'steward',
        manager_id: 'pm',
        owner: '李女士',
        ownerPhone: '13900139000',
        store_id: '杭州旗舰店',
      }),
      site('新村 1 幢 102'),
      site('新村 1 幢 102'),
      site(existing!.ws_name),
      site('新村 1 幢 103', { store_id: '月球店' }),
      site('新村 1 幢 104', { bc_id: '宁波分公司' }),
      site('新村 1 幢 105', { plannedStart: '2027-07-01' }),
      site('新村 1 幢 106', { plannedStart: '2027-02-30' }),
      site('新村 1 幢 107', { manager_id: 'steward' }),
      site('新村 1 幢 108', { area: '很大' }),
      site('新村 1 幢 109', { ownerPhone: '13900139000' }),
    ]),
  )
  expect(texts(await badRows(gm, sitesImport, state.id))).toEqual({
    4: ['ws_name 与第 3 行重复'],
    5: ['ws_name 库里已有同名的工地'],
    6: ['store_id HZ 没有这个门店'],
    7: ['bc_id 没有这个分公司，或不在您的数据范围内'],
    8: ['plannedFinish 不能早于计划开工'],
    9: ['plannedStart 没有这一天'],
    10: ['manager_id HZ 没有这位项目经理'],
    11: ['area 面积应为数字，最多两位小数'],
    12: ['owner 填了电话，请同时填业主姓名'],
  })
  expect(await stored(gm, sitesImport, state.id)).toMatchObject({ done: 2, bad: 9 })
  const made = (await gm.call(sitesApi.list, { query: { keyword: '新村 1 幢' } })).list
  expect(made.map((s) => s.ws_name).sort()).toEqual(['新村 1 幢 101', '新村 1 幢 102'])
  const first = made.find((s) => s.ws_name.endsWith('101'))!
  // The manager it was given to sees it at once, with its stages and its first line.
  const seen = await (await server.as('pm')).call(sitesApi.details, { query: { id: first.id } })
  expect(seen).toMatchObject({
    status: 2,
    area: '118.50',
    plannedStart: '2027-03-01',
    plannedFinish: '2027-06-15',
    storeName: '杭州旗舰店',
    owner: { name: '李女士', phone: '139****9000' },
  })
  // The stages share the days up to the end that the list names.
  expect(seen.stages.map((s) => s.plannedStart).slice(0, 2)).toEqual(['2027-03-01', '2027-03-11'])
  expect(seen.stages.at(-1)!.plannedFinish).toBe('2027-06-15')
  expect(await server.sql('SELECT title FROM site_events WHERE site_id = $1', [first.id])).toEqual([
    { title: `新增工地 ${first.code}` },
  ])
})

test('the template names its columns, and filled in it is a list', async () => {
  const bytes = await download(server.url, gm, workersImport.api.template)
  expect(await cellsOf(bytes)).toEqual([HEAD])
  const state = await checked(
    server.url,
    gm,
    workersImport,
    await sheetOf((await cellsOf(bytes))[0]!, [workersImport.columns.map((c) => c.example)]),
  )
  expect(state).toMatchObject({ good: 1, bad: 0 })
})
