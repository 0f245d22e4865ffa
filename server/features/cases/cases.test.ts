import { randomUUID } from 'node:crypto'

import { casePageApi } from '@zhuguan/contract/features/cases/case-page.api.ts'
import { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'
import type { HomeCase } from '@zhuguan/contract/features/cases/cases.record.ts'
import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import { queryText } from '@zhuguan/contract/kit/query.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { expireTonight } from '../../app/clock.ts'
import { wholeGroup } from '../../kit/scoped.ts'
import { caseStage, type CaseStage, FACE, first, type Home } from '../../testing/casing.ts'
import { boundPhone } from '../../testing/homes.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { dayAhead } from '../../testing/time.ts'
import { openFileStore } from '../files/file-store.ts'
import { publicCases } from './cases.reads.ts'

let server: TestServer
let gm: Person
let steward: Person
let service: Person
let sales: Person
let c: CaseStage
let homes: Home[]
beforeAll(async () => {
  server = await startTestServer()
  ;[gm, steward, service, sales] = await Promise.all([
    server.as('branch_gm'),
    server.as('steward'),
    server.as('service'),
    server.as('sales'),
  ])
  c = await caseStage(server, { gm, steward, service })
  homes = c.homes
})
afterAll(() => server.stop())
const files = () => openFileStore(server.dataDir)

const bytesAt = (path: string, query: Record<string, string>, who: Person) =>
  fetch(server.url + path + queryText(query), {
    headers: { token: who.token, 'tenant-id': who.tenant },
  })
const picture = (key: string, who: Person) => bytesAt(casesApi.picture.path, { key }, who)
const inStore = async (who = sales) => (await who.call(casesApi.field, { query: {} })).list
const pixels = (bytes: Buffer) => sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })

test('public is what the home was shown: masks burnt in, another pair of eyes, their yes and their no', async () => {
  const home = homes[0]!
  const id = await c.made(home)
  const before = await c.details(id)
  expect(before).toMatchObject({ state: 'candidate', missing: '1 张照片待打码' })
  const source = first(before.pictures).source
  // Nobody is asked about what is not masked.
  expect((await c.askFor(id)).msg).toBe('1 张照片待打码')
  const nothing = await steward.ask(casesApi.mask, {
    body: { id: first(before.pictures).id, version: 0, turn: 0, masks: [] },
  })
  expect(nothing.code).toBe(400)
  const away = await steward.ask(casesApi.mask, {
    body: {
      id: first(before.pictures).id,
      version: 0,
      turn: 0,
      masks: [{ x: 9_999, y: 9_999, w: 5_000, h: 5_000 }],
    },
  })
  expect([away.code, away.msg]).toEqual([400, '打码的框要在照片里面'])
  await c.maskAll(id)
  const masked = first((await c.details(id)).pictures)
  expect(masked).toMatchObject({ state: 'masked', rendition: expect.not.stringContaining(source) as string })
  // Not by whoever masked it, not by who may not.
  const own = await steward.ask(casesApi.release, { body: { id: masked.id, version: masked.version } })
  expect(own.code).toBe(401)
  await gm.call(casesApi.mask, {
    body: { id: masked.id, version: masked.version, turn: 0, masks: [FACE] },
  })
  const again = first((await c.details(id)).pictures)
  expect(again.rendition).not.toBe(masked.rendition)
  const self = await gm.ask(casesApi.release, { body: { id: again.id, version: again.version } })
  expect([self.code, self.msg]).toEqual([409, '打码的人不能放行自己打的码，请另一个人看一遍'])
  expect((await c.askFor(id)).msg).toBe('1 张照片待另一个人放行')
  await c.releaseAll(id, service)
  expect((await c.askFor(id)).code).toBe(200)

  const phone = await c.phoneOf(home)
  const shown = await c.seenBy(phone)
  expect(shown).toMatchObject({
    state: 'asked',
    places: ['store', 'link'],
    mayAnswer: true,
    signatory: true,
    shown: {
      title: '南北通透的家',
      words: '小户型住出大空间',
      style: '现代简约',
      layout: '三室两厅',
      areaRange: '80–100 ㎡',
      community: home.community,
    },
  })
  const key = first(shown.shown.pictures).key
  expect((await phone.picture(key)).code).not.toBe(403)
  expect((await phone.picture(source)).code).toBe(403)
  // Nothing is public before the yes, nor by the yes alone.
  expect((await inStore()).map((k) => k.id)).not.toContain(id)
  expect((await picture(key, sales)).status).toBe(403)
  const act = randomUUID()
  expect((await c.say(phone, 1, act)).code).toBe(200)
  expect((await inStore()).map((k) => k.id)).not.toContain(id)
  expect((await c.publish(id)).code).toBe(200)

  const listed = (await inStore()).find((k) => k.id === id)!
  const { bc_name: _bc, inReach: _own, ...toStrangers } = listed
  // Byte for byte what the home agreed to.
  expect(toStrangers).toEqual(shown.shown)
  const text = JSON.stringify(listed)
  expect(text).not.toContain(home.address)
  expect(text).not.toMatch(/\b1[3-9]\d{9}\b|owner|address/)

  const bytes = Buffer.from(await (await picture(key, sales)).arrayBuffer())
  const out = await pixels(bytes)
  expect(out.info.width).toBe(1_600)
  const { exif } = await sharp(bytes).metadata()
  expect(exif).toBeUndefined()
  // The place of the mask holds nothing of the original: two greys, whatever was under them.
  const { data, info } = out
  const greys = new Set<number>()
  let alike = 0
  const original = await pixels(
    await sharp(await files().read(source))
      .resize({ width: 1_600 })
      .toBuffer(),
  )
  for (let y = 240; y < 390; y += 3)
    for (let x = 420; x < 700; x += 3) {
      const at = (y * info.width + x) * 3
      const [r, g, b] = [data[at]!, data[at + 1]!, data[at + 2]!]
      greys.add(Math.round(r / 12))
      expect(Math.max(r, g, b) - Math.min(r, g, b)).toBeLessThan(14)
      if (Math.abs(original.data[at + 2]! - b) < 3 && Math.abs(original.data[at]! - r) < 3) alike += 1
    }
  expect(greys.size).toBeLessThan(8)
  expect(alike).toBeLessThan(300)
  // Beside the mask it is the picture.
  const beside = (100 * info.width + 100) * 3
  expect(Math.abs(data[beside]! - original.data[beside]!)).toBeLessThan(12)

  // The original's key opens nothing outside, nor does a rendition by the door of pictures.
  expect((await picture(source, sales)).status).toBe(403)
  const elsewhere = await server.as('quoter2')
  expect((await picture(key, elsewhere)).status).toBe(200)
  expect((await picture(source, elsewhere)).status).toBe(403)
  expect((await bytesAt(filesApi.get.path, { key: source }, elsewhere)).status).toBe(403)
  expect((await bytesAt(filesApi.get.path, { key }, sales)).status).toBe(403)
  expect(await c.isOpen(home, id, 'link', key)).toBe(true)
  expect(await c.isOpen(home, id, 'screen', key)).toBe(false)
  expect(await c.isOpen(home, id, 'link', source)).toBe(false)
  expect(await c.isOpen(home, randomUUID(), 'link', key)).toBe(false)

  // One tap, without us: the next byte is refused.
  expect((await c.takeBack(phone)).code).toBe(200)
  expect((await picture(key, sales)).status).toBe(403)
  expect(await c.isOpen(home, id, 'link', key)).toBe(false)
  expect((await inStore()).map((k) => k.id)).not.toContain(id)
  expect(await c.details(id)).toMatchObject({ state: 'withdrawn' })
  expect((await c.takeBack(phone)).msg).toBe('没有可以收回的同意')
  const { log, answers } = await c.details(id)
  expect(log.map((l) => l.act)).toContain('withdraw')
  expect(first(answers)).toMatchObject({ state: 3, how: 'electronic' })
  // The person who keeps the home and who shows it hear.
  const told = await server.sql<{ user_name: string }>(
    `SELECT u.user_name FROM notifications n JOIN users u ON u.id = n.user_id
     WHERE n.cause_id = $1 AND n.read_at IS NULL ORDER BY 1`,
    [id],
  )
  expect(told.map((t) => t.user_name)).toContain('steward')
})

test("one contact's no is the home's, before the yes and after it; a spouse alone says no yes", async () => {
  const home = homes[1]!
  const spouse = await steward.call(ownersApi.addContact, {
    body: { site_id: home.site, name: '陈太太', relation: 'spouse', phone: '13700001111' },
  })
  const id = await c.asked(home)
  const hers = await c.phoneOf(home, spouse.id)
  expect(await c.seenBy(hers)).toMatchObject({ signatory: false, mayAnswer: true })
  const yes = await c.say(hers, 1)
  expect([yes.code, yes.msg]).toEqual([409, '同意公开要由业主本人答复；您不同意的，可以直接选“不同意”'])
  const act = randomUUID()
  expect((await c.say(hers, 2, act)).code).toBe(200)
  expect(await c.details(id)).toMatchObject({ state: 'refused' })
  // His yes comes too late, and nothing is public.
  const his = await c.phoneOf(home)
  expect((await c.say(his, 1)).code).toBe(409)

  // Asked anew: he says yes, it is shown; her no ends it at once.
  const next = await c.asked(home)
  expect((await c.say(his, 1)).code).toBe(200)
  // Her no stands until she takes it away herself: another case does not ask it away.
  expect((await c.publish(next)).msg).toBe('陈太太说过不同意，要本人改变主意（在自己的页面上或当面）才能上架')
  expect(await c.seenBy(hers)).toMatchObject({ mine: 2, mayAnswer: true, mayWithdraw: false })
  expect((await c.say(hers, 1)).code).toBe(200)
  expect(await c.details(next)).toMatchObject({ state: 'consented' })
  expect((await c.publish(next)).code).toBe(200)
  const key = first((await c.seenBy(hers)).shown.pictures).key
  expect(await c.isOpen(home, next, 'store', key)).toBe(true)
  expect((await c.takeBack(hers)).code).toBe(200)
  expect(await c.isOpen(home, next, 'store', key)).toBe(false)
  expect(await c.details(next)).toMatchObject({ state: 'withdrawn' })
})

test('what changes after the yes is not public: a picture masked anew, one that is pulled', async () => {
  const home = homes[2]!
  const id = await c.asked(home, 2)
  expect((await c.onPaper(id, home)).code).toBe(200)
  expect((await c.publish(id)).code).toBe(200)
  const [one, two] = (await c.details(id)).pictures
  expect(await c.isOpen(home, id, 'store', one!.rendition!)).toBe(true)
  const edit = await steward.ask(casesApi.edit, {
    body: { id, version: (await c.details(id)).version, title: '别的标题', words: '', pictures: [] },
  })
  expect(edit.code).toBe(409)
  await steward.call(casesApi.mask, {
    body: { id: one!.id, version: one!.version, turn: 90, masks: [FACE] },
  })
  expect(await c.isOpen(home, id, 'store', one!.rendition!)).toBe(false)
  // The file is gone, too, not only the way to it.
  await vi.waitFor(() => expect(files().read(one!.rendition!)).rejects.toThrow())
  const turned = (await c.details(id)).pictures.find((p) => p.id === one!.id)!
  await gm.call(casesApi.release, { body: { id: turned.id, version: turned.version } })
  // Released again, and still not what the home was shown.
  expect(await c.isOpen(home, id, 'store', turned.rendition!)).toBe(false)
  const listed = (await inStore()).find((k) => k.id === id)!
  expect(listed.pictures.map((p) => p.key)).toEqual([two!.rendition])
  const stale = await steward.ask(casesApi.mask, {
    body: { id: two!.id, version: two!.version + 7, turn: 0, masks: [FACE] },
  })
  expect(stale.code).toBe(409)
  await gm.call(casesApi.pull, { body: { id: two!.id, version: two!.version, reason: '看得到门牌' } })
  expect(await c.isOpen(home, id, 'store', two!.rendition!)).toBe(false)
  expect((await inStore()).map((k) => k.id)).not.toContain(id)
})

test('nothing beyond what is asked for, and never a number, an address, a name, a price', async () => {
  const home = homes[3]!
  const id = await c.made(home)
  await c.maskAll(id)
  await c.releaseAll(id)
  const { version } = await c.details(id)
  const [{ name }] = (await server.sql<{ name: string }>(
    'SELECT o.name FROM owners o JOIN sites w ON w.owner_id = o.id WHERE w.id = $1',
    [home.site],
  )) as [{ name: string }]
  // What cannot be masked nobody is asked for.
  expect(await c.askFor(id, { scope: ['photos', 'live'] })).toMatchObject({
    code: 400,
    msg: '直播画面遮不住人脸，不征求；给客户看的是打过码的照片和拍摄时间',
  })
  const pictures = (await c.details(id)).pictures.map((p) => p.source)
  for (const words of [
    '电话 13812345678',
    '3 栋 502 室',
    '总价 18.6 万',
    '八幢一〇二室',
    '合同价贰拾壹万捌仟',
    '手机一三五一二三四七四零三',
    '花了二十一万',
    `${name}的家`,
    `在${home.address}`,
  ]) {
    const answer = await steward.ask(casesApi.edit, {
      body: { id, version, title: '好看的家', words, pictures },
    })
    expect([words, answer.code]).toEqual([words, 400])
  }
  await steward.call(casesApi.edit, {
    body: { id, version, title: `${home.community}的家`, words: '3 室 2 厅', pictures },
  })
  const without = await c.askFor(id, { scope: ['photos', 'layout'] })
  expect([without.code, without.msg]).toEqual([
    400,
    `写到了小区“${home.community}”，要么改掉，要么把“小区”列入公开内容`,
  ])
  expect((await c.askFor(id, { scope: ['community'] })).msg).toBe('案例至少要公开照片')
  expect((await c.askFor(id, { until: dayAhead(0) })).msg).toBe('授权到的日期要晚于今天')
  expect((await c.askFor(id, { until: dayAhead(2_000) })).code).toBe(400)
  expect(await c.details(id)).toMatchObject({ state: 'candidate' })
  const beyond = await c.askFor(id, { scope: ['photos', 'community'] })
  expect([beyond.code, beyond.msg]).toEqual([400, '写到了户型或面积，要么改掉，要么把“户型面积”列入公开内容'])
  const body = {
    id,
    version: version + 1,
    title: `${home.community}的家`,
    words: '一块地毯、一座小院',
    pictures,
  }
  await steward.call(casesApi.edit, { body })
  expect((await c.askFor(id, { scope: ['photos', 'community'] })).code).toBe(200)
  const shown = first((await inHome(home)).filter((k) => k.id === id)).shown
  expect(shown).toMatchObject({ layout: null, areaRange: null, priceRange: null, praise: null })
  // A picture of another home is none of this one.
  const taken = await steward.ask(casesApi.add, {
    body: { site_id: homes[4]!.site, title: '好看的家', words: '', pictures: [pictures[0]!] },
  })
  expect(taken.code).toBe(403)
  const double = await steward.ask(casesApi.add, {
    body: { site_id: home.site, title: '第二个', words: '', pictures: [] },
  })
  expect([double.code, double.msg]).toEqual([400, '这个工地已经有一个案例，请在案例管理里找到它'])
  const unproved = await steward.ask(casesApi.answer, {
    body: {
      id,
      version: (await c.details(id)).version,
      contact_id: home.contact,
      answer: 1,
      how: 'written',
      answeredOn: dayAhead(0),
    },
  })
  expect([unproved.code, unproved.msg]).toEqual([400, '书面同意请上传签字的照片'])
})
const inHome = async (home: Home): Promise<HomeCase[]> => {
  const phone = await c.phoneOf(home)
  return (await phone.who.ask(casePageApi.cases, { body: phone.bearer })).data
}

test('a change of owner and the last day end it; what is asked on a page that is old is looked at anew', async () => {
  const [sold, due] = [homes[4]!, homes[5]!]
  const id = await c.published(sold)
  const key = first((await c.details(id)).pictures).rendition!
  expect(await c.isOpen(sold, id, 'store', key)).toBe(true)
  const [{ version }] = (await server.sql<{ version: number }>(
    'SELECT version FROM home_contacts WHERE id = $1',
    [sold.contact],
  )) as [{ version: number }]
  await gm.call(ownersApi.change, {
    body: {
      id: sold.contact,
      version,
      name: '钱新主',
      phone: '13700002222',
      promises: 'withdrawn',
      reason: '房子卖了',
    },
  })
  expect(await c.isOpen(sold, id, 'store', key)).toBe(false)
  expect(await c.details(id)).toMatchObject({ state: 'withdrawn' })
  // What was taken before is not the next owner's.
  expect(await steward.call(casesApi.possible, { query: { site_id: sold.site } })).toEqual([])

  const other = await c.asked(due)
  const phone = await c.phoneOf(due)
  const old = await c.seenBy(phone)
  const { version: at } = await c.details(other)
  await steward.call(casesApi.revise, { body: { id: other, version: at, reason: '换一句话' } })
  const late = await phone.who.ask(casePageApi.answer, {
    body: { ...phone.act(), id: other, answer: 1, version: old.version, wording: old.wording },
  })
  expect(late.code).toBe(409)
  expect((await c.askFor(other, { until: dayAhead(40) })).code).toBe(200)
  // Asked again, it is something else that the old page shows.
  const older = await phone.who.ask(casePageApi.answer, {
    body: { ...phone.act(), id: other, answer: 1, version: old.version, wording: old.wording },
  })
  expect(older.code).toBe(409)
  expect((await c.onPaper(other, due)).code).toBe(200)
  expect((await c.publish(other)).code).toBe(200)
  const shown = first((await c.details(other)).pictures).rendition!
  server.later(39 * 86_400_000)
  expect(await c.isOpen(due, other, 'store', shown)).toBe(true)
  // Midnight passes: no work of the night is needed for that.
  server.later(2 * 86_400_000)
  expect(await c.isOpen(due, other, 'store', shown)).toBe(false)
  await expireTonight(server.db, server.now())
  expect(await c.details(other)).toMatchObject({ state: 'expired' })
})

test('of two at once one counts: a yes and a no, a publishing and a taking back', async () => {
  const home = homes[6]!
  const id = await c.asked(home)
  expect((await c.onPaper(id, home)).code).toBe(200)
  const phone = await c.phoneOf(home)
  const { version } = await c.details(id, gm)
  const [up, down] = await Promise.all([
    gm.ask(casesApi.publish, { body: { id, version } }),
    c.takeBack(phone),
  ])
  expect(down.code).toBe(200)
  expect([200, 409]).toContain(up.code)
  expect(await c.details(id)).toMatchObject({ state: 'withdrawn' })
  const all = await server.db.tx(wholeGroup(home.tenant), (tx) =>
    publicCases(tx, home.tenant, 'store', server.now()),
  )
  expect(all.map((k) => k.id)).not.toContain(id)
})

test('who made the link and let in the telephone alone speaks for no owner', async () => {
  const home = homes[6]!
  const id = await c.asked(home)
  const own = await boundPhone(server, steward, { contact: home.contact, site: home.site })
  const yes = await c.say(own, 1)
  expect([yes.code, yes.msg]).toEqual([
    409,
    '这个链接和这台手机是同一位同事办的，还不能代表业主本人同意；请让另一位同事核对，或者上传书面同意',
  ])
  expect(await c.details(id)).toMatchObject({ state: 'asked' })
  expect((await c.say(own, 2)).code).toBe(200)
  expect(await c.details(id)).toMatchObject({ state: 'refused' })
})

test("yesterday's rectangles of the same camera are proposed, and count for nothing by themselves", async () => {
  const home = homes[7]!
  const camera = await c.cameraOf(home)
  const keys = [
    await c.siteShot(home, camera, new Date(server.now().getTime() - 86_400_000)),
    await c.siteShot(home, camera),
  ]
  const { id } = await steward.call(casesApi.add, {
    body: { site_id: home.site, title: '同一个机位', words: '', pictures: keys },
  })
  const [one, two] = (await c.details(id)).pictures
  expect(two!.proposed).toEqual([])
  await steward.call(casesApi.mask, { body: { id: one!.id, version: 0, turn: 0, masks: [FACE] } })
  const after = (await c.details(id)).pictures.find((p) => p.id === two!.id)!
  expect(after).toMatchObject({ proposed: [FACE], state: 'raw', rendition: null })
  await c.maskAll(id)
  await c.releaseAll(id)
  expect((await c.details(id)).preview.pictures.map((p) => p.pair)).toEqual([1, 1])
  const { version } = await c.details(id)
  const { list } = await steward.call(casesApi.list, { query: { id } })
  expect(first(list)).toMatchObject({ missing: '', released: 2, version })
  // Nobody was asked yet: what is taken out is out, and its file with it.
  const [kept] = (await c.details(id)).pictures
  await steward.call(casesApi.edit, {
    body: { id, version, title: '同一个机位', words: '', pictures: [kept!.source] },
  })
  expect((await c.details(id)).pictures.map((p) => p.id)).toEqual([kept!.id])
  await expect
    .poll(() =>
      files()
        .read(after.source)
        .then(() => true),
    )
    .toBe(true)
})
