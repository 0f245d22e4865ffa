import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { usersApi } from '@zhuguan/contract/features/users/users.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { report } from '../../testing/device.ts'
import { plainJpeg, uploadPhoto } from '../../testing/photo.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { seconds } from '../../testing/time.ts'

let server: TestServer
let pm: Person
let steward: Person
let mine: TestServer['devices'][number]
let n = 0

beforeAll(async () => {
  server = await startTestServer()
  pm = await server.as('pm')
  steward = await server.as('steward')
  const sites = await pm.call(sitesApi.list, { query: { pageSize: 100 } })
  mine = server.devices.find((d) => d.type === 'camera' && sites.list.some((s) => s.id === d.site))!
})
afterAll(() => server.stop())

const raise = async (type: string, device = mine) => {
  const answer = await report(server.url, device, [
    { id: `a${++n}`, kind: 'alarm', at: seconds() - 5, type, confidence: 0.9 },
  ])
  expect(answer.data).toMatchObject({ accepted: 1, duplicate: 0, rejected: [] })
  return (
    await pm.call(alarmsApi.list, {
      query: { type: [type as 'smoking'], correctionStatus: [1], device_id: undefined },
    })
  ).list[0]!
}
const photo = async (person: Person) => uploadPhoto(server.url, person, await plainJpeg('#888'))
const idOf = async (person: Person, site: string, name: string) =>
  (await person.call(usersApi.pick, { query: { site_id: site } })).find((u) => u.post.includes(name))!.id

test('an alarm is assigned, corrected with a picture and verified by a second person; the first cannot', async () => {
  const alarm = await raise('smoking')
  const one = async () => pm.call(alarmsApi.details, { query: { id: alarm.id } })
  const manager = await idOf(pm, alarm.site_id, '项目经理')
  const stewards = await steward.call(alarmsApi.list, { query: { id: alarm.id } })
  expect(stewards.totalCount).toBe(1)
  await pm.call(alarmsApi.assign, { body: { id: alarm.id, version: alarm.version, assignee_id: manager } })
  let now = await one()
  expect(now).toMatchObject({ correctionStatus: 2, step: 'assigned', verdict: 'real', assignee_id: manager })
  expect(now.dueAt! - seconds()).toBeGreaterThan(23 * 3600)
  await pm.call(alarmsApi.start, { body: { id: alarm.id, version: now.version } })
  const key = await photo(pm)
  now = await one()
  await pm.call(alarmsApi.submit, {
    body: { id: alarm.id, version: now.version, pictures: [key], text: '已劝阻' },
  })
  now = await one()
  const own = await pm.ask(alarmsApi.pass, { body: { id: alarm.id, version: now.version } })
  expect(own).toMatchObject({ code: 409, msg: '整改人不能复核自己的整改，请由他人复核' })
  expect((await one()).version).toBe(now.version)
  await steward.call(alarmsApi.pass, { body: { id: alarm.id, version: now.version } })
  now = await one()
  expect(now).toMatchObject({ correctionStatus: 3 })
  // Its file says nothing of when it was taken: the moment of the upload is not given for it.
  expect(now.photos).toEqual([{ key, uploadedAt: expect.any(Number), takenAt: null }])
  expect(now.log.map((l) => l.action)).toEqual(['指派', '开始整改', '提交整改照片', '复核通过'])
  expect(now.log[0]!.text).toBe(now.assigneeName)
  const logged = await server.sql<{ action: string }>(
    'SELECT action FROM user_logs WHERE object = $1 AND object_id = $2 ORDER BY id',
    ['alarm', alarm.id],
  )
  expect(logged.map((l) => l.action)).toEqual(['指派', '开始整改', '提交整改照片', '复核通过'])
})

test('of two people who act on the same version one wins, and nothing happens twice', async () => {
  const alarm = await raise('noclothes')
  const manager = await idOf(pm, alarm.site_id, '项目经理')
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      pm.ask(alarmsApi.assign, { body: { id: alarm.id, version: alarm.version, assignee_id: manager } }),
    ),
  )
  expect(answers.filter((a) => a.code === 200)).toHaveLength(1)
  for (const a of answers.filter((x) => x.code !== 200))
    expect(a).toMatchObject({ code: 409, msg: expect.stringMatching(/^已被 .+ 于 .+ 处理/) })
  const [{ count }] = (await server.sql<{ count: string }>(
    'SELECT count(*) FROM alarm_logs WHERE alarm_id = $1',
    [alarm.id],
  )) as [{ count: string }]
  expect(Number(count)).toBe(1)
})

test('the other branch and the other tenant never see it, by list, by id or by command', async () => {
  const alarm = await raise('cameraproblem')
  for (const name of ['pm2', 'branch_gm2', 'other', 'other_pm']) {
    const stranger = await server.as(name)
    const list = await stranger.ask(alarmsApi.list, { query: { id: alarm.id } })
    expect(list.data.totalCount, name).toBe(0)
    const details = await stranger.ask(alarmsApi.details, { query: { id: alarm.id } })
    expect([details.status, details.code], name).toEqual([403, 403])
    const never = await stranger.ask(alarmsApi.details, {
      query: { id: '01900000-0000-7000-8000-000000000000' },
    })
    expect(never.msg).toBe(details.msg)
    const command = await stranger.ask(alarmsApi.cancel, {
      body: { id: alarm.id, version: alarm.version, cause: 'wrong', reason: '不存在' },
    })
    expect(command.status, name).toBe(403)
  }
  expect((await pm.call(alarmsApi.details, { query: { id: alarm.id } })).correctionStatus).toBe(1)
})

test('a camera and type have one open alarm, which counts; once closed the next is a new one', async () => {
  const device = server.devices.filter((d) => d.type === 'camera' && d.site === mine.site).at(-1)!
  const at = seconds() - 100
  await report(
    server.url,
    device,
    [1, 2, 3].map((i) => ({ id: `c${i}`, kind: 'alarm', at: at + i, type: 'smoking', confidence: 0.8 })),
  )
  const rows = await server.sql<{ id: string; seen: number; version: number }>(
    'SELECT id, seen, version FROM alarms a WHERE device_id = (SELECT id FROM devices WHERE sn = $1)',
    [device.sn],
  )
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({ seen: 3 })
  await pm.call(alarmsApi.cancel, {
    body: { id: rows[0]!.id, version: 0, cause: 'wrong', reason: '画面里没有人' },
  })
  await report(server.url, device, [
    { id: 'c4', kind: 'alarm', at: at + 4, type: 'smoking', confidence: 0.8 },
  ])
  const after = await server.sql<{ n: string }>(
    'SELECT count(*) AS n FROM alarms WHERE device_id = (SELECT id FROM devices WHERE sn = $1)',
    [device.sn],
  )
  expect(Number(after[0]!.n)).toBe(2)
  const gm = await server.as('branch_gm')
  const reopened = await gm.ask(alarmsApi.reopen, {
    body: { id: rows[0]!.id, version: 1, reason: '再看一次' },
  })
  expect(reopened).toMatchObject({ code: 409, msg: '这台摄像头已有一条同类未结报警，请处理那一条' })
})

test('a closed alarm comes back only within the branch’s days', async () => {
  const device = server.devices.filter((d) => d.type === 'camera' && d.site === mine.site).at(-1)!
  await report(server.url, device, [
    { id: 'reopen', kind: 'alarm', at: seconds() - 3, type: 'noclothes', confidence: 0.8 },
  ])
  const [{ id, bc }] = (await server.sql<{ id: string; bc: string }>(
    'SELECT a.id, a.bc_id AS bc FROM alarms a JOIN devices d ON d.id = a.device_id WHERE d.sn = $1 AND a.type = $2',
    [device.sn, 'noclothes'],
  )) as [{ id: string; bc: string }]
  const one = () => pm.call(alarmsApi.details, { query: { id } })
  const gm = await server.as('branch_gm')
  const reopen = async () =>
    gm.ask(alarmsApi.reopen, { body: { id, version: (await one()).version, reason: '又出现了' } })
  await pm.call(alarmsApi.cancel, {
    body: { id, version: (await one()).version, cause: 'wrong', reason: '看错了' },
  })
  await server.sql(`UPDATE alarms SET closed_at = :now - interval '8 days' WHERE id = $1`, [id])
  expect(await reopen()).toMatchObject({
    code: 409,
    msg: '已结束超过 7 天，不能重新打开；再次出现时会有新的报警',
  })
  await server.sql(
    `INSERT INTO settings (tenant_id, bc_id, key, value) VALUES ($1, $2, 'reopenDays', '10')`,
    [pm.tenant, bc],
  )
  expect((await reopen()).code).toBe(200)
  expect(await one()).toMatchObject({ correctionStatus: 1, reopenUntil: null })
})

test('a batch does the eligible rows and names the others', async () => {
  const open = (await pm.call(alarmsApi.list, { query: { pageSize: 100 } })).list
  const answer = await pm.call(alarmsApi.cancelMany, {
    body: { alarms: open.map(({ id, version }) => ({ id, version })), cause: 'wrong', reason: '批量清理' },
  })
  // What is being corrected is a supervisor's to cancel, and a manager is none.
  const eligible = open.filter((a) => a.correctionStatus === 1)
  expect(answer.done).toBe(eligible.length)
  expect(answer.skipped).toHaveLength(open.length - eligible.length)
  for (const s of answer.skipped) expect(s.why).toMatch(/当前为“/)
})

test('bad input gets a clear sentence and changes nothing', async () => {
  const cases: [object, RegExp][] = [
    [{ pageNo: 0 }, /页码/],
    [{ pageSize: 10_000 }, /每页最多 100 条/],
    [{ sort: 'secret' }, /排序只能是/],
    [{ type: 'fire' }, /报警类型/],
    [{ site_id: 'x' }, /工地/],
  ]
  for (const [query, msg] of cases)
    expect(await pm.ask(alarmsApi.list, { query: query })).toMatchObject({
      status: 200,
      code: 400,
      msg: expect.stringMatching(msg),
    })
})

test('the export is a workbook of the filtered rows and is logged', async () => {
  const answer = await pm.ask(alarmsApi.export, { query: { correctionStatus: [4] } })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toContain('spreadsheetml')
  expect(answer.text.startsWith('PK')).toBe(true)
  expect(await server.sql(`SELECT 1 FROM user_logs WHERE action = '导出报警事件'`)).toHaveLength(1)
})
