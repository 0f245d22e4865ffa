import { tripsApi } from '@zhuguan/contract/features/dispatch/trips.api.ts'
import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import { countsApi } from '@zhuguan/contract/features/pieces/counts.api.ts'
import { settingsApi } from '@zhuguan/contract/features/settings/settings.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays } from '../../kit/shanghai.ts'
import { type Delivery, openDelivery } from '../../testing/delivering.ts'
import { startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let shop: Delivery
beforeAll(async () => {
  server = await startTestServer()
  shop = await openDelivery(server)
})
afterAll(() => server.stop())

const placed = async (name: string) => {
  const { items } = await shop.sold({ name, quantity: '4' })
  return (await shop.place([{ item_id: items[name]!, quantity: '4' }])).orders[0]!.id
}
const listed = async () =>
  (await shop.gm.call(ordersApi.units, { query: {} })).list.find((u) => u.id === shop.merchant)
const unit = async () => (await listed())!
/** What is counted so far; of whom nothing was ordered yet stands in no list. */
const soFar = async () => ({ answers: 0, answerHours: 0, arrived: 0, ...(await listed()) })
const board = () => shop.gm.call(countsApi.board, { query: {} })
/** As if everything that was said of the order had been said so many days earlier. */
async function daysAgo(order: string, days: number) {
  await server.sql(`UPDATE orders SET made_at = made_at - $2::interval WHERE id = $1`, [
    order,
    `${days} days`,
  ])
  await server.sql(
    `UPDATE order_answers SET asked_at = asked_at - $2::interval, answered_at = answered_at - $2::interval
     WHERE order_id = $1`,
    [order, `${days} days`],
  )
}

test('answering time is the merchant’s own: the days in which the clerk thought it over are not in it', async () => {
  const id = await placed('答一')
  const seen = await shop.seen(id, shop.supplier)
  await shop.supplier.call(ordersApi.reject, {
    body: { id, version: seen.version, rejectCode: 'stock', reason: '没有货' },
  })
  await daysAgo(id, 5)
  await shop.clerk.call(ordersApi.resubmit, {
    body: { id, version: (await shop.seen(id)).version, expectedOn: addDays(shop.today, 30), remark: '' },
  })
  await shop.accept(id)
  expect(await unit()).toMatchObject({ answers: 2, answerHours: 0 })
  const answer = (await board()).steps.find((s) => s.step === 'answer')!
  expect(answer.count).toBe(2)
  expect(answer.p90).toBeLessThan(0.1)
  // Two days before the merchant are two days, where day and night are worked.
  await shop.admin.call(settingsApi.update, { body: { values: { workStart: '00:00', workEnd: '23:59' } } })
  const slow = await placed('答二')
  await server.sql(`UPDATE orders SET made_at = made_at - interval '48 hours' WHERE id = $1`, [slow])
  await shop.accept(slow)
  expect(await unit()).toMatchObject({ answers: 3, answerHours: 16 })
})

test('nights and days off are not the merchant’s: the time is counted as the deadline runs', async () => {
  const before = await soFar()
  const id = await placed('答夜')
  // Half of each day is worked and yesterday rests: of 48 hours that is one half day, whatever hour it is now.
  const values = { workStart: '00:00', workEnd: '12:00', calendar: `${addDays(shop.today, -1)} 休 停电` }
  await shop.admin.call(settingsApi.update, { body: { values } })
  await server.sql(`UPDATE orders SET made_at = :now - interval '48 hours' WHERE id = $1`, [id])
  await shop.accept(id)
  const after = await unit()
  const worked = after.answerHours! * after.answers - before.answerHours! * before.answers
  expect(after.answers).toBe(before.answers + 1)
  expect(Math.abs(worked - 12)).toBeLessThan(0.5)
  await shop.admin.call(settingsApi.update, {
    body: { values: { workStart: null, workEnd: null, calendar: null } },
  })
})

test('late is after the promise, whatever day the lorry names; a day moved later is moved, not in time', async () => {
  const yesterday = addDays(shop.today, -1)
  const { arrived } = await soFar()
  const deliver = async (name: string, promised: string | null, moved = false) => {
    const id = await placed(name)
    const { id: note } = (await shop.accept(id)).notes[0]!
    await server.sql('UPDATE order_lines SET promised_on = $2 WHERE order_id = $1', [id, promised])
    if (!promised) await server.sql('UPDATE orders SET expected_on = $2 WHERE id = $1', [id, yesterday])
    if (moved) {
      const n = await shop.note(note)
      const plannedOn = n.plannedOn === shop.today ? addDays(shop.today, 1) : shop.today
      await shop.clerk.call(tripsApi.replan, {
        body: { id: note, version: n.version, plannedOn, reason: '业主要求' },
      })
    }
    // Whoever ships names today, and today it comes.
    await shop.ship(note, { [name]: '4' })
    await shop.deliver(note)
  }
  await deliver('准一', shop.today)
  await deliver('准二', addDays(shop.today, 3))
  expect(await unit()).toMatchObject({
    arrived: arrived + 2,
    arrivedLate: 0,
    arrivedMoved: 0,
    onTime: 100,
  })
  await deliver('迟一', yesterday)
  expect(await unit()).toMatchObject({ arrived: arrived + 3, arrivedLate: 1, arrivedMoved: 0 })
  await deliver('迟二', null)
  expect(await unit()).toMatchObject({
    arrived: arrived + 4,
    arrivedLate: 2,
    arrivedMoved: 0,
    onTime: 50,
  })
  await deliver('改一', yesterday, true)
  expect(await unit()).toMatchObject({
    arrived: arrived + 5,
    arrivedLate: 2,
    arrivedMoved: 1,
    onTime: 40,
  })
  expect(await board()).toMatchObject({ arrived: arrived + 5, arrivedLate: 2, arrivedMoved: 1 })
})
