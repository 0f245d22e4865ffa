import { devicesApi } from '@zhuguan/contract/features/devices/devices.api.ts'
import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { grantsApi } from '@zhuguan/contract/features/owners/grants.api.ts'
import { homeDevicesApi } from '@zhuguan/contract/features/owners/home-devices.api.ts'
import { homeVideoApi } from '@zhuguan/contract/features/owners/home-video.api.ts'
import { looksApi } from '@zhuguan/contract/features/owners/looks.api.ts'
import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import { streamsApi } from '@zhuguan/contract/features/streams/streams.api.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { boundPhone, homePhone } from '../../testing/homes.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { dayAhead, seconds } from '../../testing/time.ts'
import { gives, openGateway, type TestGateway } from '../../testing/video-gateway.ts'
import type { VideoSettings } from '../streams/gateway.ts'

interface Home {
  site: string
  contact: string
  version: number
  camera: string
  sn: string
}
type Phone = Awaited<ReturnType<typeof boundPhone>>
let server: TestServer
let gateway: TestGateway
const video: VideoSettings = { template: '', kind: 'hls', s3: null, answerMs: 1_500 }
let steward: Person
let gm: Person
let homes: Home[]
let keepers: Person

beforeAll(async () => {
  gateway = await openGateway()
  server = await startTestServer({ video })
  ;[steward, gm, keepers] = await Promise.all([
    server.as('steward'),
    server.as('branch_gm'),
    server.as('device_keeper'),
  ])
  homes = await server.sql<Home & Record<string, unknown>>(
    `SELECT DISTINCT ON (w.code) w.id AS site, h.id AS contact, h.version, d.id AS camera, d.sn
     FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     JOIN devices d ON d.site_id = w.id AND d.type = 'camera' AND d.deleted_at IS NULL
     WHERE w.steward_id = (SELECT id FROM users WHERE user_name = 'steward') AND w.status = 1
     ORDER BY w.code, d.sn`,
  )
  // At whatever hour this runs, a home may be watched.
  await house('00:00', '23:59')
  await server.sql('UPDATE devices SET device_status = 1, last_seen = :now WHERE id = ANY ($1::uuid[])', [
    homes.map((h) => h.camera),
  ])
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

async function house(from: string, to: string) {
  await server.sql(`DELETE FROM settings WHERE key IN ('ownerVideoFrom', 'ownerVideoTo')`)
  await server.sql(
    `INSERT INTO settings (tenant_id, bc_id, key, value)
     SELECT c.tenant_id, c.bc_id, x.key, to_jsonb(x.value)
     FROM companies c, (VALUES ('ownerVideoFrom', $1), ('ownerVideoTo', $2)) x(key, value)`,
    [from, to],
  )
}
const DAYS = { fromDay: '2020-01-01', toDay: '2099-12-31' }
const days = (from = 0, to = 30) => ({ fromDay: dayFrom(from), toDay: dayFrom(to) })
const dayFrom = dayAhead
const HOURS = { from: '00:00', to: '23:59' }
const ofHome = (site: string, who = steward) => who.call(grantsApi.home, { query: { site_id: site } })
const oneOf = async (h: Home, contact = h.contact) =>
  (await ofHome(h.site)).contacts.find((c) => c.contact_id === contact)!
const grant = (h: Home, more: object = {}, who = steward) =>
  who.ask(grantsApi.grant, {
    body: { contact_id: h.contact, cameras: [h.camera], ...days(), ...HOURS, ...more },
  })
const state = async (phone: Phone) => (await phone.who.ask(homeVideoApi.state, { body: phone.bearer })).data
const say = (phone: Phone, answer: 1 | 2) =>
  phone.who.ask(homeVideoApi.answer, { body: { ...phone.act(), answer, wording: '2026-11' } })
const takeBack = (phone: Phone) => phone.who.ask(homeVideoApi.withdraw, { body: phone.act() })
async function look(phone: Phone, camera: string) {
  const answer = await phone.who.ask(homeVideoApi.look, { body: { ...phone.bearer, device_id: camera } })
  return { ...answer, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' }
}
const keep = async (phone: Phone, view: string) =>
  (await phone.who.ask(homeVideoApi.keep, { body: { ...phone.bearer, views: [view] } })).data
async function play(address: string, cookie: string) {
  const response = await fetch(new URL(address, server.url), { headers: { cookie } })
  return { status: response.status, text: await response.text() }
}
const serveHls = (sn: string) =>
  gateway.answers.set(`/${sn}/index.m3u8`, gives('#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nseg.ts\n'))
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))
/** Seconds until it is so. */
async function until(isSo: () => boolean | Promise<boolean>, most = 12_000): Promise<number> {
  const from = performance.now()
  while (!(await isSo())) {
    if (performance.now() - from > most) throw new Error('never')
    await pause(100)
  }
  return (performance.now() - from) / 1_000
}
/** A home as it was at first, whose contact agreed on a bound telephone and was granted its camera. */
async function ready(h: Home): Promise<Phone> {
  const phone = await boundPhone(server, steward, h)
  if ((await state(phone)).consent !== 1) expect((await say(phone, 1)).code).toBe(200)
  expect((await grant(h)).msg).toBe('')
  return phone
}
/** A look of HLS that runs. */
async function running(h: Home, phone: Phone) {
  // Nobody reports for it here: what listens to heartbeats would take it for silent.
  await server.sql('UPDATE devices SET device_status = 1, last_seen = :now WHERE id = $1', [h.camera])
  serveHls(h.sn)
  const opened = await look(phone, h.camera)
  expect(opened.msg).toBe('')
  const { address, view } = opened.data
  expect(await play(address!, opened.cookie)).toMatchObject({ status: 200 })
  return { view, gone: async () => (await play(address!, opened.cookie)).status !== 200 }
}
const ended = async (view: string) =>
  (await server.sql<{ why: string }>('SELECT ended_for AS why FROM video_views WHERE id = $1', [view]))[0]!
    .why

test('nobody is granted anything before they agreed; refused, agreed, withdrawn, each once', async () => {
  const h = homes[0]!
  const phone = await boundPhone(server, steward, h)
  expect(await state(phone)).toMatchObject({ consent: null, grant: null, why: '您还没有同意看现场' })
  expect((await grant(h)).msg).toMatch(/没有同意看现场/)
  expect((await look(phone, h.camera)).msg).toBe('您还没有同意看现场')
  expect((await say(phone, 2)).code).toBe(200)
  expect((await grant(h)).msg).toMatch(/没有同意看现场/)
  const old = await phone.who.ask(homeVideoApi.answer, {
    body: { ...phone.act(), answer: 1, wording: '2020' },
  })
  expect(old.msg).toBe('说明已经更新，请重新打开这一页再看一遍')
  expect((await say(phone, 1)).code).toBe(200)
  expect((await say(phone, 1)).code).toBe(409)
  const notices = await server.sql<{ title: string }>(
    `SELECT n.title FROM notifications n JOIN users u ON u.id = n.user_id
     WHERE n.cause_id = $1 AND u.user_name = 'steward' AND n.read_at IS NULL`,
    [h.contact],
  )
  expect(notices).toHaveLength(1)
  expect(notices[0]!.title).toMatch(/同意用手机看现场/)
  expect((await grant(h, {}, await server.as('service'))).msg).toBe('No Permission')
  expect((await grant(h)).code).toBe(200)
  const seen = await state(phone)
  expect(seen).toMatchObject({ consent: 1, why: '', cameras: [{ sn: h.sn, online: true }] })
  expect(seen.grant).toMatchObject({ ...HOURS, stopped: false })
  // Changed, it is another grant: one at a time.
  expect((await grant(h, { from: '09:00', to: '18:00' })).code).toBe(200)
  const [count] = await server.sql<{ n: number; all: number }>(
    `SELECT count(*) FILTER (WHERE state <> 'ended')::int AS n, count(*)::int AS "all" FROM video_grants
     WHERE contact_id = $1`,
    [h.contact],
  )
  expect(count).toEqual({ n: 1, all: 2 })
  expect((await takeBack(phone)).code).toBe(200)
  expect((await takeBack(phone)).code).toBe(409)
  expect(await oneOf(h)).toMatchObject({ consent: 3, grant: { state: 'stopped', reason: '本人撤回同意' } })
  expect((await state(phone)).why).toBe('您已撤回同意')
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
  await house('08:00', '20:00')
  const bad = async (more: object) => (await grant(h, { from: '09:00', to: '18:00', ...more })).msg
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
  await house('22:00', '02:00')
  expect(await bad({ from: '22:00', to: '02:00', nextDay: true })).toBe('')
  await house('00:00', '23:59')
  await server.sql('UPDATE sites SET status = 2 WHERE id = $1', [h.site])
  expect(await bad({})).toBe('工地未开工，不能授权看现场')
  await server.sql('UPDATE sites SET status = 1 WHERE id = $1', [h.site])
})

test('withdrawn while an HLS runs: the last byte within five seconds; the spouse goes on', async () => {
  const h = homes[1]!
  const phone = await ready(h)
  const spouse = (
    await steward.call(ownersApi.addContact, {
      body: { site_id: h.site, name: '陈太太', relation: 'spouse', phone: '13700001111' },
    })
  ).id
  const other = { ...h, contact: spouse }
  const second = await ready(other)
  const [mine, theirs] = [await running(h, phone), await running(h, second)]
  // Two of a home at most, whoever looks, and not by going round.
  const third = await look(second, h.camera)
  expect(third.code).toBe(200)
  // Nobody keeps or ends what another telephone of the home watches.
  expect((await keep(second, mine.view)).ended).toEqual([{ view: mine.view, why: '已经结束' }])
  expect((await takeBack(phone)).code).toBe(200)
  console.log(`HLS last byte ${(await until(mine.gone)).toFixed(1)} s`)
  expect(await ended(mine.view)).toBe('同意已撤回')
  expect((await keep(phone, mine.view)).ended).toEqual([{ view: mine.view, why: '同意已撤回' }])
  expect(theirs.view).not.toBe(third.data.view)
  // The steward reads the look with its device and its end; the home's page has nobody of its own in the list.
  const list = await gm.call(looksApi.looks, { query: { site_id: h.site } })
  expect(list.list.find((l) => l.id === mine.view)).toMatchObject({ cameraSn: h.sn, ended: '同意已撤回' })
})

test('withdrawn while an FLV runs: the last byte within five seconds', async () => {
  const h = homes[2]!
  Object.assign(video, { kind: 'flv', template: `${gateway.url}/{sn}/live.flv` })
  const phone = await ready(h)
  gateway.answers.set(`/${h.sn}/live.flv`, (_request, reply) => {
    reply.writeHead(200, { 'content-type': 'video/x-flv' })
    reply.write('FLV\u0001head')
    const timer = setInterval(() => reply.write('more'), 100)
    reply.once('close', () => clearInterval(timer))
  })
  const opened = await look(phone, h.camera)
  const response = await fetch(new URL(opened.data.address!, server.url), {
    headers: { cookie: opened.cookie },
  })
  let last = 0
  const over = (async () => {
    for await (const _ of response.body!) last = performance.now()
  })().catch(() => {})
  await pause(500)
  const from = performance.now()
  expect((await takeBack(phone)).code).toBe(200)
  await over
  console.log(`FLV last byte ${((last - from) / 1_000).toFixed(1)} s`)
  expect(last - from).toBeLessThan(5_000)
})

test('WHEP is ended at the gateway within five seconds, and refused where it cannot be', async () => {
  const h = homes[3]!
  Object.assign(video, { kind: 'whep', template: `${gateway.url}/{sn}/whep` })
  const phone = await ready(h)
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
  const nowhere = await offer((await look(phone, h.camera)).data.view)
  expect([nowhere.code, nowhere.msg]).toEqual([409, '这里的视频网关不能按时断开画面，只能看最近一次抓拍'])
  place = 'calls/7'
  const { view } = (await look(phone, h.camera)).data
  expect((await offer(view)).data).toEqual({ sdp: 'v=0\r\n' })
  expect((await takeBack(phone)).code).toBe(200)
  const took = await until(() => gateway.asked.includes(`DELETE /${h.sn}/calls/7`))
  console.log(`WHEP ended ${took.toFixed(1)} s`)
  expect(took).toBeLessThan(5)
  await until(async () => (await callsOf(h)).length === 0)
  // A gateway that is away when it is asked is asked again until it says that the call has ended.
  expect((await say(phone, 1)).code).toBe(200)
  expect((await grant(h)).msg).toBe('')
  const next = (await look(phone, h.camera)).data.view
  expect((await offer(next)).code).toBe(200)
  const [written] = await callsOf(h)
  expect(written!.place).not.toContain('calls/7')
  isAway = true
  gateway.asked.length = 0
  expect((await takeBack(phone)).code).toBe(200)
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
  const phone = await ready(h)
  const cut = async (what: () => Promise<unknown>, why: string) => {
    const { gone, view } = await running(h, phone)
    await what()
    expect(await until(gone)).toBeLessThan(6)
    expect(await ended(view)).toBe(why)
  }
  await cut(() => house('00:00', '00:01'), '现在不在可以看的时段')
  const shut = await state(phone)
  expect(shut.nextAt).toBeGreaterThan(seconds())
  expect((await look(phone, h.camera)).msg).toMatch(/^现在不在可以看的时段，.* 起可以看$/)
  await house('00:00', '23:59')
  const g = async () => (await oneOf(h)).grant!
  const one = async () => ({ id: (await g()).id, version: (await g()).version })
  await cut(
    async () => steward.call(grantsApi.stop, { body: { ...(await one()), reason: '先停一停' } }),
    '授权已停止',
  )
  expect((await state(phone)).why).toBe('管家已暂停您看现场')
  expect(JSON.stringify(await state(phone))).not.toContain('先停一停')
  await steward.call(grantsApi.resume, { body: await one() })
  await cut(() => server.sql('UPDATE devices SET device_status = 2 WHERE id = $1', [h.camera]), '摄像头离线')
  const still = await look(phone, h.camera)
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
  expect((await look(phone, h.camera)).code).toBe(404)
})

test('a link that is revoked, a device that is removed, a contact that is not of the home any more', async () => {
  const [h, other] = [homes[0]!, homes[2]!]
  const first = await ready(h)
  const run = await running(h, first)
  const devices = await steward.call(homeDevicesApi.list, { query: { site_id: h.site } })
  await steward.call(homeDevicesApi.remove, {
    body: { id: devices.find((d) => d.state === 'bound')!.id, reason: '手机丢了' },
  })
  expect(await until(run.gone)).toBeLessThan(6)
  expect(await ended(run.view)).toBe('这台设备已被移除')
  const second = await ready(h)
  const next = await running(h, second)
  const links = await steward.call(linksApi.list, { query: { kind: 'owner', target_id: h.contact } })
  await steward.call(linksApi.revoke, { body: { id: links.find((l) => l.state === 'live')!.id } })
  expect(await until(next.gone)).toBeLessThan(6)
  expect(await ended(next.view)).toBe('链接已经失效')
  // Another home's link: neither its camera nor its views.
  const third = await ready(h)
  const stranger = await ready(other)
  expect((await look(stranger, h.camera)).code).toBe(404)
  const mine = await running(h, third)
  expect((await keep(stranger, mine.view)).ended).toEqual([{ view: mine.view, why: '已经结束' }])
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
    body: { id: h.contact, version: c!.version, name: '新业主', phone: '13611112222', reason: '房子卖了' },
  })
  expect(await until(mine.gone)).toBeLessThan(6)
  expect(await ended(mine.view)).toBe('更换业主')
  const [left] = await server.sql<{ consents: number; grants: number }>(
    `SELECT (SELECT count(*)::int FROM consents WHERE subject_id = $1 AND state = 1) AS consents,
       (SELECT count(*)::int FROM video_grants WHERE contact_id = $1 AND state <> 'ended') AS grants`,
    [h.contact],
  )
  expect(left).toEqual({ consents: 0, grants: 0 })
})

test('who of the company looked stands on the owner’s page by post and surname, with the purpose', async () => {
  const h = homes[5]!
  const phone = await ready(h)
  const pm = await server.as('branch_gm')
  await pm.call(streamsApi.open, {
    body: { device_id: h.camera, purpose: 'other', words: '看一眼张三', said: true },
  })
  const [one] = (await state(phone)).seenBy
  expect(one).toMatchObject({ camera: h.sn, purpose: 'other', recorded: false })
  const [me] = await server.sql<{ nickname: string }>(
    `SELECT nickname FROM users WHERE user_name = 'branch_gm'`,
  )
  expect(one!.who.endsWith(` ${me!.nickname[0]}`)).toBe(true)
  expect(JSON.stringify(await state(phone))).not.toContain('张三')
  const views = await steward.call(looksApi.views, { query: { site_id: h.site } })
  expect(views.list[0]).toMatchObject({ userName: me!.nickname, words: '看一眼张三', what: '直播' })
  const elsewhere = await server.as('branch_gm2')
  expect((await elsewhere.ask(looksApi.views, { query: { site_id: h.site } })).code).toBe(403)
})
