import { randomUUID } from 'node:crypto'

import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import { homeApi } from '@zhuguan/contract/features/home/home.api.ts'
import { notificationsApi } from '@zhuguan/contract/features/notifications/notifications.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, startOfDay } from '../../kit/shanghai.ts'
import type { Scope } from '../../kit/tx.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { remind } from '../notifications/reminders.service.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { examineReminders } from './examine-reminders.service.ts'
import { askExamine, withdrawExamine } from './examine.service.ts'

let server: TestServer
let examiner: Person
let quoter: Person
let ours: { id: string; tenant: string; nickname: string; bc_id: string; store_id: string }
let elsewhere: { bc_id: string; store_id: string }

beforeAll(async () => {
  server = await startTestServer()
  ;[examiner, quoter] = [await server.as('examiner'), await server.as('quoter')]
  const [mine] = await server.sql<typeof ours>(
    `SELECT u.id, u.tenant_id AS tenant, u.nickname, t.bc_id, t.id AS store_id
     FROM users u JOIN user_stores k ON k.user_id = u.id JOIN stores t ON t.id = k.store_id
     WHERE u.user_name = 'quoter' LIMIT 1`,
  )
  ours = mine!
  const [other] = await server.sql<typeof elsewhere>(
    `SELECT t.bc_id, t.id AS store_id
     FROM stores t JOIN companies c ON c.bc_id = t.bc_id WHERE c.code = 'NB' LIMIT 1`,
  )
  elsewhere = other!
})
afterAll(() => server.stop())

/** The quoter, as a feature that keeps quotations calls in their name. */
function submitting() {
  const { id, tenant, nickname } = ours
  const scope: Scope = { tenant, user: id, bcs: null, sites: [], stores: [ours.store_id] }
  const user = {
    id,
    tenant,
    nickname,
    scope,
    userName: 'quoter',
    roles: ['quoter'],
    permissions: [],
    standsFor: [],
    pages: [],
    holdings: [],
    branchOf: new Map(),
    mustChange: false,
    tokenHash: Buffer.alloc(0),
    version: '',
    knownAt: 0,
  }
  return { user, now: () => server.now(), newId: () => randomUUID() }
}
const submit = (object_id: string, more: Partial<Parameters<typeof askExamine>[2]> = {}) =>
  server.db.tx(submitting().user.scope, (tx) =>
    askExamine(tx, submitting(), {
      kind: 'quotation',
      object_id,
      bc_id: ours.bc_id,
      store_id: ours.store_id,
      number: 'BJHZ202600001',
      summary: '王女士 江南里 110 ㎡',
      amount: '128000.50',
      hash: 'h1',
      ...more,
    }),
  )
const takeBack = (object_id: string) =>
  server.db.tx(submitting().user.scope, (tx) =>
    withdrawExamine(tx, submitting(), { kind: 'quotation', object_id }),
  )
const queue = async (who: Person, query: object = {}) =>
  (await who.call(examineApi.list, { query: { pageSize: 100, ...query } })).list
const heard = async (who: Person) =>
  (await who.call(notificationsApi.list)).list.filter((n) => !n.read).map((n) => n.title)

test('submitted, it waits for who may judge it, who is told; whose it is reads it and judges nothing', async () => {
  const { id } = await submit(randomUUID())
  const [row] = await queue(examiner, { todo: true, id })
  expect(row).toMatchObject({
    id,
    kind: 'quotation',
    number: 'BJHZ202600001',
    amount: '128000.50',
    round: 1,
    examineState: 0,
    judge: '',
    judgedAt: null,
  })
  expect(await heard(examiner)).toContain(`${ours.nickname}提交了报价单 BJHZ202600001，等待审核`)
  expect((await queue(quoter, { id })).map((r) => r.id)).toEqual([id])
  expect(await queue(quoter, { id, todo: true })).toEqual([])
  const seen = { id, version: row!.version, hash: 'h1' }
  expect(await quoter.ask(examineApi.pass, { body: seen })).toMatchObject({ code: 401 })
  expect(await queue(await server.as('branch_gm2'), { id })).toEqual([])
  expect(await (await server.as('branch_gm2')).ask(examineApi.details, { query: { id } })).toMatchObject({
    code: 403,
  })
})

test('of another store of the group nothing is in the quoter’s queue', async () => {
  const { id } = await submit(randomUUID())
  await server.sql('UPDATE examine_requests SET bc_id = $2, store_id = $3 WHERE id = $1', [
    id,
    elsewhere.bc_id,
    elsewhere.store_id,
  ])
  expect(await queue(quoter, { id })).toEqual([])
  expect(await queue(examiner, { id })).toEqual([])
})

test('one request of a thing at a time; taken back it leaves the queue and stays readable', async () => {
  const thing = randomUUID()
  const first = await submit(thing, { number: 'BJHZ202600033' })
  const told = `${ours.nickname}提交了报价单 BJHZ202600033，等待审核`
  expect(await heard(examiner)).toContain(told)
  await expect(submit(thing)).rejects.toThrow('报价单 BJHZ202600033 已经在等待审核')
  await examiner.call(examineApi.details, { query: { id: first.id } })
  await takeBack(thing)
  expect(await queue(examiner, { object_id: thing })).toEqual([])
  expect(await heard(examiner)).not.toContain(told)
  await expect(takeBack(thing)).rejects.toThrow('这张报价单没有在等待审核')
  const second = await submit(thing, { change: '+1,000.00 元', amount: '129000.50' })
  const detail = await examiner.call(examineApi.details, { query: { id: second.id } })
  expect(detail).toMatchObject({ round: 2, change: '+1,000.00 元', barred: '' })
  expect(detail.earlier).toMatchObject([
    { round: 1, withdrawn: true, amount: '128000.50', seenAt: expect.any(Number) },
  ])
  // Who may not judge it leaves no trace of having looked.
  const read = await quoter.call(examineApi.details, { query: { id: second.id } })
  expect(read.earlier).toMatchObject([{ seenAt: null }])
})

/** The figure by a statement of its own, at each of the moments. */
const counted = (at: Date, more = '') =>
  server
    .sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM examine_requests r
       WHERE r.tenant_id = $1 AND r.bc_id = $2 AND r.submitted_at <= $3 AND r.submitted_by NOT IN
         (SELECT id FROM users WHERE user_name = 'examiner')
         AND (r.withdrawn_at IS NULL OR r.withdrawn_at > $3) AND (r.judged_at IS NULL OR r.judged_at > $3) ${more}`,
      [ours.tenant, ours.bc_id, at],
    )
    .then((rows) => rows[0]!.n)

test('the home card is what waits for who looks, the total of its list, and stands for nobody else', async () => {
  const days = Array.from({ length: 4 }, (_, i) => i)
  for (const day of days) {
    await submit(randomUUID(), { number: `BJHZ2026001${day}0` })
    await submit(randomUUID(), { number: `BJHZ2026001${day}1` })
  }
  await server.sql(
    `UPDATE examine_requests
     SET submitted_at = submitted_at - substr(number, 13, 1)::int * interval '1 day',
       withdrawn_at = CASE WHEN number LIKE '%11' THEN submitted_at END,
       due_at = due_at - substr(number, 13, 1)::int * interval '1 day'
     WHERE number LIKE 'BJHZ2026001%'`,
  )
  const answer = await examiner.call(homeApi.cards)
  const figure = answer.figures.find((f) => f.card === 'examine')!
  expect(figure.value).toBe(await counted(server.now()))
  const n = figure.trend.length
  const ends = figure.trend.slice(1).map((_, i) => startOfDay(addDays(figure.until, i + 2 - n)))
  expect(figure.trend.slice(0, -1)).toEqual(await Promise.all(ends.map((end) => counted(end))))
  expect(new Set(figure.trend).size).toBeGreaterThan(2)
  const total = async (link: string) => {
    const query = Object.fromEntries(new URLSearchParams(link.split('?')[1]))
    return (await examiner.call(examineApi.list, { query })).totalCount
  }
  expect(await total(figure.link)).toBe(figure.value)
  expect(figure.parts.map((p) => p.label)).toEqual(['已超时'])
  expect(figure.parts[0]!.value).toBeGreaterThan(0)
  expect(await total(figure.parts[0]!.link)).toBe(figure.parts[0]!.value)
  expect(figure.rows.map((r) => r.id)).toEqual(
    (await queue(examiner, { todo: true })).slice(0, 12).map((r) => r.id),
  )
  for (const other of ['quoter', 'branch_gm', 'hq_ops', 'cashier'])
    expect((await (await server.as(other)).call(homeApi.cards)).figures.map((f) => f.card)).not.toContain(
      'examine',
    )
})

test('its time over, the approvers are reminded once, a day later who supervises too; it still waits', async () => {
  const { id } = await submit(randomUUID(), { number: 'BJHZ202600077' })
  const reminded = () => server.db.tx(SYSTEM, (tx) => remind(tx, ours.tenant, examineReminders))
  await reminded()
  const gm = await server.as('branch_gm')
  expect((await heard(gm)).filter((t) => t.includes('77'))).toEqual([])
  // Whatever hour and day it is now: a minute after its time is over.
  const [mine] = await queue(await server.as('examiner'), { id })
  server.later(mine!.dueAt * 1_000 - server.now().getTime() + 60_000)
  await reminded()
  expect(await heard(await server.as('examiner'))).toContain('报价单 BJHZ202600077 已到审核期限，请审核')
  expect(await reminded()).toBe(0)
  server.later(24 * 3_600_000)
  await reminded()
  const late = '报价单 BJHZ202600077 超过审核期限已满一天，仍未审核'
  expect(await heard(await server.as('examiner'))).toContain(late)
  expect(await heard(await server.as('branch_gm'))).toContain(late)
  const [row] = await queue(await server.as('examiner'), { id, overdue: true })
  expect(row).toMatchObject({ examineState: 0 })
})
