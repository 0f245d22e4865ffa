import { api } from '@zhuguan/contract/api.ts'
import type { WorkKind } from '@zhuguan/contract/features/users/accounts.record.ts'
import { TURNS } from '@zhuguan/contract/turns.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { OPEN_WORK } from '../../app/open-work.ts'
import { type Delivery, openDelivery } from '../../testing/delivering.ts'
import { uploadPhoto } from '../../testing/photo.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let shop: Delivery
let gm: Person, inspector: Person
let bc: string
let ids: Record<string, string>
beforeAll(async () => {
  server = await startTestServer()
  shop = await openDelivery(server)
  gm = await server.as('branch_gm')
  inspector = await server.as('inspector')
  const people = await server.sql<{ user_name: string; id: string; bc_id: string }>(
    'SELECT user_name, id, bc_id FROM users',
  )
  ids = Object.fromEntries(people.map((p) => [p.user_name, p.id]))
  bc = people.find((p) => p.user_name === 'branch_gm')!.bc_id
})
afterAll(() => server.stop())

const roleOf = async (code: string) =>
  (
    await server.sql<{ id: string }>('SELECT id FROM roles WHERE code = $1 ORDER BY tenant_id LIMIT 1', [
      code,
    ])
  )[0]!.id
let count = 0
/** Somebody new of the branch, by one of its roles. */
async function hire(code: string, more: object = {}, who = gm): Promise<{ id: string; userName: string }> {
  count += 1
  const userName = `leaver${count}`
  const [role] = await server.sql<{ id: string }>(
    `SELECT ur.role_id AS id FROM user_roles ur JOIN roles r ON r.id = ur.role_id
     WHERE ur.user_id = $1 LIMIT 1`,
    [ids[code]],
  )
  const { id } = await who.call(api.accounts.add, {
    body: {
      userName,
      nickname: `走人${'甲乙丙丁戊己庚辛壬癸'[count]}`,
      bc_id: bc,
      roles: [role!.id],
      ...more,
    },
  })
  await server.sql('UPDATE users SET must_change = false WHERE id = $1', [id])
  return { id, userName }
}
const version = async (id: string, table = 'users') =>
  (await server.sql<{ version: number }>(`SELECT version FROM ${table} WHERE id = $1`, [id]))[0]!.version
const leaving = (id: string) => gm.call(api.accounts.leaving, { query: { id } })
const stop = async (
  id: string,
  successors: Partial<Record<WorkKind, string>> = {},
  confirmed = false,
  who = gm,
) =>
  who.ask(api.accounts.state, {
    body: {
      id,
      version: await version(id),
      status: 2,
      confirmed,
      successors: Object.entries(successors).map(([kind, user_id]) => ({ kind: kind as WorkKind, user_id })),
    },
  })
const isOpen = async (id: string) =>
  (await server.sql<{ status: number }>('SELECT status FROM users WHERE id = $1', [id]))[0]!.status === 1
const told = async (userName: string) =>
  (
    await server.sql<{ title: string }>(
      `SELECT n.title FROM notifications n JOIN users u ON u.id = n.user_id
       WHERE u.user_name = $1 AND n.read_at IS NULL ORDER BY n.at`,
      [userName],
    )
  ).map((n) => n.title)
const quiet = () => server.sql('UPDATE notifications SET read_at = :now WHERE read_at IS NULL')

/** A site of the branch that this person manages, with one correction of theirs. */
async function managed(manager: string): Promise<{ site: string; correction: string }> {
  const [site] = await server.sql<{ id: string }>(
    `UPDATE sites SET manager_id = $1 WHERE id = (
       SELECT w.id FROM sites w JOIN users m ON m.id = w.manager_id
       WHERE w.bc_id = $2 AND w.status = 1 AND m.user_name NOT LIKE 'leaver%' ORDER BY w.code LIMIT 1)
     RETURNING id`,
    [manager, bc],
  )
  await server.sql(`SELECT pg_notify('access', '')`)
  const [check] = await server.sql<{ id: string }>(
    `INSERT INTO tidiness_checks (tenant_id, id, bc_id, site_id, at, result)
     SELECT tenant_id, gen_random_uuid(), bc_id, id, :now, 3 FROM sites WHERE id = $1 RETURNING id`,
    [site!.id],
  )
  const { id } = await inspector.call(api.tidiness.correct, {
    body: { id: check!.id, version: 0, problem: '材料乱放', assignee_id: manager },
  })
  return { site: site!.id, correction: id }
}

test('what stewards do on the sites that they lead is not left alone', async () => {
  // Nobody else of the branch grants looking for all of its homes; its stewards do for their own.
  const said = (await leaving(ids.branch_gm!)).alone
  expect(said.length).toBeGreaterThan(0)
  expect(said.join('；')).not.toContain('授权业主看现场')
})

test('what is open is named and goes to who is chosen, in one step; else nothing changes', async () => {
  const leaver = await hire('pm', { post: 2 })
  const next = await hire('pm', { post: 2 })
  const gone = await hire('pm', { post: 2 })
  expect((await stop(gone.id)).msg).toBe('')
  const { correction, site } = await managed(leaver.id)
  const named = await leaving(leaver.id)
  expect(named.work.map((w) => [w.kind, w.count, w.title])).toEqual([
    ['corrections', 1, '1 条正在整改的问题'],
    ['sites', 1, '1 个负责的工地（项目经理）'],
  ])
  // Who leads the site is meant before others; nobody whose account is closed, nobody of another branch.
  const [{ steward_id: steward }] = (await server.sql<{ steward_id: string }>(
    'SELECT steward_id FROM sites WHERE id = $1',
    [site],
  )) as [{ steward_id: string }]
  expect(named.work[0]!.successor?.id).toBe(steward)
  const everybody = named.work.flatMap((w) => w.people.map((p) => p.id))
  for (const who of [gone.id, leaver.id, ids.pm2]) expect(everybody).not.toContain(who)

  const none = await stop(leaver.id)
  expect(none).toMatchObject({
    code: 409,
    msg: expect.stringMatching(/还有1 条正在整改的问题、1 个负责的工地（项目经理），请选择接手人$/),
    data: { needs: 'successors' },
  })
  const bad: [Partial<Record<WorkKind, string>>, RegExp][] = [
    [{ corrections: gone.id, sites: next.id }, /的账号已停用，不能接手整改$/],
    [{ corrections: ids.order_clerk!, sites: next.id }, /不能接手整改：没有整改的权限/],
    [{ corrections: steward, sites: ids.inspector! }, /不能接手负责的工地/],
    [{ corrections: leaver.id, sites: next.id }, /自己不能接手自己的整改$/],
    [{ corrections: steward }, /还有1 个负责的工地（项目经理），请选择接手人$/],
  ]
  for (const [successors, why] of bad) expect((await stop(leaver.id, successors)).msg).toMatch(why)
  // Of another branch: not even whether there is somebody.
  expect((await stop(leaver.id, { corrections: ids.pm2!, sites: next.id })).status).toBe(403)
  expect(await isOpen(leaver.id)).toBe(true)
  const before = await server.sql('SELECT assignee_id, version FROM corrections WHERE id = $1', [correction])
  expect(before).toEqual([{ assignee_id: leaver.id, version: 0 }])

  await quiet()
  expect((await stop(leaver.id, { corrections: steward, sites: next.id })).msg).toBe('')
  expect(await isOpen(leaver.id)).toBe(false)
  const [after] = await server.sql<{ assignee_id: string; manager_id: string }>(
    `SELECT k.assignee_id, w.manager_id FROM corrections k JOIN sites w ON w.id = k.site_id WHERE k.id = $1`,
    [correction],
  )
  expect(after).toEqual({ assignee_id: steward, manager_id: next.id })
  expect(await told(next.userName)).toEqual([expect.stringMatching(/1 个工地转给您$/)])
  const [stewardName] = await server.sql<{ user_name: string }>('SELECT user_name FROM users WHERE id = $1', [
    steward,
  ])
  expect(await told(stewardName!.user_name)).toEqual([expect.stringContaining('“材料乱放”转给您整改')])
  const [log] = await server.sql<{ after: string }>(
    `SELECT concat(after, beside) AS after FROM user_logs WHERE action = '停用用户' ORDER BY at DESC LIMIT 1`,
  )
  expect(log!.after).toContain('1 条正在整改的问题交给')
  const [line] = await server.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM site_events
     WHERE site_id = $1 AND title LIKE '项目管家：%' AND at > :now - interval '1 minute'`,
    [site],
  )
  expect(line!.n).toBe(1)
})

test('photos that wait for a reviewer go on waiting for him, and are somebody’s when they come back', async () => {
  const leaver = await hire('pm', { post: 2 })
  const next = await hire('pm', { post: 2 })
  const { correction } = await managed(leaver.id)
  const person = await server.as(leaver.userName, await firstWord(leaver.id))
  await person.call(api.corrections.submit, {
    body: { id: correction, version: 0, pictures: [await uploadPhoto(server.url, person)], text: '' },
  })
  const heard = await told('inspector')
  expect(heard.some((t) => t.includes('已提交整改照片'))).toBe(true)
  expect((await stop(leaver.id, { corrections: ids.branch_gm!, sites: next.id })).msg).toBe('')
  expect(await told('inspector')).toEqual(heard)
  await quiet()
  const back = { id: correction, version: await version(correction, 'corrections'), reason: '还有垃圾' }
  await inspector.call(api.corrections.back, { body: back })
  expect(await told('branch_gm')).toEqual([expect.stringContaining('还有垃圾')])
})
/** A password that is known. */
async function firstWord(id: string): Promise<string> {
  const { password } = await gm.call(api.accounts.resetPassword, { body: { id, version: await version(id) } })
  await server.sql('UPDATE users SET must_change = false WHERE id = $1', [id])
  return password
}

test('plans whose only person goes are another’s, with today’s tasks; else nothing is asked', async () => {
  const leaver = await hire('inspector')
  const [site] = await server.sql<{ id: string }>(
    'SELECT id FROM sites WHERE bc_id = $1 AND status = 1 LIMIT 1',
    [bc],
  )
  const template = await gm.call(api.patrolTemplates.add, {
    body: { name: '走人日检', bc_id: bc, items: [{ title: '地面', hint: '', weight: 1, photo: false }] },
  })
  const plan = await gm.call(api.patrolPlans.add, {
    body: {
      name: '每日一巡',
      kind: 'plan',
      bc_id: bc,
      template_id: template.id,
      site_ids: [site!.id],
      every: 'day',
      weekdays: [1, 2, 3, 4, 5, 6, 7],
      share: 'one',
      user_ids: [leaver.id],
      fromTime: '00:00',
      toTime: '23:59',
      days: 1,
    },
  })
  const waits = async (who: string) =>
    (
      await server.sql<{ n: number }>(
        `SELECT count(*)::int AS n FROM patrol_tasks t WHERE t.plan_id = $1 AND $2 = ANY (t.user_ids)`,
        [plan.id, who],
      )
    )[0]!.n
  const tasks = await waits(leaver.id)
  expect(tasks).toBeGreaterThan(0)
  expect((await leaving(leaver.id)).work.map((w) => w.kind)).toEqual(['patrols'])
  expect((await stop(leaver.id)).msg).toContain('1 个巡检计划')
  await quiet()
  expect((await stop(leaver.id, { patrols: ids.inspector! })).msg).toBe('')
  expect([await waits(leaver.id), await waits(ids.inspector!)]).toEqual([0, tasks])
  expect(await told('inspector')).toEqual([expect.stringContaining('1 个巡检计划转给您')])
  const [now] = await server.sql<{ user_ids: string[] }>('SELECT user_ids FROM patrol_plans WHERE id = $1', [
    plan.id,
  ])
  expect(now!.user_ids).toEqual([ids.inspector])
  const idle = await hire('inspector')
  expect(await leaving(idle.id)).toEqual({ work: [], alone: [], besides: [] })
  expect((await stop(idle.id)).msg).toBe('')
})

test('a plan of sites that have ended all is refused', async () => {
  const [over] = await server.sql<{ id: string }>(
    `SELECT id FROM sites WHERE bc_id = $1 AND status IN (3, 4) AND deleted_at IS NULL LIMIT 1`,
    [bc],
  )
  const template = await gm.call(api.patrolTemplates.add, {
    body: { name: '没处去', bc_id: bc, items: [{ title: '地面', hint: '', weight: 1, photo: false }] },
  })
  const answer = await gm.ask(api.patrolPlans.add, {
    body: {
      name: '没处去',
      kind: 'plan',
      bc_id: bc,
      template_id: template.id,
      site_ids: [over!.id],
      every: 'day',
      weekdays: [1],
      share: 'one',
      user_ids: [ids.inspector!],
      fromTime: '08:00',
      toTime: '18:00',
      days: 1,
    },
  })
  expect(answer.msg).toContain('工地都已完工或终止')
})

test('the only one of the branch who can is named, and must be confirmed; with a second one nobody asks', async () => {
  const { items } = await shop.sold({ name: '等人接的砖', quantity: '2' })
  await shop.place([{ item_id: items['等人接的砖']!, quantity: '2' }])
  const examiner = ids.examiner!
  const { alone } = await leaving(examiner)
  expect(alone).toEqual([expect.stringMatching(/^.+只有.+能审核.*以后.+$/)])
  const asked = await stop(examiner, {}, false, shop.admin)
  expect(asked).toMatchObject({ code: 409, data: { needs: 'confirmed' } })
  expect(asked.msg).toContain('能审核')
  expect(await isOpen(examiner)).toBe(true)
  // The merchant's only account, with an order that waits.
  expect((await leaving(ids.supplier!)).alone.join()).toMatch(/只有.+能接单，现在有 \d+ 件在等/)
  await hire('examiner', {}, shop.admin)
  expect((await leaving(examiner)).alone).toEqual([])
  expect((await stop(ids.supplier!, {}, true, shop.admin)).msg).toBe('')
  await server.sql('UPDATE users SET status = 1 WHERE id = $1', [ids.supplier])
})

test('drafts and devices to be brought back go to who is chosen', async () => {
  const seller = await hire('quoter', { stores: [shop.store_id] }, shop.admin)
  const next = await hire('quoter', { stores: [shop.store_id] }, shop.admin)
  const draft = await shop.draft(shop.quoter)
  await server.sql('UPDATE quotations SET quoter_id = $2 WHERE id = $1', [draft, seller.id])
  expect((await stop(seller.id, { quotations: next.id }, true, shop.admin)).msg).toBe('')
  expect(await server.sql('SELECT quoter_id FROM quotations WHERE id = $1', [draft])).toEqual([
    { quoter_id: next.id },
  ])

  const keeper = await hire('device_keeper', {}, shop.admin)
  const other = await hire('device_keeper', {}, shop.admin)
  await server.sql(
    `INSERT INTO retrievals (tenant_id, id, bc_id, site_id, device_id, person_id, due, opened_at)
     SELECT d.tenant_id, gen_random_uuid(), d.bc_id, d.site_id, d.id, $1, :today, :now
     FROM devices d WHERE d.bc_id = $2 AND d.site_id IS NOT NULL ORDER BY d.sn LIMIT 1`,
    [keeper.id, bc],
  )
  expect((await stop(keeper.id, { retrievals: other.id }, true, shop.admin)).msg).toBe('')
  expect(
    await server.sql('SELECT count(*)::int AS n FROM retrievals WHERE person_id = $1', [other.id]),
  ).toEqual([{ n: 1 }])
})

test('whoever alone orders, accepts or assigns is named with what waits', async () => {
  const taken = await server.sql<{ tenant_id: string; role_id: string; label: string }>(
    `DELETE FROM role_powers p USING roles r
     WHERE r.id = p.role_id AND r.code NOT IN ('order_clerk', 'acceptor', 'pm')
       AND p.label IN ('order:place', 'accept:do', 'alarm:assign', 'correction:assign', '*:*:*')
     RETURNING p.tenant_id, p.role_id, p.label`,
  )
  await server.sql(`SELECT pg_notify('access', '')`)
  await server.sql(
    `INSERT INTO role_powers (tenant_id, role_id, label)
     SELECT r.tenant_id, r.id, x FROM roles r, unnest(ARRAY['order:place', 'accept:do', 'alarm:assign',
       'correction:assign']) x WHERE r.code = 'order_clerk' ON CONFLICT DO NOTHING`,
  )
  await server.sql(
    `DELETE FROM role_powers p USING roles r WHERE r.id = p.role_id AND r.code IN ('acceptor', 'pm', 'steward')
       AND p.label IN ('accept:do', 'alarm:assign', 'correction:assign')`,
  )
  const { alone } = await leaving(ids.order_clerk!)
  for (const what of ['下单和跟单', '验收到货', '指派报警', '指派整改']) expect(alone.join()).toContain(what)
  for (const p of taken)
    await server.sql(
      'INSERT INTO role_powers (tenant_id, role_id, label) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [p.tenant_id, p.role_id, p.label],
    )
  await server.sql(`SELECT pg_notify('access', '')`)
})

test('whoever takes the sites reaches their corrections with them; one person for each kind', async () => {
  const leaver = await hire('pm', { post: 2 })
  const next = await hire('pm', { post: 2 })
  const other = await hire('pm', { post: 2 })
  const { correction, site } = await managed(leaver.id)
  const named = await leaving(leaver.id)
  for (const { people } of named.work) expect(people.map((p) => p.id)).toContain(next.id)
  const lead = async () =>
    (
      await server.sql<{ assignee_id: string; manager_id: string }>(
        `SELECT k.assignee_id, w.manager_id FROM corrections k JOIN sites w ON w.id = k.site_id WHERE k.id = $1`,
        [correction],
      )
    )[0]!
  // Without the sites they cannot see what they would correct.
  const alone = await stop(leaver.id, { corrections: next.id, sites: other.id })
  expect(alone).toMatchObject({ code: 409, msg: expect.stringContaining('看不到这些工地') })
  expect(await lead()).toEqual({ assignee_id: leaver.id, manager_id: leaver.id })
  const twice = await gm.ask(api.accounts.state, {
    body: {
      id: leaver.id,
      version: await version(leaver.id),
      status: 2,
      successors: [
        { kind: 'sites', user_id: next.id },
        { kind: 'sites', user_id: ids.inspector! },
      ],
    },
  })
  expect(twice).toMatchObject({ code: 400, msg: expect.stringContaining('同一种工作只能选一位接手人') })
  await quiet()
  expect((await stop(leaver.id, { corrections: next.id, sites: next.id })).msg).toBe('')
  expect(await lead()).toEqual({ assignee_id: next.id, manager_id: next.id })
  expect(await told(next.userName)).toEqual([
    expect.stringMatching(/1 条整改中的问题转给您$/),
    expect.stringMatching(/1 个工地转给您$/),
  ])
  await server.sql('UPDATE sites SET manager_id = $2 WHERE id = $1', [site, ids.pm])
})

test('another post, role or branch asks who leads the sites next; the other post is changed by itself', async () => {
  const leaver = await hire('pm', { post: 2 })
  const next = await hire('pm', { post: 2 })
  const { site } = await managed(leaver.id)
  await server.sql(`UPDATE corrections SET correction_status = 3, closed_at = :now WHERE assignee_id = $1`, [
    leaver.id,
  ])
  const facts = async (more: object) => ({
    id: leaver.id,
    version: await version(leaver.id),
    userName: leaver.userName,
    nickname: '换岗的人',
    bc_id: bc,
    branches: [] as string[],
    stores: [] as string[],
    post: 2 as 1 | 2 | undefined,
    roles: [await ownRole(leaver.id)],
    ...more,
  })
  const edit = async (more: object, who = shop.admin) =>
    who.ask(api.accounts.edit, { body: await facts(more) })
  const [nb] = await server.sql<{ bc_id: string }>(`SELECT bc_id FROM companies WHERE code = 'NB'`)
  const inspects = await ownRole(ids.inspector!)
  for (const change of [{ post: undefined }, { post: 1 }, { bc_id: nb!.bc_id }, { roles: [inspects] }])
    expect(await edit(change), JSON.stringify(change)).toMatchObject({
      code: 409,
      msg: '走人' + (await nameEnd(leaver.id)) + '还有1 个负责的工地（项目经理），请选择接手人',
      data: { needs: 'successors' },
    })
  // A number changes nothing of what somebody can do.
  expect((await edit({ phone: '13900001111' })).msg).toBe('')
  const found = async () => gm.call(api.sites.details, { query: { id: site } })
  // Who lost the post before this was asked goes on leading; the steward is changed without him.
  await server.sql('UPDATE users SET post = NULL WHERE id = $1', [leaver.id])
  const steward = await hire('steward', { post: 1 })
  const people = { id: site, version: (await found()).version, manager_id: leaver.id, steward_id: steward.id }
  expect((await gm.ask(api.sites.people, { body: people })).msg).toBe('')
  expect(await found()).toMatchObject({ steward_id: steward.id, manager_id: leaver.id })
  await server.sql('UPDATE users SET post = 2 WHERE id = $1', [leaver.id])
  const successors = [{ kind: 'sites', user_id: next.id }]
  expect((await edit({ post: undefined, successors })).msg).toBe('')
  expect((await found()).manager_id).toBe(next.id)
})
const ownRole = async (id: string) =>
  (await server.sql<{ role_id: string }>('SELECT role_id FROM user_roles WHERE user_id = $1', [id]))[0]!
    .role_id
const nameEnd = async (id: string) =>
  (
    await server.sql<{ nickname: string }>('SELECT nickname FROM users WHERE id = $1', [id])
  )[0]!.nickname.slice(2)

test('the only cashier is named with what waits for them, as every job that waits at a right', async () => {
  // The words of the table of turns: whoever is told by a right has a queue; who supervises is told beside them.
  const rights = Object.values(TURNS).flatMap(({ audiences }) =>
    Object.values(audiences as Record<string, { right?: string; named?: boolean }>).flatMap((a) =>
      a.right && !a.named && !a.right.endsWith(':supervise') ? [a.right] : [],
    ),
  )
  const queues = OPEN_WORK.queues.map((q) => q.right)
  expect([...new Set(rights)].filter((r) => !queues.includes(r))).toEqual([])
  for (const right of ['contract:pay', 'contract:settle', 'order:answer', 'alarm:review', 'visitor:mark'])
    expect(queues).toContain(right)

  await server.sql(
    `INSERT INTO statements (tenant_id, id, code, receiver_id, receiver_name, bc_id, bc_name, month, state,
       made_by, made_name, made_at)
     SELECT u.tenant_id, gen_random_uuid(), 'DZ0001', $2, '走人商家', u.bc_id, '杭州', date_trunc('month', :today::date),
       'agreed', u.id, u.nickname, :now
     FROM users u WHERE u.id = $1`,
    [ids.cashier, shop.merchant],
  )
  await server.sql(
    `INSERT INTO owed_lines (tenant_id, id, bc_id, receiver_id, statement_id, month, at, kind, quantity, price,
       amount, words)
     SELECT s.tenant_id, gen_random_uuid(), s.bc_id, s.receiver_id, s.id, s.month, :now, 'other', 0, 0, 88.00, '手工'
     FROM statements s WHERE s.code = 'DZ0001'`,
  )
  const { alone } = await leaving(ids.cashier!)
  expect(alone.join('\n')).toMatch(/只有.+能付对账单的款，现在有 1 件在等；以后/)
  for (const what of ['收款', '申请退款']) expect(alone.join('\n')).toMatch(new RegExp(`只有.+能${what}`))
  // Their rights are not the manager's to take: the sentence names them.
  expect((await stop(ids.cashier!)).msg).toMatch(
    /^这个账号有您没有的权限：.*(收款|付款).*，请由也有这些权限的管理员修改$/,
  )
  const asked = await stop(ids.cashier!, {}, false, shop.admin)
  expect(asked).toMatchObject({ code: 409, data: { needs: 'confirmed' } })
  expect(asked.msg).toContain('能付对账单的款，现在有 1 件在等')
})

test('who does everything in a branch of one is told everything that nobody else there can do', async () => {
  const { id: branch } = await shop.admin.call(api.companies.add, {
    body: { bc_name: '一个人的分公司', code: 'YR', city: '绍兴' },
  })
  const codes = ['branch_gm', 'order_clerk', 'acceptor', 'cashier', 'device_keeper', 'inspector', 'service']
  const roles = await server.sql<{ id: string }>(
    `SELECT DISTINCT ur.role_id AS id FROM user_roles ur JOIN users u ON u.id = ur.user_id
     WHERE u.user_name = ANY ($1)`,
    [codes],
  )
  const one = await hire('pm', { bc_id: branch, roles: roles.map((r) => r.id) }, shop.admin)
  const { alone } = await shop.admin.call(api.accounts.leaving, { query: { id: one.id } })
  for (const what of [
    '指派整改',
    '复核整改',
    '验收',
    '下单',
    '答复撤销、结束剩余的申请',
    '付对账单的款',
    '出对账单、处理异议',
    '收款',
  ])
    expect(alone.filter((line) => line.startsWith('一个人的分公司只有')).join('\n')).toContain(what)
  // Nothing waits in a branch that has just begun.
  expect(alone.join()).not.toContain('件在等')
  expect(alone.length).toBeGreaterThan(15)
})

test('a role that is taken away, another branch, and deleting are the same door', async () => {
  const leaver = await hire('pm', { post: 2 })
  const next = await hire('pm', { post: 2 })
  const { correction } = await managed(leaver.id)
  const facts = async (roles: string[]) => ({
    id: leaver.id,
    version: await version(leaver.id),
    userName: leaver.userName,
    nickname: '换岗的人',
    phone: '',
    bc_id: bc,
    branches: [],
    stores: [],
    post: 2 as const,
    roles,
  })
  const clerk = await roleOf('order_clerk')
  const refused = await gm.ask(api.accounts.edit, { body: await facts([clerk]) })
  expect(refused.msg).toContain('请选择接手人')
  const del = await shop.admin.ask(api.accounts.del, {
    body: { id: leaver.id, version: await version(leaver.id), reason: '离职' },
  })
  expect(del.msg).toContain('请选择接手人')
  const successors = [
    { kind: 'corrections' as const, user_id: ids.branch_gm! },
    { kind: 'sites' as const, user_id: next.id },
  ]
  const edited = await shop.admin.ask(api.accounts.edit, { body: { ...(await facts([clerk])), successors } })
  expect(edited.msg).toBe('')
  const [row] = await server.sql<{ assignee_id: string }>(
    'SELECT assignee_id FROM corrections WHERE id = $1',
    [correction],
  )
  expect(row!.assignee_id).toBe(ids.branch_gm)
})

test('who stands in and follows feedback leaves: it is named, and who is away hears of it', async () => {
  const leaver = await hire('branch_gm')
  const day = (await server.sql<{ day: string }>('SELECT :today::text AS day'))[0]!.day
  const steward = await server.as('steward')
  await steward.call(api.absences.away, { body: { deputy_id: leaver.id, from: day, to: day } })
  const service = await server.as('service')
  const [home] = await server.sql<{ id: string }>(
    `SELECT id FROM sites WHERE steward_id = $1 AND status = 1 ORDER BY code LIMIT 1`,
    [ids.steward],
  )
  const complaint = {
    kind: 'complaint',
    level: 1,
    about: 'work',
    channel: 'phone',
    words: '墙裂',
    pictures: [],
  } as const
  const { id } = await service.call(api.feedback.enter, {
    body: { site_id: home!.id, ...complaint, pictures: [] },
  })
  await server.sql(
    `INSERT INTO feedback_supervisors SELECT tenant_id, id, $2, 3, entered_at FROM feedback WHERE id = $1`,
    [id, leaver.id],
  )
  const [me] = await server.sql<{ nickname: string }>(`SELECT nickname FROM users WHERE id = $1`, [
    ids.steward,
  ])
  const [her] = await server.sql<{ nickname: string }>('SELECT nickname FROM users WHERE id = $1', [
    leaver.id,
  ])
  const { alone, besides } = await leaving(leaver.id)
  expect(besides).toEqual([
    `${me!.nickname} ${day} 不在，由${her!.nickname}代班：停用后没有人代班，会告诉${me!.nickname}和总经理`,
    `${her!.nickname}跟着 1 条升级的反馈，停用后要别人来跟时，请再升级一次`,
  ])
  expect(alone).toEqual([])
  await quiet()
  const admin = await server.as('admin')
  expect((await stop(leaver.id, {}, false, admin)).msg).toBe('')
  const said = [`代班人${her!.nickname}的账号已停用：${me!.nickname} ${day} 不在，没有人代班，请换一位`]
  expect(await told('steward')).toEqual(said)
  expect(await told('branch_gm')).toEqual(said)
  expect((await steward.call(api.absences.mine, {}))[0]!.deputyName).toBe(`${her!.nickname}（账号已停用）`)
})
