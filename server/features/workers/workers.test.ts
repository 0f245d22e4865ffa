import { attendanceApi } from '@zhuguan/contract/features/attendance/attendance.api.ts'
import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { documentsApi } from '@zhuguan/contract/features/workers/documents.api.ts'
import { staysApi } from '@zhuguan/contract/features/workers/stays.api.ts'
import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import type { WorkerRow } from '@zhuguan/contract/features/workers/workers.record.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { report } from '../../testing/device.ts'
import { plainJpeg, uploadPhoto } from '../../testing/photo.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { testNow, testTime } from '../../testing/time.ts'
import { toldLog } from '../../testing/told-log.ts'

let server: TestServer
let gm: Person
let pm: Person
let terminal: TestServer['devices'][number]
const today = shanghaiDay(testNow())
beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  pm = await server.as('pm')
  const mine = new Set(
    (await pm.call(sitesApi.list, { query: { pageSize: 100, status: '1' } })).list.map((s) => s.id),
  )
  terminal = server.devices.find(
    (d) => d.type === 'faceTerminal' && d.workers.length > 4 && mine.has(d.site),
  )!
})
afterAll(() => server.stop())

const list = async (who: Person, query: object) => who.call(workersApi.list, { query: query })
const one = async (who: Person, w_id: string): Promise<WorkerRow> =>
  (await list(who, { keyword: w_id })).list.find((w) => w.w_id === w_id)!
const bc = async (code: string) =>
  (await server.sql<{ bc_id: string }>('SELECT bc_id FROM companies WHERE code = $1', [code]))[0]!.bc_id
const logged = (action: string) => toldLog(server, 'action = $1', [action])
const photo = () => plainJpeg('#b98', { width: 300, height: 300 })
const uploaded = async (who: Person) => uploadPhoto(server.url, who, await photo())
const picture = (who: Person, key: string) => who.ask(filesApi.get, { query: { key } })

test('a branch sees its people, a manager those of their own sites; filters narrow and pages add up', async () => {
  const all = await list(gm, {})
  expect(all.totalCount).toBe(140)
  const mine = await list(pm, { pageSize: 100 })
  expect(mine.totalCount).toBeGreaterThan(10)
  expect(mine.totalCount).toBeLessThan(140)
  const [{ n }] = (await server.sql<{ n: string }>(
    `WITH own AS (SELECT w.* FROM sites w JOIN users u ON u.id = w.manager_id WHERE u.user_name = 'pm')
     SELECT count(*) AS n FROM (
       SELECT m.worker_id FROM site_members m JOIN own ON own.id = m.site_id
       UNION SELECT k.id FROM workers k JOIN own ON k.user_id IN (own.manager_id, own.steward_id)) x`,
  )) as [{ n: string }]
  expect(mine.totalCount).toBe(Number(n))
  expect((await list(await server.as('hq_ops'), {})).totalCount).toBe(230)
  const tilers = await list(gm, { w_type: '3', pageSize: 100 })
  expect(tilers.list.every((w) => w.w_type === 3)).toBe(true)
  expect((await list(gm, { site_id: terminal.site, pageSize: 100 })).list.map((w) => w.w_id).sort()).toEqual(
    [...terminal.workers].sort(),
  )
  expect((await list(gm, { w_sex: '1' })).totalCount + (await list(gm, { w_sex: '2' })).totalCount).toBe(140)
  expect((await list(gm, { sort: '-w_id' })).list[0]!.w_id).toBe('HZ0140')
  expect((await list(gm, { keyword: 'hz0007' })).list.map((w) => w.w_id)).toEqual(['HZ0007'])
})

test('today: who clocked in, who was expected, who is expected nowhere', async () => {
  const [first] = terminal.workers
  await report(server.url, terminal, [
    {
      id: 'today',
      kind: 'clockin',
      at: Math.max(startOfDay(today).getTime() / 1000 + 60, Math.floor(testTime() / 1000) - 60),
      w_id: first,
      direction: 'in',
    },
  ])
  expect((await one(gm, first!)).today).toBe(1)
  expect(await one(gm, first!)).toMatchObject({ monthDays: 1 })
  expect((await one(gm, terminal.workers[1]!)).today).toBe(2)
  expect((await one(gm, 'HZ0140')).today).toBeNull()
  expect((await list(gm, { today: '1' })).list.map((w) => w.w_id)).toEqual([first])
  const absent = await list(gm, { today: '2', pageSize: 100 })
  expect(absent.list.every((w) => w.today === 2)).toBe(true)
  // Every person of a building site but the one who came, as the attendance page counts them.
  expect(absent.totalCount).toBe(
    (await gm.call(attendanceApi.list, { query: { attendance: '2', bc_id: await bc('HZ') } })).totalCount,
  )
})

test('phones: whole for who may read them, hidden for the others; one at a time with a reason, and logged', async () => {
  const whole = (await one(gm, 'HZ0001')).w_contact
  expect(whole).toMatch(/^1\d{10}$/)
  const hq = await server.as('hq_ops')
  const masked = await one(hq, 'HZ0001')
  expect(masked.w_contact).toBe(`${whole.slice(0, 3)}****${whole.slice(7)}`)
  expect((await hq.ask(workersApi.details, { query: { id: masked.id } })).text).not.toContain(whole)
  expect((await hq.ask(workersApi.export, { query: {} })).status).toBe(200)
  // Nor can it be guessed by searching for it.
  expect((await list(hq, { keyword: whole })).totalCount).toBe(0)
  expect((await list(gm, { keyword: whole })).list.map((w) => w.w_id)).toContain('HZ0001')
  expect(await hq.ask(workersApi.phone, { body: { id: masked.id, reason: '' } })).toMatchObject({
    code: 400,
    msg: expect.stringContaining('原因'),
  })
  expect(await hq.call(workersApi.phone, { body: { id: masked.id, reason: '核实工伤' } })).toEqual({
    phone: whole,
  })
  expect((await logged('查看完整电话'))[0]).toMatchObject({
    user_name: 'hq_ops',
    object_id: masked.id,
    after: { reason: '核实工伤', w_id: 'HZ0001' },
  })
  expect(
    await (await server.as('inspector')).ask(workersApi.phone, { body: { id: masked.id, reason: '想看看' } }),
  ).toMatchObject({ code: 401 })
})

test('added with a number of its own or a made one; a number stands once; edits keep a phone that was not seen', async () => {
  const hz = await bc('HZ')
  const made = await gm.call(workersApi.add, {
    body: { w_name: '王新来', bc_id: hz, w_type: 3, w_contact: '13800138000', team: '瓦工一班' },
  })
  expect(made.w_id).toMatch(/^GR\d{6}$/)
  expect(
    await gm.ask(workersApi.add, {
      body: { w_id: 'HZ0001', w_name: '王重复', bc_id: hz, w_type: 3 },
    }),
  ).toMatchObject({ code: 400, data: { fields: { w_id: '工号 HZ0001 已被使用' } } })
  expect(await gm.ask(workersApi.add, { body: { w_name: '王', bc_id: hz, w_type: 9 } })).toMatchObject({
    code: 400,
  })
  expect(
    await gm.ask(workersApi.add, {
      body: { w_name: '王电话', bc_id: hz, w_type: 3, w_contact: '123' },
    }),
  ).toMatchObject({ code: 400, msg: expect.stringContaining('联系方式') })
  expect(
    await gm.ask(workersApi.add, { body: { w_name: '王外地', bc_id: await bc('NB'), w_type: 3 } }),
  ).toMatchObject({ status: 403 })
  const row = await one(gm, made.w_id)
  expect(row).toMatchObject({
    w_name: '王新来',
    team: '瓦工一班',
    w_contact: '13800138000',
    version: 0,
    ws_names: '',
    today: null,
  })
  await gm.call(workersApi.edit, {
    body: { id: row.id, version: 0, w_name: '王新生', bc_id: hz, w_type: 4, w_sex: 2, team: '' },
  })
  expect(await one(gm, made.w_id)).toMatchObject({
    w_name: '王新生',
    w_type: 4,
    w_sex: 2,
    w_contact: '13800138000',
    version: 1,
  })
  expect(
    await gm.ask(workersApi.edit, {
      body: { id: row.id, version: 0, w_name: '后来的', bc_id: hz, w_type: 4 },
    }),
  ).toMatchObject({ code: 409 })
})

test('sent to a site and taken off again: the day expects them from then on, and every step is told', async () => {
  const { w_id } = await gm.call(workersApi.add, {
    body: { w_name: '赵派遣', bc_id: await bc('HZ'), w_type: 3 },
  })
  const { id } = await one(gm, w_id)
  const expected = async (day: string) =>
    Number(
      (
        await server.sql<{ expected: number }>(
          'SELECT expected FROM site_days WHERE site_id = $1 AND day = $2',
          [terminal.site, day],
        )
      )[0]?.expected ?? 0,
    )
  const before = await expected(today)
  const yesterday = addDays(today, -1)
  expect(
    await gm.ask(workersApi.send, { body: { id, site_id: terminal.site, day: addDays(today, -30) } }),
  ).toMatchObject({ code: 400, data: { fields: { day: expect.stringContaining('进场日期') } } })
  await gm.call(workersApi.send, { body: { id, site_id: terminal.site, day: yesterday } })
  expect(await expected(today)).toBe(before + 1)
  expect(await one(gm, w_id)).toMatchObject({ ws_names: terminal.siteName, today: 2 })
  expect(await gm.ask(workersApi.send, { body: { id, site_id: terminal.site, day: today } })).toMatchObject({
    code: 400,
    msg: expect.stringContaining('已经在'),
  })
  // The manager of the site sees them now, and may take them off.
  await pm.call(workersApi.recall, { body: { id, site_id: terminal.site, day: yesterday } })
  expect(await expected(today)).toBe(before)
  expect(await one(gm, w_id)).toMatchObject({ ws_names: '', today: null })
  expect(await pm.ask(workersApi.recall, { body: { id, site_id: terminal.site, day: today } })).toMatchObject(
    { code: 400, msg: expect.stringContaining('不在') },
  )
  // Back on the day after: the stay goes on, it is not a second one.
  await gm.call(workersApi.send, { body: { id, site_id: terminal.site, day: today } })
  expect((await gm.call(workersApi.details, { query: { id } })).sites).toMatchObject([
    { site_id: terminal.site, enteredOn: yesterday, leftOn: null, days: 0 },
  ])
  // Who was to come tomorrow and is called back has never been sent.
  await gm.call(workersApi.recall, { body: { id, site_id: terminal.site, day: today } })
  const [other] = await server.sql<{ id: string }>(
    'SELECT id FROM sites WHERE status = 1 AND bc_id = $1 AND id <> $2 ORDER BY code LIMIT 1',
    [await bc('HZ'), terminal.site],
  )
  const tomorrow = addDays(today, 1)
  await gm.call(workersApi.send, { body: { id, site_id: other!.id, day: tomorrow } })
  const sites = async () =>
    (await gm.call(workersApi.details, { query: { id } })).sites.map((s) => [s.site_id, s.enteredOn])
  expect(await sites()).toContainEqual([other!.id, tomorrow])
  await gm.call(workersApi.recall, { body: { id, site_id: other!.id, day: today } })
  expect(await sites()).toEqual([[terminal.site, yesterday]])
  const [terminated] = await server.sql<{ id: string }>(
    'SELECT id FROM sites WHERE status = 3 AND bc_id = $1',
    [await bc('HZ')],
  )
  expect(await gm.ask(workersApi.send, { body: { id, site_id: terminated!.id, day: today } })).toMatchObject({
    code: 400,
    msg: expect.stringContaining('合同终止'),
  })
  const [nb] = await server.sql<{ id: string }>('SELECT id FROM sites WHERE status = 1 AND bc_id = $1', [
    await bc('NB'),
  ])
  expect(
    await (await server.as('admin')).ask(workersApi.send, { body: { id, site_id: nb!.id, day: today } }),
  ).toMatchObject({ code: 400, msg: expect.stringContaining('同一个分公司') })
  expect(
    (
      await server.sql(`SELECT title FROM site_events WHERE site_id = $1 AND ref_id = $2`, [
        terminal.site,
        id,
      ])
    ).length,
  ).toBe(4)
  expect(await logged('派往工地')).toHaveLength(3)
})

test('the calendar tells days of work, days missed, and nothing of the others', async () => {
  const w_id = terminal.workers[4]!
  const { id } = await one(gm, w_id)
  const day = (ago: number) => addDays(today, -ago)
  const at = (ago: number, hour: number) => startOfDay(day(ago)).getTime() / 1000 + hour * 3_600
  await server.sql('UPDATE sites SET start_date = $2 WHERE id = $1', [terminal.site, day(30)])
  await server.sql('UPDATE site_members SET entered_on = $2 WHERE site_id = $1 AND worker_id = $3', [
    terminal.site,
    day(5),
    id,
  ])
  await report(server.url, terminal, [
    { id: 'c1', kind: 'clockin', at: at(2, 8), w_id, direction: 'in' },
    { id: 'c2', kind: 'clockin', at: at(2, 17.5), w_id, direction: 'out' },
    { id: 'c3', kind: 'clockin', at: at(3, 8), w_id, direction: 'in' },
  ])
  await report(server.url, terminal, [
    { id: 'c4', kind: 'clockin', at: at(4, 8), w_id: terminal.workers[1], direction: 'in' },
  ])
  await server.sql('UPDATE site_days SET rest = true WHERE day = $1', [day(4)])
  const days = await gm.call(workersApi.calendar, { query: { id, from: day(10), to: day(2) } })
  expect(days).toEqual([
    { day: day(3), came: true, hours: null, sites: 1 },
    { day: day(2), came: true, hours: 9.5, sites: 1 },
  ])
  await server.sql('UPDATE site_days SET rest = false WHERE day = $1', [day(4)])
  expect((await gm.call(workersApi.calendar, { query: { id, from: day(10), to: day(1) } }))[0]).toEqual({
    day: day(4),
    came: false,
    hours: null,
    sites: 0,
  })
  expect(await gm.ask(workersApi.calendar, { query: { id, from: '2020-01-01', to: today } })).toMatchObject({
    code: 400,
  })
  expect(
    await (await server.as('pm2')).ask(workersApi.calendar, { query: { id, from: day(10), to: day(1) } }),
  ).toMatchObject({ status: 403 })
  expect((await gm.call(workersApi.details, { query: { id } })).last).toMatchObject({
    site_id: terminal.site,
    at: at(2, 17.5),
  })
})

test('documents: masked, whole for a reason, in their own reach, gone with their picture', async () => {
  const [worker] = await server.sql<{ id: string; own: string }>(
    `SELECT k.id, k.w_name AS own FROM workers k
     JOIN site_members m ON m.tenant_id = k.tenant_id AND m.worker_id = k.id AND m.left_on IS NULL
     JOIN sites w ON w.tenant_id = m.tenant_id AND w.id = m.site_id
     JOIN users u ON u.tenant_id = w.tenant_id AND u.id = w.manager_id AND u.user_name = 'pm'
     WHERE k.w_type = 3 ORDER BY k.w_id LIMIT 1`,
  )
  const worker_id = worker!.id
  const papers = (who: Person) => who.call(documentsApi.list, { query: { worker_id } })
  const key = await uploaded(pm)
  const facts = { kind: 'welder', validUntil: addDays(today, 30), picture: key } as const
  const { id } = await pm.call(documentsApi.add, { body: { worker_id, number: 'HG-20260001', ...facts } })
  const same = { worker_id, number: 'HG-20260001', kind: 'welder' } as const
  expect(await gm.ask(documentsApi.add, { body: same })).toMatchObject({
    code: 400,
    msg: expect.stringContaining('已经登记过'),
  })
  const mine = (await papers(pm)).find((d) => d.id === id)!
  expect(mine).toMatchObject({ number: 'HG-****0001', picture: key, state: 2 })

  // Somebody who opens the page and has no right to documents sees neither number nor picture.
  const hq = await server.as('hq_ops')
  expect((await papers(hq)).find((d) => d.id === id)).toMatchObject({ number: 'HG-****0001', picture: null })
  expect((await picture(hq, key)).code).toBe(403)
  expect((await hq.ask(documentsApi.number, { body: { id, reason: '想看' } })).code).toBe(401)
  expect((await picture(gm, key)).status).toBe(200)
  const elsewhere = await server.as('branch_gm2')
  expect((await picture(elsewhere, key)).code).toBe(403)
  expect((await elsewhere.ask(documentsApi.list, { query: { worker_id } })).code).not.toBe(200)

  expect(await gm.call(documentsApi.number, { body: { id, reason: '核对证书' } })).toEqual({
    number: 'HG-20260001',
  })
  expect((await logged('查看证件号码'))[0]).toMatchObject({ object_id: id, after: { reason: '核对证书' } })

  // The person who is in the list by what ends.
  const found = (await list(gm, { document: 2, pageSize: 100 })).list.some((w) => w.id === worker_id)
  expect(found).toBe(true)

  // An old version changes nothing; a new picture takes the old one along.
  const next = await uploaded(gm)
  const edit = { id, kind: 'welder', validUntil: addDays(today, -1), picture: next } as const
  await gm.call(documentsApi.edit, { body: { ...edit, version: 0 } })
  expect((await gm.ask(documentsApi.edit, { body: { ...edit, version: 0 } })).code).toBe(409)
  expect((await picture(pm, key)).code).not.toBe(200)
  expect((await papers(gm)).find((d) => d.id === id)).toMatchObject({ number: 'HG-****0001', state: 3 })
  await gm.call(documentsApi.del, { body: { id, version: 1, reason: '录错了人' } })
  expect((await papers(gm)).some((d) => d.id === id)).toBe(false)
  expect((await picture(gm, next)).code).not.toBe(200)
  const told = await server.sql<{ line: string }>(
    `SELECT concat(before, after, beside) AS line FROM user_logs WHERE object = 'document'`,
  )
  expect(told.length).toBeGreaterThan(3)
  expect(told.some(({ line }) => line.includes('20260001'))).toBe(false)
})

test('experience: each time on a site with its days and score; the map of a day in its order', async () => {
  const w_id = terminal.workers.at(-1)!
  const site_id = terminal.site
  const worker_id = (await one(gm, w_id)).id
  const came = addDays(today, -3)
  const at = (hour: number) => startOfDay(came).getTime() / 1_000 + hour * 3_600
  await report(server.url, terminal, [
    { id: 'e2', kind: 'clockin', at: at(17), w_id, direction: 'out' },
    { id: 'e1', kind: 'clockin', at: at(8), w_id, direction: 'in' },
  ])
  const experience = async (who: Person) => (await who.call(staysApi.list, { query: { worker_id } })).list
  const before = (await experience(pm)).find((s) => s.site_id === site_id)!
  const [own] = await server.sql<{ days: number }>(
    `SELECT count(*)::int AS days FROM attendance_days a JOIN site_members m
       ON m.site_id = a.site_id AND m.worker_id = a.worker_id AND a.day >= m.entered_on
     WHERE a.worker_id = $1 AND a.site_id = $2 AND m.left_on IS NULL`,
    [worker_id, site_id],
  )
  expect(own!.days).toBeGreaterThan(0)
  expect(before).toMatchObject({ leftOn: null, score: null, days: own!.days })

  const track = await gm.call(staysApi.track, { query: { worker_id, day: came } })
  expect(track.map((p) => p.at)).toEqual([at(8), at(17)])
  expect(track.some((p) => p.site_id === site_id && p.lng! > 100)).toBe(true)

  const off = { id: worker_id, site_id, day: today }
  expect((await pm.ask(workersApi.recall, { body: { ...off, score: 6 } })).code).toBe(400)
  await pm.call(workersApi.recall, { body: { ...off, score: 4 } })
  const after = (await experience(pm)).find((s) => s.site_id === site_id)!
  expect(after).toMatchObject({ leftOn: today, score: 4, scoredBy: expect.stringMatching(/./) })
  const worker = await gm.call(workersApi.details, { query: { id: worker_id } })
  expect(worker.score).toEqual({ mean: 4, n: 1 })
  const elsewhere = await server.as('branch_gm2')
  expect((await elsewhere.ask(staysApi.list, { query: { worker_id } })).code).not.toBe(200)
  expect((await elsewhere.ask(staysApi.track, { query: { worker_id, day: came } })).code).not.toBe(200)
})
