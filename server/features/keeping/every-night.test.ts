import { randomUUID } from 'node:crypto'

import { keepingApi } from '@zhuguan/contract/features/keeping/keeping.api.ts'
import { KEPT_SETTINGS } from '@zhuguan/contract/features/settings/keeping-settings.ts'
import { settingsApi } from '@zhuguan/contract/features/settings/settings.api.ts'
import { type SettingKey, SETTINGS } from '@zhuguan/contract/features/settings/settings.record.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { KINDS } from '../../app/kept.ts'
import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { forgetTonight } from '../../testing/nights.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

const DAY_MS = 86_400_000
let server: TestServer
let admin: Person
let tenant: string
let at: { device: string; site: string; bc: string; user: string }
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.as('admin')
  tenant = admin.tenant
  at = await one(
    `SELECT d.id AS device, d.site_id AS site, d.bc_id AS bc, u.id AS "user"
     FROM devices d JOIN users u ON u.tenant_id = d.tenant_id AND u.user_name = 'admin'
     JOIN sites w ON w.tenant_id = d.tenant_id AND w.id = d.site_id AND w.bc_id = d.bc_id
     WHERE d.tenant_id = $1 AND d.type = 'camera' ORDER BY d.sn LIMIT 1`,
    [tenant],
  )
})
afterAll(() => server.stop())
const one = async <R>(sql: string, values: unknown[] = []): Promise<R> =>
  (await server.sql<R>(sql, values))[0]!
const daysAgo = (days: number) =>
  new Date(startOfDay(addDays(shanghaiDay(server.now()), -days)).getTime() + DAY_MS / 2)

/** Opened by somebody so many days ago. */
async function opening(kind: string, target: string, days: number): Promise<string> {
  const link = randomUUID()
  await server.sql(
    `INSERT INTO links (tenant_id, id, bc_id, kind, target_id, hash, expires_at, made_by, made_name, made_at)
     VALUES ($1, $2, $3, $4, $5, sha256($2::uuid::text::bytea), :now, $6, '甲', :now)`,
    [tenant, link, at.bc, kind, target, at.user],
  )
  return (
    await one<{ id: string }>(
      `INSERT INTO link_openings (tenant_id, id, link_id, device, ip, agent, at, last_at)
       VALUES ($1, gen_random_uuid(), $2, 'd', '10.0.0.1', '', $3, $3) RETURNING id`,
      [tenant, link, daysAgo(days)],
    )
  ).id
}
const left = async (ids: string[]) =>
  (
    await server.sql<{ id: string }>('SELECT id FROM link_openings WHERE id = ANY ($1) ORDER BY id', [ids])
  ).map((o) => o.id)

test('openings of every link go after half a year; those of a home that complains stay', async () => {
  const contact = await one<{ id: string; site: string }>(
    'SELECT id, site_id AS site FROM home_contacts WHERE tenant_id = $1 AND bc_id = $2 LIMIT 1',
    [tenant, at.bc],
  )
  const [young, driver, owner] = [
    await opening('share', randomUUID(), 180),
    await opening('driver', randomUUID(), 181),
    await opening('owner', contact.id, 181),
  ]
  const complaint = await one<{ id: string }>(
    `INSERT INTO feedback (tenant_id, id, no, bc_id, site_id, kind, level, about, channel, words, entered_by,
       entered_at, answer_warn_at, answer_due_at, changed_by, changed_at)
     VALUES ($1, gen_random_uuid(), 'KF-1', $2, $3, 'complaint', 1, 'work', 'phone', '漏水', '甲', :now, :now, :now,
       '甲',
       :now) RETURNING id`,
    [tenant, at.bc, contact.site],
  )
  await forgetTonight(server, 'link_openings', tenant)
  expect(await left([young, driver, owner])).toEqual([young, owner].toSorted())
  await server.sql('DELETE FROM feedback WHERE id = $1', [complaint.id])
  await forgetTonight(server, 'link_openings', tenant)
  expect(await left([young, driver, owner])).toEqual([young])
})

test('an open claim about goods keeps what was seen at the site, one that is over does not', async () => {
  const visit = async () =>
    (
      await one<{ id: string }>(
        `INSERT INTO visits (tenant_id, id, bc_id, site_id, device_id, at, seconds, picture)
         VALUES ($1, gen_random_uuid(), $2, $3, $4, $5, 9, 'gone.jpg') RETURNING id`,
        [tenant, at.bc, at.site, at.device, daysAgo(33)],
      )
    ).id
  const seen = await visit()
  const claim = randomUUID()
  await server.sql('ALTER TABLE goods_changes DISABLE TRIGGER ALL')
  await server.sql(
    `INSERT INTO goods_changes (tenant_id, id, code, bc_id, receiver_id, site_id, order_id, line_id, note_id, surplus,
       quantity, reason_code, reason, answer_due, made_by, made_name, made_at)
     VALUES ($1, $2, 'KC-1', $3, $2, $4, $2, $2, $2, true, 1, 'broken', '破损', :now, $5, '甲', :now)`,
    [tenant, claim, at.bc, at.site, at.user],
  )
  await forgetTonight(server, 'visit_pictures', tenant)
  const picture = () => one<{ picture: string | null }>('SELECT picture FROM visits WHERE id = $1', [seen])
  expect((await picture()).picture).toBe('gone.jpg')
  await server.sql(`UPDATE goods_changes SET state = 'closed' WHERE id = $1`, [claim])
  await forgetTonight(server, 'visit_pictures', tenant)
  expect((await picture()).picture).toBeNull()
  await server.sql('DELETE FROM goods_changes WHERE id = $1', [claim])
  await server.sql('ALTER TABLE goods_changes ENABLE TRIGGER ALL')
})

test('so much is counted, then it is said that it is more', async () => {
  await server.sql(
    `INSERT INTO visits (tenant_id, id, bc_id, site_id, device_id, at, seconds, picture)
     SELECT $1, gen_random_uuid(), $2, $3, $4, $5, 9, 'many' FROM generate_series(1, 100001) n`,
    [tenant, at.bc, at.site, at.device, daysAgo(20)],
  )
  const [many] = await admin.call(keepingApi.foresee, { body: { values: { visitorPictureDays: 10 } } })
  expect(many).toEqual({
    key: 'visitorPictureDays',
    n: 100_000,
    more: true,
    says: '今晚将删除 100,000 张以上陌生人照片',
  })
  await server.sql(`DELETE FROM visits WHERE picture = 'many'`)
})

/** Of each setting the least that it may be, in words of this story, and what forgets by it. */
const LEAST = {
  visitorPictureDays: [3, 'visit_pictures'],
  facePictureDays: [30, 'punch_pictures'],
  lookDays: [30, 'video_views'],
  openingDays: [30, 'link_openings'],
  threadDays: [365, 'threads'],
  recordingDays: [1, 'recordings'],
  rawDays: [30, ''],
} as const

test('each setting of days is bounded, and what is said of the night is what the night then says', async () => {
  expect(Object.keys(LEAST).toSorted()).toEqual([...KEPT_SETTINGS].toSorted())
  expect(KINDS.flatMap((k) => k.setting ?? []).toSorted()).toEqual([...KEPT_SETTINGS].toSorted())
  await server.sql(
    `INSERT INTO visits (tenant_id, id, bc_id, site_id, device_id, at, seconds, picture)
     SELECT $1, gen_random_uuid(), $2, $3, $4, $5::timestamptz + n * interval '1 second', 9, 'v' || n
     FROM generate_series(1, 1204) n`,
    [tenant, at.bc, at.site, at.device, daysAgo(20)],
  )
  await server.sql(
    `INSERT INTO recordings (tenant_id, id, device_id, bc_id, site_id, from_at, to_at, key, bytes)
     SELECT $1, gen_random_uuid(), $2, $3, $4, $5, $5::timestamptz + interval '1 minute', 'r' || n, 1
     FROM generate_series(1, 7) n`,
    [tenant, at.device, at.bc, at.site, daysAgo(9)],
  )
  await opening('preview', randomUUID(), 100)
  await server.sql('SELECT ensure_months($1::date, $1::date)', [shanghaiDay(daysAgo(300))])
  await server.sql(
    `INSERT INTO raw_events (tenant_id, device_id, event_id, at, kind, body)
     SELECT $1, $2, 'old' || n, $3, 'heartbeat', '{}' FROM generate_series(1, 5) n`,
    [tenant, at.device, daysAgo(300)],
  )
  const values: Record<string, number> = {}
  for (const [key, [least]] of Object.entries(LEAST)) {
    values[key] = least
    const { otherwise, value } = SETTINGS[key as SettingKey]
    expect([key, value.safeParse(least - 1).success, value.safeParse(least).success]).toEqual([
      key,
      false,
      true,
    ])
    if (!['rawDays', 'recordingDays'].includes(key))
      expect([key, value.safeParse(Number(otherwise) + 1).success]).toEqual([key, false])
  }
  const going = await admin.call(keepingApi.foresee, { body: { values } })
  const says = Object.fromEntries(going.map((g) => [g.key, g.says]))
  expect(says['visitorPictureDays']).toBe('今晚将删除 1,204 张陌生人照片')
  expect(says['recordingDays']).toBe('今晚将删除 7 段录像')
  expect(says['rawDays']).toBe('今晚最多将删除 5 条设备原始上报')
  // Asking deletes nothing.
  expect((await one<{ n: number }>(`SELECT count(*)::int AS n FROM visits WHERE picture LIKE 'v%'`)).n).toBe(
    1_204,
  )
  await admin.call(settingsApi.update, { body: { values } })
  const night = startOfDay(addDays(shanghaiDay(server.now()), 1)).getTime() + 4.5 * 3_600_000
  const early = server.now().getTime() < night - DAY_MS - 13 * 60_000
  if (!early) server.later(night - server.now().getTime())
  for (const [key, [, job]] of Object.entries(LEAST)) {
    if (!job) continue
    const said = await forgetTonight(server, job, tenant)
    const n = going.find((g) => g.key === key)!.n
    expect([key, said]).toEqual([key, n ? expect.stringMatching(new RegExp(`^删除 ${n} `)) : ''])
  }
})

test('days that are fixed are the days that are done', async () => {
  // Of each table a row a day inside of what is promised, and one outside, in words of this story.
  const rows: [table: string, job: string, days: number, insert: string][] = [
    [
      'notifications',
      'notifications',
      180,
      `INSERT INTO notifications (tenant_id, id, user_id, title, at) VALUES ($1, $2, $3, '旧', $4)`,
    ],
    [
      'mails',
      'mails',
      30,
      `INSERT INTO mails (tenant_id, id, user_id, event, at, since, next_at, state)
       VALUES ($1, $2, $3, 'told', $4, $4, $4, 'sent')`,
    ],
    [
      'customer_looks',
      'customer_looks',
      180,
      `INSERT INTO customer_looks (tenant_id, id, user_id, kind, at) VALUES ($1, $2, $3, 'number', $4)`,
    ],
  ]
  for (const [table, job, days, insert] of rows) {
    const told = KINDS.filter((k) => k.tables.includes(table)).map((k) => k.days)
    expect([table, told]).toEqual([table, [days]])
    const [inside, outside] = [randomUUID(), randomUUID()]
    const moment = (ago: number) => new Date(server.now().getTime() - ago * DAY_MS)
    await server.sql(insert, [tenant, inside, at.user, moment(days - 0.1)])
    await server.sql(insert, [tenant, outside, at.user, moment(days + 0.1)])
    await forgetTonight(server, job, table === 'notifications' ? '' : tenant)
    const there = await server.sql<{ id: string }>(`SELECT id FROM ${table} WHERE id = ANY ($1)`, [
      [inside, outside],
    ])
    expect([table, there]).toEqual([table, [{ id: inside }]])
  }
})
