import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let admin: Person
let branch: { bc_id: string; bc_name: string }
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.as('admin')
  const [row] = await server.sql<typeof branch>(
    `SELECT c.bc_id, c.bc_name FROM companies c JOIN users u ON u.bc_id = c.bc_id WHERE u.user_name = 'branch_gm'`,
  )
  branch = row!
})
afterAll(() => server.stop())

const set = async (values: object, bcId?: string) =>
  (await admin.ask(api.settings.update, { body: { bcId, values: values as Record<string, unknown> } })).msg
const now = async (key: string, bcId?: string) =>
  (await admin.call(api.settings.selectByBcId, { body: { bcId } })).settings.find((s) => s.key === key)!.value

test('the group’s hours must fit what a branch has of its own, and the branch’s what it inherits', async () => {
  expect(await set({ workEnd: '18:00' })).toBe('')
  expect(await set({ workStart: '12:00' }, branch.bc_id)).toBe('')
  const named = await set({ workStart: '07:00', workEnd: '11:00' })
  expect(named).toContain(`${branch.bc_name}：12:00–11:00`)
  expect(await now('workEnd')).toBe('18:00')
  // Without the branch's own value the same hours are right for everybody.
  expect(await set({ workStart: null }, branch.bc_id)).toBe('')
  expect(await set({ workStart: '07:00', workEnd: '11:00' })).toBe('')
  // The other way round: what the branch wants does not fit what it inherits.
  expect(await set({ workStart: '08:00' }, branch.bc_id)).toContain('至少晚 4 小时')
  expect(await now('workStart', branch.bc_id)).toBe('07:00')
  // Given back, what is inherited must fit what stays.
  expect(await set({ workStart: '12:00', workEnd: '18:00' }, branch.bc_id)).toBe('')
  expect(await set({ workEnd: null }, branch.bc_id)).toContain('至少晚 4 小时')
  expect(await set({ workStart: null, workEnd: null }, branch.bc_id)).toBe('')
  expect(await set({ workStart: null, workEnd: null })).toBe('')
})

test('no kind of alarm is demoted and promoted by one rate: group, branch, and both together', async () => {
  expect(await set({ trustPromote: 80 })).toContain('应低于')
  expect(await set({ trustDemote: 60, trustPromote: 60 })).toContain('应低于')
  expect(await set({ trustPromote: 55 }, branch.bc_id)).toBe('')
  const named = await set({ trustDemote: 40 })
  expect(named).toContain(`${branch.bc_name}：达到 40% 转为需人工看，低于 55% 恢复通知`)
  expect(await now('trustDemote')).toBe(60)
  expect(await set({ trustDemote: 70, trustPromote: 20 })).toBe('')
})

test('who has not seen what another set meanwhile saves nothing; other values are in nobody’s way', async () => {
  const hq = await server.as('admin')
  const save = (who: Person, values: object, seen: object) =>
    who.ask(api.settings.update, { body: { values: values as never, seen: seen as never } })
  const was = { answerHours: await now('answerHours'), rankSize: await now('rankSize') }
  expect((await save(admin, { answerHours: 30 }, { answerHours: was.answerHours })).code).toBe(200)
  const late = await save(hq, { answerHours: 50, rankSize: 12 }, was)
  expect(late.code).toBe(409)
  expect(late.msg).toMatch(/^判定期限（.+ 于 \d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)? 改过），请看过再保存$/)
  expect(late.data).toMatchObject({ fields: { answerHours: expect.stringContaining('改过') } })
  expect([await now('answerHours'), await now('rankSize')]).toEqual([30, was.rankSize])
  expect((await save(hq, { rankSize: 12 }, { rankSize: was.rankSize })).code).toBe(200)
  expect((await save(hq, { answerHours: 50 }, { answerHours: 30 })).code).toBe(200)
  // Lists are compared by what is in them; two at once are one.
  const days = [{ day: '2027-10-01', rest: true }]
  expect((await save(admin, { calendar: '2027-10-01 休' }, { calendar: await now('calendar') })).code).toBe(
    200,
  )
  expect(await now('calendar')).toMatchObject(days)
  const seen = { calendar: await now('calendar') }
  const both = await Promise.all(
    [admin, hq].map((who, i) => save(who, { calendar: `2027-10-0${i + 2} 休` }, seen)),
  )
  expect(both.map((a) => a.code).sort()).toEqual([200, 409])
  await save(admin, { answerHours: null, calendar: null, rankSize: null }, {})
})
