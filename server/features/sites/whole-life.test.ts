import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { SITE_LIFE, STAYS } from '../../app/site-lives.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { report } from '../../testing/device.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { seconds } from '../../testing/time.ts'
import { retrievalReminders } from '../devices/retrievals.service.ts'
import { remind } from '../notifications/reminders.service.ts'
import { SYSTEM } from '../session/access.reads.ts'

/** Tables whose rows stand on a site and in a branch. */
const placed = async (): Promise<string[]> =>
  (
    await server.sql<{ name: string }>(
      `SELECT c.relname AS name
       FROM pg_class c
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
         AND (SELECT count(*) FROM pg_attribute a
           WHERE a.attrelid = c.oid AND a.attname IN ('bc_id', 'site_id')) = 2
       ORDER BY 1`,
    )
  ).map((t) => t.name)

/** The stages of a renovation by hand, in order. */
const STAGES = [
  'briefing',
  'demolition',
  'plumbing',
  'waterproof',
  'tiling',
  'carpentry',
  'painting',
  'fitting',
  'cleaning',
  'handover',
] as const

let server: TestServer
let gm: Person
let pm: Person
let acceptor: Person
let admin: Person
beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  pm = await server.as('pm')
  acceptor = await server.as('acceptor')
  admin = await server.as('admin')
})
afterAll(() => server.stop())

const today = () => shanghaiDay(server.now())
const details = (id: string, who = gm) => who.call(api.sites.details, { query: { id } })
const idOf = async (userName: string) =>
  (await server.sql<{ id: string }>('SELECT id FROM users WHERE user_name = $1', [userName]))[0]!.id
const branch = async (code: string) =>
  (
    await server.sql<{ bc_id: string; bc_name: string }>(
      'SELECT bc_id, bc_name FROM companies WHERE code = $1',
      [code],
    )
  )[0]!

/** A new site of Hangzhou with its people; nothing of it comes from the seed. */
async function newSite(more: { plannedStart?: null } = {}): Promise<string> {
  const { bc_id } = await branch('HZ')
  const { id } = await gm.call(api.sites.add, {
    body: {
      ws_name: '一生小区 1 幢',
      bc_id,
      address: '文一路 1 号',
      plannedStart: today(),
      plannedFinish: addDays(today(), 99),
      ...more,
    },
  })
  await gm.call(api.sites.people, {
    body: { id, version: 0, steward_id: await idOf('steward'), manager_id: await idOf('pm') },
  })
  return id
}
/** A spare device of the branch, bound to the site. */
async function bindTo(site: string): Promise<{ id: string; sn: string }> {
  const keeper = await server.as('device_keeper')
  const spare = (await keeper.call(api.devices.list, { query: { deviceStatus: [5] } })).list[0]!
  await keeper.call(api.devices.bind, { body: { id: spare.id, version: spare.version, site_id: site } })
  return spare
}
const state = async (id: string, action: 'start' | 'finish' | 'terminate', more: object = {}, who = gm) =>
  who.ask(api.sites.state, { body: { id, version: (await details(id)).version, action, ...more } })
const stage = async (
  id: string,
  name: (typeof STAGES)[number],
  action: string,
  more: object = {},
  who = pm,
) =>
  who.ask(api.stages.change, {
    body: { id, version: (await details(id)).version, stage: name, action, ...more } as never,
  })

test('a site lives its whole life by calls: planned, begun, stage by stage accepted, finished, its devices brought back', async () => {
  const id = await newSite()
  expect(await state(id, 'start')).toMatchObject({ code: 400, data: { fields: { reason: /合同外/ } } })
  expect(await state(id, 'start', { reason: '老客户先开工', startDate: addDays(today(), 1) })).toMatchObject({
    code: 400,
    data: { fields: { startDate: '开工日期不能晚于今天' } },
  })
  const begun = {
    reason: '老客户先开工',
    startDate: addDays(today(), -2),
    plannedFinish: addDays(today(), 97),
  }
  expect((await state(id, 'start', begun)).msg).toBe('')
  let site = await details(id)
  expect(site).toMatchObject({
    status: 1,
    startDate: begun.startDate,
    plannedFinish: begun.plannedFinish,
    outsideContract: '老客户先开工',
    stage: 'briefing',
    progress: 0,
  })
  expect(site.stages.map((s) => s.stage)).toEqual(STAGES)
  expect(site.stages[0]).toMatchObject({
    state: 2,
    plannedStart: begun.startDate,
    actualStart: begun.startDate,
  })
  expect(site.stages.at(-1)!.plannedFinish).toBe(begun.plannedFinish)
  const promised = site.stages.map((s) => [s.baselineStart, s.baselineFinish])
  expect(promised).toEqual(site.stages.map((s) => [s.plannedStart, s.plannedFinish]))

  // Planned anew, by whoever leads it.
  const plan = {
    stage: 'tiling' as const,
    plannedStart: addDays(today(), 30),
    plannedFinish: addDays(today(), 40),
  }
  const planned = await pm.ask(api.stages.plan, { body: { id, version: site.version, stages: [plan] } })
  expect(planned.msg).toBe('')
  expect((await details(id)).stages.find((s) => s.stage === 'tiling')).toMatchObject(plan)
  // What was promised when it began stays beside the new plan.
  expect((await details(id)).stages.map((s) => [s.baselineStart, s.baselineFinish])).toEqual(promised)
  const { version: seen } = await details(id)
  const nonsense = [
    [[{ ...plan, plannedFinish: today() }], '瓦工：计划完成不能早于计划开始'],
    [[{ ...plan, plannedStart: addDays(today(), 1) }], '瓦工不能早于防水开始'],
    [[{ ...plan, plannedStart: '1926-11-26' }], '瓦工：计划开始离今天超过 3 年，请检查年份'],
    [[{ ...plan, plannedFinish: '2062-11-26' }], '瓦工的计划完成不能晚于两年后'],
    [[plan, plan], '同一个阶段排了两次，请只排一次'],
  ] as const
  for (const [stages, said] of nonsense)
    expect(await pm.ask(api.stages.plan, { body: { id, version: seen, stages: [...stages] } })).toMatchObject(
      { code: 400, msg: expect.stringContaining(said) },
    )
  expect((await details(id)).version).toBe(seen)

  const device = await bindTo(id)
  expect((await stage(id, 'handover', 'begin')).msg).toBe('还有 9 个阶段没有验收，不能进行竣工验收')
  expect((await stage(id, 'demolition', 'accept', {}, acceptor)).msg).toContain(
    '当前为“未开始”，不能验收通过',
  )
  expect((await stage(id, 'briefing', 'accept')).msg).toContain('没有“验收通过”的权限')
  // What follows began no earlier than what it follows, whenever it is entered.
  const dated = (start: string | null, first: string) =>
    server.sql(
      `WITH w AS (UPDATE sites SET start_date = $2 WHERE id = $1)
       UPDATE site_stages SET actual_start = $3 WHERE site_id = $1 AND stage = 'briefing'`,
      [id, start, first],
    )
  await dated(addDays(today(), -20), addDays(today(), -5))
  expect((await stage(id, 'demolition', 'begin', { day: addDays(today(), -6) })).msg).toBe(
    `不能早于前面的“开工交底”开始（${addDays(today(), -5)}）`,
  )
  await dated(begun.startDate, begun.startDate)
  for (const [i, name] of STAGES.entries()) {
    if (i > 0) expect((await stage(id, name, 'begin')).msg).toBe('')
    expect((await stage(id, name, 'accept', {}, acceptor)).msg).toBe('')
    site = await details(id)
    expect(site.progress).toBe((i + 1) * 10)
    expect(site.stage).toBe(STAGES[i + 1] ?? 'handover')
    if (i === 4) {
      expect((await state(id, 'finish')).msg).toContain('竣工验收')
      expect((await stage(id, name, 'redo', {}, acceptor)).code).toBe(400)
      expect((await stage(id, name, 'redo', { reason: '空鼓' }, acceptor)).msg).toBe('')
      expect(await details(id)).toMatchObject({ progress: 40, stage: 'tiling' })
      expect((await stage(id, name, 'accept', {}, acceptor)).msg).toBe('')
    }
  }
  const told = await gm.call(api.sites.foresee, { query: { id, change: 'finish' } })
  const due = addDays(today(), 7)
  expect(told.blocks).toEqual([])
  expect(told.effects).toEqual([
    expect.stringMatching(new RegExp(`^1 台设备待回收，.+应在 ${due} 前收回：${device.sn}$`)),
    expect.stringMatching(/^摄像头从此刻起不再看，画面和事件不再接收：CAM-/),
  ])
  expect((await state(id, 'finish')).msg).toBe('')
  expect(await details(id)).toMatchObject({ status: 4, actualFinish: today() })
  expect((await stage(id, 'handover', 'redo', { reason: '再看' }, acceptor)).msg).toContain('工地已完工')
  expect(
    (await pm.ask(api.stages.plan, { body: { id, version: (await details(id)).version, stages: [plan] } }))
      .msg,
  ).toBe('工地已完工，不能再排期')

  // What stands there is to be brought back, and the list, the card and a reminder say so until it is.
  const keeper = await server.as('device_keeper')
  const waiting = () => keeper.call(api.devices.list, { query: { retrieval: true } })
  expect((await waiting()).list.find((d) => d.id === device.id)).toMatchObject({
    retrieveBy: due,
    bindStatus: 2,
  })
  const card = async () =>
    (await keeper.call(api.home.cards, {})).figures.find((f) => f.card === 'retrieval')!.value
  expect(await card()).toBe((await waiting()).totalCount)
  server.later(9 * 86_400_000)
  pm = await server.as('pm')
  await server.db.tx(SYSTEM, (tx) => remind(tx, pm.tenant, retrievalReminders))
  const titles = (await pm.call(api.notifications.list, {})).list.map((n) => n.title)
  expect(titles.some((t) => t.includes('还有 1 台设备没有收回'))).toBe(true)
  const again = await server.as('device_keeper')
  const mine = (await again.call(api.devices.list, { query: { retrieval: true } })).list.find(
    (d) => d.id === device.id,
  )!
  await again.call(api.devices.change, {
    body: { id: device.id, version: mine.version, action: 'unbind', remark: '已收回' },
  })
  // Acted on, it waits in nobody's bell.
  const unread = async (who: Person) =>
    (await who.call(api.notifications.list, {})).list.filter((n) => !n.read && n.title.includes('没有收回'))
  expect([await unread(pm), await unread(again)]).toEqual([[], []])
  const left = await again.call(api.devices.list, { query: { retrieval: true, ids: [device.id] } })
  expect(left.totalCount).toBe(0)
  expect(
    await server.sql(
      'SELECT closed_by <> $2 AS named FROM retrievals WHERE device_id = $1 AND closed_at IS NOT NULL',
      [device.id, ''],
    ),
  ).toEqual([{ named: true }])
  server.later(-9 * 86_400_000)
  const lines = (await gm.call(api.timeline.list, { query: { site_id: id } })).list.map((l) => l.title)
  for (const words of ['开工', '阶段排期：瓦工', '竣工验收验收通过', '瓦工返工：空鼓', '完工'])
    expect(
      lines.some((l) => l.includes(words)),
      words,
    ).toBe(true)
})

test('what is known of a site is changed, and stands on its page as it was written', async () => {
  const id = await newSite()
  const before = await details(id)
  const { bc_id } = await branch('HZ')
  const facts = {
    id,
    bc_id,
    ws_name: '一生小区 2 幢',
    community: '一生小区',
    address: '文二路 2 号',
    area: '89.50',
    layout: '三室两厅',
    style: '现代',
    plannedStart: addDays(today(), 3),
    plannedFinish: addDays(today(), 93),
  }
  const owner = { name: '周女士', phone: '139****0000' }
  await gm.call(api.sites.edit, {
    body: { ...facts, version: before.version, owner: '周女士', ownerPhone: '13900000000' },
  })
  expect(await details(id)).toMatchObject({ ...facts, owner, version: before.version + 1 })
  expect(await gm.ask(api.sites.edit, { body: { ...facts, version: before.version } })).toMatchObject({
    code: 409,
    msg: expect.stringMatching(/^已被 \S+ 于 .+ 处理/),
  })
  const [log] = (await admin.call(api.userlogs.list, { query: { object: ['site'], outcome: 'done' } })).list
  expect(log).toMatchObject({ action: '编辑工地', objectId: id, objectName: '一生小区 2 幢' })
  expect(log!.changes).toContainEqual({ title: '工地名称', before: before.ws_name, after: '一生小区 2 幢' })
})

test('a new site has store, owner, people and place from its form; the number is read for a reason', async () => {
  const { bc_id } = await branch('HZ')
  const [store] = await gm.call(api.sites.stores, { query: { bc_id } })
  const leads = { steward_id: await idOf('steward'), manager_id: await idOf('pm') }
  const form = {
    ws_name: '表单小区 1 幢',
    bc_id,
    store_id: store!.id,
    address: '文三路 3 号',
    owner: '方女士',
    ownerPhone: '13812345678',
    ...leads,
    lng: 120.1234,
    lat: 30.2345,
  }
  const no = (body: object) => gm.ask(api.sites.add, { body: { ...form, ...body } })
  expect((await no({ owner: '' })).data).toEqual({ fields: { owner: '填了电话，请同时填业主姓名' } })
  expect((await no({ lat: null })).data).toEqual({ fields: { lng: '经度和纬度要一起填' } })
  expect((await no({ steward_id: leads.manager_id })).msg).toContain('岗位不是项目管家')
  expect((await no({ manager_id: await idOf('pm2') })).status).toBe(403)
  const { id } = await gm.call(api.sites.add, { body: form })
  let site = await details(id)
  expect(site).toMatchObject({
    store_id: store!.id,
    storeName: store!.name,
    owner: { name: '方女士', phone: '138****5678' },
    ...leads,
    lng: 120.1234,
    lat: 30.2345,
  })
  // Nobody has planned it yet, so nothing is said to be planned.
  expect(site.stages.every((s) => s.plannedStart === null && s.baselineStart === null)).toBe(true)

  const service = await server.as('service')
  expect(await service.ask(api.sites.phone, { body: { id, reason: '' } })).toMatchObject({ code: 400 })
  expect(await service.call(api.sites.phone, { body: { id, reason: '回访投诉' } })).toEqual({
    phone: '13812345678',
  })
  expect((await acceptor.ask(api.sites.phone, { body: { id, reason: '想看看' } })).code).toBe(401)
  const [look] = (await admin.call(api.userlogs.list, { query: { object: ['site'], outcome: 'done' } })).list
  expect(look).toMatchObject({
    action: '查看业主电话',
    objectId: id,
    changes: expect.arrayContaining([
      { title: '业主', before: '', after: '方女士' },
      { title: '原因', before: '', after: '回访投诉' },
    ]),
  })
  expect(JSON.stringify(look)).not.toContain('13812345678')

  // Edited: no store; an empty number keeps the one that nobody sees, and nobody writes another person over the owner.
  const edit = { ...form, id, version: site.version, ownerPhone: '', store_id: null }
  expect((await gm.ask(api.sites.edit, { body: { ...edit, owner: '方先生' } })).data).toEqual({
    fields: { owner: '换了业主请在“业主信息”用“更换业主”；姓名写错请用“更正业主”' },
  })
  await gm.call(api.sites.edit, { body: edit })
  site = await details(id)
  expect(site).toMatchObject({ store_id: null, owner: { name: '方女士', phone: '138****5678' } })
  expect(
    (await gm.ask(api.sites.edit, { body: { ...edit, version: site.version, owner: '' } })).data,
  ).toEqual({ fields: { owner: '业主姓名不能清空' } })
  await gm.call(api.sites.edit, { body: { ...edit, version: site.version, steward_id: null } })
  expect(await details(id)).toMatchObject({ steward: null, manager: { nickname: expect.any(String) } })
})

test('a plan made before the start keeps its shares; a site without one gets equal stages', async () => {
  pm = await server.as('pm')
  const id = await newSite()
  const days = (from: number, to: number) => ({
    plannedStart: addDays(today(), from),
    plannedFinish: addDays(today(), to),
  })
  // Ten stages of four days, the first one of twenty.
  const stages = STAGES.map((name, i) => ({
    stage: name,
    ...(i === 0 ? days(10, 29) : days(30 + (i - 1) * 4, 33 + (i - 1) * 4)),
  }))
  await pm.call(api.stages.plan, { body: { id, version: (await details(id)).version, stages } })
  expect((await details(id)).stages[0]).toMatchObject({ ...days(10, 29), baselineStart: null })
  expect((await state(id, 'start', { reason: '老客户先开工', startDate: today() })).msg).toBe('')
  expect((await details(id)).stages.map((s) => [s.plannedStart, s.plannedFinish])).toEqual(
    stages.map((s) => [addDays(s.plannedStart, -10), addDays(s.plannedFinish, -10)]),
  )
  const { bc_id } = await branch('HZ')
  const bare = await gm.call(api.sites.add, {
    body: {
      ws_name: '无计划小区 1 幢',
      bc_id,
      address: '文四路 4 号',
      steward_id: await idOf('steward'),
      manager_id: await idOf('pm'),
    },
  })
  const begun = { reason: '老客户先开工', startDate: today(), plannedFinish: addDays(today(), 49) }
  expect((await state(bare.id, 'start', begun)).msg).toBe('')
  expect((await details(bare.id)).stages.map((s) => [s.baselineStart, s.baselineFinish])).toEqual(
    STAGES.map((_, i) => [addDays(today(), i * 5), addDays(today(), i * 5 + 4)]),
  )
})

test('one stage that is planned does not shorten the site; with all of them it ends with its last', async () => {
  // Without a first day no stage has one yet.
  const id = await newSite({ plannedStart: null })
  const said = (await details(id)).plannedFinish
  expect(said).toBe(addDays(today(), 99))
  const plan = async (...stages: [stage: (typeof STAGES)[number], from: number, to: number][]) =>
    pm.call(api.stages.plan, {
      body: {
        id,
        version: (await details(id)).version,
        stages: stages.map(([stage, from, to]) => ({
          stage,
          plannedStart: addDays(today(), from),
          plannedFinish: addDays(today(), to),
        })),
      },
    })
  const end = async () => (await details(id)).plannedFinish
  await plan([STAGES[2], 10, 15])
  expect(await end()).toBe(said)
  // Longer than was said is longer.
  await plan([STAGES[9], 110, 120])
  expect(await end()).toBe(addDays(today(), 120))
  await plan(...STAGES.map((stage, i) => [stage, i * 4, i * 4 + 3] as [typeof stage, number, number]))
  expect(await end()).toBe(addDays(today(), 39))
  const [log] = await server.sql<{ before: string; after: string }>(
    `SELECT before->>'plannedFinish' AS before, after->>'plannedFinish' AS after FROM user_logs
     WHERE object_id = $1 AND action = '阶段排期' ORDER BY at DESC, id DESC LIMIT 1`,
    [id],
  )
  expect(log).toEqual({ before: addDays(today(), 120), after: addDays(today(), 39) })
})

test('an owner who has two sites stays the owner of both when one of them changes its branch', async () => {
  const [from, to] = [await branch('HZ'), await branch('NB')]
  const [stays, moves] = [await newSite(), await newSite()]
  const [owner] = await server.sql<{ id: string; name: string }>(
    `INSERT INTO owners (tenant_id, id, bc_id, name, phone)
     SELECT tenant_id, gen_random_uuid(), bc_id, '两套房', '13800001111' FROM sites WHERE id = $1
     RETURNING id, name`,
    [stays],
  )
  await server.sql('UPDATE sites SET owner_id = $1 WHERE id = ANY ($2)', [owner!.id, [stays, moves]])
  await admin.call(api.sites.move, {
    body: {
      id: moves,
      version: (await details(moves, admin)).version,
      bc_id: to.bc_id,
      reason: '业主要求宁波施工',
    },
  })
  const owners = await server.sql<{ site: string; bc_id: string; name: string; phone: string }>(
    `SELECT w.id AS site, o.bc_id, o.name, o.phone FROM sites w JOIN owners o ON o.id = w.owner_id
     WHERE w.id = ANY ($1)`,
    [[stays, moves]],
  )
  expect(new Map(owners.map((o) => [o.site, [o.bc_id, o.name, o.phone]]))).toEqual(
    new Map([
      [stays, [from.bc_id, '两套房', '13800001111']],
      [moves, [to.bc_id, '两套房', '13800001111']],
    ]),
  )
})

test('a contract that ends leaves its devices to be brought back too', async () => {
  const id = await newSite()
  await state(id, 'start', { reason: '老客户先开工' })
  await bindTo(id)
  expect((await state(id, 'terminate', { reason: '业主退单' })).msg).toBe('')
  expect(await server.sql('SELECT due::text AS due FROM retrievals WHERE site_id = $1', [id])).toEqual([
    { due: addDays(today(), 7) },
  ])
})

test('all that keeps a site from being finished is foretold as it is refused: at once, in the same words', async () => {
  const [site] = await server.sql<{ id: string; sn: string }>(
    `SELECT w.id, d.sn FROM sites w JOIN devices d ON d.site_id = w.id AND d.type = 'camera'
     WHERE w.code LIKE 'GDHZ%' AND w.status = 1 AND w.progress < 100 AND w.manager_id = $1
     ORDER BY w.code DESC LIMIT 1`,
    [await idOf('pm')],
  )
  const { id, sn } = site!
  const camera = server.devices.find((d) => d.sn === sn)!
  await report(server.url, camera, [
    { id: 'unfinished1', kind: 'alarm', at: seconds() - 30, type: 'smoking', confidence: 0.9 },
    { id: 'unfinished2', kind: 'alarm', at: seconds() - 30, type: 'noclothes', confidence: 0.9 },
  ])
  const alarms = (await gm.call(api.alarms.list, { query: { site_id: id, correctionStatus: [1, 2] } })).list
  const [first] = alarms
  const assignee_id = await idOf('pm')
  await gm.call(api.alarms.assign, { body: { id: first!.id, version: first!.version, assignee_id } })
  const [check] = await server.sql<{ id: string }>(
    `INSERT INTO tidiness_checks (tenant_id, id, bc_id, site_id, at, result)
     SELECT tenant_id, gen_random_uuid(), bc_id, id, :now, 3 FROM sites WHERE id = $1
     RETURNING id`,
    [id],
  )
  await (
    await server.as('inspector')
  ).call(api.tidiness.correct, { body: { id: check!.id, version: 0, problem: '地漏没有装', assignee_id } })
  const blocks = [
    '最后一个阶段（竣工验收）还没有通过，不能完工',
    `还有 ${alarms.length} 条没有办结的报警，不能完工`,
    '还有 1 张整改单没有办结，不能完工',
  ]
  const told = await gm.call(api.sites.foresee, { query: { id, change: 'finish' } })
  expect(told.blocks).toEqual(blocks)
  expect(told.effects.join()).not.toMatch(/报警|整改/)
  expect(await state(id, 'finish')).toMatchObject({ code: 409, msg: blocks.join('；') })
  // The same of an end that its contract brings.
  await server.sql(`UPDATE sites SET contract = 'HT0001' WHERE id = $1`, [id])
  const end = await gm.call(api.sites.foresee, { query: { id, change: 'terminate' } })
  expect(end.blocks[0]).toBe('工地有有效合同 HT0001，请在合同里办理终止，工地会一起结束')
  expect(await state(id, 'terminate', { reason: '业主退单' })).toMatchObject({
    code: 409,
    msg: end.blocks.join('；'),
  })
})

test('a site that changes its branch takes along what belongs to it, as was said before; corrections go first', async () => {
  const [site] = await server.sql<{ id: string; sn: string }>(
    `SELECT w.id, d.sn FROM sites w JOIN devices d ON d.site_id = w.id AND d.type = 'camera' JOIN users m ON m.id = w.manager_id
     WHERE w.code LIKE 'GDHZ%' AND w.status = 1 AND w.store_id IS NOT NULL AND EXISTS (SELECT 1 FROM site_members e WHERE e.site_id = w.id AND e.left_on IS NULL) ORDER BY w.code LIMIT 1`,
  )
  const { id, sn } = site!
  const camera = server.devices.find((d) => d.sn === sn)!
  const to = await branch('NB')
  await server.sql(
    `INSERT INTO site_arrivals (tenant_id, site_id, bc_id, ready_on, user_name, at)
     SELECT tenant_id, id, bc_id, :today, '工长', :now FROM sites WHERE id = $1`,
    [id],
  )
  const from = await branch('HZ')
  await report(server.url, camera, [
    { id: 'moving', kind: 'alarm', at: seconds() - 30, type: 'smoking', confidence: 0.9 },
    { id: 'moving2', kind: 'alarm', at: seconds() - 30, type: 'noclothes', confidence: 0.9 },
  ])
  const [alarm] = (
    await gm.call(api.alarms.list, { query: { site_id: id, type: ['smoking'], correctionStatus: [1] } })
  ).list
  const people = await gm.call(api.users.pick, { query: { site_id: id } })
  await gm.call(api.alarms.assign, {
    body: { id: alarm!.id, version: alarm!.version, assignee_id: people[0]!.id },
  })
  const foresee = () => admin.call(api.sites.foresee, { query: { id, change: 'move', bc_id: to.bc_id } })
  const move = async (who = admin, reason = '业主要求宁波施工') =>
    who.ask(api.sites.move, {
      body: { id, version: (await details(id, admin)).version, bc_id: to.bc_id, reason },
    })
  expect((await foresee()).blocks).toEqual(['还有 1 条问题正在整改，请先复核或由主管取消'])
  // An end leaves it as it is, and says so.
  expect((await admin.call(api.sites.foresee, { query: { id, change: 'terminate' } })).effects).toContain(
    '1 条正在整改的问题不会取消，仍要整改和复核',
  )
  expect(await move()).toMatchObject({ code: 409, msg: '还有 1 条问题正在整改，请先复核或由主管取消' })
  expect((await move(gm)).status).toBe(403)
  const facts = await details(id, admin)
  expect(
    await admin.ask(api.sites.edit, {
      body: { id, version: facts.version, ws_name: facts.ws_name, bc_id: to.bc_id, address: facts.address },
    }),
  ).toMatchObject({ code: 409, msg: expect.stringContaining('转分公司') })
  await gm
    .call(api.alarms.cancel, {
      body: { id: alarm!.id, version: alarm!.version + 1, cause: 'wrong', reason: '误报了' },
    })
    .catch(() =>
      admin.call(api.alarms.cancel, {
        body: { id: alarm!.id, version: alarm!.version + 1, cause: 'wrong', reason: '误报了' },
      }),
    )

  // One of the team also works elsewhere in the old branch.
  const team = await server.sql<{ worker_id: string }>(
    'SELECT DISTINCT worker_id FROM site_members WHERE site_id = $1 AND left_on IS NULL',
    [id],
  )
  const told = await foresee()
  expect(told.blocks).toEqual([])
  expect(told.effects.join('\n')).toMatch(/台设备随工地转到/)
  expect(told.effects.join('\n')).toMatch(/门店“.+”属于原分公司/)
  expect((await move()).msg).toBe('')

  // Nothing of the site stays behind under the old branch, whatever table it stands in.
  for (const name of (await placed()).filter((table) => !(table in STAYS))) {
    const rows = await server.sql(`SELECT 1 FROM ${name} WHERE site_id = $1 AND bc_id IS DISTINCT FROM $2`, [
      id,
      to.bc_id,
    ])
    expect(rows, name).toEqual([])
  }
  const there = await server.as('branch_gm2')
  const seen = await details(id, there)
  expect(seen).toMatchObject({ bc_id: to.bc_id, storeName: '', steward: null, manager: null, openAlarms: 1 })
  expect(seen.devices.map((d) => d.sn)).toContain(sn)
  const stayed = await server.sql<{ n: number }>(
    'SELECT count(*)::int AS n FROM workers WHERE id = ANY ($1) AND bc_id = $2',
    [team.map((t) => t.worker_id), to.bc_id],
  )
  expect(seen.team).toHaveLength(stayed[0]!.n)
  const alarms = await there.call(api.alarms.list, { query: { site_id: id, pageSize: 100 } })
  expect(alarms.list).toHaveLength(alarms.totalCount)
  expect((await gm.ask(api.sites.details, { query: { id } })).status).toBe(403)
  const old = await gm.call(api.alarms.list, { query: { pageSize: 100 } })
  expect(old.list).toHaveLength(Math.min(old.totalCount, 100))
  expect((await gm.call(api.devices.list, { query: { site_id: id } })).totalCount).toBe(0)
  // What its camera sees next belongs to the new branch.
  await report(server.url, camera, [
    { id: 'after', kind: 'alarm', at: seconds() - 5, type: 'cameraproblem', confidence: 0.9 },
  ])
  expect(
    await server.sql(`SELECT bc_id FROM alarms WHERE site_id = $1 AND type = 'cameraproblem'`, [id]),
  ).toEqual([{ bc_id: to.bc_id }])
  const line = (await there.call(api.timeline.list, { query: { site_id: id } })).list.find((l) =>
    l.title.startsWith(`从${from.bc_name}转到${to.bc_name}`),
  )
  expect(line?.title).toContain('业主要求宁波施工')
})

test('each table with a site and a branch says what becomes of its rows when the site changes its branch', async () => {
  const told = [...SITE_LIFE.flatMap((life) => life.goesAlong ?? []), ...Object.keys(STAYS)]
  expect(told.filter((name, i) => told.indexOf(name) !== i)).toEqual([])
  expect(await placed()).toEqual(told.toSorted())
  await server.sql('CREATE TABLE site_keys (bc_id uuid, site_id uuid)')
  expect(await placed()).toContain('site_keys')
  await server.sql('DROP TABLE site_keys')
})
