import { devicesApi } from '@zhuguan/contract/features/devices/devices.api.ts'
import { homeDevicesApi } from '@zhuguan/contract/features/owners/home-devices.api.ts'
import { homeVideoApi } from '@zhuguan/contract/features/owners/home-video.api.ts'
import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { streamsApi } from '@zhuguan/contract/features/streams/streams.api.ts'
import { accountsApi } from '@zhuguan/contract/features/users/accounts.api.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { waiting } from '../../testing/behind.ts'
import { report, sendFile } from '../../testing/device.ts'
import { homeLooks, type LookedHome, until } from '../../testing/home-looks.ts'
import { boundPhone, homePhone } from '../../testing/homes.ts'
import { plainJpeg } from '../../testing/photo.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { listen } from '../../testing/stream.ts'
import { gives, openGateway, type TestGateway } from '../../testing/video-gateway.ts'
import type { VideoSettings } from '../streams/gateway.ts'

let server: TestServer
let gateway: TestGateway
/** The product's own two seconds of admission. */
const video: VideoSettings = { template: '', kind: 'hls', s3: null, answerMs: 1_500 }
let steward: Person
let gm: Person
let keeper: Person
let homes: LookedHome[]
let on: ReturnType<typeof homeLooks>

beforeAll(async () => {
  gateway = await openGateway()
  server = await startTestServer({ video })
  ;[steward, gm, keeper] = await Promise.all([
    server.as('steward'),
    server.as('branch_gm'),
    server.as('device_keeper'),
  ])
  on = homeLooks(server, gateway, steward)
  homes = await on.homes()
  await on.house('00:00', '23:59')
  await server.sql(`UPDATE sessions SET expires_at = expires_at + interval '10 days'`)
})
afterAll(async () => {
  await server.stop()
  await gateway.close()
})
let turn = 0
beforeEach(() => {
  turn += 1
  gateway.answers.clear()
  video.template = `${gateway.url}/{sn}/index.m3u8?n=${turn}`
})
/** A story has a home of its own. */
let used = 0
const nextHome = () => homes[(used += 1) - 1]!
const SOON_S = 5
const viewOf = async (id: string) =>
  (
    await server.sql<{ to: string; ended: boolean; bc: string }>(
      `SELECT to_at::text AS to, ended_at IS NOT NULL AS ended, bc_id AS bc FROM video_views WHERE id = $1`,
      [id],
    )
  )[0]!

test('two looks a home at once: a third is refused, whoever asks; another telephone’s is nobody’s', async () => {
  const h = nextHome()
  const phone = await on.ready(h)
  const { id: contact } = await steward.call(ownersApi.addContact, {
    body: { site_id: h.site, name: '陈太太', relation: 'spouse', phone: '13700001111' },
  })
  const spouse = await on.ready({ ...h, contact })
  const tablet = homePhone(server, phone.token)
  await tablet.state()
  const asking = (await steward.call(homeDevicesApi.list, { query: { site_id: h.site } })).find(
    (d) => d.state === 'asking',
  )!
  await steward.call(homeDevicesApi.allow, { body: { id: asking.id } })
  const [mine, theirs] = [await on.running(h, phone), await on.running(h, spouse)]
  const third = await on.look({ ...tablet, token: phone.token, id: asking.id }, h.camera)
  expect([third.code, third.msg]).toEqual([429, '您家同时最多看 2 路，请先关掉一路'])
  // Neither kept nor ended by another telephone of the home, nor by one of another home.
  const far = await on.ready(homes[used]!)
  const before = await viewOf(mine.view)
  server.later(3_000)
  for (const other of [spouse, far]) {
    expect((await on.keep(other, mine.view)).ended).toEqual([{ view: mine.view, why: '已经结束' }])
    await other.who.call(homeVideoApi.leave, { body: { ...other.bearer, views: [mine.view] } })
    expect(await viewOf(mine.view)).toEqual(before)
  }
  expect(await mine.gone()).toBe(false)
  expect((await on.keep(phone, mine.view)).stills).toHaveLength(1)
  expect((await viewOf(mine.view)).to).not.toBe(before.to)
  await phone.who.call(homeVideoApi.leave, { body: { ...phone.bearer, views: [mine.view] } })
  expect(await viewOf(mine.view)).toMatchObject({ ended: true })
  await on.keep(spouse, theirs.view)
  expect((await on.look({ ...tablet, token: phone.token, id: asking.id }, h.camera)).msg).toBe('')
})

test('whoever has the list of who looked hears that a look begins and ends, and nobody else', async () => {
  const h = homes[0]!
  const phone = await on.ready(h)
  // Looks of before that no page keeps are over.
  server.later(30_000)
  const there = listen(server.url, steward)
  const keepers = listen(server.url, keeper)
  const heard = (of: typeof there) => of.heard.filter((e) => e.data.topic === 'view')
  await until(async () => {
    await on.look(phone, h.camera)
    return heard(there).length > 0
  })
  const { view } = (await on.look(phone, h.camera)).data
  await there.until(() => heard(there).some((e) => e.data.id === view))
  const begun = heard(there).filter((e) => e.data.id === view).length
  await on.takeBack(phone)
  await there.until(() => heard(there).filter((e) => e.data.id === view).length > begun)
  expect(heard(there).at(-1)!.data).toMatchObject({ what: 'changed', site_id: h.site })
  // Who of the company looks is told there, too.
  await on.awake(h)
  const seen = await gm.call(streamsApi.open, {
    body: { device_id: h.camera, purpose: 'patrol', said: true },
  })
  await there.until(() => heard(there).some((e) => e.data.id === seen.view))
  expect(heard(keepers)).toEqual([])
  await Promise.all([there.close(), keepers.close()])
})

test('a camera that goes straight to another home ends what runs, and its address there too', async () => {
  const h = nextHome()
  const other = homes[used]!
  const phone = await on.ready(h)
  const { gone, view } = await on.running(h, phone)
  const version = async () =>
    (await server.sql<{ version: number }>('SELECT version FROM devices WHERE id = $1', [h.camera]))[0]!
      .version
  const body = async () => ({ id: h.camera, version: await version() })
  await keeper.call(devicesApi.change, { body: { ...(await body()), action: 'unbind' } })
  await keeper.call(devicesApi.bind, { body: { ...(await body()), site_id: other.site } })
  await on.awake(h)
  expect(await until(gone)).toBeLessThan(SOON_S)
  expect(await on.ended(view)).toBe('摄像头已拆走')
  expect((await on.look(phone, h.camera)).code).toBe(404)
})

test('the still is of this home, of these people’s time, and never an alarm’s picture', async () => {
  const h = nextHome()
  const phone = await on.ready(h)
  const camera = { sn: h.sn, secret: server.devices.find((d) => d.sn === h.sn)!.secret }
  const picture = async () => (await sendFile(server.url, camera, await plainJpeg(), server.now())).data.key
  const now = () => Math.floor(server.now().getTime() / 1_000)
  const tells = async (event: object) => {
    server.later(1_000)
    turn += 1
    const events = [{ id: `look-${turn}`, at: now(), ...event }]
    expect((await report(server.url, camera, events, server.now())).data.accepted).toBe(1)
  }
  await on.awake(h)
  const clean = await picture()
  await tells({ kind: 'tidiness', result: 2, picture: clean })
  const seen = await on.look(phone, h.camera)
  expect(seen.data.picture).toBe(clean)
  expect((await phone.picture(clean)).status).toBe(200)
  // An alarm's picture is the newest, and staff see it; the home does not.
  await server.sql(`UPDATE alarms SET correction_status = 4, closed_at = :now WHERE device_id = $1`, [
    h.camera,
  ])
  const smoking = await picture()
  await tells({ kind: 'alarm', type: 'smoking', confidence: 0.9, picture: smoking })
  const kept = await on.keep(phone, seen.data.view)
  expect(kept.stills).toMatchObject([{ picture: null, pictureAt: null }])
  expect((await phone.picture(smoking)).status).toBe(403)
  // Nor what was taken before they lived there, nor one that is of another site.
  const later = await picture()
  await tells({ kind: 'tidiness', result: 2, picture: later })
  expect((await on.keep(phone, seen.data.view)).stills).toMatchObject([{ picture: later }])
  const since = (to: string) =>
    server.sql(`UPDATE home_contacts SET since = ${to} WHERE id = $1`, [h.contact])
  await since(`:now + interval '1 minute'`)
  expect((await on.keep(phone, seen.data.view)).stills).toMatchObject([{ picture: null }])
  expect((await phone.picture(later)).status).toBe(403)
  await since(`:now - interval '1 day'`)
  expect((await on.keep(phone, seen.data.view)).stills).toMatchObject([{ picture: later }])
  await server.sql('UPDATE files SET site_id = $2 WHERE key = $1', [later, homes.at(-1)!.site])
  expect((await on.keep(phone, seen.data.view)).stills).toMatchObject([{ picture: null }])
})

test('somebody who is stopped sees the next second no more: their running view ends', async () => {
  const h = homes.at(-1)!
  gateway.answers.set(`/${h.sn}/index.m3u8`, gives('#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nseg.ts\n'))
  await on.awake(h)
  const [who] = await server.sql<{ id: string; version: number }>(
    `SELECT id, version FROM users WHERE user_name = 'device_keeper'`,
  )
  const watcher = await server.as('device_keeper')
  const opened = await watcher.ask(streamsApi.open, {
    body: { device_id: h.camera, purpose: 'patrol', said: true },
  })
  const cookie = opened.headers.get('set-cookie')!.split(';')[0]!
  const play = async () =>
    (await fetch(new URL(opened.data.address!, server.url), { headers: { cookie } })).status
  expect(await play()).toBe(200)
  const admin = await server.as('admin')
  const stopped = await admin.ask(accountsApi.state, { body: { ...who!, status: 2, confirmed: true } })
  expect(stopped.msg).toBe('')
  expect(await until(async () => (await play()) === 403)).toBeLessThan(SOON_S)
  const { version } = (
    await server.sql<{ version: number }>('SELECT version FROM users WHERE id = $1', [who!.id])
  )[0]!
  await admin.call(accountsApi.state, { body: { id: who!.id, version, status: 1 } })
})

test('22:00 to 02:00 belongs to the evening on which it began: it runs past midnight and ends at two', async () => {
  const h = nextHome()
  const day = addDays(shanghaiDay(server.now()), 2)
  const at = (on: string, time: string) => {
    const [hour, minute, second] = time.split(':').map(Number) as [number, number, number]
    const to = startOfDay(on).getTime() + ((hour * 60 + minute) * 60 + second) * 1_000
    server.later(to - server.now().getTime())
  }
  await on.house('22:00', '02:00')
  const phone = await on.ready(h, { from: '22:00', to: '02:00', nextDay: true, fromDay: day, toDay: day })
  at(day, '01:00:00')
  expect((await on.look(phone, h.camera)).msg).toBe(`现在不在可以看的时段，${day} 22:00 起可以看`)
  at(day, '23:59:52')
  const late = await on.running(h, phone)
  at(addDays(day, 1), '00:00:05')
  expect((await on.keep(phone, late.view)).ended).toEqual([])
  expect(await late.gone()).toBe(false)
  at(addDays(day, 1), '01:59:52')
  const last = await on.running(h, phone)
  expect((await on.keep(phone, last.view)).ended).toEqual([])
  at(addDays(day, 1), '02:00:01')
  expect(await until(last.gone)).toBeLessThan(SOON_S)
  expect(await on.ended(last.view)).toBe('授权的日期已经过去')
  at(addDays(day, 1), '22:30:00')
  expect((await on.look(phone, h.camera)).msg).toBe('授权的日期已经过去')
  await on.house('00:00', '23:59')
})

test('a site that is finished or terminated is dark for its people within five seconds', async () => {
  for (const action of ['finish', 'terminate'] as const) {
    const h = nextHome()
    await server.sql(`UPDATE sites SET progress = 100, contract = '', open_alarms = 0 WHERE id = $1`, [
      h.site,
    ])
    await server.sql(`UPDATE alarms SET correction_status = 4, closed_at = :now WHERE site_id = $1`, [h.site])
    const phone = await on.ready(h)
    const { gone, view } = await on.running(h, phone)
    const { version } = await gm.call(sitesApi.details, { query: { id: h.site } })
    const done = await gm.ask(sitesApi.state, {
      body: { id: h.site, version, action, reason: action === 'finish' ? '' : '业主退单' },
    })
    expect(done.msg).toBe('')
    expect(await until(gone), action).toBeLessThan(SOON_S)
    expect(await on.ended(view)).toBe(action === 'finish' ? '工地已完工' : '工地已终止')
    expect((await on.look(phone, h.camera)).msg).toMatch(/不再提供现场画面$/)
  }
})

test('a site that changes its branch meanwhile takes along what is just being written', async () => {
  const h = nextHome()
  const phone = await on.ready(h)
  await on.awake(h)
  const newcomer = homePhone(server, phone.token)
  const [to] = await server.sql<{ bc: string }>(`SELECT bc_id AS bc FROM companies WHERE code = 'NB'`)
  const pm = await server.as('pm')
  // The move as far as its rows; whoever writes for the home waits for it.
  await server.sql('BEGIN')
  await server.sql('SELECT 1 FROM sites WHERE id = $1 FOR UPDATE', [h.site])
  const waits = () => waiting(server)
  const looked = on.look(phone, h.camera)
  await until(async () => (await waits()) >= 1)
  const asked = newcomer.state()
  await until(async () => (await waits()) >= 2)
  for (const table of ['home_contacts', 'home_devices', 'video_grants', 'video_views'])
    await server.sql(`UPDATE ${table} SET bc_id = $2 WHERE site_id = $1`, [h.site, to!.bc])
  await server.sql('UPDATE devices SET bc_id = $2 WHERE site_id = $1', [h.site, to!.bc])
  const seen = pm.ask(streamsApi.open, { body: { device_id: h.camera, purpose: 'patrol', said: true } })
  await until(async () => (await waits()) >= 3)
  await server.sql('UPDATE sites SET bc_id = $2 WHERE id = $1', [h.site, to!.bc])
  await server.sql('COMMIT')
  const [look, staff] = [await looked, await seen]
  expect([look.msg, staff.msg, (await asked).code]).toEqual(['', '', 200])
  const left = await server.sql(
    `SELECT 'look' AS what FROM video_views WHERE site_id = $1 AND bc_id <> $2
     UNION ALL SELECT 'telephone' FROM home_devices WHERE site_id = $1 AND bc_id <> $2`,
    [h.site, to!.bc],
  )
  expect(left).toEqual([])
})

test('a link that is made while the home changes its branch is not made in the old one', async () => {
  const h = nextHome()
  const [to] = await server.sql<{ bc: string }>(`SELECT bc_id AS bc FROM companies WHERE code = 'NB'`)
  await server.sql('BEGIN')
  await server.sql('UPDATE sites SET bc_id = $2 WHERE id = $1', [h.site, to!.bc])
  const made = boundPhone(server, steward, h).then(
    () => '',
    (error: Error) => error.message,
  )
  await until(async () => (await waiting(server)) >= 1)
  await server.sql('UPDATE home_contacts SET bc_id = $2 WHERE site_id = $1', [h.site, to!.bc])
  await server.sql('COMMIT')
  expect(await made).toMatch(/刚刚转到了另一个分公司，请刷新后再发链接$/)
  expect(await server.sql('SELECT id FROM links WHERE target_id = $1', [h.contact])).toEqual([])
})
