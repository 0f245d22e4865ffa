import { api } from '@zhuguan/contract/api.ts'
import { stopBall } from '@zhuguan/contract/features/no-work/no-work.record.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { countYesterday, openToday } from '../../app/clock.ts'
import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { openDelivery } from '../../testing/delivering.ts'
import { report } from '../../testing/device.ts'
import { cellsOf } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { toldLog } from '../../testing/told-log.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { weighAll } from '../warnings/weighing.service.ts'

const HOUR = 3_600_000
let server: TestServer
let gm: Person, pm: Person
let sites: { id: string; bc: string; code: string }[]
let site: string
beforeAll(async () => {
  server = await startTestServer()
  // Ten in the morning.
  server.later(startOfDay(today()).getTime() + 10 * HOUR - server.now().getTime())
  await enter()
  sites = await server.sql(
    `SELECT w.id, w.bc_id AS bc, w.code FROM sites w
     JOIN users m ON m.id = w.manager_id JOIN users s ON s.id = w.steward_id
     WHERE w.status = 1 AND m.user_name = 'pm' AND s.user_name = 'steward' ORDER BY w.code`,
  )
  site = sites[0]!.id
  expect(sites.length).toBeGreaterThan(2)
})
afterAll(() => server.stop())
/** Each story has one site that stands still for five days, seen and manned, in the middle of its stage. */
beforeEach(async () => {
  await server.sql(
    `UPDATE sites SET no_work = '{}', no_work_run = 0, no_work_sum = 0, stop_reason = NULL, stop_until = NULL,
       stop_order_id = NULL, stop_question_id = NULL, stop_remark = '', devices_online = devices_total`,
  )
  await server.sql(`UPDATE questions SET state = 'withdrawn', closed_at = :now, withdrawn_for = '不问了'
    WHERE state = 'open'`)
  await server.sql('DELETE FROM site_days')
  await stands(site)
})

async function enter() {
  ;[gm, pm] = await Promise.all([server.as('branch_gm'), server.as('pm')])
}
const today = () => shanghaiDay(server.now())
const inDays = (n: number) => addDays(today(), n)
const begins = (day: string) => startOfDay(day).getTime() / 1000
/** Days pass, ten in the morning each. */
async function later(days: number) {
  server.later(days * 24 * HOUR)
  await enter()
}
/** Somebody was there six days ago, nobody since. */
async function stands(id: string, more = '') {
  await server.sql(
    `UPDATE sites SET status = 1, stage = 'tiling', start_date = :today - 30, no_work = '{2}', no_work_run = 5,
       no_work_sum = 5${more} WHERE id = $1`,
    [id],
  )
  await server.sql('DELETE FROM site_days WHERE site_id = $1', [id])
  await server.sql(
    `INSERT INTO site_days (tenant_id, day, site_id, bc_id, expected, present, absent, no_work)
     SELECT w.tenant_id, d::date, w.id, w.bc_id, 1, (d::date = :today - 6)::int, (d::date <> :today - 6)::int,
       d::date BETWEEN :today - 5 AND :today - 1
     FROM sites w CROSS JOIN generate_series(:today - 8, :today, interval '1 day') d WHERE w.id = $1`,
    [id],
  )
  await server.sql(
    `INSERT INTO site_stages (tenant_id, site_id, stage, sort, planned_start, planned_finish, actual_start)
     SELECT w.tenant_id, w.id, 'tiling', 4, :today - 20, :today + 20, :today - 20 FROM sites w WHERE w.id = $1
     ON CONFLICT (tenant_id, site_id, stage) DO UPDATE SET planned_start = excluded.planned_start,
       planned_finish = excluded.planned_finish, actual_start = excluded.actual_start, actual_finish = NULL`,
    [id],
  )
}
const list = async (query: object = {}, who = gm) =>
  (await who.call(api.noWork.list, { query: { pageSize: 100, ...query } })).list
const row = async (id = site) => (await list()).find((r) => r.id === id)!
const isIn = async (query: object, id = site) => (await list(query)).some((r) => r.id === id)
const say = async (more: object, id = site, who = gm) =>
  who.ask(api.noWork.reason, {
    body: { id, version: (await row(id)).version, remark: '', reason: 'other', ...more },
  })
const choices = () => gm.call(api.noWork.choices, { query: { id: site } })
const ask = async (id = site, stage: string | null = null) =>
  (await pm.call(api.questions.ask, { body: { site_id: id, words: '选瓷砖', neededBy: inDays(4), stage } }))
    .id
/** A site that was sold goods for its stage, manned as the others are. */
async function buys(...goods: { name: string; quantity: string }[]) {
  // Sessions end after an hour: the shop is opened anew.
  const shop = await openDelivery(server)
  const sold = await shop.sold(...goods)
  await stands(sold.site)
  await server.sql(
    `INSERT INTO site_members
     SELECT (jsonb_populate_record(m, jsonb_build_object('id', gen_random_uuid(), 'site_id', $1::text))).*
     FROM site_members m WHERE m.left_on IS NULL LIMIT 1`,
    [sold.site],
  )
  return { ...shop, ...sold }
}

test('a reason holds until its day, then the site is without one; log and timeline keep what was said', async () => {
  expect((await say({ reason: 'crew', until: inDays(-1) })).data).toEqual({
    fields: { until: '到哪天不能早于今天' },
  })
  expect((await say({ until: inDays(61) })).msg).toBe('最多登记到 60 天后，到期还没好就再登记一次')
  expect((await say({ reason: 'crew', remark: '等瓦工' })).code).toBe(200)
  const last = inDays(3)
  expect(await row()).toMatchObject({ reason: 'crew', until: last, lapsed: null, remark: '等瓦工' })
  expect([await isIn({ reason: ['crew'] }), await isIn({ reason: ['unsaid'] })]).toEqual([true, false])
  await later(3)
  expect(await row()).toMatchObject({ reason: 'crew' })
  await later(1)
  expect(await row()).toMatchObject({ reason: null, lapsed: 'crew', until: last, remark: '' })
  expect([await isIn({ reason: ['crew'] }), await isIn({ reason: ['unsaid'] })]).toEqual([false, true])
  expect(
    await server.sql(`SELECT 1 FROM site_events WHERE site_id = $1 AND title = $2`, [
      site,
      `停工原因：缺工人，到 ${last}，等瓦工`,
    ]),
  ).toHaveLength(1)
  const [logged] = await toldLog(server, `action = '登记停工原因' AND object_id = $1`, [site])
  expect(logged!.after).toMatchObject({ reason: '缺工人', until: last, remark: '等瓦工' })
  const [headings, ...cells] = await cellsOf((await gm.ask(api.noWork.export, { query: {} })).bytes)
  expect(cells.map((line) => line[headings!.indexOf('球在谁手里')])).toEqual(['项目经理'])
})

test('a site with a reason in force has nobody to be warned of; when it lapses the night warns', async () => {
  const night = async () => {
    await server.db.tx(SYSTEM, (tx) => weighAll(tx, gm.tenant))
    return (await gm.call(api.warnings.list, { query: { site_id: site, rule: 'nobody', state: ['open'] } }))
      .totalCount
  }
  await server.sql(
    `UPDATE site_stages SET actual_finish = :today - 20, actual_start = :today - 20
    WHERE site_id = $1 AND stage <> 'tiling'`,
    [site],
  )
  await server.sql(`UPDATE site_stages SET sort = 99 WHERE site_id = $1 AND stage = 'tiling'`, [site])
  await say({ reason: 'crew' })
  expect(await night()).toBe(0)
  await later(4)
  expect(await night()).toBe(1)
})

test('业主原因 names what the owner has not decided: none, it is refused; answered, it lapses', async () => {
  expect(await say({ reason: 'owner' })).toMatchObject({
    code: 409,
    msg: '没有等业主决定的问题：先在业主页面“询问业主”，再登记业主原因',
  })
  const tiles = await ask()
  expect((await choices()).questions).toEqual([
    { id: tiles, words: `选瓷砖（${inDays(4)} 前）`, until: inDays(4) },
  ])
  expect((await say({ reason: 'owner' })).code).toBe(200)
  const [{ at }] = (await server.sql<{ at: number }>(
    'SELECT floor(extract(epoch FROM asked_at))::float8 AS at FROM questions WHERE id = $1',
    [tiles],
  )) as [{ at: number }]
  expect(await row()).toMatchObject({ reason: 'owner', until: inDays(4), ball: 'owner', since: at })
  expect((await row()).undecided).toBe(`选瓷砖（${inDays(4)} 前）`)
  const colour = await ask()
  expect((await say({ reason: 'owner' })).data).toEqual({ fields: { question_id: '请选择在等业主决定什么' } })
  const elsewhere = await ask(sites[1]!.id)
  expect((await say({ reason: 'owner', question_id: elsewhere })).status).toBe(403)
  expect((await say({ reason: 'owner', question_id: tiles })).code).toBe(200)
  for (const id of [tiles, colour])
    await pm.call(api.questions.withdraw, { body: { id, version: 0, reason: '业主电话里说了' } })
  expect(await row()).toMatchObject({ reason: null, lapsed: 'owner', ball: 'manager' })
})

test('缺料 names the order that is not there; what is ordered is the merchant’s, what is not the clerk’s', async () => {
  const sold = await buys({ name: '名砖', quantity: '4' }, { name: '名缝', quantity: '1' })
  const first = (await sold.place([{ item_id: sold.items['名砖']!, quantity: '4' }])).orders[0]!.id
  const of = () => row(sold.site)
  // Something of the stage is to be ordered yet.
  expect(await of()).toMatchObject({ likely: 'goods', ball: 'clerk' })
  const second = (await sold.place([{ item_id: sold.items['名缝']!, quantity: '1' }])).orders[0]!.id
  expect(await of()).toMatchObject({ likely: 'goods', ball: 'supplier' })
  expect((await say({ reason: 'material' }, sold.site)).data).toEqual({
    fields: { order_id: '请选择在等哪张订单' },
  })
  const { orders, toOrder } = await gm.call(api.noWork.choices, { query: { id: sold.site } })
  expect([orders.map((o) => o.id).toSorted(), toOrder]).toEqual([[first, second].toSorted(), false])
  expect(orders.every((o) => o.until === sold.expectedOn)).toBe(true)
  expect((await say({ reason: 'material', order_id: first })).status).toBe(403)
  expect((await say({ reason: 'material', order_id: first }, sold.site)).code).toBe(200)
  const [placed] = await server.sql<{ code: string; at: number }>(
    'SELECT code, floor(extract(epoch FROM made_at))::float8 AS at FROM orders WHERE id = $1',
    [first],
  )
  expect(await of()).toMatchObject({
    reason: 'material',
    until: sold.expectedOn,
    ball: 'supplier',
    since: placed!.at,
    order: { id: first, code: placed!.code },
  })
  // Refused by the merchant it is the clerk's again; when it is there the reason is over.
  await server.sql(`UPDATE pieces SET place = 'held', order_state = 1 WHERE order_id = $1`, [first])
  expect(await of()).toMatchObject({ reason: 'material', ball: 'clerk' })
  await server.sql(`UPDATE pieces SET place = 'waiting', result = 1, order_state = 5 WHERE order_id = $1`, [
    first,
  ])
  expect(await of()).toMatchObject({ reason: null, lapsed: 'material', likely: 'goods', ball: 'supplier' })
})

test('goods that no order brings: to be ordered they are the clerk’s, else they are said in words', async () => {
  expect((await say({ reason: 'material' })).data).toEqual({
    fields: { remark: '系统里没有这个工地在等的商品，请写明缺什么' },
  })
  expect((await say({ reason: 'material', remark: '业主自购的灯' })).code).toBe(200)
  expect(await row()).toMatchObject({ reason: 'material', ball: 'clerk', order: null, until: inDays(7) })
  const sold = await buys({ name: '没订的砖', quantity: '2' })
  expect((await say({ reason: 'material' }, sold.site)).code).toBe(200)
  expect(await row(sold.site)).toMatchObject({ reason: 'material', ball: 'clerk', order: null })
})

test('whose turn it is follows what is known, with the moment from which on it is theirs', async () => {
  expect(await row()).toMatchObject({ likely: 'none', ball: 'manager', since: begins(inDays(-5)) })
  await server.sql(
    `UPDATE site_stages SET planned_finish = :today - 2 WHERE site_id = $1 AND stage = 'tiling'`,
    [site],
  )
  expect(await row()).toMatchObject({ likely: 'late', ball: 'manager', since: begins(inDays(-1)) })
  await server.sql(
    `UPDATE site_stages SET actual_start = NULL, planned_start = :today - 3 WHERE site_id = $1 AND stage = 'tiling'`,
    [site],
  )
  expect(await row()).toMatchObject({ likely: 'waiting', ball: 'manager', since: begins(inDays(-3)) })
  // A holiday since yesterday, until tomorrow.
  await server.sql(
    `UPDATE site_days SET rest = true, no_work = false WHERE site_id = $1 AND day >= :today - 1`,
    [site],
  )
  await server.sql(
    `INSERT INTO calendar_days (tenant_id, bc_id, day, rest) SELECT tenant_id, bc_id, :today + x, x < 2
     FROM sites CROSS JOIN generate_series(-1, 2) x WHERE id = $1`,
    [site],
  )
  expect(await row()).toMatchObject({
    likely: 'rest',
    ball: 'nobody',
    since: begins(inDays(-1)),
    backOn: inDays(2),
  })
  expect((await choices()).until.holiday).toBe(inDays(1))
  await server.sql('DELETE FROM calendar_days')
  const members = await server.sql<{ worker_id: string }>(
    'UPDATE site_members SET left_on = :today - 4 WHERE site_id = $1 AND left_on IS NULL RETURNING worker_id',
    [site],
  )
  expect(await row()).toMatchObject({ likely: 'nobody', ball: 'manager', since: begins(inDays(-3)) })
  await server.sql('UPDATE site_members SET left_on = NULL WHERE site_id = $1 AND worker_id = ANY ($2)', [
    site,
    members.map((m) => m.worker_id),
  ])
  await ask(site, 'tiling')
  expect(await row()).toMatchObject({ likely: 'owner', ball: 'owner' })
  // Off line since a week: nobody knows, and somebody has to make it seen.
  await server.sql('UPDATE sites SET devices_online = 0, devices_total = 1 WHERE id = $1', [site])
  await server.sql(
    `DELETE FROM device_spans WHERE device_id IN (SELECT id FROM devices WHERE site_id = $1)`,
    [site],
  )
  await server.sql(
    `INSERT INTO device_spans (tenant_id, device_id, from_at, to_at, state, cause)
     SELECT tenant_id, id, :now - interval '20 days', :now - interval '7 days', 1, 'heartbeat' FROM devices
     WHERE site_id = $1`,
    [site],
  )
  expect(await row()).toMatchObject({
    likely: 'blind',
    ball: 'keeper',
    since: Math.floor(server.now().getTime() / 1000) - 7 * 86_400,
  })
  for (const [reason, ball] of [
    ['weather', 'nobody'],
    ['holiday', 'nobody'],
    ['dispute', 'branch'],
    ['device', 'keeper'],
    ['process', 'manager'],
  ] as const) {
    expect((await say({ reason })).code).toBe(200)
    expect((await row()).ball, reason).toBe(ball)
  }
})

test('the same reason said again has not begun anew; another one has', async () => {
  const instant = () => Math.floor(server.now().getTime() / 1000)
  const since = async () => (await row()).since!
  expect((await say({ reason: 'crew', until: inDays(2) })).code).toBe(200)
  const first = await since()
  expect(Math.abs(first - instant())).toBeLessThan(60)
  await later(1)
  expect((await say({ reason: 'crew', until: inDays(5), remark: '还差一个瓦工' })).code).toBe(200)
  expect(await row()).toMatchObject({ since: first, until: inDays(5), remark: '还差一个瓦工' })
  // Nobody was there meanwhile: what had lapsed goes on when it is said again.
  await later(6)
  expect(await row()).toMatchObject({ reason: null, lapsed: 'crew' })
  expect((await say({ reason: 'crew', until: inDays(3) })).code).toBe(200)
  expect(await since()).toBe(first)
  expect((await say({ reason: 'process' })).code).toBe(200)
  expect(await since()).toBeGreaterThan(first)
  const other = await since()
  await later(1)
  expect((await say({ reason: 'crew' })).code).toBe(200)
  expect(await since()).toBeGreaterThan(other)
})

test('card, filter and column say the same of whose turn it is; another branch and group see none of it', async () => {
  for (const [i, reason] of (['crew', 'dispute', 'weather'] as const).entries()) {
    await stands(sites[i]!.id)
    expect((await say({ reason }, sites[i]!.id)).code).toBe(200)
  }
  for (const who of [gm, pm, await server.as('hq_ops')]) {
    const rows = await list({}, who)
    const { figures } = await who.call(api.home.cards)
    const card = figures.find((f) => f.card === 'noWork')!
    expect(card.value).toBe(rows.length)
    const whose = card.whose!
    expect(whose.reduce((sum, p) => sum + p.value, 0)).toBe(card.value)
    expect(whose.every((p) => p.value > 0)).toBe(true)
    for (const part of whose) {
      const query = Object.fromEntries(new URLSearchParams(part.link.split('?')[1]))
      const behind = await list(query, who)
      expect([part.label, behind.length]).toEqual([part.label, part.value])
      expect(behind.every((r) => stopBall.label(r.ball) === part.label)).toBe(true)
    }
  }
  expect((await list({ sort: '-since' })).map((r) => r.since)).toEqual(
    (await list()).map((r) => r.since).toSorted((a, b) => b! - a!),
  )
  for (const name of ['branch_gm2', 'pm2', 'other']) {
    const stranger = await server.as(name)
    expect((await stranger.ask(api.noWork.choices, { query: { id: site } })).status, name).toBe(403)
    expect((await list({ ball: ['manager'] }, stranger)).some((r) => r.id === site)).toBe(false)
  }
})

test('该有人没人: not at rest, not blind, not while only a day is waited for, not once somebody came', async () => {
  const missed = () => isIn({ missed: true })
  expect(await missed()).toBe(true)
  await say({ reason: 'weather' })
  expect(await missed()).toBe(false)
  await say({ reason: 'device' })
  expect(await missed()).toBe(false)
  await say({ reason: 'crew' })
  expect(await missed()).toBe(true)
  const today_ = (set: string) =>
    server.sql(`UPDATE site_days SET ${set} WHERE site_id = $1 AND day = :today`, [site])
  await today_('rest = true')
  expect(await missed()).toBe(false)
  await today_('rest = false, present = 1')
  expect([await missed(), await isIn({ missed: false })]).toEqual([false, true])
  await today_('present = 0')
  await server.sql('UPDATE sites SET devices_online = 0, devices_total = 1 WHERE id = $1', [site])
  expect(await missed()).toBe(false)
})

test('a day off for last week moves nothing, a late clock-in ends the stop, a blind week counts no day', async () => {
  const terminal = server.devices.find(
    (d) => d.type === 'faceTerminal' && d.workers.length > 0 && d.sn.includes('HZ'),
  )!
  await server.sql(
    `UPDATE device_spans SET state = 1, to_at = NULL, from_at = :now - interval '40 days'
     WHERE device_id IN (SELECT id FROM devices WHERE site_id = $1)`,
    [terminal.site],
  )
  await stands(terminal.site)
  await openToday(server.db, server.now())
  await countYesterday(server.db, server.now())
  const of = () => row(terminal.site)
  expect(await of()).toMatchObject({ noWorkRun: 5, noWork: [2] })
  // Entered after it has passed it changes no figure (docs/decisions/0370).
  await gm.call(api.settings.update, {
    body: { bcId: sites[0]!.bc, values: { calendar: `${inDays(-4)}~${inDays(-2)} 休 补记` } },
  })
  await server.sql(`DELETE FROM job_runs WHERE kind = 'noWork'`)
  await countYesterday(server.db, server.now())
  expect(await of()).toMatchObject({ noWorkRun: 5, noWork: [2], likely: 'none', since: begins(inDays(-5)) })
  expect((await say({ reason: 'crew' }, terminal.site)).code).toBe(200)
  // Yesterday's clock-in comes today.
  await report(
    server.url,
    terminal,
    [
      {
        id: 'late',
        kind: 'clockin',
        at: begins(inDays(-1)) + 36_000,
        w_id: terminal.workers[0]!,
        direction: 'in',
      },
    ],
    server.now(),
  )
  expect(await of()).toBeUndefined()
  expect(
    await server.sql('SELECT stop_reason, stop_until, no_work_run AS run FROM sites WHERE id = $1', [
      terminal.site,
    ]),
  ).toEqual([{ stop_reason: null, stop_until: null, run: 0 }])
  expect((await gm.call(api.home.cards)).figures.find((f) => f.card === 'noWork')!.value).toBe(
    (await list()).length,
  )
  // The week to come nothing is seen: no day of it is one without work.
  await server.sql(
    `UPDATE device_spans SET to_at = :now WHERE to_at IS NULL
     AND device_id IN (SELECT id FROM devices WHERE site_id = $1)`,
    [terminal.site],
  )
  await later(8)
  await countYesterday(server.db, server.now())
  const [{ blind, none }] = (await server.sql<{ blind: number; none: number }>(
    `SELECT (count(*) FILTER (WHERE blind))::int AS blind, (count(*) FILTER (WHERE no_work))::int AS none
     FROM site_days WHERE site_id = $1 AND day BETWEEN :today - 7 AND :today - 1`,
    [terminal.site],
  )) as [{ blind: number; none: number }]
  expect([blind, none]).toEqual([7, 0])
  expect(await of()).toBeUndefined()
})
