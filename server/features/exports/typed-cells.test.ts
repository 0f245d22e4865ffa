import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { attendanceApi } from '@zhuguan/contract/features/attendance/attendance.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import { accountsApi } from '@zhuguan/contract/features/users/accounts.api.ts'
import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { entriesOf, textOf } from '../../kit/read-zip.ts'
import { cellsOf, download } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let admin: Person
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.as('admin')
})
afterAll(() => server.stop())

/** The raw cells of the file's first row of data: what they hold and in which form. */
async function rawRow(file: Buffer): Promise<string[]> {
  let sheet = ''
  for await (const piece of textOf(entriesOf(file).get('xl/worksheets/sheet1.xml')!, { left: 10_000_000 }))
    sheet += piece
  const xml = sheet.split('<row>')[2]!
  return [...xml.matchAll(/<c [^>]*>.*?<\/c>/g)].map((m) => m[0])
}

test('a file holds what its list shows: its columns in order, its filters, its sorting; numbers and days as such', async () => {
  const [site] = await server.sql<{ id: string; tenant_id: string }>(
    `SELECT id, tenant_id FROM sites WHERE code = 'GDHZ001'`,
  )
  await server.sql(
    `UPDATE sites SET status = 1, stage = 'plumbing', progress = 30, start_date = '2026-03-05', planned_finish = '2026-09-01',
       no_work = '{2,4}', no_work_run = 5, devices_online = 3, devices_total = 4, tidiness = 2, community = '江南里', address = '3 幢'
     WHERE id = $1`,
    [site!.id],
  )
  const file = await download(server.url, admin, sitesApi.export, { keyword: 'GDHZ001' })
  const [head, first, ...rest] = await cellsOf(file)
  expect(head).toEqual([
    '工地编号',
    '工地名称',
    '状态',
    '有人居住',
    '当前阶段',
    '进度%',
    '未办结报警',
    '连续无人施工',
    '停工天数',
    '业主',
    '门店',
    '项目经理',
    '项目管家',
    '设备在线',
    '整洁度',
    '小区/地址',
    '开工日期',
    '计划完工',
    '分公司',
  ])
  expect(rest).toEqual([])
  const value = Object.fromEntries(head!.map((title, i) => [title, first![i]]))
  expect(value).toMatchObject({
    工地编号: 'GDHZ001',
    状态: '在建',
    当前阶段: '水电',
    '进度%': '30',
    连续无人施工: '连续3-7天、累计10天',
    停工天数: '5',
    设备在线: '3/4',
    整洁度: '良',
    开工日期: '2026-03-05',
    计划完工: '2026-09-01',
    '小区/地址': '江南里 3 幢',
  })
  const raw = await rawRow(file)
  const rawOf = (title: string) => raw[head!.indexOf(title)]
  expect(rawOf('工地编号')).toContain('t="inlineStr"')
  expect(rawOf('进度%')).toBe('<c s="0"><v>30</v></c>')
  // 2026-03-05 is the 46,086th day of Excel.
  expect(rawOf('开工日期')).toBe('<c s="1"><v>46086</v></c>')
})

test('moments are moments of Shanghai, shares are in hundredths, and the order is the list’s', async () => {
  await server.sql(
    `INSERT INTO alarms (tenant_id, id, site_id, bc_id, device_id, type, at, last_seen, confidence, correction_status, verdict, closed_at)
     SELECT d.tenant_id, gen_random_uuid(), d.site_id, d.bc_id, d.id, 'smoking', at, at, c, 4, 'wrong', at + interval '90 minutes'
     FROM (SELECT * FROM devices WHERE type = 'camera' AND site_id IS NOT NULL AND tenant_id = $1 ORDER BY sn LIMIT 1) d,
       (VALUES (timestamptz '2026-05-06 16:30:00+00', 0.875), (timestamptz '2026-05-07 01:00:00+00', 0.5)) v(at, c)`,
    [admin.tenant],
  )
  const [head, ...rows] = await cellsOf(
    await download(server.url, admin, alarmsApi.export, { sort: 'confidence', type: 'smoking' }),
  )
  const of = (title: string) => rows.map((r) => r[head!.indexOf(title)])
  expect(head).not.toContain('抓拍')
  expect(of('时间')).toEqual(['2026-05-07 09:00', '2026-05-07 00:30'])
  expect(of('用时(小时)')).toEqual(['1.5', '1.5'])
  expect(of('置信度')).toEqual(['0.5', '0.88'])
  const down = await cellsOf(
    await download(server.url, admin, alarmsApi.export, { sort: '-confidence', type: 'smoking' }),
  )
  expect(down.slice(1).map((r) => r[head!.indexOf('时间')])).toEqual(['2026-05-07 00:30', '2026-05-07 09:00'])
})

test('a file of accounts hides what their list hides', async () => {
  const rows = await cellsOf(await download(server.url, admin, accountsApi.export))
  const phones = rows.slice(1).map((r) => r[rows[0]!.indexOf('电话')]!)
  expect(phones.filter((p) => /\d{11}/.test(p))).toEqual([])
  expect(phones.some((p) => /^\d{3}\*{4}\d{4}$/.test(p))).toBe(true)
})

test('the sheets of attendance and of days give Excel days, times and numbers too', async () => {
  const [at] = await server.sql<{ site: string; bc: string; worker: string }>(
    `SELECT m.site_id AS site, w.bc_id AS bc, m.worker_id AS worker FROM site_members m
     JOIN sites w ON w.tenant_id = m.tenant_id AND w.id = m.site_id
     WHERE m.tenant_id = $1 ORDER BY m.site_id, m.worker_id LIMIT 1`,
    [admin.tenant],
  )
  const day = '2026-03-05'
  await server.sql(
    `INSERT INTO site_days (tenant_id, day, site_id, bc_id, expected, present, absent) VALUES ($1, $2, $3, $4, 4, 1, 3)
     ON CONFLICT (tenant_id, day, site_id) DO UPDATE SET expected = 4, present = 1, absent = 3`,
    [admin.tenant, day, at!.site, at!.bc],
  )
  await server.sql(
    `INSERT INTO attendance_days (tenant_id, day, site_id, worker_id, bc_id, first_at, last_at, count)
     VALUES ($1, $2, $3, $4, $5, '2026-03-05 08:00+08', '2026-03-05 17:30+08', 2)`,
    [admin.tenant, day, at!.site, at!.worker, at!.bc],
  )
  const rawOf = async (endpoint: Endpoint, more: Record<string, string> = {}) => {
    const file = await download(server.url, admin, endpoint, { from: day, to: day, ...more })
    const [head] = await cellsOf(file)
    const raw = await rawRow(file)
    return Object.fromEntries(
      head!.map((title, i) => [title, raw[i]!.replaceAll(/<\/?c>|<\/?v>|<\/c>/g, '')]),
    )
  }
  // 2026-03-05 is the 46,086th day of Excel, and eight in the morning a third of it.
  const DAY = '<c s="1">46086'
  const FROM = '<c s="2">46086.333333'
  const TO = '<c s="2">46086.729167'
  expect(await rawOf(attendanceApi.export)).toMatchObject({
    日期: DAY,
    首次打卡: FROM,
    末次打卡: TO,
    工时: '<c s="0">9.5',
    打卡次数: '<c s="0">2',
  })
  expect(await rawOf(statisticsApi.siteDaysExport, { site_id: at!.site })).toMatchObject({
    日期: DAY,
    应到: '<c s="0">4',
    实到: '<c s="0">1',
    首次打卡: FROM,
    末次打卡: TO,
    新增报警: '<c s="0">0',
  })
  expect(await rawOf(statisticsApi.dailyExport, { bc_id: at!.bc })).toMatchObject({
    日期: DAY,
    '出勤率%': '<c s="0">25.0',
    新增报警: '<c s="0">0',
  })
  expect(await rawOf(statisticsApi.attendExport, { by: 'branch', bc_id: at!.bc })).toMatchObject({
    应出勤人次: expect.stringContaining('<c s="0">'),
    打卡人次: '<c s="0">1',
    工时: '<c s="0">9.5',
  })
})
