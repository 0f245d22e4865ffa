import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { report } from '../testing/device.ts'
import { type Person, startTestServer, type TestServer } from '../testing/start.ts'
import { seconds } from '../testing/time.ts'

let server: TestServer
let admin: Person
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.as('admin')
})
afterAll(() => server.stop())

const AT_ONCE = 6
/** As many hands at once: one is done, the others hear a sentence about the field, none hears of an error. */
async function onlyOne(what: string, send: () => Promise<{ code: number; msg: string; data: unknown }>) {
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, send))
  expect(
    answers.filter((a) => a.code === 200),
    what,
  ).toHaveLength(1)
  for (const a of answers.filter((x) => x.code !== 200)) {
    expect(a.code, `${what}: ${a.msg}`).toBe(400)
    expect(a.msg, what).toMatch(/已经有|已被使用/)
  }
}

test('of many hands that save the same name at once one is done, and the others are told which name is taken', async () => {
  const { list } = await admin.call(api.companies.list, {})
  const company = {
    bc_name: '同名分公司',
    code: 'SAME',
    city: '杭州',
    address: '',
    principal: '',
    phone: '',
    status: 1,
  }
  await onlyOne('branch', () => admin.ask(api.companies.add, { body: company }))
  let n = 0
  await onlyOne('branch name', () =>
    admin.ask(api.companies.add, { body: { ...company, bc_name: '只有名字相同', code: `S${++n}` } }),
  )
  const store = { name: '同名门店', bc_id: list[0]!.id, address: '', principal: '', phone: '', status: 1 }
  await onlyOne('store', () => admin.ask(api.stores.add, { body: store }))
  const role = { name: '同名角色', dataScope: 'branches', remark: '', status: 1, pageIds: [], labels: [] }
  await onlyOne('role', () => admin.ask(api.roles.add, { body: { ...role, code: `same_${++n}` } }))
})

test('names that every object has are names like any other', async () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    const values = Object.fromEntries([[name, 1]])
    expect(await admin.ask(api.settings.update, { body: { values } }), name).toMatchObject({ code: 400 })
    const page = { system: 'xc', name: '页面', componentName: name }
    expect(await admin.ask(api.pages.add, { body: page }), name).toMatchObject({
      code: 400,
      msg: expect.stringContaining('程序里没有这个页面'),
    })
  }
  await server.sql(
    `INSERT INTO roles (tenant_id, id, code, name, data_scope) SELECT tenant_id, gen_random_uuid(), 'constructor', '构造', 'branches' FROM users WHERE user_name = 'examiner'`,
  )
  await server.sql(
    `INSERT INTO role_pages SELECT r.tenant_id, r.id, p.id FROM roles r JOIN pages p ON p.tenant_id = r.tenant_id AND p.component_name = 'HomeMaster' WHERE r.code = 'constructor'`,
  )
  await server.sql(
    `UPDATE user_roles SET role_id = (SELECT id FROM roles WHERE code = 'constructor') WHERE user_id = (SELECT id FROM users WHERE user_name = 'examiner')`,
  )
  const holder = await server.as('examiner')
  expect((await holder.ask(api.home.cards, {})).code).toBe(200)
})

test('a scrapped number can be stocked again, and another group neither learns nor takes it', async () => {
  const keeper = await server.as('device_keeper')
  const stock = (who: Person, sn: string) =>
    who.ask(api.deviceStock.stock, { body: { type: 'camera', model: 'X1', sns: [sn], remark: '' } })
  const first = await stock(keeper, 'AGAIN-1')
  expect(first.msg).toBe('')
  expect((await stock(keeper, 'AGAIN-1')).msg).toContain('已经在库')
  const [row] = (await keeper.call(api.devices.list, { query: { keyword: 'AGAIN-1' } })).list
  await keeper.call(api.devices.change, {
    body: { id: row!.id, version: row!.version, action: 'remove', remark: '误登记' },
  })
  expect((await stock(keeper, 'AGAIN-1')).code).toBe(200)

  // A number of ours, known to the other group: it hears nothing of us, and its device is not ours.
  const ours = server.devices.find((d) => d.type === 'camera' && d.site)!
  const other = await server.as('other')
  const answer = await stock(other, ours.sn)
  expect(answer).toMatchObject({ code: 200, msg: '' })
  const theirs = answer.data.added[0]!
  const event = { id: 'mine', kind: 'alarm', at: seconds() - 5, type: 'smoking', confidence: 0.9 }
  expect((await report(server.url, ours, [event])).data).toMatchObject({ accepted: 1 })
  expect((await report(server.url, theirs, [event])).data).toMatchObject({ accepted: 0 })
  expect((await report(server.url, { sn: ours.sn, secret: 'guess' }, [event])).status).toBe(401)
  const filed = await server.sql<{ tenant: string }>(
    `SELECT DISTINCT tenant_id AS tenant FROM raw_events WHERE event_id = 'mine'`,
  )
  expect(filed.map((f) => f.tenant)).toEqual([keeper.tenant])
})
