import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Delivery, openDelivery } from '../../testing/delivering.ts'
import { uploadPhoto } from '../../testing/photo.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let shop: Delivery
beforeAll(async () => {
  server = await startTestServer()
  shop = await openDelivery(server)
})
afterAll(() => server.stop())

const look = async (who: Person, key: string) =>
  (await who.ask(filesApi.get, { query: { key, size: 'thumb' } })).status
const NB = `(SELECT bc_id FROM companies WHERE code = 'NB')`

test('pictures of goods are shown to both parties of their order, and to nobody else', async () => {
  const { note, order } = await shop.arrived({ name: '一镜', quantity: '2' })
  const { changes } = (await shop.judge(note, [{ name: '一镜', quantity: '1', result: 4 }])).data
  const id = changes[0]!.id
  const evidence = await uploadPhoto(server.url, shop.supplier)
  // What somebody has only uploaded is theirs alone.
  expect(await look(shop.clerk, evidence)).toBe(403)
  const { version } = await shop.change(id)
  await shop.supplier.call(goodsApi.answer, {
    body: { id, version, answer: 'dispute', reason: '发出时完好', photos: [evidence] },
  })
  const g = await shop.change(id)
  const keys = [...g.photos, ...g.answerPhotos, g.deliveryPhoto!]
  expect(keys).toHaveLength(3)
  const cashier = await server.as('cashier')
  for (const key of keys) {
    for (const who of [shop.clerk, shop.acceptor, shop.supplier, shop.examiner])
      expect(await look(who, key)).toBe(200)
    // Another branch; a colleague who reads none of these papers; another group, which knows nothing of it.
    for (const who of [shop.gm2, cashier]) expect(await look(who, key)).toBe(403)
    expect([403, 404]).toContain(await look(shop.other, key))
  }
  // A branch that receives sees them as a merchant does; the merchant of before does not any more.
  await server.sql(`UPDATE orders SET receiver_id = ${NB} WHERE id = $1`, [order])
  expect(await look(shop.gm2, keys[0]!)).toBe(200)
  expect(await look(shop.supplier, g.photos[0]!)).toBe(403)
})

test('what the cameras record around a handover is held, and shown to those who ordered', async () => {
  const { items, site } = await shop.sold({ name: '二镜', quantity: '2' }, { name: '二桶', quantity: '1' })
  const place = async (name: string, quantity: string) => {
    const order = (await shop.place([{ item_id: items[name]!, quantity }])).orders[0]!.id
    return (await shop.accept(order)).notes[0]!.id
  }
  const first = await place('二桶', '1')
  await shop.ship(first)
  await shop.deliver(first)
  const none = (await shop.judge(first, [{ name: '二桶', quantity: '1', result: 4 }])).data.changes[0]!.id
  // No camera stands there yet.
  expect(await shop.change(none)).toMatchObject({ clips: [], still: null })

  const [camera] = await server.sql<{ id: string; sn: string }>(
    `SELECT d.id, d.sn FROM devices d JOIN companies b ON b.bc_id = d.bc_id AND b.code = 'HZ'
     WHERE d.type = 'camera' AND d.site_id IS NOT NULL ORDER BY d.sn LIMIT 1`,
  )
  await server.sql(
    `UPDATE device_stands SET to_at = :now - interval '2 hours' WHERE device_id = $1 AND to_at IS NULL`,
    [camera!.id],
  )
  await server.sql(
    `INSERT INTO device_stands (tenant_id, device_id, site_id, from_at)
     SELECT tenant_id, id, $2, :now - interval '1 hour' FROM devices WHERE id = $1`,
    [camera!.id, site],
  )
  const seen = (minutes: number, key: string) =>
    server.sql(
      `INSERT INTO tidiness_checks (tenant_id, id, bc_id, site_id, device_id, at, picture, result, source)
       SELECT tenant_id, gen_random_uuid(), bc_id, $2, id, :now - $3 * interval '1 minute', $4, 1, 'camera'
       FROM devices WHERE id = $1`,
      [camera!.id, site, minutes, key],
    )
  await seen(50, 'before.jpg')
  await seen(20, 'newest.jpg')
  const note = await place('二镜', '2')
  await shop.ship(note)
  const delivered = Math.floor(server.now().getTime() / 1000)
  await shop.deliver(note)
  await server.sql(
    `INSERT INTO tidiness_checks (tenant_id, id, bc_id, site_id, device_id, at, picture, result, source)
     SELECT tenant_id, gen_random_uuid(), bc_id, $2, id, :now + interval '5 minutes', 'after.jpg', 1, 'camera'
     FROM devices WHERE id = $1`,
    [camera!.id, site],
  )
  const id = (await shop.judge(note, [{ name: '二镜', quantity: '1', result: 4 }])).data.changes[0]!.id
  const g = await shop.change(id)
  expect(g.still?.picture).toBe('newest.jpg')
  expect(g.clips).toMatchObject([{ device_id: camera!.id, deviceSn: camera!.sn, recorded: false }])
  const [clip] = g.clips
  expect(Math.abs(clip!.from - (delivered - 600))).toBeLessThan(60)
  expect(clip!.to - clip!.from).toBe(1_800)
  await server.sql(
    `INSERT INTO recordings (tenant_id, id, bc_id, site_id, device_id, from_at, to_at, key, bytes)
     SELECT tenant_id, gen_random_uuid(), bc_id, $2, id, :now - interval '5 minutes', :now, 'x.mp4', 9
     FROM devices WHERE id = $1`,
    [camera!.id, site],
  )
  expect((await shop.change(id)).clips[0]!.recorded).toBe(true)
  // The home is not shown to the merchant.
  expect(await shop.change(id, shop.supplier)).toMatchObject({ clips: [], still: null })
  const [held] = await server.sql<{ for: string; reason: string; days: number }>(
    `SELECT h."for", h.reason, round(extract(epoch FROM h.until_at - :now) / 86400)::int AS days
     FROM recording_holds h JOIN note_holds x ON x.hold_id = h.id WHERE x.note_id = $1`,
    [note],
  )
  expect(held).toMatchObject({ for: 'delivery' })
  expect(held!.reason).toContain('交接')
  expect(held!.days).toBeGreaterThan(170)
})

test('goods that are fetched from the merchant are handed over where no camera of the site is', async () => {
  const { items } = await shop.sold({ name: '三扣', quantity: '2' })
  const order = (await shop.place([{ item_id: items['三扣']!, quantity: '2' }])).orders[0]!.id
  const note = (await shop.accept(order)).notes[0]!.id
  const n = await shop.note(note, shop.supplier)
  await shop.supplier.call(dispatchApi.ship, {
    body: {
      id: note,
      version: n.version,
      lines: [{ line_id: n.lineList[0]!.line_id, quantity: '2' }],
      method: 3,
      plannedOn: shop.expectedOn,
      pickupStore: '建材城',
    },
  })
  const { pickupCode, version } = await shop.note(note)
  await shop.supplier.call(dispatchApi.deliver, {
    body: { id: note, version, ...(await shop.proof(shop.supplier)), pickupCode },
  })
  expect(await server.sql('SELECT 1 FROM note_holds WHERE note_id = $1', [note])).toEqual([])
})
