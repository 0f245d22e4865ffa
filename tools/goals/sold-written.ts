import { randomUUID } from 'node:crypto'

import { api } from '@zhuguan/contract/api.ts'
import { driverApi } from '@zhuguan/contract/features/dispatch/driver.api.ts'
import { tripsApi } from '@zhuguan/contract/features/dispatch/trips.api.ts'
import { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'

import { linkFrom } from '../../server/testing/driving.ts'
import { uploadPhoto } from '../../server/testing/photo.ts'
import { dayAhead } from '../../server/testing/time.ts'
import type { Caller } from './client.ts'
import type { DeliveryStage } from './delivery-stage.ts'

/** Each goes through the payloads: so few of every call, all calls together have each of them. */
const FEW = 12
const each = async (what: (n: number) => Promise<unknown>) => {
  for (let n = 0; n < FEW; n += 1) await what(n)
}

/** What is sold and who buys it, by people who put payloads into each text that is left to them. */
export async function writeSold({ server, shop, sql }: DeliveryStage, admin: Caller): Promise<void> {
  const idOf = (heard: { data: unknown }) => (heard.data as { id: string } | null)?.id ?? ''
  const bc_id = shop.bc_id
  const today = dayAhead(0)
  await each(async (n) => {
    const phone = `1370000${String(n).padStart(4, '0')}`
    const id = idOf(await admin.ask(api.customers.add, { body: { bc_id, phone } }))
    await admin.ask(api.customers.edit, { body: { id, version: 0, phone } })
    await admin.ask(api.customers.phone, { body: { id } })

    const category_id = idOf(await admin.ask(api.productCategories.add, { body: {} }))
    await admin.ask(api.productCategories.edit, { body: { id: category_id, version: 0 } })
    const facts = { kind: 'main', category_id, unit: '片', receiver_id: shop.merchant }
    const product = idOf(await admin.ask(api.products.add, { body: facts }))
    await admin.ask(api.products.edit, { body: { ...facts, id: product, version: 0 } })
    const sold = { perSquareMetre: '899', from: today, items: [] }
    const bundle = idOf(await admin.ask(api.packages.add, { body: sold }))
    await admin.ask(api.packages.edit, { body: { ...sold, id: bundle, version: 0 } })
    await admin.ask(api.packages.copy, { body: { id: bundle } })

    await admin.ask(api.carriers.add, { body: {} })
  })
  await each(async () => {
    const { data } = await shop.supplier.askAny(tripsApi.add, {
      body: { receiver_id: shop.merchant, day: today },
    })
    const id = idOf({ data })
    const body = { id, version: 0, day: today, stops: [] }
    await shop.supplier.askAny(tripsApi.edit, { body })
  })

  const { site, note } = await shop.arrived({ name: '逐项余砖', quantity: '1000' })
  await each(() => admin.ask(ordersApi.ready, { body: { site_id: site, readyOn: dayAhead(3) } }))
  await each(async () => {
    const s = await shop.sheet(note)
    const photos = [await uploadPhoto(server.url, shop.acceptor)]
    const more = { line_id: s.lineList[0]!.line_id, quantity: '1', photos, outcome: 'back' }
    await shop.acceptor.askAny(goodsApi.surplus, { body: { id: note, version: s.version, ...more } })
  })

  // On the way, in a driver's hands.
  const { items } = await shop.sold({ name: '逐项路上', quantity: '100000' })
  await each(async (n) => {
    const order = (await shop.place([{ item_id: items['逐项路上']!, quantity: '2' }])).orders[0]!.id
    const onWay = (await shop.accept(order)).notes[0]!.id
    await shop.ship(onWay)
    const [{ version }] = (await sql<{ version: number }>('SELECT version FROM dispatches WHERE id = $1', [
      onWay,
    ])) as [{ version: number }]
    await shop.supplier.askAny(tripsApi.replan, { body: { id: onWay, version, plannedOn: dayAhead(4) } })
    const { phone } = await linkFrom(server, shop.supplier, onWay)
    await phone.open()
    const said = { ...phone.bearer, note_id: onWay }
    const driver = server.nobody()
    const act = () => ({ act: randomUUID(), at: Math.floor(Date.now() / 1_000) })
    const photo = async () => (await phone.photo()).data.key
    await driver.askAny(driverApi.node, { body: { ...said, ...act() } })
    const last =
      n % 2
        ? ([driverApi.say, { word: 'refused' }] as const)
        : ([driverApi.handOver, { damagePhoto: await photo() }] as const)
    await driver.askAny(last[0], { body: { ...said, ...act(), photo: await photo(), ...last[1] } })
  })

  // Owed to whom this branch has ordered from.
  await each(async () => {
    const facts = { receiver_id: shop.merchant, bc_id, kind: 'freight', side: 'add', amount: '1' }
    const { data } = await shop.clerk.askAny(api.statements.charge, {
      body: { ...facts, month: today.slice(0, 7) },
    })
    await shop.clerk.askAny(api.statements.withdrawCharge, { body: { id: idOf({ data }), version: 0 } })
  })
}
