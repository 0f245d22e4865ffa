import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { feedbackApi } from '@zhuguan/contract/features/feedback/feedback.api.ts'
import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { keepingApi } from '@zhuguan/contract/features/keeping/keeping.api.ts'
import { settingsApi } from '@zhuguan/contract/features/settings/settings.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { sendFile } from '../../testing/device.ts'
import { forgetTonight } from '../../testing/nights.ts'
import { plainJpeg } from '../../testing/photo.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { placeOf } from '../files/file-store.ts'

const DAY_MS = 86_400_000
interface Stand {
  sn: string
  device: string
  site: string
  bc: string
}
let server: TestServer
let admin: Person
let gm: Person
let tenant: string
let near: Stand
let other: Stand
let sibling: Stand
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.as('admin')
  gm = await server.as('branch_gm')
  tenant = gm.tenant
  const stands = await server.sql<Stand>(
    `SELECT DISTINCT ON (d.site_id) d.sn, d.id AS device, d.site_id AS site, d.bc_id AS bc
     FROM devices d JOIN sites w ON w.tenant_id = d.tenant_id AND w.id = d.site_id AND w.status = 1
     WHERE d.type = 'camera' AND d.tenant_id = $1 AND w.bc_id = d.bc_id ORDER BY d.site_id, d.sn`,
    [tenant],
  )
  const [home] = await server.sql<{ bc: string }>(
    `SELECT bc_id AS bc FROM users WHERE user_name = 'branch_gm'`,
  )
  ;[near, other] = stands.filter((s) => s.bc === home!.bc) as [Stand, Stand]
  sibling = stands.find((s) => s.bc !== home!.bc)!
})
afterAll(() => server.stop())

const sent = async ({ sn }: Stand): Promise<string> =>
  (
    await sendFile(
      server.url,
      { sn, secret: server.devices.find((d) => d.sn === sn)!.secret },
      await plainJpeg(),
    )
  ).data.key
const onDisk = (key: string, smaller = '') =>
  existsSync(`${join(server.dataDir, 'files', placeOf(key))}${smaller}`)
const one = async <R>(sql: string, values: unknown[] = []) => (await server.sql<R>(sql, values))[0]!
/** Noon of a day so long ago. */
const noon = (days: number) =>
  new Date(startOfDay(addDays(shanghaiDay(server.now()), -days)).getTime() + DAY_MS / 2)

/** A stranger whom a camera saw, with its line on the timeline. */
async function stranger(at: Date, stand: Stand): Promise<{ id: string; key: string }> {
  const key = await sent(stand)
  const id = randomUUID()
  await server.sql('SELECT ensure_months($1::date, $1::date)', [shanghaiDay(at)])
  await server.sql(
    `INSERT INTO visits (tenant_id, id, bc_id, site_id, device_id, at, seconds, picture)
     VALUES ($1, $2, $3, $4, $5, $6, 60, $7)`,
    [tenant, id, stand.bc, stand.site, stand.device, at, key],
  )
  await server.sql(
    `INSERT INTO site_events (tenant_id, id, bc_id, site_id, kind, at, title, ref_id, picture)
     VALUES ($1, gen_random_uuid(), $2, $3, 'visit', $4, '陌生人来访', $5, $6)`,
    [tenant, stand.bc, stand.site, at, id, key],
  )
  await server.sql('UPDATE files SET at = $2 WHERE key = $1', [key, at])
  return { id, key }
}
const pictureOf = async (id: string) =>
  (await one<{ picture: string | null }>('SELECT picture FROM visits WHERE id = $1', [id])).picture
/** A worker's face as they clocked in. */
async function punch(at: Date, stand: Stand): Promise<{ id: string; key: string; worker: string }> {
  const key = await sent(stand)
  const id = randomUUID()
  const { worker } = await one<{ worker: string }>(
    'SELECT worker_id AS worker FROM site_members WHERE site_id = $1 LIMIT 1',
    [stand.site],
  )
  await server.sql('SELECT ensure_months($1::date, $1::date)', [shanghaiDay(at)])
  await server.sql(
    `INSERT INTO attendance_events (tenant_id, id, bc_id, site_id, worker_id, device_id, at, day, direction, picture)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'in', $9)`,
    [tenant, id, stand.bc, stand.site, worker, stand.device, at, shanghaiDay(at), key],
  )
  await server.sql('UPDATE files SET at = $2 WHERE key = $1', [key, at])
  return { id, key, worker }
}
const faceOf = async (id: string) =>
  (await one<{ picture: string | null }>('SELECT picture FROM attendance_events WHERE id = $1', [id])).picture
const violation = async (worker: string, status: number, picture = 'none.jpg') =>
  (
    await one<{ id: string }>(
      `INSERT INTO violations (tenant_id, id, bc_id, site_id, worker_id, type, at, picture, points, status)
       VALUES ($1, gen_random_uuid(), $2, $3, $4, 'smoking', :now, $5, 1, $6) RETURNING id`,
      [tenant, near.bc, near.site, worker, picture, status],
    )
  ).id
/** Something that the home complains of, in a state. */
async function complaint(site: string): Promise<void> {
  await admin.call(feedbackApi.enter, {
    body: {
      site_id: site,
      kind: 'complaint',
      level: 1,
      about: 'work',
      channel: 'phone',
      words: '瓷砖空鼓',
      pictures: [],
    },
  })
}
const settled = (site: string) =>
  server.sql(`UPDATE feedback SET status = 4, cancelled = 'withdrawn', closed_at = :now WHERE site_id = $1`, [
    site,
  ])
/** Somebody looks: the smaller picture is made. */
const thumbnail = (key: string) =>
  fetch(`${server.url}${filesApi.get.path}?${new URLSearchParams({ key, size: 'thumb' })}`, {
    headers: { token: admin.token, 'tenant-id': tenant },
  })

test('pictures of strangers go after thirty days with file and thumbnail; what is needed stays', async () => {
  const [young, old] = [await stranger(noon(30), near), await stranger(noon(31), near)]
  const [held, alarmed, released] = [
    await stranger(noon(40), near),
    await stranger(noon(50), near),
    await stranger(noon(60), near),
  ]
  expect((await thumbnail(old.key)).status).toBe(200)
  expect(onDisk(old.key, '.thumb')).toBe(true)
  const hold = (day: number, letGo: boolean) =>
    server.sql(
      `INSERT INTO recording_holds (tenant_id, id, bc_id, site_id, device_id, from_at, to_at, "for", reason, until_at,
         held_by, held_at, released_by, released_at, released_why)
       VALUES ($1, gen_random_uuid(), $2, $3, $4, $5::timestamptz - interval '1 hour',
         $5::timestamptz + interval '1 hour',
         'person', '失窃', :now + interval '1 year', '甲', :now, $6, CASE WHEN $6::text IS NOT NULL THEN :now END, $6)`,
      [tenant, near.bc, near.site, near.device, noon(day), letGo ? '乙' : null],
    )
  await hold(40, false)
  await hold(60, true)
  const alarm = await one<{ id: string }>(
    `INSERT INTO alarms (tenant_id, id, bc_id, site_id, device_id, type, confidence, at, last_seen)
     VALUES ($1, gen_random_uuid(), $2, $3, $4, 'smoking', 0.9, $5, $5) RETURNING id`,
    [tenant, near.bc, near.site, near.device, noon(50)],
  )
  expect(await forgetTonight(server, 'visit_pictures', tenant)).toBe('删除 2 张陌生人照片')
  expect([await pictureOf(young.id), await pictureOf(held.id), await pictureOf(alarmed.id)]).toEqual([
    young.key,
    held.key,
    alarmed.key,
  ])
  expect([await pictureOf(old.id), await pictureOf(released.id)]).toEqual([null, null])
  await expect
    .poll(() => [onDisk(old.key), onDisk(released.key), onDisk(held.key)])
    .toEqual([false, false, true])
  const lines = await server.sql('SELECT 1 FROM site_events WHERE ref_id = $1 AND picture IS NULL', [old.id])
  expect(lines).toHaveLength(1)
  expect(await server.sql('SELECT 1 FROM files WHERE key = $1', [old.key])).toEqual([])
  // The alarm is over: the next night takes its stranger too.
  await server.sql(`UPDATE alarms SET correction_status = 3 WHERE id = $1`, [alarm.id])
  expect(await forgetTonight(server, 'visit_pictures', tenant)).toBe('删除 1 张陌生人照片')
  expect(await pictureOf(alarmed.id)).toBeNull()
  await server.sql('DELETE FROM recording_holds WHERE device_id = $1', [near.device])
})

test('faces of clock-ins go after half a year; an open complaint, claim or objection keeps them', async () => {
  const [young, old] = [await punch(noon(180), other), await punch(noon(181), other)]
  await complaint(other.site)
  expect(await forgetTonight(server, 'punch_pictures', tenant)).toBe('')
  await settled(other.site)
  const objected = await violation(old.worker, 3)
  expect(await forgetTonight(server, 'punch_pictures', tenant)).toBe('')
  await server.sql('UPDATE violations SET status = 4 WHERE id = $1', [objected])
  expect(await forgetTonight(server, 'punch_pictures', tenant)).toBe('删除 1 张签到照片')
  expect([await faceOf(young.id), await faceOf(old.id)]).toEqual([young.key, null])
  await expect.poll(() => [onDisk(young.key), onDisk(old.key)]).toEqual([true, false])
})

test('a file that something else names outlives the days of its picture', async () => {
  const shared = await stranger(noon(45), near)
  const { worker } = await punch(noon(1), near)
  await violation(worker, 2, shared.key)
  await forgetTonight(server, 'visit_pictures', tenant)
  expect(await pictureOf(shared.id)).toBeNull()
  expect(onDisk(shared.key)).toBe(true)
  expect(await server.sql('SELECT 1 FROM files WHERE key = $1', [shared.key])).toHaveLength(1)
})

test('looks and openings go after half a year of their branch, not while their home complains', async () => {
  const look = async (stand: Stand, days: number) =>
    (
      await one<{ id: string }>(
        `INSERT INTO video_views (tenant_id, id, bc_id, site_id, device_id, user_id, user_name, live, from_at, to_at,
           purpose, words, at, ended_at)
         SELECT $1, gen_random_uuid(), $2, $3, $4, u.id, u.nickname, true, $5, $5, 'patrol', '', $5, $5
         FROM users u WHERE u.tenant_id = $1 AND u.user_name = 'branch_gm' RETURNING id`,
        [tenant, stand.bc, stand.site, stand.device, noon(days)],
      )
    ).id
  const [young, old, complained] = [await look(near, 180), await look(near, 181), await look(other, 200)]
  const far = await look(sibling, 181)
  await complaint(other.site)
  const there = async () =>
    (
      await server.sql<{ id: string }>('SELECT id FROM video_views WHERE id = ANY ($1)', [
        [young, old, complained, far],
      ])
    )
      .map((v) => v.id)
      .toSorted()
  await server.sql(`INSERT INTO settings (tenant_id, bc_id, key, value) VALUES ($1, $2, 'lookDays', '30')`, [
    tenant,
    sibling.bc,
  ])
  expect(await forgetTonight(server, 'video_views', tenant)).toMatch(/^删除 \d+ 条查看记录$/)
  expect(await there()).toEqual([young, complained].toSorted())
  await settled(other.site)
  await forgetTonight(server, 'video_views', tenant)
  expect(await there()).toEqual([young])
})

test('what a home wrote goes three years after its works ended; what became a record stays', async () => {
  const home = async (code: string, set: string) =>
    (
      await one<{ id: string }>(`UPDATE sites SET ${set} WHERE code = $1 AND tenant_id = $2 RETURNING id`, [
        code,
        tenant,
      ])
    ).id
  const codes = await server.sql<{ code: string }>(
    `SELECT code FROM sites w WHERE tenant_id = $1 AND bc_id = $2 AND id <> ALL ($3::uuid[])
       AND NOT EXISTS (SELECT FROM promises p WHERE p.site_id = w.id AND p.state IN ('open', 'extended'))
     ORDER BY code LIMIT 4`,
    [tenant, near.bc, [near.site, other.site]],
  )
  const [a, b, c, d] = codes.map((w) => w.code) as [string, string, string, string]
  const day = (n: number) => `'${addDays(shanghaiDay(server.now()), -n)}'`
  const over = await home(a, `status = 4, actual_finish = ${day(1_096)}`)
  const late = await home(b, `status = 4, actual_finish = ${day(1_095)}`)
  const ended = await home(c, `status = 3, terminated_at = ${day(1_097)}::date`)
  const building = await home(d, `status = 1, actual_finish = ${day(2_000)}`)
  await server.sql('DELETE FROM thread_outcomes WHERE tenant_id = $1', [tenant])
  await server.sql('DELETE FROM thread_messages WHERE site_id = ANY ($1)', [[over, late, ended, building]])
  const key = await sent(near)
  const say = async (site: string, seq: number, pictures: string[] = []) => {
    await server.sql(
      `INSERT INTO threads (tenant_id, site_id, bc_id, newest, changed_at) VALUES ($1, $2, $3, $4, :now)
       ON CONFLICT (tenant_id, site_id) DO UPDATE SET newest = $4`,
      [tenant, site, near.bc, seq],
    )
    return (
      await one<{ id: string }>(
        `INSERT INTO thread_messages (tenant_id, id, site_id, bc_id, seq, kind, side, channel, who, words, pictures, at)
         VALUES ($1, gen_random_uuid(), $2, $3, $4, 'words', 'owner', 'page', '王女士', '请看', $5, $6)
         RETURNING id`,
        [tenant, site, near.bc, seq, pictures, noon(1_200)],
      )
    ).id
  }
  await say(over, 1, [key])
  await say(ended, 1)
  await say(late, 1)
  await say(building, 1)
  const became = await say(over, 2)
  await server.sql(
    `INSERT INTO thread_outcomes (tenant_id, message_id, kind, record_id, made_by, at)
     VALUES ($1, $2, 'feedback', gen_random_uuid(), '管家', :now)`,
    [tenant, became],
  )
  const left = async (site: string) =>
    (await one<{ n: number }>('SELECT count(*)::int AS n FROM thread_messages WHERE site_id = $1', [site])).n
  await complaint(ended)
  expect(await forgetTonight(server, 'threads', tenant)).toBe('删除 1 条业主留言')
  expect([await left(over), await left(late), await left(ended), await left(building)]).toEqual([1, 1, 1, 1])
  await expect.poll(() => onDisk(key)).toBe(false)
  await settled(ended)
  expect(await forgetTonight(server, 'threads', tenant)).toBe('删除 1 条业主留言')
  const threads = await server.sql('SELECT 1 FROM threads WHERE site_id = ANY ($1)', [[over, ended]])
  expect([await left(ended), threads.length]).toEqual([0, 1])
})

test('the days that are told are those that count: of the branch, of the group, of the product', async () => {
  const told = async (who: Person, bcId?: string) =>
    new Map((await who.call(keepingApi.kinds, { body: { bcId } })).map((k) => [k.key, k]))
  await gm.call(settingsApi.update, { body: { bcId: near.bc, values: { facePictureDays: 60 } } })
  const own = await told(gm, near.bc)
  // The order's own list of days, and what a story before this one shortened.
  const days = Object.fromEntries(
    [
      'threads',
      'openings',
      'looks',
      'visitorPictures',
      'punchPictures',
      'pictures',
      'places',
      'notifications',
    ].map((key) => [key, own.get(key)!.days]),
  )
  expect(days).toEqual({
    threads: 1_095,
    openings: 180,
    looks: 180,
    visitorPictures: 30,
    punchPictures: 60,
    pictures: 7,
    places: 90,
    notifications: 180,
  })
  expect(own.get('channelMessages')!.days).toBe(30)
  expect((await told(admin)).get('punchPictures')!.days).toBe(180)
  expect(own.get('log')).toMatchObject({
    days: null,
    seen: ['操作日志', '操作日志-校验完整性', '操作日志-导出'],
  })
  expect((await gm.ask(keepingApi.kinds, { body: { bcId: sibling.bc } })).code).not.toBe(200)
  await gm.call(settingsApi.update, { body: { bcId: near.bc, values: { facePictureDays: null } } })
})

test('a branch may keep less than the group, never more: neither saved nor once the group keeps less', async () => {
  const set = (who: Person, bcId: string | undefined, values: object) =>
    who.ask(settingsApi.update, { body: { bcId, values: { ...values } } })
  const WHY = '集团保留 20 天，分公司可以更短，不能更长'
  expect((await set(admin, undefined, { visitorPictureDays: 20, recordingDays: 20 })).code).toBe(200)
  const longer = await set(gm, near.bc, { visitorPictureDays: 21 })
  expect([longer.code, longer.msg]).toEqual([400, expect.stringContaining(WHY)])
  expect((await set(gm, near.bc, { recordingDays: 30 })).msg).toContain(WHY)
  const foreseen = await gm.ask(keepingApi.foresee, {
    body: { bcId: near.bc, values: { visitorPictureDays: 21 } },
  })
  expect(foreseen.msg).toContain(WHY)
  expect((await set(gm, near.bc, { visitorPictureDays: 20, recordingDays: 15 })).code).toBe(200)
  // The group keeps less from now on: so does the branch, whatever it said before. Nothing is left of other stories.
  await server.sql('UPDATE visits SET picture = NULL')
  const [young, old] = [await stranger(noon(9), near), await stranger(noon(12), near)]
  const going = async () =>
    (await admin.call(keepingApi.foresee, { body: { values: { visitorPictureDays: 10 } } }))[0]!.n
  expect(await going()).toBe(1)
  expect((await set(admin, undefined, { visitorPictureDays: 10, recordingDays: 12 })).code).toBe(200)
  const told = async (bcId: string) =>
    Object.fromEntries((await gm.call(keepingApi.kinds, { body: { bcId } })).map((k) => [k.key, k.days]))
  expect(await told(near.bc)).toMatchObject({ visitorPictures: 10, recordings: 12 })
  const page = await gm.call(settingsApi.selectByBcId, { body: { bcId: near.bc } })
  expect(page.settings.find((s) => s.key === 'visitorPictureDays')).toMatchObject({
    value: 10,
    from: 'group',
  })
  expect(await forgetTonight(server, 'visit_pictures', tenant)).toBe('删除 1 张陌生人照片')
  expect([await pictureOf(young.id), await pictureOf(old.id)]).toEqual([young.key, null])
  // With more of the group's the branch's own count again.
  expect((await set(admin, undefined, { visitorPictureDays: null, recordingDays: null })).code).toBe(200)
  expect(await told(near.bc)).toMatchObject({ visitorPictures: 20, recordings: 15 })
  await set(gm, near.bc, { visitorPictureDays: null, recordingDays: null })
})

test('before shorter days are saved it is said how much goes tonight, and the night takes that many', async () => {
  // Whatever stories before left.
  await server.sql(`UPDATE attendance_events SET picture = NULL WHERE at < :now - interval '50 days'`)
  await punch(noon(100), near)
  await punch(noon(60), near)
  await punch(noon(59), near)
  await punch(noon(58), near)
  const kept = await punch(noon(90), sibling)
  const foresee = (who: Person, bcId: string | undefined, values: Record<string, number | null>) =>
    who.ask(keepingApi.foresee, { body: { bcId, values } })
  const said = await foresee(gm, near.bc, { facePictureDays: 60 })
  const early =
    server.now().getTime() < startOfDay(shanghaiDay(server.now())).getTime() + (4 * 60 + 17) * 60_000
  // By the coming night all but two are older.
  const going = early ? 1 : 2
  expect(said.data).toEqual([
    { key: 'facePictureDays', n: going, more: false, says: `今晚将删除 ${going} 张签到照片` },
  ])
  expect((await foresee(gm, near.bc, { openingDays: 180 })).data[0]!.says).toBe(
    '今晚没有要删除的链接浏览记录',
  )
  // Nothing was deleted by asking, and out of bounds nothing is counted.
  expect((await foresee(gm, near.bc, { facePictureDays: 29 })).code).toBe(400)
  expect((await foresee(gm, near.bc, { facePictureDays: 181 })).code).toBe(400)
  expect((await foresee(gm, near.bc, { offlineMinutes: 5 })).code).toBe(400)
  expect((await foresee(gm, sibling.bc, { facePictureDays: 60 })).code).not.toBe(200)
  expect((await foresee(gm, undefined, { facePictureDays: 60 })).code).not.toBe(200)
  // The group's value counts where a branch has none of its own.
  const all = await foresee(admin, undefined, { facePictureDays: 60 })
  expect(all.data[0]!.n).toBe(going + 1)
  await gm.call(settingsApi.update, { body: { bcId: near.bc, values: { facePictureDays: 60 } } })
  // The night takes from every branch, and that is what is said of it.
  expect((await foresee(admin, undefined, { facePictureDays: 60 })).data[0]!.n).toBe(going + 1)
  // A branch that keeps less goes on doing so; one that has nothing of its own keeps what the group does.
  expect((await foresee(admin, undefined, { facePictureDays: 95 })).data[0]!.n).toBe(going)
  // Given back, a branch takes what it inherits.
  expect((await foresee(gm, near.bc, { facePictureDays: null })).data[0]!.n).toBe(0)
  if (!early)
    server.later(startOfDay(addDays(shanghaiDay(server.now()), 1)).getTime() - server.now().getTime() + 16e6)
  expect(await forgetTonight(server, 'punch_pictures', tenant)).toBe(`删除 ${going} 张签到照片`)
  expect(await faceOf(kept.id)).toBe(kept.key)
})
