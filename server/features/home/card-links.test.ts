import { api } from '@zhuguan/contract/api.ts'
import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { openToday } from '../../app/clock.ts'
import { type Delivery, openDelivery } from '../../testing/delivering.ts'
import { report } from '../../testing/device.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let shop: Delivery
beforeAll(async () => {
  server = await startTestServer()
  shop = await openDelivery(server)
  await openToday(server.db, server.now())
  const { items } = await shop.sold({ name: '一砖', quantity: '4' }, { name: '二砖', quantity: '4' })
  const placed = async (name: string) =>
    (await shop.place([{ item_id: items[name]!, quantity: '4' }])).orders[0]!.id
  await placed('一砖')
  await shop.accept(await placed('二砖'))
  const broken = await shop.arrived({ name: '四砖', quantity: '2' })
  await shop.judge(broken.note, [{ name: '四砖', quantity: '2', result: 4 }])
  // One alarm, and who has to correct it is late.
  const [site] = await server.sql<{ sn: string; pm: string }>(
    `SELECT d.sn, m.id AS pm FROM devices d JOIN sites w ON w.id = d.site_id JOIN users m ON m.id = w.manager_id
     WHERE d.type = 'camera' AND m.user_name = 'pm' LIMIT 1`,
  )
  const at = Math.floor(server.now().getTime() / 1000) - 60
  const events = (['smoking', 'noclothes'] as const).map((type) => ({
    id: type,
    kind: 'alarm',
    at,
    type,
    confidence: 0.9,
  }))
  const camera = server.devices.find((d) => d.sn === site!.sn)!
  expect((await report(server.url, camera, events, server.now())).data.rejected).toEqual([])
  // Two questions to one owner, one of them overdue, and one to another.
  await server.sql(
    `INSERT INTO questions (tenant_id, id, bc_id, site_id, words, needed_by, asker_id, asked_at)
     SELECT w.tenant_id, gen_random_uuid(), w.bc_id, w.id, '瓷砖', :today::date + x.days, w.steward_id, :now
     FROM (SELECT w.*, row_number() OVER (ORDER BY w.code) AS n FROM sites w
       JOIN users s ON s.id = w.steward_id AND s.user_name = 'steward' WHERE w.status = 1) w
     JOIN (VALUES (1, -2), (1, 3), (2, 3)) AS x(n, days) ON x.n = w.n`,
  )
  // A customer whom nobody answered in time, one with a plan for today, one in the pool.
  await server.sql(
    `INSERT INTO customers (tenant_id, id, bc_id, store_id, name, phone, consultant_id, held, answer_due, held_at,
       changed_at, created_at)
     SELECT u.tenant_id, gen_random_uuid(), s.bc_id, s.id, '卡片客户' || x.n, '1350000000' || x.n,
       CASE WHEN x.n < 3 THEN u.id END, CASE WHEN x.n < 3 THEN 'assigned' ELSE 'pool' END,
       CASE WHEN x.n = 1 THEN :now - interval '1 hour' END, :now, :now, :now
     FROM users u JOIN user_stores t ON t.user_id = u.id JOIN stores s ON s.id = t.store_id
     CROSS JOIN generate_series(1, 3) AS x(n)
     WHERE u.user_name = 'sales'`,
  )
  await server.sql(
    `INSERT INTO follow_ups (tenant_id, id, customer_id, kind, state, at, user_id, made_by, made_at)
     SELECT k.tenant_id, gen_random_uuid(), k.id, 'phone', 'planned', :now, k.consultant_id, '', :now
     FROM customers k WHERE k.name = '卡片客户2'`,
  )
  const pm = await server.as('pm')
  for (const { id, version } of (await pm.call(api.alarms.list, { query: { correctionStatus: [1] } })).list)
    await pm.call(api.alarms.assign, { body: { id, version, assignee_id: site!.pm } })
  await server.sql(`UPDATE alarms SET due_at = at WHERE type = 'smoking' AND correction_status = 2`)
})
afterAll(() => server.stop())

/** What each address asks for when it is opened, as its page says. */
const LISTS: Readonly<Record<string, Endpoint>> = {
  '/Site/SiteList': api.sites.list,
  '/SiteInfo': api.sites.details,
  '/Site/NoWork': api.noWork.list,
  '/worker/WorkerAttend': api.attendance.list,
  '/device/DeviceList': api.devices.list,
  '/image/AlarmEvent': api.alarms.list,
  '/patrol/Correction': api.corrections.list,
  '/owner/FeedbackList': api.feedback.list,
  '/patrol/PatrolRecord': api.patrolTasks.list,
  '/package/ExamineList': api.examine.list,
  '/contract/ContractList': api.contracts.list,
  '/contract/ContractDetail': api.contracts.details,
  '/contract/ReceiptList?view=due': api.receipts.due,
  '/contract/ReceiptList?view=flow': api.receipts.flow,
  '/order/OrderList': api.orders.list,
  '/order/ReceiveOrder': api.orders.received,
  '/order/OrderDetail': api.orders.details,
  '/check/AcceptanceList': api.goods.sheets,
  '/check/ChangeGoods': api.goods.list,
  '/owner/PromiseList': api.promises.list,
  '/customer/CustomerList': api.customers.list,
  '/customer/CustomerInfo': api.customers.details,
  '/customer/FollowUp': api.followUps.list,
  '/owner/OwnerList': api.owners.list,
  '/owner/WarningList': api.warnings.list,
  '/OwnerInteract': api.threads.details,
  '/OwnerInfo': api.owners.details,
}
async function open(who: Person, link: string, told: string): Promise<number> {
  const [path, filters] = link.split('?') as [string, string?]
  const { view, id, ...query } = Object.fromEntries(new URLSearchParams(filters))
  const endpoint = LISTS[path] ?? LISTS[`${path}?view=${view}`]
  expect(endpoint, `${told}: ${link}`).toBeDefined()
  // A list opens one of its rows beside it.
  const asked: object = 'id' in (endpoint as typeof api.sites.details).query.shape ? { id, ...query } : query
  const answer = await who.ask(endpoint as typeof api.sites.list, { query: asked })
  expect(answer, `${told}: ${link}`).toMatchObject({ status: 200, code: 200 })
  return answer.data.totalCount
}

const ROLES =
  'hq_ops branch_gm pm steward inspector device_keeper order_clerk acceptor quoter examiner cashier ' +
  'sales service supplier'
/** Everything that a person's home page leads to is theirs, and says as many as it leads to. */
async function walk(role: string, who: Person) {
  const { figures, waiting } = await who.call(api.home.cards)
  for (const f of figures) {
    const total = await open(who, f.link, `${role} ${f.card}`)
    if (!f.unit.startsWith('%')) expect(total, `${role} ${f.card}`).toBe(f.value)
    for (const part of [...f.parts, ...(f.whose ?? []), ...f.beside])
      expect(await open(who, part.link, `${role} ${f.card}`), `${role} ${f.card} ${part.label}`).toBe(
        part.value,
      )
    for (const r of f.rows) await open(who, r.link, `${role} ${f.card}`)
  }
  for (const lane of waiting) {
    expect(await open(who, lane.link, `${role} ${lane.wait}`), `${role} ${lane.wait}`).toBe(lane.total)
    for (const r of lane.rows) await open(who, r.link, `${role} ${lane.wait}`)
  }
  return figures
}

test('every link of every card opens for who sees it, and has as many rows as it says', async () => {
  for (const role of ROLES.split(' '))
    expect((await walk(role, await server.as(role))).length, role).toBeGreaterThan(0)
})

test('a card leads to no page that is closed to who looks at it: they read the figure alone', async () => {
  const receiving = async () => {
    const { figures } = await (await server.as('order_clerk')).call(api.home.cards)
    const { rows, value } = figures.find((f) => f.card === 'receiving')!
    return [value, rows.length]
  }
  expect(await receiving()).toEqual([1, 1])
  const closed = await server.sql<{ tenant_id: string; role_id: string; page_id: string }>(
    `DELETE FROM role_pages g USING roles r, pages p
     WHERE r.id = g.role_id AND r.code = 'order_clerk' AND p.id = g.page_id AND p.component_name = 'OrderDetail'
     RETURNING g.tenant_id, g.role_id, g.page_id`,
  )
  await server.sql(`SELECT pg_notify('access', '')`)
  await expect.poll(receiving).toEqual([1, 0])
  for (const { page_id, role_id, tenant_id } of closed)
    await server.sql('INSERT INTO role_pages (tenant_id, role_id, page_id) VALUES ($1, $2, $3)', [
      tenant_id,
      role_id,
      page_id,
    ])
  await server.sql(`SELECT pg_notify('access', '')`)
  await expect.poll(receiving).toEqual([1, 1])
})

test('lists of a few lines stand on a part of the screen, with room for all of them', async () => {
  const { figures, places } = await (await server.as('supplier')).call(api.home.cards)
  const lines = (card: string) => figures.find((f) => f.card === card)!.rows.length
  expect(places.map((p) => [p.card, p.y, p.h])).toEqual([
    ['receiving', 0, 3],
    ['toShip', 0, 3],
    ['changes', 0, 3],
  ])
  expect(lines('receiving')).toBe(1)
  expect(lines('toShip')).toBe(2)
})

test('in a branch that receives too, what waits for us is said to those who may do it alone', async () => {
  for (const table of ['orders', 'dispatches', 'goods_changes', 'pieces'])
    await server.sql(
      `UPDATE ${table} SET receiver_id = (SELECT bc_id FROM companies WHERE code = 'NB') WHERE receiver_id IS NOT NULL`,
    )
  const [nb] = await server.sql<{ bc_id: string }>(`SELECT bc_id FROM companies WHERE code = 'NB'`)
  for (const role of ['order_clerk', 'cashier', 'acceptor']) {
    const [of] = await server.sql<{ role_id: string }>(
      'SELECT r.role_id FROM user_roles r JOIN users u ON u.id = r.user_id WHERE u.user_name = $1',
      [role],
    )
    const { password, id } = await shop.admin.call(api.accounts.add, {
      body: { userName: `nb_${role}`, nickname: '宁波的人', bc_id: nb!.bc_id, roles: [of!.role_id] },
    })
    await server.sql('UPDATE users SET must_change = false WHERE id = $1', [id])
    const figures = await walk(`NB ${role}`, await server.as(`nb_${role}`, password))
    const beside = figures.flatMap((f) => f.beside.map((b) => b.label))
    expect(
      beside.filter((label) => label.startsWith('等我们')),
      role,
    ).toEqual([])
  }
  const figures = await walk('NB branch_gm', shop.gm2)
  const beside = (card: string) => figures.find((f) => f.card === card)!.beside.map((b) => [b.label, b.value])
  expect(beside('receiving')[0]).toEqual(['等我们答复', 1])
  // One accepted, and what replaces the broken goods.
  expect(beside('toShip')[0]).toEqual(['等我们发货', 2])
})
