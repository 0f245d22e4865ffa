import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo } from 'node:net'
import { hostname } from 'node:os'

import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { channelsApi } from '@zhuguan/contract/features/channels/channels.api.ts'
import type { ChannelMaker } from '@zhuguan/contract/features/channels/channels.record.ts'
import { notificationsApi } from '@zhuguan/contract/features/notifications/notifications.api.ts'
import { linkTo } from '@zhuguan/contract/links.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { type OfficeDeps, startPostOffice } from '../../app/post-office.ts'
import { unfit } from '../../kit/guarded-post.ts'
import { report } from '../../testing/device.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { seconds } from '../../testing/time.ts'
import { type Cause, notify, settle } from '../notifications/notifications.service.ts'
import { remind } from '../notifications/reminders.service.ts'
import { SYSTEM } from '../session/access.reads.ts'

interface Heard {
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: Record<string, unknown>
  raw: string
}
const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Longer than a busy machine takes, but where a story is about one that never answers. */
const PATIENT_MS = 30_000
/** What the local receiver answers by its path; without one, what each maker answers. */
let answers: Record<string, (out: ServerResponse) => void> = {}
let heard: Heard[] = []
let receiver: Server
let host = ''
let server: TestServer
let admin: Person
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

function listen(asked: IncomingMessage, out: ServerResponse): void {
  let raw = ''
  asked.on('data', (piece: Buffer) => (raw += piece.toString()))
  asked.on('end', () => {
    const { pathname, searchParams } = new URL(asked.url!, 'http://receiver')
    heard.push({
      path: pathname,
      query: searchParams,
      headers: asked.headers,
      raw,
      body: JSON.parse(raw) as Record<string, unknown>,
    })
    const answer = answers[pathname]
    if (answer) return answer(out)
    out.setHeader('content-type', 'application/json')
    out.end(JSON.stringify(pathname.startsWith('/feishu') ? { code: 0, msg: 'success' } : { errcode: 0 }))
  })
}
beforeAll(async () => {
  receiver = createServer(listen)
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`
  server = await startTestServer({ webhookHosts: [host] })
  admin = await server.as('admin')
  ;[site] = (await server.sql(
    `SELECT w.id, w.tenant_id, w.bc_id, w.code, w.ws_name, m.id AS pm, s.id AS steward
     FROM sites w JOIN users m ON m.id = w.manager_id JOIN users s ON s.id = w.steward_id
     WHERE m.user_name = 'pm' AND s.user_name = 'steward' LIMIT 1`,
  )) as [typeof site]
})
afterAll(async () => {
  await server.stop()
  receiver.closeAllConnections()
  receiver.close()
})
beforeEach(async () => {
  admin = await server.as('admin')
  heard = []
  answers = {}
  await server.sql('DELETE FROM channel_messages')
  await server.sql('DELETE FROM channels')
  await server.sql('UPDATE notifications SET read_at = :now')
})

const office = (more: Partial<OfficeDeps> = {}) => {
  const { db, secretKey } = server
  const deps = {
    db,
    secretKey,
    now: () => server.now(),
    hosts: [host],
    publicUrl: 'https://zg.example.com',
    warn: () => {},
    firstMs: PATIENT_MS,
  }
  return startPostOffice({ ...deps, ...more }, HOUR)
}
/** One look of one server. */
async function look(more?: Partial<OfficeDeps>): Promise<number> {
  const one = office(more)
  try {
    return await one.look()
  } finally {
    await one.close()
  }
}
const add = (more: Record<string, unknown> = {}) =>
  admin.call(channelsApi.add, {
    body: {
      maker: 'webhook',
      name: `通道 ${(causes += 1)}`,
      address: `http://${host}/hook`,
      kinds: ['alarm'],
      ...more,
    },
  })
const told = (user: string | string[] = site.pm, cause: Partial<Cause> = {}) => {
  const whole: Cause = { kind: 'alarm', id: `cause ${(causes += 1)}`, ...cause }
  const link = linkTo('AlarmEvent', { id: 'one' })
  return server.db
    .tx(SYSTEM, (tx) =>
      notify(tx, {
        tenant: site.tenant_id,
        user,
        title: `${site.ws_name} 李先生 13800000000 未戴安全帽`,
        link,
        site: site.id,
        cause: whole,
      }),
    )
    .then(() => whole)
}
const act = (cause: Cause) => server.db.tx(SYSTEM, (tx) => settle(tx, site.tenant_id, cause))
const messages = (id: string) => admin.call(channelsApi.messages, { query: { id } })
const channel = async (id: string) => (await admin.call(channelsApi.list)).channels.find((k) => k.id === id)!

test('each maker’s robot is signed as it documents, and reads a kind, a number and a link, and no name', async () => {
  await add({ maker: 'wecom', address: `http://${host}/wecom?key=k-1` })
  await add({ maker: 'dingtalk', address: `http://${host}/ding?access_token=t-1`, secret: 'SECabc' })
  await add({ maker: 'feishu', address: `http://${host}/feishu/hook-1`, secret: 'fs-secret' })
  await told([site.pm, site.steward])
  expect(await look()).toBe(3)
  expect(await look()).toBe(0)
  expect(heard).toHaveLength(3)
  const of = (path: string) => heard.find((h) => h.path.startsWith(path))!
  const words = `【筑管】报警等人处理，工地 ${site.code}\nhttps://zg.example.com/#/image/AlarmEvent?id=one`
  expect(of('/wecom').query.get('key')).toBe('k-1')
  expect(of('/wecom').body).toEqual({ msgtype: 'text', text: { content: words } })
  const ding = of('/ding')
  const at = ding.query.get('timestamp')!
  expect(Math.abs(Number(at) - server.now().getTime())).toBeLessThan(MINUTE)
  expect(ding.query.get('access_token')).toBe('t-1')
  expect(ding.query.get('sign')).toBe(createHmac('sha256', 'SECabc').update(`${at}\nSECabc`).digest('base64'))
  expect(ding.body).toEqual({ msgtype: 'text', text: { content: words } })
  const { sign, timestamp, ...rest } = of('/feishu').body
  expect(sign).toBe(
    createHmac('sha256', `${String(timestamp)}\nfs-secret`)
      .update('')
      .digest('base64'),
  )
  expect(Math.abs(Number(timestamp) * 1000 - server.now().getTime())).toBeLessThan(MINUTE)
  expect(rest).toEqual({ msg_type: 'text', content: { text: words } })
  for (const { raw } of heard) expect(raw).not.toMatch(/李先生|13800000000|安全帽/)
})

// Before the stories that move the clock: a device signs at the machine's time.
test('an alarm that is assigned reaches group and system; acted upon, the system hears that too', async () => {
  await add({ maker: 'wecom', address: `http://${host}/wecom?key=k`, bc_id: site.bc_id })
  await add({ bc_id: site.bc_id })
  const camera = server.devices.find((d) => d.type === 'camera' && d.site === site.id)!
  const event = { id: `alarm ${(causes += 1)}`, kind: 'alarm', type: 'smoking', confidence: 0.9 }
  await report(server.url, camera, [{ ...event, at: seconds() - 5 }])
  const { list } = await admin.call(alarmsApi.list, { query: { site_id: site.id, type: ['smoking'] } })
  const { id, version } = list[0]!
  await admin.call(alarmsApi.assign, { body: { id, version, assignee_id: site.pm } })
  await look()
  const [until] = await server.sql<{ words: string }>(
    `SELECT to_char((due_at - interval '1 second') AT TIME ZONE 'Asia/Shanghai', 'MM-DD HH24:MI') AS words
     FROM corrections WHERE id = $1`,
    [id],
  )
  const words =
    `【筑管】报警等人处理，工地 ${site.code}，最迟 ${until!.words}` +
    `\nhttps://zg.example.com/#/image/AlarmEvent?id=${id}`
  const heardAt = (path: string) => heard.filter((h) => h.path === path).map((h) => h.body)
  expect(heardAt('/wecom')).toEqual([{ msgtype: 'text', text: { content: words } }])
  expect(heardAt('/hook')).toMatchObject([{ event: 'alarm.waiting', cause: id, site: site.id }])
  const pm = await server.as('pm')
  await pm.call(alarmsApi.start, { body: { id, version: version + 1 } })
  await look()
  expect(heardAt('/wecom')).toHaveLength(1)
  expect(heardAt('/hook')).toMatchObject([{ event: 'alarm.waiting' }, { event: 'alarm.settled', cause: id }])
})

test('a group hears its branch, its role and its kinds; told again while unread it is no news', async () => {
  const [other] = await server.sql<{ bc_id: string }>(
    'SELECT bc_id FROM companies WHERE tenant_id = $1 AND bc_id <> $2 LIMIT 1',
    [site.tenant_id, site.bc_id],
  )
  const ids: Record<string, string> = {}
  for (const [name, more] of Object.entries({
    ours: { bc_id: site.bc_id },
    theirs: { bc_id: other!.bc_id },
    stewards: { role: 'steward' },
    patrols: { kinds: ['patrol'] },
  }))
    ids[name] = (await add(more)).id
  const count = async () => {
    const waiting: Record<string, number> = {}
    for (const [name, id] of Object.entries(ids)) waiting[name] = (await channel(id)).waiting
    return waiting
  }
  const cause = await told(site.pm)
  await told(site.pm, cause)
  expect(await count()).toEqual({ ours: 1, theirs: 0, stewards: 0, patrols: 0 })
  await look()
  await told(site.pm, cause)
  expect(await count()).toEqual({ ours: 0, theirs: 0, stewards: 0, patrols: 0 })
  await told(site.steward)
  expect(await count()).toEqual({ ours: 1, theirs: 0, stewards: 1, patrols: 0 })
  // The site has left the branch before it was sent.
  await server.sql('UPDATE channels SET bc_id = $1 WHERE id = $2', [other!.bc_id, ids.ours])
  heard = []
  await look()
  expect(heard).toHaveLength(1)
  expect((await messages(ids.ours!))[0]).toMatchObject({ state: 'dropped', said: '工地已不在这个分公司' })
})

test('another system proves who sends; it hears ids, states, what is settled, and a replay by its number', async () => {
  const { id, secret } = await add()
  const cause = await told()
  await look()
  const [first] = heard
  const { 'x-zhuguan-id': number, 'x-zhuguan-timestamp': at, 'x-zhuguan-signature': sign } = first!.headers
  expect(sign).toBe(
    `v1=${createHmac('sha256', secret!)
      .update(`${String(number)}.${String(at)}.${first!.raw}`)
      .digest('hex')}`,
  )
  expect(first!.body).toEqual({
    id: number,
    event: 'alarm.waiting',
    at: expect.any(Number) as number,
    kind: 'alarm',
    cause: cause.id,
    site: site.id,
    state: 'waiting',
  })
  await act(cause)
  await act(cause)
  await look()
  expect(heard.map((h) => h.body.event)).toEqual(['alarm.waiting', 'alarm.settled'])
  await admin.call(channelsApi.replay, { body: { id: String(number) } })
  await look()
  expect(heard).toHaveLength(3)
  expect(heard[2]!.headers['x-zhuguan-id']).toBe(number)
  // Acted on before it was sent, nothing is sent.
  const other = await told()
  await act(other)
  await look()
  expect(heard).toHaveLength(3)
  expect((await messages(id)).map((m) => [m.event, m.state, m.said])).toContainEqual([
    'waiting',
    'dropped',
    '已经有人处理',
  ])
})

const BAD: [string, (out: ServerResponse) => void, string][] = [
  [
    'redirects',
    (out) => out.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    '对方转到别的地址（302），不跟随',
  ],
  [
    'floods',
    (out) => {
      const more = () => !out.destroyed && out.write(Buffer.alloc(65_536), () => setImmediate(more))
      more()
    },
    '对方的回答太长，没有读完',
  ],
  [
    'pages',
    (out) => out.setHeader('content-type', 'text/html').end('<html>'),
    '对方回答的是网页，地址可能填错了',
  ],
  ['breaks', (out) => out.writeHead(500).end(), '对方回答 500'],
  ['invents', (out) => out.writeHead(999).end('{}'), '对方回答 999'],
]
test('what a receiver that misbehaves did is bounded and said', async () => {
  const ids: Record<string, string> = {}
  for (const [name, answer] of BAD) {
    answers[`/${name}`] = answer
    ids[name] = (await add({ address: `http://${host}/${name}` })).id
  }
  answers['/ding'] = (out) =>
    out.end(JSON.stringify({ errcode: 310_000, errmsg: 'sign not match 13800000000' }))
  ids.ding = (await add({ maker: 'dingtalk', address: `http://${host}/ding`, secret: 'wrong' })).id
  ids.good = (await add({ address: `http://${host}/good` })).id
  answers['/resets'] = (out) => out.writeHead(205).end()
  ids.resets = (await add({ address: `http://${host}/resets` })).id
  answers['/breaksOff'] = (out) => out.destroy()
  ids.breaksOff = (await add({ address: `http://${host}/breaksOff` })).id
  ids.nobody = (await add({ address: 'https://nobody.invalid/hook' })).id
  ids.sealed = (await add()).id
  await server.sql(`UPDATE channels SET secret = 'sealed elsewhere' WHERE id = $1`, [ids.sealed])
  await told()
  await look()
  const said: Record<string, string> = {}
  for (const [name, id] of Object.entries(ids)) {
    const [only] = await messages(id)
    said[name] = `${only!.state} ${only!.said}`
  }
  expect(said).toEqual({
    ...Object.fromEntries(BAD.map(([name, , why]) => [name, `queued ${why}`])),
    ding: 'queued 机器人拒绝：错误码 310000',
    breaksOff: 'queued 连不上对方',
    nobody: 'queued 找不到这个主机名',
    sealed: 'queued 地址读不出来了，请编辑这个通道，重新填写地址',
    good: 'sent 对方已收到',
    resets: 'sent 对方已收到',
  })
})

test('a receiver that hangs holds up nobody else, and only its own messages wait', async () => {
  const others = new Promise<void>((heardOf) => {
    answers['/good'] = (out) => {
      out.end('{}')
      heardOf()
    }
  })
  answers['/hangs'] = () => {}
  const hangs = await add({ address: `http://${host}/hangs` })
  const good = await add({ address: `http://${host}/good` })
  await told()
  await told()
  const first = office({ firstMs: 3_000 })
  const looking = first.look()
  // The good one is asked while the other still hangs.
  await others
  expect((await messages(hangs.id)).map((m) => m.state)).toEqual(['queued', 'queued'])
  await looking
  await first.close()
  expect((await messages(good.id)).map((m) => m.state)).toEqual(['sent', 'sent'])
  expect((await messages(hangs.id)).map((m) => [m.state, m.said])).toEqual(
    Array(2).fill(['queued', '对方没有在规定时间里回答']),
  )
  expect(heard.filter((h) => h.path === '/hangs')).toHaveLength(1)
})

test('tried again after 1, 2, 4 … minutes for a day, then given up and told; stopped after three days', async () => {
  answers['/hook'] = (out) => out.writeHead(503).end()
  const { id } = await add()
  await told()
  const pauses: number[] = []
  let last = server.now().getTime()
  for (let i = 0; i < 4; i += 1) {
    await look()
    const next = (await messages(id))[0]!.next!
    pauses.push(Math.round((next * 1000 - last) / MINUTE))
    expect(await look()).toBe(0)
    server.later(next * 1000 - server.now().getTime() + 1_000)
    last = server.now().getTime()
  }
  expect(pauses).toEqual([1, 2, 4, 8])
  expect(heard).toHaveLength(4)
  server.later(25 * HOUR)
  admin = await server.as('admin')
  await look()
  expect((await messages(id))[0]!.state).toBe('givenUp')
  const bell = async () =>
    (await admin.call(notificationsApi.list)).list.filter((n) => !n.read).map((n) => n.title)
  expect(await bell()).toEqual([
    expect.stringMatching(/^消息通道 .+ 有消息一天没送到，已放弃：对方回答 503$/),
  ])
  server.later(48 * HOUR)
  admin = await server.as('admin')
  await told()
  await look()
  expect(await channel(id)).toMatchObject({ state: 'stopped', why: '连续三天送不到：对方回答 503' })
  await told()
  expect((await channel(id)).waiting).toBe(0)
  answers = {}
  await admin.call(channelsApi.start, { body: { id, version: (await channel(id)).version } })
  await admin.call(channelsApi.trial, { body: { id } })
  await look()
  expect(heard.at(-1)!.body.event).toBe('trial')
  expect(await channel(id)).toMatchObject({ state: 'active', failingSince: null, waiting: 0 })
})

test('no inner address: said when it is typed, and again where a name leads inside', async () => {
  const refused = async (more: { maker?: ChannelMaker; address: string }) =>
    (
      await admin.ask(channelsApi.add, {
        body: { maker: 'webhook', name: '内部', kinds: ['alarm'], ...more },
      })
    ).msg
  const INNER = '地址在内部网络，只能由运维用 WEBHOOK_HOSTS 放行'
  for (const address of [
    'https://127.0.0.1/x',
    'https://10.0.0.8/x',
    'https://169.254.169.254/latest',
    'https://[::1]/x',
    'https://[::ffff:192.168.1.1]/x',
    'https://0x7f000001/x',
    'https://localhost/x',
  ])
    expect([address, await refused({ address })]).toEqual([address, INNER])
  expect(await refused({ address: 'http://example.com/x' })).toBe('地址应为 https:// 开头的网址')
  expect(await refused({ address: 'https://u:p@example.com/x' })).toBe('地址里不能有账号和密码')
  expect(await refused({ maker: 'dingtalk', address: 'https://example.com/robot' })).toBe(
    '地址应是 https://oapi.dingtalk.com/ 开头的机器人地址',
  )
  // What the operator allows, by the port that it is reached by, and that port only.
  expect(
    [
      ['https://oa.local/x', 'oa.local'],
      ['https://oa.local/x', 'oa.local:443'],
      ['http://oa.local/x', 'oa.local:80'],
      ['https://10.0.0.8:8443/x', '10.0.0.8:8443'],
      ['http://oa.local/x', 'oa.local:443'],
      ['http://oa.local:8080/x', 'oa.local'],
      ['https://10.0.0.8/x', '10.0.0.8:8443'],
    ].map(([address, allowed]) => unfit(address!, { hosts: [allowed!], own: null }) === undefined),
  ).toEqual([true, true, true, true, false, false, false])
  // This machine's own name is no inner address by itself: where it leads is seen when it is called.
  const { id } = await add({ address: `https://${hostname()}/x` })
  await told()
  await look()
  expect((await messages(id))[0]!.said).toBe(INNER)
  // What the operator allowed once and does not any more.
  const hook = await add()
  await told()
  await look({ hosts: [] })
  expect(heard).toEqual([])
  expect((await messages(hook.id))[0]!.said).toBe('地址应为 https:// 开头的网址')
})

test('two servers send once; one that dies between sending and noting sends again under the same number', async () => {
  await add()
  for (let i = 0; i < 5; i += 1) await told()
  await Promise.all([look(), look()])
  expect(heard).toHaveLength(5)
  // Another looks while the first one waits for an answer, and has something of its own to send.
  heard = []
  for (let i = 0; i < 5; i += 1) await told()
  let answer = () => {}
  const asked = new Promise<void>((isAsked) => {
    answers['/hook'] = (out) => {
      delete answers['/hook']
      answer = () => out.end('{}')
      isAsked()
    }
  })
  const slow = office()
  const looking = slow.look()
  await asked
  await told()
  await look()
  expect(heard).toHaveLength(2)
  answer()
  await looking
  await slow.close()
  expect(heard).toHaveLength(6)
  expect(new Set(heard.map((h) => h.headers['x-zhuguan-id'])).size).toBe(6)
  heard = []
  await told()
  let transactions = 0
  const dying: OfficeDeps['db'] = Object.create(server.db, {
    tx: {
      value: (...args: Parameters<typeof server.db.tx>) => {
        transactions += 1
        if (transactions > 2) throw new Error('killed')
        return server.db.tx(...args)
      },
    },
  }) as OfficeDeps['db']
  await look({ db: dying })
  expect(heard).toHaveLength(1)
  expect(await look()).toBe(0)
  server.later(3 * MINUTE)
  await look()
  await look()
  expect(heard.map((h) => h.headers['x-zhuguan-id'])).toEqual(
    Array(2).fill(heard[0]!.headers['x-zhuguan-id']),
  )
})

test('many causes in ten minutes are one sum for a group, and each its own for a system', async () => {
  const { id } = await add({ maker: 'wecom', address: `http://${host}/wecom?key=k` })
  await add()
  for (let i = 0; i < 25; i += 1) await told()
  await look()
  const sums = () =>
    heard.filter((h) => h.path === '/wecom').map((h) => (h.body.text as { content: string }).content)
  expect(sums()).toEqual(['【筑管】25 件事等人处理：报警 25\nhttps://zg.example.com/#/'])
  expect(heard.filter((h) => h.path === '/hook')).toHaveLength(25)
  expect((await messages(id))[0]!.together).toBe(25)
  await told()
  await look()
  expect(sums()).toHaveLength(1)
  server.later(11 * MINUTE)
  await look()
  expect(sums()).toHaveLength(2)
})

test('what people are reminded of as one sum, a group hears as one sum too; reminded again it is no news', async () => {
  const { id } = await add({ maker: 'wecom', address: `http://${host}/wecom?key=k`, bc_id: site.bc_id })
  const system = await add()
  const ids = Array.from({ length: 25 }, () => `cause ${(causes += 1)}`)
  const link = linkTo('AlarmEvent', { id: 'one' })
  const reminded = (step: string) =>
    server.db.tx(SYSTEM, (tx) =>
      remind(tx, site.tenant_id, {
        kind: 'alarm',
        due: () =>
          Promise.resolve(
            ids.map((one) => ({ id: one, step, user: site.pm, title: '报警', link, site: site.id })),
          ),
        many: (n) => ({ title: `${n} 条报警没有处理`, link }),
      }),
    )
  expect(await reminded('first')).toBe(25)
  expect((await channel(id)).waiting).toBe(25)
  await look()
  const sums = heard
    .filter((h) => h.path === '/wecom')
    .map((h) => (h.body.text as { content: string }).content)
  expect(sums).toEqual(['【筑管】25 件事等人处理：报警 25\nhttps://zg.example.com/#/'])
  expect(new Set(heard.filter((h) => h.path === '/hook').map((h) => h.body.cause))).toEqual(new Set(ids))
  expect(await reminded('second')).toBe(25)
  expect([(await channel(id)).waiting, (await channel(system.id)).waiting]).toEqual([0, 0])
})

/** What a bad night leaves in a channel. */
const storm = (id: string, many: number) =>
  server.sql(
    `INSERT INTO channel_messages (tenant_id, id, channel_id, event, kind, cause_id, of_site, at, since, next_at)
     SELECT $1, gen_random_uuid(), $2, 'waiting', 'alarm', 'storm ' || g, $3, :now, :now, :now
     FROM generate_series(1, $4::int) g`,
    [site.tenant_id, id, site.id, many],
  )
test('a storm of 5,000 is one sum, and a receiver that fails is not asked at every look', async () => {
  const { id } = await add({ maker: 'wecom', address: `http://${host}/wecom?key=k` })
  await storm(id, 5_000)
  await look()
  await look()
  expect(heard.map((h) => (h.body.text as { content: string }).content)).toEqual([
    '【筑管】5000 件事等人处理：报警 5000\nhttps://zg.example.com/#/',
  ])
  expect(await channel(id)).toMatchObject({ waiting: 0 })
  heard = []
  answers['/hook'] = (out) => out.writeHead(503).end()
  const broken = await add()
  await storm(broken.id, 450)
  for (let i = 0; i < 3; i += 1) await look()
  expect(heard).toHaveLength(1)
  expect(await channel(broken.id)).toMatchObject({ waiting: 450 })
})

test('what is edited leads elsewhere at once; what is left empty stays, and nobody is told the way', async () => {
  answers['/old'] = (out) => out.end(JSON.stringify({ errcode: 310_000 }))
  const { id } = await add({
    maker: 'dingtalk',
    address: `http://${host}/old?access_token=old-token`,
    secret: 'SECold',
  })
  await told()
  await look()
  expect(await channel(id)).toMatchObject({ waiting: 1, failingSince: expect.any(Number) as number })
  const facts = { name: `改名 ${(causes += 1)}`, kinds: ['alarm' as const], bc_id: site.bc_id, role: 'pm' }
  const edit = async (
    more: { address?: string; secret?: string; renew?: boolean; role?: string },
    of = id,
  ) => {
    const { version } = await channel(of)
    return admin.ask(channelsApi.edit, { body: { id: of, version, ...facts, ...more } })
  }
  expect((await edit({})).data).toEqual({ id, secret: null })
  expect(await channel(id)).toMatchObject({ ...facts, host, version: 1, waiting: 1 })
  // Its name, branch and kinds are others; the way is the same, and so it waits on.
  await look()
  expect(heard.map((h) => h.path)).toEqual(['/old'])
  const signedWith = (secret: string) => {
    const at = heard.at(-1)!.query.get('timestamp')!
    return createHmac('sha256', secret).update(`${at}\n${secret}`).digest('base64')
  }
  await edit({ secret: 'SECmid' })
  await look()
  expect(heard.at(-1)!.query.get('sign')).toBe(signedWith('SECmid'))
  await edit({ address: `http://${host}/new?access_token=new-token`, secret: 'SECnew' })
  await look()
  expect(heard.map((h) => h.path)).toEqual(['/old', '/old', '/new'])
  expect(heard.at(-1)!.query.get('access_token')).toBe('new-token')
  expect(heard.at(-1)!.query.get('sign')).toBe(signedWith('SECnew'))
  expect(await channel(id)).toMatchObject({ waiting: 0, failingSince: null })
  // A new robot has no secret of the former one.
  await edit({ address: `http://${host}/bare` })
  await admin.call(channelsApi.trial, { body: { id } })
  await look()
  expect(heard.at(-1)!.query.has('sign')).toBe(false)

  expect((await edit({ address: 'https://10.0.0.8/x' })).msg).toBe(
    '地址应是 https://oapi.dingtalk.com/ 开头的机器人地址',
  )
  expect((await edit({ role: 'nobody' })).msg).toBe('没有这个角色')
  const stale = { id, version: 0, ...facts }
  expect((await admin.ask(channelsApi.edit, { body: stale })).code).toBe(409)
  const other = await add()
  expect((await edit({}, other.id)).msg).toMatch(/^已经有叫 .+ 的通道$/)
  const hook = { id: other.id, ...facts, name: `系统 ${(causes += 1)}`, bc_id: null, role: '' }
  const renewed = await admin.call(channelsApi.edit, { body: { ...hook, version: 0, renew: true } })
  expect(renewed.secret).not.toBe(other.secret)
  await admin.call(channelsApi.trial, { body: { id: other.id } })
  await look()
  const { headers, raw } = heard.at(-1)!
  const text = `${String(headers['x-zhuguan-id'])}.${String(headers['x-zhuguan-timestamp'])}.${raw}`
  expect(headers['x-zhuguan-signature']).toBe(
    `v1=${createHmac('sha256', renewed.secret!).update(text).digest('hex')}`,
  )
  const [logged] = await server.sql<{ row: string }>(
    `SELECT string_agg(l::text, ' ') AS row FROM user_logs l WHERE l.object = 'channel'`,
  )
  expect(logged!.row).toContain('已更换')
  expect(logged!.row).not.toMatch(/old-token|new-token|SECold|SECmid|SECnew/)
  expect(logged!.row).not.toContain(renewed.secret)
})

test('only who manages the whole group; secrets are told to nobody; what is stopped sends nothing', async () => {
  const { id } = await add({
    maker: 'dingtalk',
    address: `http://${host}/ding?access_token=hidden-token`,
    secret: 'SECx',
  })
  const gm = await server.as('branch_gm')
  expect(await gm.ask(channelsApi.list)).toMatchObject({ code: 401 })
  const list = await admin.ask(channelsApi.list)
  expect(list.text).not.toMatch(/hidden-token|SECx/)
  const [kept] = await server.sql<{ row: string }>('SELECT k::text AS row FROM channels k')
  expect(kept!.row).not.toMatch(/hidden-token|SECx/)
  const [logged] = await server.sql<{ row: string }>(
    `SELECT string_agg(l::text, ' ') AS row FROM user_logs l WHERE l.object = 'channel'`,
  )
  expect(logged!.row).not.toMatch(/hidden-token|SECx/)
  const twice = await admin.ask(channelsApi.add, {
    body: { maker: 'webhook', name: (await channel(id)).name, address: `http://${host}/x`, kinds: ['alarm'] },
  })
  expect(twice.msg).toMatch(/^已经有叫 .+ 的通道$/)
  const key = await admin.ask(channelsApi.add, {
    body: { maker: 'wecom', name: '加签', address: `http://${host}/x`, kinds: ['alarm'], secret: 's' },
  })
  expect(key.msg).toMatch(/^企业微信的机器人没有加签密钥/)
  await told()
  const stop = { body: { id, version: 0, reason: '换一个群' } }
  await admin.call(channelsApi.stop, stop)
  expect((await admin.ask(channelsApi.stop, stop)).code).toBe(409)
  await look()
  expect(heard).toEqual([])
  expect((await messages(id))[0]).toMatchObject({ state: 'dropped', said: '通道已停用' })
  expect((await admin.ask(channelsApi.trial, { body: { id } })).msg).toBe('通道已停用，请先启用')
})
