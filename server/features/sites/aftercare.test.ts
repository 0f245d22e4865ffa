import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

const HOUR = 3_600_000
let server: TestServer
let gm: Person, steward: Person, service: Person
let ids: Record<string, string>
let tenant: string, bc: string
let sites: { id: string; name: string }[]
beforeAll(async () => {
  server = await startTestServer()
  server.later(startOfDay(today()).getTime() + 10 * HOUR - server.now().getTime())
  gm = await server.as('branch_gm')
  steward = await server.as('steward')
  service = await server.as('service')
  const users = await server.sql<{ id: string; user_name: string; tenant_id: string; bc_id: string }>(
    'SELECT id, user_name, tenant_id, bc_id FROM users',
  )
  ids = Object.fromEntries(users.map((u) => [u.user_name, u.id]))
  const me = users.find((u) => u.user_name === 'branch_gm')!
  tenant = me.tenant_id
  bc = me.bc_id
  sites = await server.sql(
    `UPDATE sites w SET progress = 100, contract = '' FROM users s, users m
     WHERE s.id = w.steward_id AND m.id = w.manager_id AND s.user_name = 'steward' AND m.user_name = 'pm'
       AND w.status = 1
     RETURNING w.id, w.ws_name AS name`,
  )
  await server.sql(
    `UPDATE site_stages t SET actual_finish = :today WHERE t.site_id = ANY ($1) AND t.actual_finish IS NULL`,
    [sites.map((s) => s.id)],
  )
})
afterAll(() => server.stop())
beforeEach(async () => {
  await server.sql('DELETE FROM absences')
  await server.sql('DELETE FROM notifications')
})

const today = () => shanghaiDay(server.now())
const inDays = (n: number) => addDays(today(), n)
const version = async (id: string) => (await gm.call(api.sites.details, { query: { id } })).version
const foresee = (id: string) => gm.call(api.sites.foresee, { query: { id, change: 'finish' } })
const finish = async (id: string, aftercare_id?: string, more: object = {}) =>
  gm.ask(api.sites.state, {
    body: {
      id,
      version: await version(id),
      action: 'finish',
      reason: '商品由业主自购',
      aftercare_id,
      ...more,
    },
  })
const promise = async (site_id: string, content: string, post: 1 | 2 = 1) =>
  (
    await service.call(api.promises.add, {
      body: { site_id, subject: 'other', content, due: inDays(9), post, answers: [] },
    })
  ).id
const complain = async (site_id: string, more: object = {}, who = service) =>
  (
    await who.call(api.feedback.enter, {
      body: {
        site_id,
        kind: 'complaint',
        level: 1,
        about: 'work',
        channel: 'phone',
        words: '柜门关不严',
        pictures: [],
        ...more,
      },
    })
  ).id
const feedback = (id: string) => gm.call(api.feedback.details, { query: { id } })
const accept = async (id: string, assignee_id: string) =>
  gm.call(api.feedback.accept, {
    body: { id, version: (await feedback(id)).version, level: 1, assignee_id },
  })
const responsible = async (id: string) =>
  (await gm.call(api.promises.list, { query: { id } })).list[0]!.responsible_id
/** One more steward of the branch. */
async function another(userName: string, nickname: string): Promise<string> {
  const [one] = await server.sql<{ id: string }>(
    `INSERT INTO users (tenant_id, id, user_name, nickname, phone, bc_id, post, password)
     SELECT tenant_id, gen_random_uuid(), $2, $3, '', bc_id, 1, password FROM users WHERE id = $1
     RETURNING id`,
    [ids.steward, userName, nickname],
  )
  await server.sql(
    `INSERT INTO user_roles (tenant_id, user_id, role_id)
     SELECT tenant_id, $2, role_id FROM user_roles WHERE user_id = $1`,
    [ids.steward, one!.id],
  )
  return one!.id
}
/** Every unread word, by who has it. */
const unread = () =>
  server.sql<{ user_name: string; title: string }>(
    `SELECT u.user_name, n.title FROM notifications n JOIN users u ON u.id = n.user_id
     WHERE n.read_at IS NULL ORDER BY n.at, u.user_name`,
  )
const status = async (id: string) =>
  (await server.sql<{ status: number }>('SELECT status FROM sites WHERE id = $1', [id]))[0]!.status

test('what goes on after the handover goes to who is named, who hears of all of it once', async () => {
  const { id, name } = sites[0]!
  const kept = [await promise(id, '半年内免费调整柜门'), await promise(id, '首年上门检查水路', 2)]
  const one = await complain(id)
  await accept(one, ids.steward!)
  const waiting = await complain(id)
  const told = await foresee(id)
  expect(told.blocks).toEqual([])
  expect(told.later).toEqual(['2 条还没到期的承诺', '2 条没有到期的反馈'])
  expect(told.aftercare).toBeNull()
  expect((await finish(id)).msg).toBe('2 条还没到期的承诺、2 条没有到期的反馈要移交，请选择售后负责人')
  expect(await status(id)).toBe(1)

  expect((await finish(id, ids.service)).msg).toBe('')
  expect(await status(id)).toBe(4)
  for (const p of kept) expect(await responsible(p)).toBe(ids.service)
  expect(await feedback(one)).toMatchObject({ status: 2, assignee_id: ids.service })
  expect((await feedback(one)).events.at(-1)).toMatchObject({ act: 'transfer', actor: expect.any(String) })
  expect(await feedback(waiting)).toMatchObject({ status: 1, assignee_id: null })
  const details = await gm.call(api.promises.details, { query: { id: kept[0]! } })
  expect(details.log.at(-1)!.text).toMatch(/^工地完工，售后由.+负责$/)
  const heard = (await unread()).filter((n) => n.title.includes('售后'))
  const title = `${name} 已完工，售后由您负责：2 条还没到期的承诺、2 条没有到期的反馈`
  expect(heard).toEqual([{ user_name: 'service', title }])
  // What its old people were told of these waits for them no longer.
  expect((await unread()).filter((n) => n.title.includes('柜门'))).toEqual([])
  const lines = await gm.call(api.timeline.list, { query: { site_id: id, kinds: ['promise', 'feedback'] } })
  expect(JSON.stringify(lines.list)).toContain('售后由')

  // What its owner says from then on goes there; the steward stays the steward.
  await server.sql('DELETE FROM notifications')
  const later = await complain(id, {}, gm)
  const hearers = (await unread()).map((n) => n.user_name)
  expect(hearers).toContain('service')
  expect(hearers).not.toContain('steward')
  expect((await gm.call(api.sites.details, { query: { id } })).steward_id).toBe(ids.steward)
  expect(later).not.toBe('')
  // Another steward leads it some day: what was handed over stays where it is.
  const next = await another('nextsteward', '吴管家')
  await gm.call(api.sites.people, {
    body: { id, version: await version(id), steward_id: next, manager_id: ids.pm! },
  })
  for (const p of kept) expect(await responsible(p)).toBe(ids.service)
})

test('who cannot answer for it is refused in words, and nothing changes', async () => {
  const { id } = sites[1]!
  const kept = await promise(id, '半年内免费调整柜门')
  await server.sql('DELETE FROM notifications')
  const [gone] = await server.sql<{ id: string }>(
    `INSERT INTO users (tenant_id, id, user_name, nickname, phone, bc_id, status, password)
     SELECT tenant_id, gen_random_uuid(), 'gone', '赵停用', '', bc_id, 2, password FROM users WHERE id = $1
     RETURNING id`,
    [ids.service],
  )
  expect((await finish(id, gone!.id)).msg).toBe('赵停用账号已停用，请换一位售后负责人')
  expect((await finish(id, ids.order_clerk)).msg).toMatch(
    /看不到这个工地的承诺和反馈，或没有处理的权限，请换一位售后负责人$/,
  )
  await gm.call(api.absences.set, {
    body: { user_id: ids.service!, deputy_id: ids.branch_gm!, from: today(), to: inDays(3) },
  })
  expect((await finish(id, ids.service)).msg).toMatch(/不在（至 \d\d-\d\d，由 .+ 代），请换一位售后负责人$/)
  // Of another branch, and of another group: not even whether there is somebody.
  for (const stranger of [ids.steward2, ids.other_steward])
    expect(await finish(id, stranger)).toMatchObject({ status: 403 })
  // The person who sees the whole group reads why.
  const admin = await server.as('admin')
  const body = {
    id,
    version: await version(id),
    action: 'finish' as const,
    reason: '',
    aftercare_id: ids.steward2,
  }
  expect((await admin.ask(api.sites.state, { body })).msg).toMatch(/不在这个分公司，请换一位售后负责人$/)
  const over = { ...body, action: 'terminate' as const, reason: '业主退单', aftercare_id: ids.branch_gm }
  expect((await gm.ask(api.sites.state, { body: over })).msg).toBe('完工时才移交售后')
  expect(await status(id)).toBe(1)
  expect(await responsible(kept)).toBe(ids.steward)
  expect(await unread()).toEqual([])
})

test('two finish at once, or again: once', async () => {
  const { id } = sites[2]!
  await promise(id, '半年内免费调整柜门')
  await server.sql('DELETE FROM notifications')
  const at = await version(id)
  const ends = [ids.service, ids.branch_gm].map((to) => finish(id, to, { version: at }))
  const answers = await Promise.all(ends)
  expect(answers.map((a) => a.code).sort()).toEqual([200, 409])
  expect((await finish(id, ids.service)).code).toBe(409)
  const [site] = await server.sql<{ aftercare_id: string }>('SELECT aftercare_id FROM sites WHERE id = $1', [
    id,
  ])
  const winner = answers[0]!.code === 200 ? ids.service : ids.branch_gm
  expect(site!.aftercare_id).toBe(winner)
})

test('the branch proposes whom it names; one who is stopped or away is said, and saved all the same', async () => {
  const set = (value: string | null, who = gm, bcId = bc, key = 'aftercarePerson') =>
    who.ask(api.settings.update, { body: { bcId, values: { [key]: value } } })
  expect(await set(ids.service!)).toMatchObject({ code: 200, data: { warnings: [] } })
  const { id } = sites[3]!
  expect((await foresee(id)).aftercare).toMatchObject({ id: ids.service, why: null })
  await gm.call(api.absences.set, {
    body: { user_id: ids.service!, deputy_id: ids.branch_gm!, from: today(), to: inDays(3) },
  })
  expect((await foresee(id)).aftercare!.why).toMatch(/不在（至/)
  const again = await set(ids.service!)
  expect(again.data.warnings).toEqual([
    expect.stringMatching(/^售后负责人：.+不在（至 \d\d-\d\d，由 .+ 代）$/),
  ])
  const page = await gm.call(api.settings.selectByBcId, { body: { bcId: bc } })
  expect(page.people).toMatchObject([{ id: ids.service, why: expect.stringContaining('不在（至') }])
  expect((await set(ids.steward2!)).status).toBe(403)
  const admin = await server.as('admin')
  expect((await set(ids.steward2!, admin)).msg).toMatch(/不在这个分公司，请选本分公司的人$/)
  // Who may not do it, or nowhere here, is refused by the field.
  const [role] = await server.sql<{ id: string }>(
    `SELECT id FROM roles WHERE tenant_id = $1 AND code = 'steward'`,
    [tenant],
  )
  const hq = await server.as('admin')
  const { id: idle } = await hq.call(api.accounts.add, {
    body: { userName: 'idlekeeper', nickname: '闲管家', bc_id: bc, roles: [role!.id] },
  })
  for (const key of ['aftercarePerson', 'escalatePerson.1']) {
    const clerk = await set(ids.device_keeper!, gm, bc, key)
    expect([clerk.code, clerk.msg]).toEqual([400, expect.stringMatching(/没有“.+”.*权限，请换一位$/)])
    const nowhere = await set(idle, gm, bc, key)
    expect([nowhere.code, nowhere.msg]).toEqual([400, '闲管家看不到这里的工地，请换一位'])
  }
  // A role that changes later leaves a hole: the line of the setting says it, and another name closes it.
  const said = async () => (await gm.call(api.settings.selectByBcId, { body: { bcId: bc } })).people
  const both = await server.sql<{ role_id: string }>(
    `DELETE FROM user_roles WHERE user_id = $1 RETURNING tenant_id, user_id, role_id`,
    [ids.service],
  )
  await server.sql('DELETE FROM absences WHERE user_id = $1', [ids.service])
  expect(await said()).toMatchObject([{ id: ids.service, why: expect.stringMatching(/^没有“.+”权限$/) }])
  for (const { role_id } of both)
    await server.sql('INSERT INTO user_roles (tenant_id, user_id, role_id) VALUES ($1, $2, $3)', [
      tenant,
      ids.service,
      role_id,
    ])
  expect(await said()).toMatchObject([{ id: ids.service, why: null }])
  expect((await set('', gm)).data.warnings).toEqual([])
  expect((await foresee(id)).aftercare).toBeNull()
  const [log] = await server.sql<{ after: string }>(
    `SELECT after::text FROM user_logs WHERE action = '修改设置' AND before::text LIKE '%aftercarePerson%'
     ORDER BY seq DESC LIMIT 1`,
  )
  expect(log!.after).not.toContain(ids.service)
})

test('a step of the ladder has the person whom the branch names, or who stands in, or the next', async () => {
  const { id: site } = sites[4]!
  const name = (value: string) =>
    gm.call(api.settings.update, { body: { bcId: bc, values: { 'escalatePerson.1': value } } })
  const climbed = async () => {
    const id = await complain(site, {}, gm)
    await accept(id, ids.steward!)
    const { version: at } = await feedback(id)
    await steward.call(api.feedback.escalate, { body: { id, version: at, reason: '业主要投诉' } })
    const { rung, supervisors } = await feedback(id)
    return { rung, people: supervisors.map((s) => s.id) }
  }
  await name(ids.pm!)
  expect(await climbed()).toEqual({ rung: 1, people: [ids.pm] })
  await server.sql(
    `INSERT INTO absences (tenant_id, id, user_id, deputy_id, from_day, to_day, entered_by, entered_at)
     VALUES ($1, gen_random_uuid(), $2, $3, :today, :today, '', :now)`,
    [tenant, ids.pm, ids.service],
  )
  expect(await climbed()).toEqual({ rung: 1, people: [ids.service] })
  await server.sql('UPDATE absences SET deputy_id = $1', [ids.order_clerk])
  expect(await climbed()).toEqual({ rung: 2, people: [ids.branch_gm] })
  await server.sql('DELETE FROM absences')
  await name('')
  expect((await climbed()).people).toEqual([ids.service])
})

test('what was said about somebody who keeps the home later is kept from them, until service releases it', async () => {
  const { id: site } = sites[5]!
  const next = await another('latersteward', '郑管家')
  const about = { about: 'person', about_id: next }
  const one = await complain(site, about)
  const released = await complain(site, about)
  const other = await complain(site)
  await server.sql(
    `INSERT INTO feedback_events (tenant_id, id, feedback_id, at, actor, act, words)
     VALUES ($1, gen_random_uuid(), $2, :now, '', 'release', '')`,
    [tenant, released],
  )
  await gm.call(api.sites.people, {
    body: { id: site, version: await version(site), steward_id: next, manager_id: ids.pm! },
  })
  const keeper = await server.as('latersteward')
  const seen = (await keeper.call(api.feedback.list, { query: { site_id: site } })).list.map((f) => f.id)
  expect(seen.toSorted()).toEqual([released, other].toSorted())
  expect((await keeper.ask(api.feedback.details, { query: { id: one } })).status).toBe(403)
  const lines = JSON.stringify(await keeper.call(api.timeline.list, { query: { site_id: site } }))
  expect(lines).not.toContain((await feedback(one)).no)
  // What is held for it says why to others alone.
  const [hold] = await server.sql<{ device_id: string }>(
    'SELECT device_id FROM recording_holds WHERE feedback_id = $1 LIMIT 1',
    [one],
  )
  const why = async (who: Person) =>
    (await who.call(api.recordings.day, { body: { device_id: hold!.device_id, day: today() } })).holds.map(
      (h) => h.reason,
    )
  expect(JSON.stringify(await why(gm))).toContain((await feedback(one)).no)
  expect(JSON.stringify(await why(keeper))).not.toContain((await feedback(one)).no)
  await service.call(api.feedback.release, { body: { id: one, version: (await feedback(one)).version } })
  expect((await keeper.ask(api.feedback.details, { query: { id: one } })).status).toBe(200)
  // Who answers for a home after its handover is kept from what is said about them, too.
  await server.sql('UPDATE sites SET steward_id = $2 WHERE id = $1', [site, ids.steward])
  const mine = await complain(site, { about: 'person', about_id: ids.service }, gm)
  expect((await service.ask(api.feedback.details, { query: { id: mine } })).status).toBe(200)
  expect((await finish(site, ids.service)).msg).toBe('')
  expect((await service.ask(api.feedback.details, { query: { id: mine } })).status).toBe(403)
})
