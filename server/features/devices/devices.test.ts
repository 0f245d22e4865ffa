import { devicesApi } from '@zhuguan/contract/features/devices/devices.api.ts'
import type { DeviceRow } from '@zhuguan/contract/features/devices/devices.record.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { report } from '../../testing/device.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { seconds } from '../../testing/time.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { countDevices } from './devices.queries.ts'

let server: TestServer
let keeper: Person
beforeAll(async () => {
  server = await startTestServer()
  keeper = await server.as('device_keeper')
})
afterAll(() => server.stop())

const rowOf = async (sn: string): Promise<DeviceRow> =>
  (await keeper.call(devicesApi.list, { query: { keyword: sn } })).list[0]!
const siteOf = async (id: string) =>
  (await keeper.call(sitesApi.list, { query: { pageSize: 100 } })).list.find((s) => s.id === id)!
const ours = (n: number) => server.devices.filter((d) => d.type === 'camera' && d.sn.includes('HZ'))[n]!

test('unbound, bound again, reported faulty: each change counts, is remembered and frees or fills the site', async () => {
  const { sn, site } = ours(0)
  const waiting = (await siteOf(site)).devicesTotal
  await report(server.url, ours(0), [{ id: 'first', kind: 'heartbeat', at: seconds() }])
  // It counts from its first heartbeat on: before it nobody can say that it is missing.
  const total = (await siteOf(site)).devicesTotal
  expect(total).toBe(waiting + 1)
  const device = await rowOf(sn)
  await keeper.call(devicesApi.change, { body: { id: device.id, version: device.version, action: 'unbind' } })
  expect(await rowOf(sn)).toMatchObject({ deviceStatus: 5, bindStatus: 1, site_id: null })
  expect((await siteOf(site)).devicesTotal).toBe(total - 1)
  await keeper.call(devicesApi.bind, { body: { id: device.id, version: device.version + 1, site_id: site } })
  expect((await siteOf(site)).devicesTotal).toBe(total - 1)
  await keeper.call(devicesApi.change, {
    body: { id: device.id, version: device.version + 2, action: 'fault', remark: '镜头进水' },
  })
  expect(await rowOf(sn)).toMatchObject({ deviceStatus: 4, bindStatus: 2, site_id: site })
  expect((await siteOf(site)).devicesTotal).toBe(total)
  const { spans, bindings } = await keeper.call(devicesApi.history, { query: { id: device.id } })
  expect(spans.map((s) => s.cause)).toEqual(['reported', 'bound', 'unbound', 'heartbeat', 'bound'])
  expect(bindings.map((b) => b.action)).toEqual(['报修', '绑定', '解绑', '绑定', '分配', '入库'])
  expect(spans.slice(1).every((s) => s.to !== null)).toBe(true)
})

test('the second of two people is told who was faster; a device that turned meanwhile says so itself', async () => {
  const { sn } = ours(2)
  const device = await rowOf(sn)
  const change = (remark: string) =>
    keeper.ask(devicesApi.change, {
      body: { id: device.id, version: device.version, action: 'fault', remark },
    })
  const answers = await Promise.all([change('先到的人'), change('后到的人')])
  expect(answers.map((a) => a.code).sort()).toEqual([200, 409])
  expect(answers.find((a) => a.code === 409)!.msg).toMatch(
    /^已被 .+ 于 \d{4}-\d\d-\d\d \d\d:\d\d 处理，请刷新后再试$/,
  )
  expect((await keeper.call(devicesApi.history, { query: { id: device.id } })).bindings).toHaveLength(4)

  const other = ours(4)
  const seen = await rowOf(other.sn)
  await report(server.url, other, [{ id: 'up', kind: 'heartbeat', at: seconds() }])
  expect(
    await keeper.ask(devicesApi.change, { body: { id: seen.id, version: seen.version, action: 'unbind' } }),
  ).toMatchObject({ code: 409, msg: '设备已变为在线（心跳恢复），请刷新后再试' })
})

test('an illegal change, a missing reason and a foreign branch change nothing', async () => {
  const { sn } = ours(6)
  const device = await rowOf(sn)
  const change = (who: Person, action: 'repair' | 'fault', remark = '') =>
    who.ask(devicesApi.change, { body: { id: device.id, version: device.version, action, remark } })
  expect((await change(keeper, 'repair')).code).toBe(409)
  expect(await change(keeper, 'fault')).toMatchObject({ code: 400, msg: '请写明原因（至少 2 个字）' })
  expect((await change(await server.as('device_keeper2'), 'fault', '不是我的')).status).toBe(403)
  expect((await change(await server.as('pm'), 'fault', '没有权限')).code).toBe(401)
  expect(await rowOf(sn)).toMatchObject({ version: device.version, deviceStatus: device.deviceStatus })
})

test('two devices of a site turning at once are both counted', async () => {
  const { site } = ours(8)
  const devices = await server.sql<{ id: string; tenant_id: string }>(
    'SELECT id, tenant_id FROM devices WHERE site_id = $1 LIMIT 2',
    [site],
  )
  let turned = 0
  let both!: () => void
  const bothTurned = new Promise<void>((resolve) => (both = resolve))
  await Promise.all(
    devices.map((d) =>
      server.db.tx(SYSTEM, async (tx) => {
        await tx.run(
          'test.turn',
          'UPDATE devices SET device_status = 1, last_seen = :now WHERE tenant_id = $1 AND id = $2',
          [d.tenant_id, d.id],
        )
        if ((turned += 1) === 2) both()
        await bothTurned
        await countDevices(tx, d.tenant_id, [site])
      }),
    ),
  )
  expect((await siteOf(site)).devicesOnline).toBe(2)
})

test('who leads a site sees what lies spare in its branch and binds it there, and nowhere else', async () => {
  const pm = await server.as('pm')
  const [own] = await server.sql<{ id: string; bc: string; spares: number }>(
    `SELECT w.id, w.bc_id AS bc, (SELECT count(*)::int FROM devices d WHERE d.bc_id = w.bc_id AND d.device_status = 5 AND d.deleted_at IS NULL) AS spares
     FROM sites w JOIN users m ON m.id = w.manager_id WHERE m.user_name = 'pm' AND w.status = 1 LIMIT 1`,
  )
  const [far] = await server.sql<{ id: string; spare: string; version: number }>(
    `SELECT w.id, d.id AS spare, d.version FROM sites w JOIN devices d ON d.bc_id = w.bc_id AND d.device_status = 5
     WHERE w.bc_id <> $1 AND w.status = 1 AND w.tenant_id = (SELECT tenant_id FROM sites WHERE id = $2) LIMIT 1`,
    [own!.bc, own!.id],
  )
  const spares = await pm.call(devicesApi.spares, { query: { site_id: own!.id } })
  expect(spares).toHaveLength(own!.spares)
  expect(spares.length).toBeGreaterThan(0)
  expect((await pm.ask(devicesApi.spares, { query: { site_id: far!.id } })).status).toBe(403)
  const bind = (site_id: string, id: string, version: number) =>
    pm.ask(devicesApi.bind, { body: { id, version, site_id } })
  expect((await bind(far!.id, spares[0]!.id, spares[0]!.version)).status).toBe(403)
  expect((await bind(own!.id, far!.spare, far!.version)).status).toBe(403)
  expect((await bind(own!.id, spares[0]!.id, spares[0]!.version)).msg).toBe('')
  expect(await server.sql('SELECT site_id, bind_status FROM devices WHERE id = $1', [spares[0]!.id])).toEqual(
    [{ site_id: own!.id, bind_status: 2 }],
  )
  // Taking it down again stays with who keeps devices.
  const now = { id: spares[0]!.id, version: spares[0]!.version + 1, remark: '拿走' }
  expect((await pm.ask(devicesApi.change, { body: { ...now, action: 'unbind' } })).msg).toBe('No Permission')
})

test('a faulty device taken down stays faulty, and can be bound nowhere until it is repaired', async () => {
  const { sn, site } = ours(10)
  const change = async (action: 'fault' | 'unbind' | 'repair', remark = '') => {
    const { id, version } = await rowOf(sn)
    return keeper.ask(devicesApi.change, { body: { id, version, action, remark } })
  }
  const bind = async () => {
    const { id, version } = await rowOf(sn)
    return keeper.ask(devicesApi.bind, { body: { id, version, site_id: site } })
  }
  expect((await change('fault', '镜头进水')).msg).toBe('')
  expect(await change('repair')).toMatchObject({ code: 409, msg: '请先解绑，再登记修复' })
  expect((await change('unbind')).msg).toBe('')
  expect(await rowOf(sn)).toMatchObject({ deviceStatus: 4, bindStatus: 1, site_id: null })
  expect((await bind()).code).toBe(409)
  expect((await change('repair')).msg).toBe('')
  expect(await rowOf(sn)).toMatchObject({ deviceStatus: 5, bindStatus: 1, site_id: null })
  expect((await bind()).msg).toBe('')
})
