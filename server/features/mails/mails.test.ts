import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { mailsApi } from '@zhuguan/contract/features/mails/mails.api.ts'
import type { NoticeWay } from '@zhuguan/contract/features/mails/mails.record.ts'
import { notificationsApi } from '@zhuguan/contract/features/notifications/notifications.api.ts'
import type { CauseKind } from '@zhuguan/contract/features/notifications/notifications.record.ts'
import { userlogsApi } from '@zhuguan/contract/features/userlogs/userlogs.api.ts'
import { linkTo } from '@zhuguan/contract/links.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { report } from '../../testing/device.ts'
import { FROM, lookAtPost, type MailServer, startMailServer } from '../../testing/mail-server.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { seconds } from '../../testing/time.ts'
import { type Cause, notify, settle } from '../notifications/notifications.service.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { queueDigests } from './mail-sending.queries.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
let post: MailServer
let server: TestServer
let pm: Person
let site: {
  id: string
  tenant_id: string
  bc_id: string
  code: string
  ws_name: string
  pm: string
  steward: string
}
let causes = 0

beforeAll(async () => {
  post = await startMailServer()
  server = await startTestServer({ mail: { url: post.url, from: FROM } })
  ;[site] = (await server.sql(
    `SELECT w.id, w.tenant_id, w.bc_id, w.code, w.ws_name, m.id AS pm, s.id AS steward
     FROM sites w JOIN users m ON m.id = w.manager_id JOIN users s ON s.id = w.steward_id
     WHERE m.user_name = 'pm' AND s.user_name = 'steward' AND w.status = 1 LIMIT 1`,
  )) as [typeof site]
})
afterAll(async () => {
  await server.stop()
  await post.close()
})
beforeEach(async () => {
  post.refuses = () => undefined
  await server.sql('DELETE FROM mails')
  await server.sql('DELETE FROM mail_addresses')
  await server.sql('DELETE FROM notice_rules')
  await server.sql('UPDATE notifications SET read_at = :now')
  pm = await server.as('pm')
  post.box = []
})

const look = (to = post.url) => lookAtPost(server, to)
const mine = (person = pm) => person.call(mailsApi.mine)
/** As confirmed by its code; of `to` what stands before the @ is whose it is. */
async function address(to = 'pm@example.com'): Promise<void> {
  const [name] = to.split('@')
  await server.sql(
    `INSERT INTO mail_addresses (tenant_id, user_id, address) SELECT tenant_id, id, $2 FROM users WHERE user_name = $1`,
    [name, to],
  )
  await server.sql(
    `INSERT INTO notice_rules (tenant_id, user_id, hour, digested_on)
     SELECT tenant_id, id, 8, :today FROM users WHERE user_name = $1`,
    [name],
  )
}
/** Where these are read; others of these stories are alarms. */
const PAGE_OF: Partial<Record<CauseKind, 'Correction' | 'PatrolRecord'>> = {
  correction: 'Correction',
  patrol: 'PatrolRecord',
}
interface Rules {
  ways?: Partial<Record<CauseKind, NoticeWay>>
  sites?: string[]
  quiet?: [string, string]
  hour?: number
}
const rules = async ({ ways = {}, sites = [], quiet = ['', ''], hour = 8 }: Rules, person = pm) => {
  const { version } = (await mine(person)).rules
  const listed = (await mine(person)).rules.ways.map(({ kind, way }) => ({ kind, way: ways[kind] ?? way }))
  await person.call(mailsApi.rules, {
    body: { version, ways: listed, sites, quietFrom: quiet[0], quietTo: quiet[1], hour },
  })
}
async function told(
  more: { kind?: CauseKind; user?: string; urgent?: true; site?: string; id?: string } = {},
) {
  const cause: Cause = { kind: more.kind ?? 'alarm', id: more.id ?? `cause ${(causes += 1)}` }
  await server.db.tx(SYSTEM, (tx) =>
    notify(tx, {
      tenant: site.tenant_id,
      user: more.user ?? site.pm,
      title: `${site.ws_name} 李先生 13800000000 未戴安全帽`,
      link: linkTo(PAGE_OF[cause.kind] ?? 'AlarmEvent', { id: 'one' }),
      site: more.site ?? site.id,
      cause,
      urgent: more.urgent,
    }),
  )
  return cause
}
const act = (cause: Cause) => server.db.tx(SYSTEM, (tx) => settle(tx, site.tenant_id, cause))
/** Moves the clock on to this time of a Shanghai day. */
async function until(time: string): Promise<void> {
  const clock = () => new Date(server.now().getTime() + 8 * HOUR).toISOString().slice(11, 16)
  const minutes = (t: string) => Number(t.slice(0, 2)) * 60 + Number(t.slice(3))
  const ahead = (minutes(time) - minutes(clock()) + 24 * 60) % (24 * 60)
  server.later(ahead * MINUTE)
  pm = await server.as('pm')
}

// Before the stories that move the clock far: a device signs at the machine's time.
test('a camera’s alarm that is assigned arrives; acted on before it goes, nothing arrives', async () => {
  await address()
  const admin = await server.as('admin')
  const camera = server.devices.find((d) => d.type === 'camera' && d.site === site.id)!
  const event = { id: `alarm ${(causes += 1)}`, kind: 'alarm', type: 'smoking', confidence: 0.9 }
  await report(server.url, camera, [{ ...event, at: seconds() - 5 }])
  const { list } = await admin.call(alarmsApi.list, { query: { site_id: site.id, type: ['smoking'] } })
  const { id, version } = list[0]!
  await server.sql('DELETE FROM mails')
  await admin.call(alarmsApi.assign, { body: { id, version, assignee_id: site.pm } })
  const [waiting] = (await mine()).mails
  expect(waiting).toMatchObject({ state: 'queued', kind: 'alarm' })
  await pm.call(alarmsApi.start, { body: { id, version: version + 1 } })
  expect(await look()).toBe(0)
  expect((await mine()).mails).toMatchObject([{ state: 'dropped', said: '已经有人处理' }])
})

test('an address counts once its code was typed; a wrong code changes nothing, and five end it', async () => {
  expect(await mine()).toMatchObject({ configured: true, address: '', asked: '', mails: [] })
  expect((await pm.ask(mailsApi.ask, { body: { address: 'not an address' } })).code).toBe(400)
  expect((await pm.ask(mailsApi.confirm, { body: { code: '123456' } })).msg).toContain('请先填写邮箱')
  await pm.call(mailsApi.ask, { body: { address: 'pm@example.com' } })
  expect(post.box).toHaveLength(1)
  expect(post.box[0]).toMatchObject({ to: 'pm@example.com' })
  const code = post.box[0]!.text.match(/\d{6}/)![0]
  expect(await mine()).toMatchObject({ address: '', asked: 'pm@example.com' })
  expect((await pm.ask(mailsApi.ask, { body: { address: 'two@example.com' } })).msg).toContain('一分钟后')
  const wrong = code === '000000' ? '000001' : '000000'
  expect((await pm.ask(mailsApi.confirm, { body: { code: wrong } })).msg).toBe('验证码不对')
  // It is one person's: nobody else's word counts.
  const steward = await server.as('steward')
  expect((await steward.ask(mailsApi.confirm, { body: { code } })).code).toBe(400)
  await pm.call(mailsApi.confirm, { body: { code } })
  expect(await mine()).toMatchObject({ address: 'pm@example.com', asked: '' })

  server.later(2 * MINUTE)
  await pm.call(mailsApi.ask, { body: { address: 'new@example.com' } })
  const next = post.box[1]!.text.match(/\d{6}/)![0]
  const bad = next === '000000' ? '000001' : '000000'
  for (let i = 0; i < 5; i += 1) await pm.ask(mailsApi.confirm, { body: { code: bad } })
  expect((await pm.ask(mailsApi.confirm, { body: { code: next } })).msg).toBe('验证码已失效，请重新发送')
  expect((await mine()).address).toBe('pm@example.com')
  server.later(2 * MINUTE)
  await pm.call(mailsApi.ask, { body: { address: 'new@example.com' } })
  const late = post.box[2]!.text.match(/\d{6}/)![0]
  server.later(31 * MINUTE)
  expect((await pm.ask(mailsApi.confirm, { body: { code: late } })).msg).toBe('验证码已失效，请重新发送')

  const admin = await server.as('admin')
  const { list } = await admin.call(userlogsApi.list, { query: { keyword: '邮箱', pageSize: 50 } })
  expect(JSON.stringify(list)).not.toContain('pm@example.com')
  expect(JSON.stringify(list)).not.toContain('new@example.com')
})

test('what a mail server refuses is said at once, and the address before goes on', async () => {
  await address()
  server.later(2 * MINUTE)
  post.refuses = (to) => (to.startsWith('no') ? '550 no such user' : undefined)
  const answer = await pm.ask(mailsApi.ask, { body: { address: 'nobody@example.com' } })
  expect(answer.msg).toContain('收件地址被拒绝（550）')
  expect((await mine()).address).toBe('pm@example.com')
  await pm.call(mailsApi.trial)
  expect(post.box).toMatchObject([{ to: 'pm@example.com', subject: '【筑管】这是一条试发消息' }])
  await pm.call(mailsApi.remove)
  expect((await pm.ask(mailsApi.trial)).msg).toBe('请先填写并确认邮箱')
})

test('taking the address off gives no second code in a minute; nobody writes to strangers all day', async () => {
  const keeper = await server.as('device_keeper')
  const ask = (to: string) => keeper.ask(mailsApi.ask, { body: { address: to } })
  expect((await ask('victim@example.com')).code).toBe(200)
  await keeper.call(mailsApi.remove)
  expect((await ask('victim@example.com')).msg).toBe('验证码刚刚发过，请一分钟后再试')
  expect(post.box).toHaveLength(1)
  for (let i = 0; i < 12; i += 1) {
    server.later(2 * MINUTE)
    await ask('victim@example.com')
  }
  expect(post.box.length).toBeLessThanOrEqual(10)
  expect((await ask('victim@example.com')).msg).toBe('一天最多发 10 次验证码，请明天再试')
})

test('an address that refuses, or whose code is old, is not waited for; another one can be given', async () => {
  const service = await server.as('service')
  post.refuses = (to) => (to.startsWith('bad') ? '550 no such user' : undefined)
  const refused = await service.ask(mailsApi.ask, { body: { address: 'bad@example.com' } })
  expect(refused.code).toBe(400)
  expect(await mine(service)).toMatchObject({ address: '', asked: '' })
  server.later(2 * MINUTE)
  await service.call(mailsApi.ask, { body: { address: 'good@example.com' } })
  expect(await mine(service)).toMatchObject({ asked: 'good@example.com' })
  server.later(31 * MINUTE)
  expect(await mine(service)).toMatchObject({ asked: '' })
})

test('a record is told by its number, and nothing else of what was written about it', async () => {
  await address()
  await server.db.tx(SYSTEM, (tx) =>
    notify(tx, {
      tenant: site.tenant_id,
      user: site.pm,
      title: 'FK261128-00027等待受理：李先生 13800000000 说漏水',
      link: linkTo('FeedbackList', { id: 'one' }),
      site: site.id,
      cause: { kind: 'feedback', id: 'one' },
    }),
  )
  await look()
  expect(post.box[0]!.subject).toBe(`【筑管】反馈 FK261128-00027，工地 ${site.code}`)
  expect(post.box[0]!.subject + post.box[0]!.text).not.toMatch(/李先生|13800000000|漏水/)
})

test('until when there is time stands in the subject, as the record says it when the mail goes', async () => {
  await address()
  const [late] = await server.sql<{ id: string; words: string }>(
    `INSERT INTO corrections (tenant_id, id, bc_id, site_id, source, source_id, problem, at, due_at, correction_status)
     SELECT w.tenant_id, gen_random_uuid(), w.bc_id, w.id, 'patrol', gen_random_uuid(), '地面积水', :now,
       :now + interval '26 hours', 1
     FROM sites w WHERE w.id = $1
     RETURNING id, to_char((due_at - interval '1 second') AT TIME ZONE 'Asia/Shanghai', 'MM-DD HH24:MI') AS words`,
    [site.id],
  )
  await rules({ ways: { correction: 'now' } })
  await told({ kind: 'correction', id: late!.id })
  await look()
  expect(post.box.map((m) => m.subject)).toEqual([`【筑管】整改，工地 ${site.code}，最迟 ${late!.words}`])
  await server.sql('UPDATE notifications SET read_at = :now')
  await server.sql(`UPDATE corrections SET due_at = :now - interval '1 hour' WHERE id = $1`, [late!.id])
  await told({ kind: 'correction', id: late!.id })
  await look()
  expect(post.box[1]!.subject).toBe(`【筑管】整改，工地 ${site.code}，已超期`)
  // What is over has no clock any more, and what has none says nothing of one.
  await server.sql('UPDATE notifications SET read_at = :now')
  await server.sql('UPDATE corrections SET correction_status = 4 WHERE id = $1', [late!.id])
  await told({ kind: 'correction', id: late!.id })
  await look()
  expect(post.box[2]!.subject).toBe(`【筑管】整改，工地 ${site.code}`)
})

test('an alarm on an own site is a mail at once: kind, number, link and no name; told again it is none', async () => {
  await address()
  const cause = await told()
  await told({ id: cause.id })
  await told({ user: site.steward })
  expect(await look()).toBe(1)
  await told({ id: cause.id })
  expect(await look()).toBe(0)
  expect(post.box).toHaveLength(1)
  expect(post.box[0]).toMatchObject({ to: 'pm@example.com', subject: `【筑管】报警，工地 ${site.code}` })
  expect(post.box[0]!.text).toContain('https://zg.example.com/#/image/AlarmEvent?id=one')
  expect(post.box[0]!.subject + post.box[0]!.text).not.toMatch(/李先生|13800000000|安全帽|example\.com\/.*李/)
  expect((await mine()).mails).toMatchObject([{ event: 'told', kind: 'alarm', state: 'sent', together: 1 }])
})

test('a person’s rules decide: kind, sites, bell only; two who save at once, one is told', async () => {
  await address()
  const [other] = await server.sql<{ id: string }>(
    'SELECT id FROM sites WHERE tenant_id = $1 AND manager_id = $2 AND id <> $3 LIMIT 1',
    [site.tenant_id, site.pm, site.id],
  )
  await rules({ ways: { alarm: 'bell', correction: 'now' }, sites: [site.id] })
  await told({ kind: 'alarm' })
  await told({ kind: 'correction' })
  await told({ kind: 'correction', site: other!.id })
  await look()
  expect(post.box.map((m) => m.subject)).toEqual([`【筑管】整改，工地 ${site.code}`])
  const { version } = (await mine()).rules
  const body = { version: version - 1, ways: [], sites: [], quietFrom: '', quietTo: '', hour: 9 }
  const late = await pm.ask(mailsApi.rules, { body })
  expect(late.code).toBe(409)
  expect((await mine()).rules.hour).toBe(8)
  const half = await pm.ask(mailsApi.rules, { body: { ...body, version, quietFrom: '22:00' } })
  expect(half.msg).toContain('一起填')
  const [strange] = await server.sql<{ id: string }>('SELECT id FROM sites WHERE bc_id <> $1 LIMIT 1', [
    site.bc_id,
  ])
  const theirs = await pm.ask(mailsApi.rules, { body: { ...body, version, sites: [strange!.id] } })
  const beside = await pm.ask(mailsApi.rules, { body: { ...body, version, sites: [site.id, strange!.id] } })
  expect(beside.code).toBe(theirs.code)
  expect(theirs.code).toBe(403)
})

test('quiet hours hold all but what is urgent; the rest comes as one when they end', async () => {
  await until('21:50')
  await address()
  await rules({ quiet: ['22:00', '07:00'] })
  await until('22:10')
  for (let i = 0; i < 3; i += 1) await told()
  const read = await told()
  await told({ urgent: true })
  expect(await look()).toBe(1)
  expect(post.box).toHaveLength(1)
  await act(read)
  await until('06:59')
  expect(await look()).toBe(0)
  await until('07:01')
  expect(await look()).toBe(1)
  expect(post.box[1]!.subject).toBe('【筑管】3 件事：报警 3')
})

test('what was read in the bell, and whose account or right is gone, is not sent', async () => {
  await address()
  await told()
  await pm.call(notificationsApi.read, { body: {} })
  await look()
  expect(post.box).toEqual([])
  expect((await mine()).mails[0]).toMatchObject({ state: 'dropped', said: '已在系统里看过' })
  await told()
  const [role] = await server.sql<{ role_id: string; page_id: string }>(
    `DELETE FROM role_pages rp USING pages p, user_roles ur
     WHERE p.tenant_id = rp.tenant_id AND p.id = rp.page_id AND p.component_name = 'AlarmEvent'
       AND ur.tenant_id = rp.tenant_id AND ur.role_id = rp.role_id AND ur.user_id = $1
     RETURNING rp.role_id, rp.page_id`,
    [site.pm],
  )
  await look()
  await server.sql('INSERT INTO role_pages (tenant_id, role_id, page_id) VALUES ($1, $2, $3)', [
    site.tenant_id,
    role!.role_id,
    role!.page_id,
  ])
  expect(post.box).toEqual([])
  await told()
  await server.sql('UPDATE users SET status = 2 WHERE id = $1', [site.pm])
  await look()
  await server.sql('UPDATE users SET status = 1 WHERE id = $1', [site.pm])
  expect(post.box).toEqual([])
  const [gone] = await server.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM mails WHERE state = 'dropped' AND said LIKE '账号%'`,
  )
  expect(gone!.n).toBe(2)
})

test('a mail server that is away: tried again under the same number; after a day given up, and said', async () => {
  await address()
  await told()
  const nowhere = 'smtp://127.0.0.1:9'
  expect(await look(nowhere)).toBe(0)
  expect((await mine()).mails[0]).toMatchObject({ state: 'queued', said: '连不上邮件服务器' })
  expect(await look()).toBe(0)
  server.later(MINUTE + 1_000)
  expect(await look()).toBe(1)
  const [first] = (await mine()).mails
  expect(post.box[0]!.id).toContain(first!.id)

  await told()
  for (let hours = 0; hours < 32; hours += 2) {
    await look(nowhere)
    server.later(2 * HOUR)
  }
  pm = await server.as('pm')
  expect((await mine()).mails[0]).toMatchObject({ state: 'givenUp' })
  expect(await look()).toBe(0)
  const { list } = await pm.call(notificationsApi.list)
  expect(list[0]!.title).toBe('有 1 封邮件一天没有送出：连不上邮件服务器')
})

test('an address that takes none is dropped and said; the others’ mail goes', async () => {
  await address()
  await address('steward@example.com')
  post.refuses = (to) => (to.startsWith('pm') ? '550 mailbox unavailable' : undefined)
  await told()
  await told({ user: site.steward })
  await look()
  expect(post.box.map((m) => m.to)).toEqual(['steward@example.com'])
  const me = await mine()
  expect(me.address).toBe('')
  expect(me.trouble).toContain('邮件被退回：收件地址被拒绝（550）')
  const { list } = await pm.call(notificationsApi.list)
  expect(list[0]!.title).toContain('请在消息设置里重新填写')
})

test('a storm is a sum, and one sum in ten minutes', async () => {
  await address()
  for (let i = 0; i < 30; i += 1) await told()
  await look()
  expect(post.box.map((m) => m.subject)).toEqual(['【筑管】30 件事：报警 30'])
  await told()
  expect(await look()).toBe(0)
  server.later(11 * MINUTE)
  expect(await look()).toBe(1)
})

test('two servers: one sends', async () => {
  await address()
  for (let i = 0; i < 3; i += 1) await told()
  await Promise.all([look(), look(), look()])
  expect(post.box).toHaveLength(1)
})

test('the digest tells once a day what was not read, of today, and nothing where nothing waits', async () => {
  await until('06:00')
  await address()
  await rules({ hour: 7, ways: { alarm: 'now', correction: 'digest', patrol: 'bell' } })
  const digest = async () => {
    const shanghai = new Date(server.now().getTime() + 8 * HOUR).toISOString()
    const day = shanghai.slice(0, 10)
    const hour = Number(shanghai.slice(11, 13))
    await server.db.tx(SYSTEM, (tx) => queueDigests(tx, site.tenant_id, { day, hour }))
    await look()
  }
  await told({ kind: 'correction' })
  await told({ kind: 'patrol' })
  await digest()
  // The first comes on the day after the address.
  await until('07:05')
  await digest()
  expect(post.box).toEqual([])
  server.later(23 * HOUR)
  await digest()
  expect(post.box).toEqual([])
  server.later(HOUR)
  pm = await server.as('pm')
  await digest()
  await digest()
  expect(post.box).toHaveLength(1)
  expect(post.box[0]!.subject).toBe('【筑管】今天有 1 件事没有看过：整改 1')
  expect(post.box[0]!.text).toContain(`整改，工地 ${site.code}，已等 1 天`)
  expect(post.box[0]!.text).not.toMatch(/李先生|巡检/)
  server.later(24 * HOUR)
  pm = await server.as('pm')
  await pm.call(notificationsApi.read, { body: {} })
  await digest()
  expect(post.box).toHaveLength(1)
  // Read between the moment in which it was due and the one in which it goes: there is nothing to tell.
  await told({ kind: 'correction' })
  server.later(24 * HOUR)
  pm = await server.as('pm')
  const day = new Date(server.now().getTime() + 8 * HOUR).toISOString().slice(0, 10)
  await server.db.tx(SYSTEM, (tx) => queueDigests(tx, site.tenant_id, { day, hour: 23 }))
  await pm.call(notificationsApi.read, { body: {} })
  await look()
  expect(post.box).toHaveLength(1)
  expect((await mine()).mails[0]).toMatchObject({ said: '没有要汇总的' })
})

test('an installation without a mail server says so, and queues nothing', async () => {
  const bare = await startTestServer()
  try {
    const person = await bare.as('pm')
    expect((await person.call(mailsApi.mine)).configured).toBe(false)
    const asked = await person.ask(mailsApi.ask, { body: { address: 'pm@example.com' } })
    expect(asked.msg).toBe('系统没有配置邮件服务器，请联系系统管理员')
  } finally {
    await bare.stop()
  }
})

test('rules are of what may come: a kind whose pages they may not open is left out, and kept for then', async () => {
  const kinds = async (who: Person) => (await mine(who)).rules.ways.map((w) => w.kind)
  const [cashier, keeper] = [await server.as('cashier'), await server.as('device_keeper')]
  expect(await kinds(cashier)).toEqual(expect.arrayContaining(['contract', 'statement', 'examine']))
  for (const kind of ['alarm', 'patrol', 'feedback', 'retrieval', 'person'])
    expect(await kinds(cashier)).not.toContain(kind)
  expect(await kinds(keeper)).toEqual(expect.arrayContaining(['retrieval']))
  expect(await kinds(keeper)).not.toEqual(expect.arrayContaining(['contract']))
  expect(await kinds(pm)).toEqual(expect.arrayContaining(['alarm', 'patrol', 'feedback', 'warning']))
  // What was chosen for a kind that is not listed any more is not lost by saving the others.
  await server.sql(
    `INSERT INTO notice_rules (tenant_id, user_id, hour, digested_on, ways)
     SELECT tenant_id, id, 8, :today, '{"patrol":"bell"}' FROM users WHERE user_name = 'cashier'`,
  )
  const { version } = (await mine(cashier)).rules
  const twice = [
    { kind: 'contract', way: 'now' },
    { kind: 'contract', way: 'bell' },
  ] as const
  const refused = await cashier.ask(mailsApi.rules, {
    body: { version, ways: [...twice], sites: [], quietFrom: '', quietTo: '', hour: 8 },
  })
  expect([refused.code, refused.msg]).toEqual([400, '同一事项只能选一种'])
  await rules({ ways: { contract: 'now' } }, cashier)
  const [kept] = await server.sql<{ ways: object }>(
    `SELECT r.ways FROM notice_rules r JOIN users u ON u.id = r.user_id WHERE u.user_name = 'cashier'`,
  )
  expect(kept!.ways).toEqual({ patrol: 'bell', contract: 'now' })
})
