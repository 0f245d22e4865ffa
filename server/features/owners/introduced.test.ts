import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { openDeals } from '../../testing/dealing.ts'
import { boundPhone, homePhone } from '../../testing/homes.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

const { customers, introducePage } = api
let server: TestServer
let gm: Person, steward: Person, service: Person
/** The home of somebody who has signed, its customer, and the telephone of its owner. */
let owner: { site: string; contact: string; customer: string }
let phone: Awaited<ReturnType<typeof boundPhone>>
beforeAll(async () => {
  server = await startTestServer()
  const deals = await openDeals(server)
  gm = await server.as('branch_gm')
  service = await server.as('service')
  const contract = await deals.signed()
  await server.sql(
    `UPDATE sites w SET steward_id = u.id FROM users u, contracts c
     WHERE c.id = $1 AND w.id = c.site_id AND u.tenant_id = w.tenant_id AND u.user_name = 'steward'`,
    [contract],
  )
  await server.sql(`SELECT pg_notify('access', '')`)
  ;[owner] = (await server.sql<typeof owner>(
    `SELECT c.site_id AS site, h.id AS contact, c.customer_id AS customer FROM contracts c
     JOIN home_contacts h ON h.site_id = c.site_id AND h.ended_at IS NULL WHERE c.id = $1`,
    [contract],
  )) as [typeof owner]
  steward = await server.as('steward')
  phone = await boundPhone(server, steward, owner, service)
})
afterAll(() => server.stop())

const introduce = (number: string, more: object = {}, by = phone) =>
  by.who.ask(introducePage.introduce, {
    body: { ...by.act(), name: '朋友', phone: number, agreed: true, ...more } as never,
  })
const leads = (number: string) =>
  server.sql<{ id: string; source: string; introducer_id: string | null; notice: string; why: string }>(
    'SELECT id, source, introducer_id, notice, why FROM customers WHERE phone = $1',
    [number],
  )

test('a friend leaves a number on the owner’s page: a lead that names who brought it', async () => {
  const first = await introduce('13522220001')
  expect([first.code, first.data]).toEqual([200, null])
  const [lead, ...more] = await leads('13522220001')
  expect(more).toEqual([])
  expect(lead).toMatchObject({ source: 'introduced', introducer_id: owner.customer })
  expect(lead!.notice).toMatch(/^\d{4}-\d\d$/)
  expect(lead!.why).toMatch(/^老业主.+在业主页介绍$/)
  const seen = await gm.call(customers.details, { query: { id: lead!.id } })
  expect(seen.introducer_id).toBe(owner.customer)
  // A number that is known gets the same answer, and nobody twice.
  const again = await introduce('135 2222 0001')
  expect([again.code, again.data, again.msg]).toEqual([first.code, first.data, first.msg])
  expect(await leads('13522220001')).toHaveLength(1)
  // Sent twice is done once.
  const act = phone.act()
  for (const _ of [1, 2]) expect((await introduce('13522220002', act)).code).toBe(200)
  expect(await leads('13522220002')).toHaveLength(1)
})

test('without the friend’s tick, from a strange device, or too often: nothing comes of it', async () => {
  const silent = await introduce('13522220003', { agreed: false })
  expect([silent.code, silent.msg]).toEqual([400, expect.stringContaining('先勾选同意')])
  const stranger = await introduce('13522220003', {}, homePhone(server, phone.token) as never)
  expect(stranger.code).not.toBe(200)
  expect(await leads('13522220003')).toEqual([])
  const answers = []
  for (let i = 0; i < 6; i += 1) answers.push(await introduce(`1352222010${i}`))
  const refused = answers.filter((a) => a.code !== 200)
  expect(refused.length).toBeGreaterThan(0)
  for (const r of refused) expect(r.msg).toContain('请明天再来')
  const came = answers.length - refused.length
  const [{ n }] = (await server.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM customers WHERE phone LIKE '1352222010%'`,
  )) as [{ n: number }]
  // A customer for each who came; five a day come of one home, those of the stories before among them.
  expect([n, came <= 5]).toEqual([came, true])
})

test('who brings somebody has signed, and was not brought by them', async () => {
  const place = (
    await server.sql<{ bc_id: string; store_id: string | null }>(
      'SELECT bc_id, store_id FROM customers WHERE id = $1',
      [owner.customer],
    )
  )[0]!
  const add = (number: string, introducer_id: string | null) =>
    gm.ask(customers.add, {
      body: { ...place, name: '介绍来的', phone: number, source: 'introduced', introducer_id },
    })
  const child = await add('13522230001', owner.customer)
  expect(child.code).toBe(200)
  const other = await add('13522230002', child.data.id)
  expect([other.code, other.msg]).toEqual([400, expect.stringContaining('已经签约的老业主')])
  // The child signs by now; the owner cannot have come by it.
  await server.sql('UPDATE customers SET step = 6 WHERE id = $1', [child.data.id])
  expect((await add('13522230003', child.data.id)).code).toBe(200)
  const k = await gm.call(customers.details, { query: { id: owner.customer } })
  const { address, area, budget, community, id, name, store_id, style, version } = k
  const circle = await gm.ask(customers.edit, {
    body: {
      id,
      version,
      address,
      area,
      budget,
      community,
      name,
      store_id,
      style,
      source: 'introduced',
      introducer_id: child.data.id,
    },
  })
  expect([circle.code, circle.msg]).toEqual([400, expect.stringContaining('不能互相介绍')])
})
