import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { type Delivery, lawsBroken, openDelivery } from '../../testing/delivering.ts'
import { linkFrom } from '../../testing/driving.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let shop: Delivery
beforeAll(async () => {
  server = await startTestServer()
  shop = await openDelivery(server)
})
afterAll(() => server.stop())
afterEach(async () => expect(await lawsBroken(server)).toEqual([]))

let count = 0
async function underWay(quantity = '5') {
  count += 1
  const name = `门口砖 ${count}`
  const { items, site } = await shop.sold({ name, quantity })
  const order = (await shop.place([{ item_id: items[name]!, quantity }])).orders[0]!.id
  const o = await shop.accept(order)
  const id = o.notes[0]!.id
  await shop.ship(id)
  await server.sql('UPDATE notifications SET read_at = :now')
  return { id, order, site, name, line: o.lineList[0]!.id }
}
const note = (id: string, who: Person = shop.supplier) => who.call(dispatchApi.details, { query: { id } })
const told = (cause: string) =>
  server.sql<{ user_name: string; title: string }>(
    `SELECT u.user_name, n.title FROM notifications n JOIN users u ON u.tenant_id = n.tenant_id AND u.id = n.user_id
     WHERE n.cause_id = $1 AND n.read_at IS NULL ORDER BY u.user_name`,
    [cause],
  )
const people = async (cause: string) => (await told(cause)).map((t) => t.user_name)
const logsOf = async (id: string) =>
  (
    await server.sql<{ action: string }>(
      `SELECT action FROM user_logs WHERE object_id = $1 AND outcome = 'done' AND user_name LIKE '司机%' ORDER BY at`,
      [id],
    )
  ).map((l) => l.action)
const opens = async (who: Person, key: string) =>
  (await who.ask(filesApi.get, { query: { key, size: 'thumb' } })).status

test('refused at the door: the whole note goes back once, as from an office, and the page says so', async () => {
  const { id, order } = await underWay()
  const { phone } = await linkFrom(server, shop.supplier, id)
  expect((await phone.say(id, 'refused', { photo: null })).msg).toBe('请先拍一张现场的照片')
  expect((await phone.say(id, 'refused', { reason: '不' })).msg).toContain('请写明原因')
  expect((await note(id)).state).toBe(2)
  const photo = (await phone.photo()).data.key
  const act = { ...phone.done(), photo, reason: '颜色不对' }
  const [one, two] = await Promise.all([phone.say(id, 'refused', act), phone.say(id, 'refused', act)])
  expect([one.msg, two.msg]).toEqual(['', ''])
  const n = await note(id)
  expect(n).toMatchObject({ state: 5, reason: '拒收：颜色不对' })
  expect(n.tracks.map((t) => [t.type, t.progress, t.status])).toEqual([
    [1, 1, 4],
    [5, 1, 0],
  ])
  expect(n.tracks[0]!.nodes.at(-1)).toMatchObject({
    source: 'driver',
    title: '拒收：颜色不对',
    place: '3 幢楼下',
    photo,
    who: '司机 王师傅',
  })
  const o = await shop.seen(order)
  expect(o.orderState).toBe(3)
  expect(o.notes.filter((k) => k.state === 0)).toHaveLength(1)
  expect(await people(id)).toEqual(['order_clerk', 'supplier'])
  // The link goes on saying what became of it: an answer that was lost is answered again, and nothing happens twice.
  expect((await phone.say(id, 'refused', act)).msg).toBe('')
  expect((await phone.state()).data.stops).toMatchObject([
    { state: 'back', back: '拒收：颜色不对', address: '' },
  ])
  expect((await phone.handOver(id)).msg).toBe('这张发货单已经取消或退回，不用再操作')
  expect((await phone.say(id, 'lost')).msg).toBe('这张发货单已经取消或退回，不用再操作')
  expect(await logsOf(id)).toEqual(['整单退回'])
  expect((await shop.seen(order)).notes).toHaveLength(2)
  // Both parties see the picture.
  for (const who of [shop.clerk, shop.supplier]) expect(await opens(who, photo)).toBe(200)
  expect(await opens(shop.gm2, photo)).not.toBe(200)
})

test('lost on the way: no way back, nothing of it is under way', async () => {
  const { id, order } = await underWay('3')
  const { phone } = await linkFrom(server, shop.supplier, id)
  expect((await phone.say(id, 'lost', { photo: null, reason: '被别人卸走了' })).msg).toBe('')
  const n = await note(id)
  expect([n.state, n.reason, n.tracks.map((t) => t.type)]).toEqual([5, '遗失：被别人卸走了', [1]])
  expect((await shop.seen(order)).orderState).toBe(3)
})

test('nobody there: it stays under way, who must know hears, and it is tried again', async () => {
  const { id, site } = await underWay()
  await server.sql(
    `UPDATE sites SET manager_id = (SELECT id FROM users WHERE user_name = 'pm') WHERE id = $1`,
    [site],
  )
  const { phone } = await linkFrom(server, shop.clerk, id)
  const before = await note(id)
  expect((await phone.say(id, 'nobody', { photo: null })).msg).toBe('请先拍一张现场的照片')
  const act = { ...phone.done(), photo: (await phone.photo()).data.key, reason: '敲门没人' }
  for (let i = 0; i < 2; i += 1) expect((await phone.say(id, 'nobody', act)).msg).toBe('')
  const n = await note(id)
  expect([n.state, n.version]).toEqual([2, before.version])
  expect(n.tracks[0]!.nodes.map((k) => k.title).filter((t) => t.includes('敲门没人'))).toEqual([
    '无人收货：敲门没人',
  ])
  expect(await people(id)).toEqual(['order_clerk', 'pm', 'supplier'])
  expect((await told(id))[0]!.title).toContain('无人收货：敲门没人')
  expect((await phone.say(id, 'nobody', { reason: '又没人' })).msg).toBe('')
  expect((await phone.handOver(id)).msg).toBe('')
  expect((await phone.say(id, 'nobody')).msg).toMatch(/已由 司机 王师傅 于 .* 交货/)
  expect((await phone.say(id, 'refused')).msg).toMatch(/已由 司机 王师傅 于 .* 交货/)
  expect(await logsOf(id)).toEqual(['无人收货', '无人收货', '确认送达'])
})

test('a part says why the rest stays; damage is told to who accepts and judges nothing', async () => {
  const { id, line } = await underWay('10')
  const { phone } = await linkFrom(server, shop.supplier, id)
  const lines = [{ line_id: line, quantity: '6' }]
  expect((await phone.handOver(id, { lines, reason: '' })).msg).toBe('没有交完，请写明原因（至少 2 个字）')
  const damagePhoto = (await phone.photo()).data.key
  expect((await phone.handOver(id, { lines, damage: '两片碎角' })).msg).toBe('有损坏请拍一张损坏的照片')
  expect((await phone.handOver(id, { lines, damagePhoto })).msg).toContain('请写明损坏了什么')
  const photo = (await phone.photo()).data.key
  const twice = { lines, photo, damagePhoto: photo, damage: '两片碎角' }
  expect((await phone.handOver(id, twice)).msg).toBe('损坏的照片请另拍一张')
  const part = await phone.handOver(id, { lines, reason: '电梯只能上六片', damage: '两片碎角', damagePhoto })
  expect(part.msg).toBe('')
  const n = await note(id)
  expect(n).toMatchObject({ state: 2, lineList: [{ quantity: '4' }] })
  const left = n.tracks
    .flatMap((t) => t.nodes)
    .filter((k) => k.title.includes('余下的没有交：电梯只能上六片'))
  expect(left).toHaveLength(1)
  expect(await told(id)).toEqual([
    { user_name: 'order_clerk', title: expect.stringContaining('余下的没有交：电梯只能上六片') },
    { user_name: 'supplier', title: expect.stringContaining('余下的没有交：电梯只能上六片') },
  ])
  const [arrived] = await server.sql<{ id: string }>('SELECT id FROM dispatches WHERE code = $1', [
    part.data.code,
  ])
  const sheet = await shop.acceptor.call(goodsApi.sheet, { query: { id: arrived!.id } })
  expect(sheet).toMatchObject({ damage: '两片碎角', damagePhoto, linesChecked: 0 })
  expect(await opens(shop.acceptor, damagePhoto)).toBe(200)
  const acceptors = (await told(arrived!.id)).filter((t) => t.title.includes('送货人说有损坏：两片碎角'))
  expect(acceptors.map((t) => t.user_name)).toEqual(['acceptor', 'branch_gm'])
  expect((await phone.handOver(id)).msg).toBe('')
  expect(await note(id)).toMatchObject({ state: 3, damage: '', damagePhoto: null })
})

test('a note of somebody else, another act of the same number, a picture that was used', async () => {
  const [{ id }, { id: second }] = [await underWay(), await underWay()]
  const one = await linkFrom(server, shop.supplier, id)
  const two = await linkFrom(server, shop.supplier, second)
  expect((await one.phone.say(second, 'refused')).msg).toBe('这张发货单不在这个链接里，可能已改由别的车送')
  const photo = (await one.phone.photo()).data.key
  expect((await two.phone.say(second, 'refused', { photo })).status).toBe(403)
  expect((await one.phone.say(id, 'nobody', { photo })).msg).toBe('')
  expect((await one.phone.say(id, 'refused', { photo })).msg).toBe('这张照片已经用过，请另拍一张')
  expect([(await note(id)).state, (await note(second)).state]).toEqual([2, 2])
  const { version } = await note(id)
  await shop.clerk.call(dispatchApi.sendBack, { body: { id, version, back: 'recalled', reason: '发错了' } })
  expect((await one.phone.say(id, 'refused', { photo: null })).status).toBe(404)
})
