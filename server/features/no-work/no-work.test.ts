import { noWorkApi } from '@zhuguan/contract/features/no-work/no-work.api.ts'
import { notificationsApi } from '@zhuguan/contract/features/notifications/notifications.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { countYesterday } from '../../app/clock.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { openDelivery } from '../../testing/delivering.ts'
import { report } from '../../testing/device.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { seconds, testNow } from '../../testing/time.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { tellStandstills } from './no-work.service.ts'

const DAY = 86_400
let server: TestServer
let gm: Person
let pm: Person
let terminals: TestServer['devices']
beforeAll(async () => {
  server = await startTestServer()
  terminals = server.devices.filter(
    (d) => d.type === 'faceTerminal' && d.workers.length > 0 && d.sn.includes('HZ'),
  )
  const now = seconds()
  for (const d of terminals)
    await report(server.url, d, [{ id: 'up', kind: 'heartbeat', at: now - 6 * DAY, frameAt: now - 6 * DAY }])
  await report(server.url, terminals[0]!, [
    { id: 'in', kind: 'clockin', at: now - DAY, w_id: terminals[0]!.workers[0]!, direction: 'in' },
  ])
  await countYesterday(server.db, testNow())
  gm = await server.as('branch_gm')
  pm = await server.as('pm')
})
afterAll(() => server.stop())

const row = async (site: string) =>
  (await gm.call(noWorkApi.list, { query: { pageSize: 100 } })).list.find((r) => r.id === site)

test('standing sites are listed, the longest first; a working one is not', async () => {
  const list = (await gm.call(noWorkApi.list, { query: { pageSize: 100 } })).list
  expect(list.length).toBeGreaterThan(5)
  expect(list.map((r) => r.noWorkRun)).toEqual(list.map((r) => r.noWorkRun).toSorted((a, b) => b - a))
  expect(list.some((r) => r.id === terminals[0]!.site)).toBe(false)
  expect(list.every((r) => r.noWork.length > 0 && r.likely !== undefined)).toBe(true)
})

test('a reason is written down, filtered by, logged and told on the timeline; work that resumes takes it away', async () => {
  const site = terminals[1]!.site
  const before = (await row(site))!
  expect(
    await gm.ask(noWorkApi.reason, {
      body: { id: site, version: before.version + 1, reason: 'material', remark: '' },
    }),
  ).toMatchObject({ code: 409 })
  await gm.call(noWorkApi.reason, {
    body: { id: site, version: before.version, reason: 'material', remark: '瓷砖未到' },
  })
  expect(await row(site)).toMatchObject({ reason: 'material', remark: '瓷砖未到' })
  const only = await gm.call(noWorkApi.list, { query: { reason: ['material'] } })
  expect(only.list.map((r) => r.id)).toEqual([site])
  expect(
    (await gm.call(noWorkApi.list, { query: { reason: ['unsaid'], pageSize: 100 } })).list.some(
      (r) => r.id === site,
    ),
  ).toBe(false)
  expect(
    await server.sql(`SELECT 1 FROM user_logs WHERE action = '登记停工原因' AND object_id = $1`, [site]),
  ).toHaveLength(1)
  expect(
    await server.sql(`SELECT 1 FROM site_events WHERE site_id = $1 AND title = $2`, [
      site,
      `停工原因：缺料，到 ${addDays(shanghaiDay(testNow()), 7)}，瓷砖未到`,
    ]),
  ).toHaveLength(1)
  await report(server.url, terminals[1]!, [
    { id: 'back', kind: 'clockin', at: seconds() - 5, w_id: terminals[1]!.workers[0]!, direction: 'in' },
  ])
  expect(await row(site)).toBeUndefined()
  expect(await server.sql('SELECT stop_reason, stop_remark FROM sites WHERE id = $1', [site])).toEqual([
    { stop_reason: null, stop_remark: '' },
  ])
  const late = await gm.ask(noWorkApi.reason, {
    body: { id: site, version: before.version + 1, reason: 'owner', remark: '' },
  })
  expect(late).toMatchObject({ code: 409, msg: '这个工地已经复工，不在停工预警里了' })
})

test('the manager is told, once a day', async () => {
  const mine = (await pm.call(noWorkApi.list, { query: { pageSize: 100 } })).list[0]!
  await gm.call(noWorkApi.tell, { body: { id: mine.id, version: mine.version } })
  const { list } = await pm.call(notificationsApi.list)
  expect(list[0]).toMatchObject({
    title: `${mine.ws_name} 已 ${mine.noWorkRun} 天无人施工，请说明原因`,
    link: `/Site/NoWork?keyword=${mine.code}`,
  })
  expect(await gm.ask(noWorkApi.tell, { body: { id: mine.id, version: mine.version + 1 } })).toMatchObject({
    code: 409,
    msg: '24 小时内已经通知过，请等项目经理回应',
  })
})

test('another branch and another group neither see nor touch it', async () => {
  const site = terminals[2]!.site
  for (const name of ['branch_gm2', 'pm2', 'other']) {
    const stranger = await server.as(name)
    expect((await stranger.call(noWorkApi.list, { query: { keyword: 'GDHZ' } })).totalCount, name).toBe(0)
    expect(
      (await stranger.ask(noWorkApi.reason, { body: { id: site, version: 0, reason: 'owner', remark: '' } }))
        .status,
      name,
    ).toBe(403)
    expect((await stranger.ask(noWorkApi.tell, { body: { id: site, version: 0 } })).status, name).toBe(403)
  }
})

test('after the branch’s days the night tells manager and steward by itself, once a run', async () => {
  // One message a site and person, which counts how often it was told.
  const told = () =>
    server.sql<{ user_name: string; title: string; times: number }>(
      `SELECT u.user_name, n.title, n.times FROM notifications n JOIN users u ON u.id = n.user_id WHERE u.user_name IN ('pm', 'steward', 'pm_hz', 'steward_hz') AND n.title LIKE '%天无人施工%'`,
    )
  const nightly = () => server.db.tx(SYSTEM, (tx) => tellStandstills(tx, gm.tenant, testNow()))
  const times = async () => (await told()).reduce((sum, n) => sum + n.times, 0)
  const before = await times()
  await server.sql(`UPDATE sites SET stop_noticed_at = NULL`)
  await server.sql(`INSERT INTO settings (tenant_id, key, value) VALUES ($1, 'noWorkTellDays', '0')`, [
    gm.tenant,
  ])
  expect(await nightly()).toBe(0)
  await server.sql(`UPDATE settings SET value = '2' WHERE key = 'noWorkTellDays'`)
  const [{ n }] = (await server.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM sites WHERE tenant_id = $1 AND no_work_run >= 2 AND status = 1`,
    [gm.tenant],
  )) as [{ n: number }]
  expect(n).toBeGreaterThan(3)
  expect(await nightly()).toBe(n)
  expect(await times()).toBeGreaterThan(before)
  expect(await nightly()).toBe(0)
})

test('goods of its stage that are not there are the likely cause, named with their orders', async () => {
  const shop = await openDelivery(server)
  const { items, site } = await shop.sold(
    { name: '停工砖', quantity: '4' },
    { name: '停工缝', quantity: '1' },
  )
  const { orders } = await shop.place([{ item_id: items['停工砖']!, quantity: '4' }])
  await shop.accept(orders[0]!.id)
  await server.sql(
    `UPDATE sites SET status = 1, stage = 'tiling', no_work = '{1}', no_work_run = 3 WHERE id = $1`,
    [site],
  )
  expect(await row(site)).toMatchObject({ likely: 'nobody', missing: '停工砖（待发货）、停工缝（待下单）' })
  await server.sql(
    `INSERT INTO site_members
     SELECT (jsonb_populate_record(m, jsonb_build_object('id', gen_random_uuid(), 'site_id', $1::text))).*
     FROM site_members m WHERE m.left_on IS NULL LIMIT 1`,
    [site],
  )
  expect(await row(site)).toMatchObject({
    likely: 'goods',
    missingOrders: [{ id: orders[0]!.id, code: orders[0]!.code }],
  })
  // Goods of another stage hold nobody up now.
  await server.sql(`UPDATE sites SET stage = 'painting' WHERE id = $1`, [site])
  expect(await row(site)).toMatchObject({ likely: 'waiting', missing: '', missingOrders: [] })
})
