import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { boardsApi } from '@zhuguan/contract/features/boards/boards.api.ts'
import { contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import { countsApi } from '@zhuguan/contract/features/pieces/counts.api.ts'
import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { openDeals } from '../../testing/dealing.ts'
import { openDelivery } from '../../testing/delivering.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { spansOf } from './board-total.service.ts'

let server: TestServer
let ops: Person
let today: string
beforeAll(async () => {
  server = await startTestServer()
  const goods = await openDelivery(server)
  const one = await goods.arrived({ name: '板甲', quantity: '4' }, { name: '板乙', quantity: '2' })
  await goods.judge(one.note, [{ name: '板甲', quantity: '4', result: 2 }])
  await goods.sold({ name: '板丙', quantity: '1' })
  const deals = await openDeals(server)
  const gm = await server.as('branch_gm')
  // Two pay, one of them signs.
  for (const [i, phone] of ['13612340001', '13612340002'].entries()) {
    const customer_id = (
      await gm.call(customersApi.add, {
        body: { bc_id: deals.bc_id, store_id: deals.store_id, name: `看板${i}`, phone, source: 'call' },
      })
    ).id
    const { id } = await deals.quoter.call(quotationsApi.add, {
      body: { customer_id, content: deals.content() },
    })
    await deals.submit(id)
    await deals.judge(id)
    const { version } = await deals.seen(id)
    const contract = (await gm.call(contractsApi.add, { body: { id, version } })).id
    expect((await deals.pay(contract, '1234.56')).code).toBe(200)
    if (i === 0) expect((await deals.sign(contract)).code).toBe(200)
  }
  ops = await server.as('hq_ops')
  today = shanghaiDay(server.now())
})
afterAll(() => server.stop())
const total = (who: Person, query: object = {}) => who.call(boardsApi.total, { query })
const of = (board: Awaited<ReturnType<typeof total>>, step: string) =>
  board.steps.find((s) => s.step === step)!

test('a span that goes on is compared with as many days of the one before, a whole one with the whole', () => {
  expect(spansOf('month', 0, '2026-11-27')).toEqual({
    from: '2026-11-01',
    to: '2026-11-27',
    running: true,
    beforeFrom: '2026-10-01',
    beforeTo: '2026-10-27',
  })
  // February has no thirtieth.
  expect(spansOf('month', 0, '2026-03-30')).toMatchObject({
    beforeFrom: '2026-02-01',
    beforeTo: '2026-02-28',
  })
  expect(spansOf('quarter', 1, '2026-01-05')).toEqual({
    from: '2025-10-01',
    to: '2025-12-31',
    running: false,
    beforeFrom: '2025-07-01',
    beforeTo: '2025-09-30',
  })
  expect(spansOf('year', 0, '2026-12-31')).toMatchObject({
    from: '2026-01-01',
    to: '2026-12-31',
    running: true,
  })
})

test('every step is the total of the list that it opens, and the branches add up to it', async () => {
  // This year and the one before: on the first of January nothing has begun yet.
  const [board, former] = [await total(ops, { span: 'year' }), await total(ops, { span: 'year', back: 1 })]
  const { from, to } = board
  const leads = await ops.call(customersApi.list, { query: { enteredFrom: from, enteredTo: to } })
  // What is over stands in the list where its states are asked for, as the board's link does.
  const over = { signedFrom: from, signedTo: to, state: 'live,finishing,settled,ending,ended' }
  const signed = await ops.call(contractsApi.list, { query: over })
  const started = await ops.call(sitesApi.list, { query: { startFrom: from, startTo: to } })
  expect([of(board, 'leads').n, of(board, 'signed').n, of(board, 'started').n]).toEqual([
    leads.totalCount,
    signed.totalCount,
    started.totalCount,
  ])
  const before = await ops.call(sitesApi.list, { query: { startFrom: former.from, startTo: former.to } })
  expect(of(former, 'started').n).toBe(before.totalCount)
  expect(started.totalCount + before.totalCount).toBeGreaterThan(0)
  // Two of the goods were sold besides, without a deposit.
  const [money] = await server.sql<{ total: string }>(
    `SELECT sum(total)::text AS total FROM contracts WHERE signed_on IS NOT NULL AND state <> 'void'`,
  )
  expect([of(board, 'deposit').n, of(board, 'signed').n, board.money]).toEqual([2, 3, money!.total])
  // Paid on the day on which they came, signed on the day on which they paid.
  expect([of(board, 'deposit').days, of(board, 'signed').days]).toEqual([0, 0])
  // What was declared void has not been signed.
  const [gone] = await server.sql<{ id: string; state: string; total: string }>(
    `SELECT id, state, total::text AS total FROM contracts WHERE signed_on IS NOT NULL AND state <> 'void' LIMIT 1`,
  )
  const state = (to: string) => server.sql('UPDATE contracts SET state = $2 WHERE id = $1', [gone!.id, to])
  await state('void')
  const less = await total(ops, { span: 'year' })
  expect((await ops.call(contractsApi.list, { query: over })).totalCount).toBe(of(less, 'signed').n)
  await state('ended')
  const ended = await total(ops, { span: 'year' })
  expect((await ops.call(contractsApi.list, { query: over })).totalCount).toBe(of(ended, 'signed').n)
  await state(gone!.state)
  expect(of(less, 'signed').n).toBe(2)
  expect(Number(less.money)).toBeCloseTo(Number(board.money) - Number(gone!.total), 2)
  for (const step of ['leads', 'deposit', 'signed', 'started', 'finished'] as const)
    expect(board.branches.reduce((n, b) => n + b[step]!, 0)).toBe(of(board, step).n)
  const [own] = await server.sql<{ finished: number; building: number; stopped: number }>(
    `SELECT sum((actual_finish BETWEEN $1::date AND $2::date)::int)::int AS finished,
       sum((status = 1)::int)::int AS building, sum((status = 1 AND no_work <> '{}')::int)::int AS stopped
     FROM sites WHERE tenant_id = (SELECT tenant_id FROM users WHERE user_name = 'hq_ops')`,
    [from, to],
  )
  expect(of(board, 'finished').n).toBe(own!.finished ?? 0)
  expect(board.branches.reduce((n, b) => n + b.building!, 0)).toBe(own!.building)
  expect(board.branches.reduce((n, b) => n + b.stopped!, 0)).toBe(own!.stopped)
})

test('material is what 交付看板 says, late pieces too', async () => {
  const board = await total(ops)
  const pieces = await server.sql<{ state: number; n: number }>(
    'SELECT order_state AS state, count(*)::int AS n FROM pieces WHERE order_state IS NOT NULL GROUP BY 1',
  )
  expect(pieces.length).toBeGreaterThan(2)
  expect(board.flow!.filter((f) => f.n > 0)).toEqual(pieces.sort((a, b) => a.state - b.state))
  const { list: branches } = await ops.call(countsApi.dcountbc, { query: {} })
  for (const { state, n } of board.flow!)
    expect(n).toBe(branches.reduce((t, b) => t + (b.states[state] ?? 0), 0))
  expect(board.branches.reduce((n, b) => n + b.late!, 0)).toBe(branches.reduce((n, b) => n + b.late, 0))
})

test('a branch sees its branch; who has no such list reads no such figure; another group stands apart', async () => {
  const gm = await server.as('branch_gm')
  const board = await total(gm)
  expect(board.branches.map((b) => b.bc_name)).toEqual(['杭州分公司'])
  const all = await total(ops)
  const ningbo = all.branches.find((b) => b.bc_name === '宁波分公司')!
  expect((await total(gm, { bc_id: ningbo.bc_id })).branches).toEqual([])
  expect(of(await total(gm, { bc_id: ningbo.bc_id }), 'started').n).toBe(0)
  expect((await total(ops, { bc_id: ningbo.bc_id })).branches).toEqual([ningbo])
  const pm = await server.as('pm')
  expect((await pm.ask(boardsApi.total, { query: {} })).code).toBe(401)
  const other = await server.as('other')
  expect((await total(other)).branches.some((b) => b.bc_name === '杭州分公司')).toBe(false)
})

test('a week unlike the eight before is said with its figures and what most of it was', async () => {
  expect((await total(ops)).said).toEqual([])
  const camera = await server.sql<{ id: string; site: string; bc: string }>(
    `SELECT d.id, d.site_id AS site, d.bc_id AS bc FROM devices d JOIN companies c ON c.bc_id = d.bc_id
     WHERE d.type = 'camera' AND c.bc_name = '杭州分公司' AND d.site_id IS NOT NULL LIMIT 1`,
  )
  const { id, site, bc } = camera[0]!
  const raise = (day: string, n: number, type: string) =>
    server.sql(
      `INSERT INTO alarms (tenant_id, id, bc_id, site_id, device_id, type, at, last_seen, confidence, correction_status,
         closed_at)
       SELECT d.tenant_id, gen_random_uuid(), $1, $2, d.id, $5, $4, $4, 0.9, 3, $4
       FROM devices d, generate_series(1, $6) WHERE d.id = $3`,
      [bc, site, id, new Date(startOfDay(day).getTime() + 10 * 3_600_000), type, n],
    )
  for (let week = 1; week <= 8; week++) await raise(addDays(today, -1 - 7 * week), 10 + (week % 3), 'smoking')
  await raise(addDays(today, -7), 21, 'noclothes')
  await raise(addDays(today, -1), 9, 'smoking')
  // Today is no whole day yet.
  await raise(today, 40, 'smoking')
  const { said, weekFrom, weekTo } = await total(ops)
  expect(said).toMatchObject([
    {
      bc_name: '杭州分公司',
      measure: 'alarms',
      n: 30,
      least: 10,
      most: 12,
      middle: 11,
      mostly: '未穿工服',
      mostlyN: 21,
    },
  ])
  const { totalCount } = await ops.call(alarmsApi.list, {
    query: {
      bc_id: bc,
      from: startOfDay(weekFrom).getTime() / 1000,
      to: startOfDay(addDays(weekTo, 1)).getTime() / 1000,
    },
  })
  expect(totalCount).toBe(30)
  // Leads where there were none, most of them by one way; today's are no whole day's.
  let numbers = 0
  const came = (day: string, n: number, source: string) =>
    server.sql(
      `INSERT INTO customers (tenant_id, id, bc_id, name, phone, source, created_at, held_at,
         changed_at)
       SELECT c.tenant_id, gen_random_uuid(), c.bc_id, '线索', (13700000000 + $4::int + i)::text, $2,
         $1, $1, $1
       FROM companies c, generate_series(1, $3) i WHERE c.bc_name = '宁波分公司'`,
      [new Date(startOfDay(day).getTime() + 10 * 3_600_000), source, n, (numbers += 100)],
    )
  await came(addDays(today, -3), 20, 'online')
  await came(addDays(today, -1), 5, 'call')
  await came(today, 9, 'call')
  expect((await total(ops)).said[0]).toMatchObject({
    bc_name: '宁波分公司',
    measure: 'leads',
    n: 25,
    most: 0,
    mostly: '线上',
    mostlyN: 20,
  })
})
