import { deviceStockApi } from '@zhuguan/contract/features/devices/device-stock.api.ts'
import { deviceStockImport } from '@zhuguan/contract/features/devices/device-stock.import.ts'
import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'
import { accountsApi } from '@zhuguan/contract/features/users/accounts.api.ts'
import { accountsImport } from '@zhuguan/contract/features/users/accounts.import.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { report } from '../../testing/device.ts'
import { badRows, checked, sheetOf } from '../../testing/sheets.ts'
import { type Person, sha256, startTestServer, type TestServer } from '../../testing/start.ts'
import { seconds } from '../../testing/time.ts'

/** Imports that hand something over: first passwords, secrets of devices. */
let server: TestServer
let admin: Person
let gm: Person
let keeper: Person
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.as('admin')
  gm = await server.as('branch_gm')
  keeper = await server.as('device_keeper')
})
afterAll(() => server.stop())
const texts = (rows: { row: number; errors: { column: string; text: string }[] }[]) =>
  Object.fromEntries(rows.map((r) => [r.row, r.errors.map((e) => `${e.column} ${e.text}`)]))
const USER = ['账号', '昵称', '角色', '分公司', '门店', '岗位', '电话']

test('accounts: each gets a first password told once, that signs in; nobody gives more than they have', async () => {
  const rows = [
    ['zhang.san', '张三丰', '项目经理', '杭州分公司', '', '项目经理', '13800138001'],
    ['li.si', '李四光', '报价员、营销顾问', 'HZ', '杭州旗舰店', '', ''],
    ['pm', '重名了', '项目经理', '杭州分公司', '', '', ''],
    ['1bad', '坏账号', '项目经理', '杭州分公司', '', '', ''],
    ['wang.wu', '王五行', '太上皇', '杭州分公司', '', '', ''],
    ['zhao.liu', '赵六合', '项目经理', '宁波分公司', '', '', ''],
    ['sun.qi', '孙七巧', '系统管理员', '杭州分公司', '', '', ''],
    ['ZHANG.SAN', '张四丰', '项目经理', '杭州分公司', '', '', ''],
    ['zhou.ba', '周八方', '报价员', '杭州分公司', '', '', ''],
    ['wu.jiu', '吴九州', '项目经理', '杭州分公司', '月球店', '', '123'],
  ]
  const state = await checked(server.url, gm, accountsImport, await sheetOf(USER, rows))
  const bad = texts(await badRows(gm, accountsImport, state.id))
  expect(bad).toMatchObject({
    4: ['userName 这个账号已经有人用了'],
    5: [expect.stringContaining('userName 账号用字母')],
    6: ['roles 没有“太上皇”'],
    7: ['bc_id 没有这个分公司，或不在您的数据范围内'],
    9: ['userName 与第 2 行重复'],
    10: ['stores 这个角色只看得到所属门店的数据，请选择门店'],
    11: ['stores 没有“月球店”', 'phone 电话应为 11 位手机号'],
  })
  // A branch manager cannot make an administrator.
  expect(bad[8]).toHaveLength(1)
  expect(state).toMatchObject({ good: 2, bad: 8 })
  const run = await gm.call(accountsImport.api.run, { body: { id: state.id } })
  expect(run.done).toBe(2)
  expect(run.handed.map((h) => h.name)).toEqual(['zhang.san', 'li.si'])
  for (const { name, secret } of run.handed)
    expect(
      (await server.nobody().ask(sessionApi.login, { body: { username: name, password: sha256(secret) } }))
        .code,
    ).toBe(200)
  expect((await gm.call(accountsImport.api.run, { body: { id: state.id } })).handed).toEqual([])
  const [li] = (await gm.call(accountsApi.list, { query: { keyword: 'li.si' } })).list
  expect(li).toMatchObject({
    mustChange: true,
    stores: [{ name: '杭州旗舰店' }],
    roles: [{ name: '报价员' }, { name: '营销顾问' }],
  })
  // No password stands anywhere in the database.
  for (const { secret } of run.handed)
    expect(
      await server.sql(
        `SELECT 1 FROM import_rows WHERE cells::text LIKE $1 UNION ALL SELECT 1 FROM user_logs WHERE concat(after, beside) LIKE $1`,
        [`%${secret}%`],
      ),
    ).toEqual([])
  expect(await (await server.as('pm')).ask(accountsImport.api.latest)).toMatchObject({ code: 401 })
})

test('devices: each gets a secret told once, with which it reports; known numbers and foreign branches are refused', async () => {
  const head = ['序列号', '类型', '型号', '分公司', '备注']
  const known = server.devices[0]!.sn
  const theirs = server.devices.find((d) => d.sn.includes('-SZ-'))!.sn
  const state = await checked(
    server.url,
    keeper,
    deviceStockImport,
    await sheetOf(head, [
      ['NEW-1', '摄像头', 'EyeSite C6', '杭州分公司', '第一批'],
      ['NEW-2', '摄像头', 'EyeSite C6', '', ''],
      [known, '摄像头', 'EyeSite C6', '', ''],
      ['NEW-1', '摄像头', 'EyeSite C6', '', ''],
      ['坏 号', '摄像头', 'EyeSite C6', '', ''],
      ['NEW-3', '烤箱', 'X', '', ''],
      ['NEW-4', '摄像头', 'EyeSite C6', '宁波分公司', ''],
      // Of the other group: nothing to us, who may stock the same number (docs/decisions/0122).
      [theirs, '摄像头', 'EyeSite C6', '', ''],
    ]),
  )
  expect(texts(await badRows(keeper, deviceStockImport, state.id))).toMatchObject({
    4: ['sn 序列号已经在库'],
    5: ['sn 与第 2 行重复'],
    6: [expect.stringContaining('sn 序列号只能')],
    7: [expect.stringContaining('type 应为：')],
    8: [expect.stringContaining('bc_id 没有这个分公司')],
  })
  const run = await keeper.call(deviceStockImport.api.run, { body: { id: state.id } })
  expect(run).toMatchObject({ done: 3, good: 0, bad: 5 })
  expect(run.handed.map((h) => h.name)).toEqual(['NEW-1', 'NEW-2', theirs])
  const listed = (await keeper.call(deviceStockApi.list, { query: { keyword: 'NEW-' } })).list
  expect(listed.map((d) => [d.sn, d.bc_name]).sort()).toEqual([
    ['NEW-1', '杭州分公司'],
    ['NEW-2', '杭州分公司'],
  ])
  const [first] = run.handed
  expect(
    (
      await report(server.url, { sn: first!.name, secret: first!.secret }, [
        { id: 'hello', kind: 'heartbeat', at: seconds(), frameAt: seconds() },
      ])
    ).status,
  ).toBe(200)
  expect(
    (
      await report(server.url, { sn: first!.name, secret: 'guessed' }, [
        { id: 'again', kind: 'heartbeat', at: seconds(), frameAt: seconds() },
      ])
    ).status,
  ).toBe(401)
  // Who sees the whole group may put devices into the group's own stock.
  const group = await checked(
    server.url,
    admin,
    deviceStockImport,
    await sheetOf(head, [['NEW-9', '路由器', 'LinkBox R2', '', '']]),
  )
  expect((await admin.call(deviceStockImport.api.run, { body: { id: group.id } })).done).toBe(1)
})
