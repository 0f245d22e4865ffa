import { devicesApi } from '@zhuguan/contract/features/devices/devices.api.ts'
import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { grantsApi } from '@zhuguan/contract/features/owners/grants.api.ts'
import { homeDevicesApi } from '@zhuguan/contract/features/owners/home-devices.api.ts'
import { homeVideoApi } from '@zhuguan/contract/features/owners/home-video.api.ts'
import { looksApi } from '@zhuguan/contract/features/owners/looks.api.ts'
import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import { streamsApi } from '@zhuguan/contract/features/streams/streams.api.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { DAY_LONG, homeLooks, type LookedHome, until } from '../../testing/home-looks.ts'
import { boundPhone, homePhone } from '../../testing/homes.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { dayAhead, seconds } from '../../testing/time.ts'
import { openGateway, type TestGateway } from '../../testing/video-gateway.ts'
import type { VideoSettings } from '../streams/gateway.ts'

type Home = LookedHome
let server: TestServer
let gateway: TestGateway
const video: VideoSettings = { template: '', kind: 'hls', s3: null, answerMs: 1_500 }
let steward: Person
let gm: Person
let homes: Home[]
let keepers: Person
let on: ReturnType<typeof homeLooks>

beforeAll(async () => {
  gateway = await openGateway()
  server = await startTestServer({ video })
  ;[steward, gm, keepers] = await Promise.all([
    server.as('steward'),
    server.as('branch_gm'),
    server.as('device_keeper'),
  ])
  on = homeLooks(server, gateway, steward)
  homes = await on.homes()
  // At whatever hour this runs, a home may be watched.
  await on.house('00:00', '23:59')
  for (const h of homes) await on.awake(h)
})
afterAll(async () => {
  await server.stop()
  await gateway.close()
})
let turn = 0
beforeEach(() => {
  turn += 1
  gateway.answers.clear()
  gateway.asked.length = 0
  Object.assign(video, { kind: 'hls', template: `${gateway.url}/{sn}/index.m3u8?n=${turn}` })
})

const DAYS = { fromDay: '2020-01-01', toDay: '2099-12-31' }
const dayFrom = dayAhead
const HOURS = DAY_LONG
const ofHome = (site: string, who = steward) => who.call(grantsApi.home, { query: { site_id: site } })
const oneOf = async (h: Home, contact = h.contact) =>
  (await ofHome(h.site)).contacts.find((c) => c.contact_id === contact)!
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

test('nobody is granted anything before they agreed; refused, agreed, withdrawn, each once', async () => {
  const h = homes[0]!
  const phone = await boundPhone(server, steward, h)
  expect(await on.state(phone)).toMatchObject({ consent: null, grant: null, why: '您还没有同意看现场' })
  expect((await on.grant(h)).msg).toMatch(/没有同意看现场/)
  expect((await on.look(phone, h.camera)).msg).toBe('您还没有同意看现场')
  expect((await on.say(phone, 2)).code).toBe(200)
  expect((await on.grant(h)).msg).toMatch(/没有同意看现场/)
  const old = await phone.who.ask(homeVideoApi.answer, {
    body: { ...phone.act(), answer: 1, wording: '2020' },
  })
  expect(old.msg).toBe('说明已经更新，请重新打开这一页再看一遍')
  expect((await on.say(phone, 1)).code).toBe(200)
  expect((await on.say(phone, 1)).code).toBe(409)
  const notices = await server.sql<{ title: string }>(
    `SELECT n.title FROM notifications n JOIN users u ON u.id = n.user_id
     WHERE n.cause_id = $1 AND u.user_name = 'steward' AND n.read_at IS NULL`,
    [h.contact],
  )
  expect(notices).toHaveLength(1)
  expect(notices[0]!.title).toMatch(/同意用手机看现场/)
  expect((await on.grant(h, {}, await server.as('service'))).msg).toBe('No Permission')
  expect((await on.grant(h)).code).toBe(200)
  const seen = await on.state(phone)
  expect(seen).toMatchObject({ consent: 1, why: '', cameras: [{ sn: h.sn, online: true }] })
  expect(seen.grant).toMatchObject({ ...HOURS, stopped: false })
  // Changed, it is another grant: one at a time.
  expect((await on.grant(h, { from: '09:00', to: '18:00' })).code).toBe(200)
  const [count] = await server.sql<{ n: number; all: number }>(
    `SELECT count(*) FILTER (WHERE state <> 'ended')::int AS n, count(*)::int AS "all" FROM video_grants
     WHERE contact_id = $1`,
    [h.contact],
  )
  expect(count).toEqual({ n: 1, all: 2 })
  expect((await on.takeBack(phone)).code).toBe(200)
  expect((await on.takeBack(phone)).code).toBe(409)
  expect(await oneOf(h)).toMatchObject({ consent: 3, grant: { state: 'stopped', reason: '本人撤回同意' } })
  expect((await on.state(phone)).why).toBe('您已撤回同意')
  const g = (await oneOf(h)).grant!
  const again = await steward.ask(grantsApi.resume, { body: { id: g.id, version: g.version } })
  expect(again.msg).toMatch(/没有同意看现场，不能恢复/)
  // Staff write down what was said, with what proves it.
  const said = { contact_id: h.contact, answer: 1, answeredOn: dayFrom(0) } as const
  const bare = await steward.ask(grantsApi.answer, { body: { ...said, how: 'spoken' } })
  expect(bare.msg).toBe('当面答复请上传凭证照片（签字、聊天截图）')
})

test('a grant is within the hours of the house, of cameras that stand here, and of days to come', async () => {
  const h = homes[0]!
  await server.sql(
    `UPDATE consents SET state = 1, withdrawn_at = NULL, withdrawn_by = NULL, withdrawn_why = NULL
    WHERE subject_id = $1 AND state = 3`,
    [h.contact],
  )
  await on.house('08:00', '20:00')
  const bad = async (more: object) => (await on.grant(h, { from: '09:00', to: '18:00', ...more })).msg
  expect(await bad({ to: '09:00' })).toBe('结束时间要晚于开始时间；看到第二天凌晨的，请选“到次日”')
  expect(await bad({ to: '08:00' })).toBe('结束时间要晚于开始时间；看到第二天凌晨的，请选“到次日”')
  expect(await bad({ nextDay: true })).toBe('跨到次日的时段不能超过 24 小时')
  expect(await bad({ from: '07:00' })).toBe('应在业主视频时段 08:00–20:00 之内')
  expect(await bad({ to: '20:01' })).toBe('应在业主视频时段 08:00–20:00 之内')
  expect(await bad({ from: '19:00', to: '02:00', nextDay: true })).toBe('应在业主视频时段 08:00–20:00 之内')
  expect(await bad({ toDay: dayFrom(-1), fromDay: dayFrom(-2) })).toBe('结束日期已经过去')
  expect(await bad({ fromDay: dayFrom(2), toDay: dayFrom(1) })).toBe('结束日期不能早于开始日期')
  expect(await bad(DAYS)).toBe('一次最多授权 366 天')
  expect(await bad({ cameras: [homes[1]!.camera] })).toBe(`摄像头 ${homes[1]!.sn} 不在这个工地`)
  const [foreign] = await server.sql<{ id: string }>(
    `SELECT d.id FROM devices d JOIN companies c ON c.bc_id = d.bc_id
     WHERE c.code = 'NB' AND d.type = 'camera' LIMIT 1`,
  )
  expect(await bad({ cameras: [foreign!.id] })).toBe('没有权限查看或操作这条数据')
  await on.house('22:00', '02:00')
  expect(await bad({ from: '22:00', to: '02:00', nextDay: true })).toBe('')
  await on.house('00:00', '23:59')
  await server.sql('UPDATE sites SET status = 2 WHERE id = $1', [h.site])
  expect(await bad({})).toBe('工地未开工，不能授权看现场')
  await server.sql('UPDATE sites SET status = 1 WHERE id = $1', [h.site])
})

test('withdrawn while an HLS runs: the last byte within five seconds; the spouse goes on', async () => {
  const h = homes[1]!
  const phone = await on.ready(h)
  const spouse = (
    await steward.call(ownersApi.addContact, {
      body: { site_id: h.site, name: '陈太太', relation: 'spouse', phone: '13700001111' },
    })
  ).id
  const other = { ...h, contact: spouse }
  const second = await on.ready(other)
  const [mine, theirs] = [await on.running(h, phone), await on.running(h, second)]
  // Two of a home at most, whoever looks, and not by going round.
  const third = await on.look(second, h.camera)
  expect(third.code).toBe(200)
  // Nobody keeps or ends what another telephone of the home watches.
  expect((await on.keep(second, mine.view)).ended).toEqual([{ view: mine.view, why: '已经结束' }])
  expect((await on.takeBack(phone)).code).toBe(200)
  console.log(`HLS last byte ${(await until(mine.gone)).toFixed(1)} s`)
  expect(await on.ended(mine.view)).toBe('同意已撤回')
  expect((await on.keep(phone, mine.view)).ended).toEqual([{ view: mine.view, why: '同意已撤回' }])
  expect(theirs.view).not.toBe(third.data.view)
  // The steward reads the look with its device and its end; the home's page has nobody of its own in the list.
  const list = await gm.call(looksApi.looks, { query: { site_id: h.site } })
  expect(list.list.find((l) => l.id === mine.view)).toMatchObject({ cameraSn: h.sn, ended: '同意已撤回' })
})

test('withdrawn while an FLV runs: the last byte within five seconds', async () => {
  const h = homes[2]!
  Object.assign(video, { kind: 'flv', template: `${gateway.url}/{sn}/live.flv` })
  const phone = await on.ready(h)
  gateway.answers.set(`/${h.sn}/live.flv`, (_request, reply) => {
    reply.writeHead(200, { 'content-type': 'video/x-flv' })
    reply.write('FLV\u0001head')
    const timer = setInterval(() => reply.write('more'), 100)
    reply.once('close', () => clearInterval(timer))
  })
  const opened = await on.look(phone, h.camera)
  const response = await fetch(new URL(opened.data.address!, server.url), {
    headers: { cookie: opened.cookie },
  })
  let last = 0
  const over = (async () => {
    for await (const _ of response.body!) last = performance.now()
  })().catch(() => {})
  await pause(500)
  const from = performance.now()
  expect((await on.takeBack(phone)).code).toBe(200)
  await over
  console.log(`FLV last byte ${((last - from) / 1_000).toFixed(1)} s`)
  expect(last - from).toBeLessThan(5_000)
})

test('WHEP is ended at the gateway within five seconds, and refused where it cannot be', async () => {
  const h = homes[3]!
  Object.assign(video, { kind: 'whep', template: `${gateway.url}/{sn}/whep` })
  const phone = await on.ready(h)
  let place: string | undefined
  gateway.answers.set(`/${h.sn}/whep`, (_request, reply) => {
    reply
      .writeHead(201, { 'content-type': 'application/sdp', ...(place ? { location: place } : {}) })
      .end('v=0\r\n')
  })
  let isAway = false
  gateway.answers.set(`/${h.sn}/calls/7`, (_request, reply) => {
    if (isAway) reply.destroy()
    else reply.writeHead(200).end()
  })
  const offer = (view: string) =>
    phone.who.ask(homeVideoApi.offer, { body: { ...phone.bearer, view, sdp: 'v=0' } })
  const nowhere = await offer((await on.look(phone, h.camera)).data.view)
  expect([nowhere.code, nowhere.msg]).toEqual([409, '这里的视频网关不能按时断开画面，只能看最近一次抓拍'])
  place = 'calls/7'
  const { view } = (await on.look(phone, h.camera)).data
  expect((await offer(view)).data).toEqual({ sdp: 'v=0\r\n' })
  expect((await on.takeBack(phone)).code).toBe(200)
  const took = await until(() => gateway.asked.includes(`DELETE /${h.sn}/calls/7`))
  console.log(`WHEP ended ${took.toFixed(1)} s`)
  expect(took).toBeLessThan(5)
  await until(async () => (await callsOf(h)).length === 0)
  // A gateway that is away when it is asked is asked again until it says that the call has ended.
  expect((await on.say(phone, 1)).code).toBe(200)
  expect((await on.grant(h)).msg).toBe('')
  const next = (await on.look(phone, h.camera)).data.view
  expect((await offer(next)).code).toBe(200)
  const [written] = await callsOf(h)
  expect(written!.place).not.toContain('calls/7')
  isAway = true
  gateway.asked.length = 0
  expect((await on.takeBack(phone)).code).toBe(200)
  await until(() => gateway.asked.includes(`DELETE /${h.sn}/calls/7`))
  await until(async () => (await callsOf(h))[0]?.tries === 1)
  isAway = false
  console.log(`WHEP ended ${(await until(async () => (await callsOf(h)).length === 0)).toFixed(1)} s after`)
  expect(gateway.asked.filter((line) => line === `DELETE /${h.sn}/calls/7`).length).toBeGreaterThan(1)
})
const callsOf = (h: Home) =>
  server.sql<{ place: string; tries: number }>(
    `SELECT c.place, c.tries FROM video_calls c JOIN video_views v ON v.id = c.view_id WHERE v.device_id = $1`,
    [h.camera],
  )

test('link, device, contact, camera, hours, grant, site: each ends what runs, and says why', async () => {
  const h = homes[4]!
  const phone = await on.ready(h)
  const cut = async (what: () => Promise<unknown>, why: string) => {
    const { gone, view } = await on.running(h, phone)
    await what()
    expect(await until(gone)).toBeLessThan(6)
    expect(await on.ended(view)).toBe(why)
  }
  await cut(() => on.house('00:00', '00:01'), '现在不在可以看的时段')
  const shut = await on.state(phone)
  expect(shut.nextAt).toBeGreaterThan(seconds())
  expect((await on.look(phone, h.camera)).msg).toMatch(/^现在不在可以看的时段，.* 起可以看$/)
  await on.house('00:00', '23:59')
  const g = async () => (await oneOf(h)).grant!
  const one = async () => ({ id: (await g()).id, version: (await g()).version })
  await cut(
    async () => steward.call(grantsApi.stop, { body: { ...(await one()), reason: '先停一停' } }),
    '授权已停止',
  )
  expect((await on.state(phone)).why).toBe('管家已暂停您看现场')
  expect(JSON.stringify(await on.state(phone))).not.toContain('先停一停')
  await steward.call(grantsApi.resume, { body: await one() })
  await cut(() => server.sql('UPDATE devices SET device_status = 2 WHERE id = $1', [h.camera]), '摄像头离线')
  const still = await on.look(phone, h.camera)
  expect(still.data).toMatchObject({ kind: null, address: null, why: '摄像头离线，只能看最近一次抓拍' })
  await server.sql('UPDATE devices SET device_status = 1, last_seen = :now WHERE id = $1', [h.camera])
  await cut(
    () => server.sql('UPDATE sites SET status = 4 WHERE id = $1', [h.site]),
    '工地已完工，不再提供现场画面',
  )
  await server.sql('UPDATE sites SET status = 1 WHERE id = $1', [h.site])
  // The camera goes to another home: its old address is dead, and stays so when it comes back.
  const [d] = await server.sql<{ version: number }>('SELECT version FROM devices WHERE id = $1', [h.camera])
  await cut(
    () =>
      keepers.call(devicesApi.change, {
        body: { id: h.camera, version: d!.version, action: 'unbind' },
      }),
    '摄像头已拆走',
  )
  const [off] = await server.sql<{ version: number }>('SELECT version FROM devices WHERE id = $1', [h.camera])
  await keepers.call(devicesApi.bind, {
    body: { id: h.camera, version: off!.version, site_id: h.site },
  })
  expect((await on.look(phone, h.camera)).code).toBe(404)
})

test('a link that is revoked, a device that is removed, a contact that is not of the home any more', async () => {
  const [h, other] = [homes[0]!, homes[2]!]
  const first = await on.ready(h)
  const run = await on.running(h, first)
  const devices = await steward.call(homeDevicesApi.list, { query: { site_id: h.site } })
  await steward.call(homeDevicesApi.remove, {
    body: { id: devices.find((d) => d.state === 'bound')!.id, reason: '手机丢了' },
  })
  expect(await until(run.gone)).toBeLessThan(6)
  expect(await on.ended(run.view)).toBe('这台设备已被移除')
  const second = await on.ready(h)
  const next = await on.running(h, second)
  const links = await steward.call(linksApi.list, { query: { kind: 'owner', target_id: h.contact } })
  await steward.call(linksApi.revoke, { body: { id: links.find((l) => l.state === 'live')!.id } })
  expect(await until(next.gone)).toBeLessThan(6)
  expect(await on.ended(next.view)).toBe('链接已经失效')
  // Another home's link: neither its camera nor its views.
  const third = await on.ready(h)
  const stranger = await on.ready(other)
  expect((await on.look(stranger, h.camera)).code).toBe(404)
  const mine = await on.running(h, third)
  expect((await on.keep(stranger, mine.view)).ended).toEqual([{ view: mine.view, why: '已经结束' }])
  expect(await mine.gone()).toBe(false)
  const neighbour = homePhone(server, third.token)
  await neighbour.state()
  const asked = await neighbour.who.ask(homeVideoApi.look, {
    body: { ...neighbour.bearer, device_id: h.camera },
  })
  expect([asked.code, asked.msg]).toEqual([403, '这台设备还没有确认，或者已经移除，请联系您的管家'])
  // 更换业主 ends link, consent, grant and what runs.
  const [c] = await server.sql<{ version: number }>('SELECT version FROM home_contacts WHERE id = $1', [
    h.contact,
  ])
  await gm.call(ownersApi.change, {
    body: {
      id: h.contact,
      version: c!.version,
      name: '新业主',
      phone: '13611112222',
      promises: 'taken',
      reason: '房子卖了',
    },
  })
  expect(await until(mine.gone)).toBeLessThan(6)
  expect(await on.ended(mine.view)).toBe('更换业主')
  const [left] = await server.sql<{ consents: number; grants: number }>(
    `SELECT (SELECT count(*)::int FROM consents WHERE subject_id = $1 AND state = 1) AS consents,
       (SELECT count(*)::int FROM video_grants WHERE contact_id = $1 AND state <> 'ended') AS grants`,
    [h.contact],
  )
  expect(left).toEqual({ consents: 0, grants: 0 })
})

test('who of the company looked stands on the owner’s page by post and surname, with the purpose', async () => {
  const h = homes[5]!
  const phone = await on.ready(h)
  const pm = await server.as('branch_gm')
  await pm.call(streamsApi.open, {
    body: { device_id: h.camera, purpose: 'other', words: '看一眼张三', said: true },
  })
  const [one] = (await on.state(phone)).seenBy
  expect(one).toMatchObject({ camera: h.sn, purpose: 'other', recorded: false })
  const [me] = await server.sql<{ nickname: string }>(
    `SELECT nickname FROM users WHERE user_name = 'branch_gm'`,
  )
  expect(one!.who.endsWith(` ${me!.nickname[0]}`)).toBe(true)
  expect(JSON.stringify(await on.state(phone))).not.toContain('张三')
  const views = await steward.call(looksApi.views, { query: { site_id: h.site } })
  expect(views.list[0]).toMatchObject({ userName: me!.nickname, words: '看一眼张三', what: '直播' })
  const elsewhere = await server.as('branch_gm2')
  expect((await elsewhere.ask(looksApi.views, { query: { site_id: h.site } })).code).toBe(403)
})
