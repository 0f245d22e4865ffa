import { countsApi } from '@zhuguan/contract/features/pieces/counts.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Delivery, lawsBroken, openDelivery } from '../../testing/delivering.ts'
import { startTestServer, type TestServer } from '../../testing/start.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { keepDay } from './counts.service.ts'

let server: TestServer
let shop: Delivery
beforeAll(async () => {
  server = await startTestServer()
  shop = await openDelivery(server)
})
afterAll(() => server.stop())

/** By the pieces themselves, without the kept sums. */
const counted = async (bc: string) => {
  const rows = await server.sql<{ state: number; n: number }>(
    `SELECT order_state AS state, count(*)::int AS n FROM pieces
     WHERE bc_id = $1 AND order_state IS NOT NULL GROUP BY 1`,
    [bc],
  )
  return Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((s) => [s, rows.find((r) => r.state === s)?.n ?? 0]))
}

test('the board’s counts are the pieces’, by branch and by foreman; a day is kept as its evening was', async () => {
  const one = await shop.arrived({ name: '板甲', quantity: '4' }, { name: '板乙', quantity: '2' })
  await shop.judge(one.note, [
    { name: '板甲', quantity: '3', result: 2 },
    { name: '板甲', quantity: '1', result: 5 },
  ])
  await shop.sold({ name: '板丙', quantity: '1' })
  expect(await lawsBroken(server)).toEqual([])
  const { list } = await shop.gm.call(countsApi.dcountbc, { query: {} })
  expect(list).toHaveLength(1)
  expect(list[0]).toMatchObject({ bc_id: shop.bc_id, late: 0, states: await counted(shop.bc_id) })
  expect(list[0]!.states).toMatchObject({ '1': 1, '5': 1, '6': 1, '7': 1 })
  const { list: bosses } = await shop.gm.call(countsApi.dcountwboss, { query: {} })
  // Nobody leads a site that has just been signed for.
  expect(bosses.at(-1)).toMatchObject({ manager_id: null, name: '未指定', states: list[0]!.states })
  const board = await shop.gm.call(countsApi.board, { query: {} })
  // Of a sheet that is half judged nothing is said; of the whole one a sixth by what it cost goes back.
  expect(board).toMatchObject({ arrived: 1, arrivedLate: 0, sheets: 0, returnedPart: null })
  expect(board.steps.map((s) => [s.step, s.count])).toEqual([
    ['answer', 1],
    ['ship', 1],
    ['carry', 1],
    ['check', 1],
  ])
  const [tenant] = await server.sql<{ id: string }>(
    'SELECT tenant_id AS id FROM companies WHERE bc_id = $1',
    [shop.bc_id],
  )
  // Told twice it is the same day.
  for (const _ of [1, 2]) await server.db.tx(SYSTEM, (tx) => keepDay(tx, tenant!.id, shop.today))
  const evening = await counted(shop.bc_id)
  await shop.sold({ name: '板丁', quantity: '1' })
  const { list: days } = await shop.gm.call(countsApi.dcountbchistory, { query: {} })
  expect(days).toMatchObject([{ day: shop.today, bc_id: shop.bc_id, states: evening }])
  const { list: own } = await shop.gm.call(countsApi.dcountwbosshistory, { query: {} })
  expect(own.find((d) => d.manager_id === null)).toMatchObject({ states: evening })
  await shop.judge(one.note, [{ name: '板乙', quantity: '2', result: 2 }])
  const whole = await shop.gm.call(countsApi.board, { query: {} })
  expect(whole.sheets).toBe(1)
  expect(whole.returnedPart).toBeCloseTo(1 / 6, 6)
  // The other branch sees its own, which is nothing.
  expect((await shop.gm2.call(countsApi.dcountbc, { query: {} })).list).toEqual([])
  expect((await shop.gm2.call(countsApi.dcountbchistory, { query: { bc_id: shop.bc_id } })).list).toEqual([])
  expect((await shop.supplier.ask(countsApi.dcountbc, { query: {} })).code).toBe(401)
})
