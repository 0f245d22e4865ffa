import { api } from '@zhuguan/contract/api.ts'
import { sitesImport } from '@zhuguan/contract/features/sites/sites.import.ts'
import { workersImport } from '@zhuguan/contract/features/workers/workers.import.ts'
import type { ImportDef } from '@zhuguan/contract/kit/imports.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { shanghaiDay } from '../../kit/shanghai.ts'
import { type Deals, openDeals } from '../../testing/dealing.ts'
import { badRows, checked, sheetOf, stored } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

/** A version as a record names it: the month in which its words were written. */
const VERSION = /^\d{4}-\d\d$/
let server: TestServer
let gm: Person, hq: Person, keeper: Person
let deals: Deals
let branch: { bc_id: string; bc_name: string }
beforeAll(async () => {
  server = await startTestServer()
  deals = await openDeals(server)
  gm = await server.as('branch_gm')
  hq = await server.as('hq_ops')
  keeper = await server.as('device_keeper')
  branch = (
    await server.sql<typeof branch>(
      `SELECT c.bc_id, c.bc_name FROM companies c JOIN users u ON u.tenant_id = c.tenant_id AND u.bc_id = c.bc_id
       WHERE u.user_name = 'branch_gm'`,
    )
  )[0]!
})
afterAll(() => server.stop())

/** The register's numbers of one occasion, of those who were told and of the others. */
async function counted(kind: string) {
  const { notices } = await hq.call(api.keeping.register, { query: {} })
  const of = (isTold: boolean) =>
    notices.filter((n) => n.kind === kind && (n.version !== '') === isTold).reduce((sum, n) => sum + n.n, 0)
  return { told: of(true), untold: of(false) }
}
async function imported(def: ImportDef, listed: Record<string, string>[]) {
  const titles = def.columns.map((c) => c.title)
  const rows = listed.map((r) => def.columns.map((c) => r[c.key] ?? ''))
  const state = await checked(server.url, gm, def, await sheetOf(titles, rows))
  const bad = await badRows(gm, def, state.id)
  await stored(gm, def, state.id)
  return bad.flatMap((r) => r.errors.map((e) => e.text))
}

test('a signature names the notice that was given with it, on the contract and on the owner', async () => {
  const before = await counted('signing')
  const [first, second] = [await deals.made(), await deals.made()]
  expect((await deals.sign(first, { told: true })).msg).toBe('')
  expect((await deals.sign(second)).msg).toBe('')
  const at = (id: string) => gm.call(api.contracts.details, { query: { id } })
  const signed = await at(first)
  expect(signed.notice).toMatch(VERSION)
  expect((await at(second)).notice).toBe('')
  const home = await gm.call(api.owners.details, { query: { site_id: signed.site_id! } })
  expect(home.notice).toBe(signed.notice)
  expect(await counted('signing')).toEqual({ told: before.told + 1, untold: before.untold + 1 })
})

test('lists of workers and homes say who was told; other words are refused', async () => {
  const before = { worker: await counted('worker'), owner: await counted('owner') }
  const worker = { bc_id: branch.bc_name, w_type: '瓦工' }
  const wrong = await imported(workersImport, [
    { ...worker, w_id: 'GZ9001', w_name: '告知工一', told: '是' },
    { ...worker, w_id: 'GZ9002', w_name: '告知工二', told: '否' },
    { ...worker, w_id: 'GZ9003', w_name: '告知工三', told: '好像' },
  ])
  expect(wrong).toEqual(['请填“是”或“否”，或不填'])
  const home = { bc_id: branch.bc_name, address: '告知路 1 号' }
  const none = await imported(sitesImport, [
    { ...home, ws_name: '告知苑 1 幢', owner: '祝女士', ownerPhone: '13911112221', told: '是' },
    { ...home, ws_name: '告知苑 2 幢', owner: '邹先生', ownerPhone: '13911112222' },
  ])
  expect(none).toEqual([])
  const kept = await server.sql<{ name: string; notice: string }>(
    `SELECT w_name AS name, notice FROM workers WHERE w_id LIKE 'GZ900%'
     UNION ALL SELECT name, notice FROM owners WHERE phone LIKE '1391111222%' ORDER BY name`,
  )
  expect(Object.fromEntries(kept.map((k) => [k.name, VERSION.test(k.notice)]))).toEqual({
    告知工一: true,
    告知工二: false,
    祝女士: true,
    邹先生: false,
  })
  expect(await counted('worker')).toEqual({
    told: before.worker.told + 1,
    untold: before.worker.untold + 1,
  })
  expect(await counted('owner')).toEqual({ told: before.owner.told + 1, untold: before.owner.untold + 1 })
  const { list } = await gm.call(api.workers.list, { query: { keyword: 'GZ9001' } })
  expect((await gm.call(api.workers.details, { query: { id: list[0]!.id } })).notice).toMatch(VERSION)
})

test('a camera that comes to a site names its notice, and none once it has left; a terminal films nobody', async () => {
  const bound = await server.sql<{ id: string; type: string; site: string }>(
    `SELECT DISTINCT ON (d.type) d.id, d.type, d.site_id AS site FROM devices d
     JOIN sites w ON w.tenant_id = d.tenant_id AND w.id = d.site_id AND w.status = 1
     WHERE d.bc_id = $1 AND d.type IN ('camera', 'faceTerminal') ORDER BY d.type, d.sn`,
    [branch.bc_id],
  )
  const at = (id: string) => keeper.call(api.devices.details, { query: { id } })
  const move = async (d: { id: string }, more: object) => {
    const { version } = await at(d.id)
    const body = { id: d.id, version, remark: '换个地方', ...more }
    return 'action' in more
      ? keeper.call(api.devices.change, { body: body as never })
      : keeper.call(api.devices.bind, { body: body as never })
  }
  for (const d of bound) await move(d, { action: 'unbind' })
  const before = await counted('camera')
  for (const d of bound) await move(d, { site_id: d.site, told: true })
  const [camera, terminal] = ['camera', 'faceTerminal'].map((type) => bound.find((d) => d.type === type)!)
  expect((await at(camera!.id)).notice).toMatch(VERSION)
  expect((await at(terminal!.id)).notice).toBe('')
  expect((await counted('camera')).told).toBe(before.told + 1)
  await move(camera!, { action: 'unbind' })
  expect((await at(camera!.id)).notice).toBe('')
  await move(camera!, { site_id: camera!.site })
  expect((await at(camera!.id)).notice).toBe('')
})

test('a face names the notice that its consent was given to; a customer who is entered is asked as well', async () => {
  const before = { face: await counted('face'), customer: await counted('customer') }
  const made = await gm.call(api.workers.add, {
    body: { w_name: '告知工四', bc_id: branch.bc_id, w_type: 3, told: true },
  })
  const said = { how: 'spoken', answeredOn: shanghaiDay(server.now()), scope: '只用于工地考勤打卡' } as const
  await gm.call(api.faces.answer, { body: { id: made.id, version: 0, answer: 1, told: true, ...said } })
  const answers = await gm.call(api.faces.consents, { query: { worker_id: made.id } })
  expect(answers.map((a) => VERSION.test(a.wording))).toEqual([true])
  expect((await counted('face')).told).toBe(before.face.told + 1)
  const facts = { bc_id: branch.bc_id, store_id: null, name: '告知客' }
  const yes = await gm.call(api.customers.add, { body: { ...facts, phone: '13744440001', told: true } })
  const no = await gm.call(api.customers.add, { body: { ...facts, phone: '13744440002' } })
  const of = async (id: string) => (await gm.call(api.customers.details, { query: { id } })).notice
  expect([VERSION.test(await of(yes.id)), await of(no.id)]).toEqual([true, ''])
  expect(await counted('customer')).toEqual({
    told: before.customer.told + 1,
    untold: before.customer.untold + 1,
  })
})
