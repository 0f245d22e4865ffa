import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { attendanceApi } from '@zhuguan/contract/features/attendance/attendance.api.ts'
import { correctionsApi } from '@zhuguan/contract/features/corrections/corrections.api.ts'
import { devicesApi } from '@zhuguan/contract/features/devices/devices.api.ts'
import { homeApi } from '@zhuguan/contract/features/home/home.api.ts'
import { notificationsApi } from '@zhuguan/contract/features/notifications/notifications.api.ts'
import { settingsApi } from '@zhuguan/contract/features/settings/settings.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { openToday } from '../../app/clock.ts'
import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { report } from '../../testing/device.ts'
import { uploadPhoto } from '../../testing/photo.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let gm: Person
let pm: Person
const HOUR = 3_600_000
const clockOf = (day: string, hour: number) => startOfDay(day).getTime() + hour * HOUR
/** Puts the server's clock to an hour of a day; sessions do not outlive that, so everybody signs in anew. */
async function stand(day: string, hour: number) {
  server.later(clockOf(day, hour) - server.now().getTime())
  ;[gm, pm] = await Promise.all([server.as('branch_gm'), server.as('pm')])
}
const card = async (who: Person, name: string) =>
  (await who.call(homeApi.cards)).figures.find((f) => f.card === name)!
const DAY_ONE = () => addDays(shanghaiDay(new Date(begin)), 2)
let begin: number

beforeAll(async () => {
  server = await startTestServer()
  begin = server.now().getTime()
  const day = DAY_ONE()
  await stand(day, 7)
  const admin = await server.as('admin')
  await admin.call(settingsApi.update, { body: { values: { workStart: '07:30', workEnd: '18:00' } } })
  await openToday(server.db, server.now())
  // Thirty people of the first day come between eight and nine; a week later, ten by half past eight.
  const terminals = server.devices.filter((d) => d.workers.length && d.sn.includes('HZ')).slice(0, 5)
  const come = async (day: string, hour: number, each: number) => {
    for (const t of terminals) {
      const events = t.workers.slice(0, each).map((w_id, i) => ({
        id: `${day}-${w_id}`,
        kind: 'clockin',
        at: clockOf(day, hour) / 1000 + i * 60,
        w_id,
        direction: 'in',
      }))
      const answer = await report(server.url, t, events, server.now())
      expect(answer.data.rejected).toEqual([])
    }
  }
  await stand(day, 20)
  await come(day, 8, 3)
  await come(day, 15, 6)
  await stand(addDays(day, 7), 8.5)
  await openToday(server.db, server.now())
  await come(addDays(day, 7), 8, 2)
})
afterAll(() => server.stop())

/** People of the branch who came on the day by the hour, and who was expected: counted by hand. */
async function people(day: string, until: Date) {
  const bc = (await gm.call(sitesApi.list, { query: {} })).list[0]!.bc_id
  const [came] = await server.sql<{ n: number }>(
    `SELECT count(DISTINCT (e.worker_id, e.site_id))::int AS n
     FROM attendance_events e
     JOIN site_members m ON m.site_id = e.site_id AND m.worker_id = e.worker_id AND m.entered_on <= e.day
       AND coalesce(m.left_on, e.day) >= e.day
     WHERE e.bc_id = $1 AND e.day = $2 AND e.at <= $3`,
    [bc, day, until],
  )
  const [due] = await server.sql<{ n: number }>(
    `SELECT sum(expected)::int AS n FROM site_days WHERE bc_id = $1 AND day = $2 AND NOT rest`,
    [bc, day],
  )
  return { came: came!.n, due: due!.n, rate: Math.round((1000 * came!.n) / due!.n) / 10 }
}

test('before work begins the last whole day stands there with its date, beside the same weekday', async () => {
  const first = DAY_ONE()
  const next = addDays(first, 1)
  await stand(next, 4 + 2 / 3)
  const whole = await people(first, startOfDay(next))
  const figure = await card(gm, 'attendance')
  expect(figure).toMatchObject({ of: `${first.slice(5)} 全天`, value: whole.rate, against: '较上周同日' })
  expect(figure.running).toBe(false)
  expect(figure.until).toBe(first)
  expect(figure.trend.at(-1)).toBe(figure.value)
})

test('a running day is compared with the same hour of its weekday a week ago and drawn apart', async () => {
  const [first, second] = [DAY_ONE(), addDays(DAY_ONE(), 7)]
  await stand(second, 10)
  const today = await people(second, server.now())
  const before = await people(first, new Date(server.now().getTime() - 7 * 24 * HOUR))
  expect(today.came).toBe(10)
  expect(before.came).toBe(15)
  const figure = await card(gm, 'attendance')
  expect(figure).toMatchObject({
    of: '截至 10:00',
    value: today.rate,
    before: before.rate,
    against: '较上周同日同一时刻',
    running: true,
    n: today.due,
  })
  expect(figure.trend.at(-1)).toBe(figure.value)
  expect(figure.trend.at(-8)).toBe((await people(first, startOfDay(addDays(first, 1)))).rate)
  const listed = await gm.call(attendanceApi.list, {
    query: { from: second, to: second, attendance: '1' },
  })
  expect(figure.parts[0]!.value).toBe(listed.totalCount)
})

test('alarms of earlier days come from what is kept of a branch and equal the alarms themselves', async () => {
  const second = addDays(DAY_ONE(), 7)
  await stand(second, 11)
  const camera = server.devices.filter((d) => d.type === 'camera' && d.sn.includes('HZ')).slice(0, 6)
  for (const [i, device] of camera.entries())
    await report(
      server.url,
      device,
      [
        {
          id: `a${i}`,
          kind: 'alarm',
          at: clockOf(addDays(second, -i - 1), 9) / 1000,
          type: 'smoking',
          confidence: 0.9,
        },
      ],
      server.now(),
    )
  await server.sql(
    `UPDATE alarms SET correction_status = 3, closed_at = at + interval '30 hours'
     WHERE id IN (SELECT id FROM alarms WHERE type = 'smoking' ORDER BY at LIMIT 2)`,
  )
  await server.sql(`UPDATE alarms SET due_at = at + interval '26 hours' WHERE type = 'smoking'`)
  // Nobody moved these deadlines: so they always were.
  await server.sql('DELETE FROM alarm_pasts')
  const bc = (await gm.call(sitesApi.list, { query: {} })).list[0]!.bc_id
  for (const [name, condition] of [
    ['openAlarms', 'true'],
    ['overdue', 'a.due_at < e.at'],
  ] as const) {
    const figure = await card(gm, name)
    const ends = figure.trend
      .slice(1)
      .map((_, i) => startOfDay(addDays(figure.until, i + 2 - figure.trend.length)))
    const counted = await server.sql<{ n: number }>(
      `SELECT count(a.id)::int AS n FROM unnest($1::timestamptz[]) WITH ORDINALITY AS e(at, i)
       LEFT JOIN alarms a ON a.bc_id = $2 AND a.at < e.at AND (a.closed_at IS NULL OR a.closed_at >= e.at) AND ${condition}
       GROUP BY e.i ORDER BY e.i`,
      [ends, bc],
    )
    expect(figure.trend.slice(0, -1)).toEqual(counted.map((c) => c.n))
    expect(figure.trend.some((n) => n! > 0)).toBe(true)
    const query = name === 'overdue' ? { overdue: 'true' } : { correctionStatus: '1,2' }
    expect(figure.value).toBe((await gm.call(alarmsApi.list, { query: query })).totalCount)
    expect((await card(pm, name)).value).toBe((await pm.call(alarmsApi.list, { query: query })).totalCount)
  }
  // What is done today leaves yesterday as it was: an overdue one gets a new deadline, another is opened again.
  const late = (await pm.call(alarmsApi.list, { query: { overdue: 'true' } })).list
  const moved = late.find((a) => a.correctionStatus === 1)!
  const closed = (await pm.call(alarmsApi.list, { query: { correctionStatus: '3', type: 'smoking' } })).list
  const figures = async (who: Person) => [await card(who, 'openAlarms'), await card(who, 'overdue')] as const
  const [ours, theirs] = [await figures(pm), await figures(gm)]
  const [site] = await server.sql<{ manager: string }>(
    'SELECT manager_id AS manager FROM sites WHERE id = $1',
    [moved.site_id],
  )
  const assign = { id: moved.id, version: moved.version, assignee_id: site!.manager }
  await pm.call(alarmsApi.assign, { body: assign })
  const again = closed[0]!
  await gm.call(alarmsApi.reopen, { body: { id: again.id, version: again.version, reason: '又抽烟了' } })
  for (const [who, before] of [
    [pm, ours],
    [gm, theirs],
  ] as const) {
    const after = await figures(who)
    for (const i of [0, 1] as const) expect(after[i].trend.slice(0, -1)).toEqual(before[i].trend.slice(0, -1))
    expect(after.map((f, i) => f.value! - before[i]!.value!)).toEqual([1, -1])
    expect(after.map((f, i) => f.before === before[i]!.before)).toEqual([true, true])
  }
  // Alarms that go take what is kept of them with them.
  await server.sql('DELETE FROM alarm_logs')
  await server.sql('DELETE FROM alarms')
  expect(
    await server.sql('SELECT * FROM branch_alarms WHERE (raised, closed, due, relieved) <> (0, 0, 0, 0)'),
  ).toEqual([])
})

test('devices: on line, off line and not yet enabled are three things, each the total of its list', async () => {
  const figure = await card(gm, 'online')
  const total = async (deviceStatus: string) =>
    (await gm.call(devicesApi.list, { query: { bindStatus: '2', deviceStatus } })).totalCount
  expect([...figure.parts, ...figure.beside].map((p) => [p.label, p.value])).toEqual([
    ['在线', await total('1')],
    ['不在线', await total('2,4')],
    ['未启用', await total('3')],
  ])
  expect(figure.n).toBe((await total('1')) + (await total('2,4')))
  expect(figure.trend.at(-1)).toBe(figure.value)
})

/** What the top of somebody's page says, each kind with the total of the list that it leads to. */
async function waits(who: Person) {
  const answer = await who.call(homeApi.waiting)
  expect((await who.call(homeApi.cards)).waiting).toEqual(answer)
  for (const lane of answer) {
    const query = Object.fromEntries(new URLSearchParams(lane.link.split('?')[1]))
    expect((await who.call(alarmsApi.list, { query })).totalCount, lane.wait).toBe(lane.total)
    expect(lane.rows.length).toBe(Math.min(4, lane.total))
  }
  return Object.fromEntries(answer.map((lane) => [lane.wait, lane.total]))
}
const unread = async (who: Person, id: string) =>
  (await who.call(notificationsApi.list)).list.filter((n) => !n.read && n.link.includes(id)).length

test('mine stands at the top: handed to me, late, submitted by others; acting takes it away', async () => {
  const [steward, inspector] = await Promise.all([server.as('steward'), server.as('inspector')])
  const [site] = await server.sql<{ sn: string; pm: string; steward: string }>(
    `SELECT d.sn, m.id AS pm, s.id AS steward FROM devices d
     JOIN sites w ON w.id = d.site_id JOIN users m ON m.id = w.manager_id JOIN users s ON s.id = w.steward_id
     WHERE d.type = 'camera' AND m.user_name = 'pm' AND s.user_name = 'steward' LIMIT 1`,
  )
  const camera = server.devices.find((d) => d.sn === site!.sn)!
  const events = (['smoking', 'noclothes'] as const).map((type) => ({
    id: `mine-${type}`,
    kind: 'alarm',
    at: Math.floor(server.now().getTime() / 1000) - 60,
    type,
    confidence: 0.9,
  }))
  expect((await report(server.url, camera, events, server.now())).data.rejected).toEqual([])
  expect(await waits(steward)).toEqual({ overdue: 0, correct: 0, verify: 0 })
  const { assign: unassigned } = await waits(pm)
  const { list } = await pm.call(alarmsApi.list, { query: { correctionStatus: '1' } })
  expect(unassigned).toBe(list.length)
  const ids = list.slice(0, 2).map((a) => a.id)
  for (const { id, version } of list.slice(0, 2))
    await pm.call(alarmsApi.assign, { body: { id, version, assignee_id: site!.steward } })
  expect(await waits(steward)).toEqual({ overdue: 0, correct: 2, verify: 0 })
  const fewer = unassigned! - 2
  expect(await waits(pm)).toEqual({ overdue: 0, correct: 0, verify: 0, assign: fewer })
  expect(await unread(steward, ids[0]!)).toBe(1)

  await server.sql(`UPDATE alarms SET due_at = at WHERE id = $1`, [ids[1]])
  expect(await waits(steward)).toEqual({ overdue: 1, correct: 1, verify: 0 })
  const shown = (await steward.call(homeApi.waiting)).map((lane) => lane.rows.map((a) => a.id))
  expect(shown).toEqual([[ids[1]], [ids[0]], []])

  const picture = await uploadPhoto(server.url, steward)
  const { version } = await steward.call(alarmsApi.details, { query: { id: ids[0]! } })
  await steward.call(alarmsApi.submit, { body: { id: ids[0]!, version, pictures: [picture] } })
  expect(await waits(steward)).toEqual({ overdue: 1, correct: 0, verify: 0 })
  expect(await unread(steward, ids[0]!)).toBe(0)
  // The manager of the site and the branch may verify it; the inspector corrects nothing.
  expect(await waits(pm)).toMatchObject({ verify: 1 })
  expect(await waits(gm)).toMatchObject({ verify: 1 })
  expect(await waits(inspector)).toEqual({ verify: 1, assign: fewer })
  expect(await waits(await server.as('pm2'))).toMatchObject({ verify: 0 })
  const submitted = await pm.call(alarmsApi.details, { query: { id: ids[0]! } })
  await pm.call(alarmsApi.pass, { body: { id: ids[0]!, version: submitted.version } })
  expect(await waits(pm)).toMatchObject({ verify: 0 })

  // Whoever says that it is not theirs sends it back to who hands work on, and keeps it until then.
  const mine = await steward.call(alarmsApi.details, { query: { id: ids[1]! } })
  await steward.call(alarmsApi.dispute, {
    body: { id: ids[1]!, version: mine.version, reason: '不是我的工地' },
  })
  expect(await waits(steward)).toMatchObject({ overdue: 1 })
  expect(await waits(pm)).toMatchObject({ assign: fewer + 1 })
  const lane = (await pm.call(homeApi.waiting)).find((l) => l.wait === 'assign')!
  expect(lane.rows.filter((r) => r.disputed).map((r) => r.id)).toEqual([ids[1]])

  // Handed to somebody else it leaves the first one's page and bell.
  const late = await pm.call(alarmsApi.details, { query: { id: ids[1]! } })
  await pm.call(alarmsApi.assign, { body: { id: ids[1]!, version: late.version, assignee_id: site!.pm } })
  expect(await waits(steward)).toEqual({ overdue: 0, correct: 0, verify: 0 })
  // One word that it is somebody else's now, and nothing that asks for anything.
  expect(await unread(steward, ids[1]!)).toBe(1)
  expect(await waits(pm)).toMatchObject({ overdue: 1, correct: 0, assign: fewer })
})

test('every role begins with cards of its own pages, high ones with rows', async () => {
  const page: Record<string, string> = {
    building: '/Site/SiteList',
    tidiness: '/Site/SiteList',
    noWork: '/Site/NoWork',
    openAlarms: '/image/AlarmEvent',
    overdue: '/patrol/Correction',
    attendance: '/worker/WorkerAttend',
    online: '/device/DeviceList',
    retrieval: '/device/DeviceList',
    patrol: '/patrol/PatrolRecord',
    complaints: '/owner/FeedbackList',
    examine: '/package/ExamineList',
    signed: '/contract/ContractList',
    due: '/contract/ReceiptList',
    taken: '/contract/ReceiptList',
    back: '/contract/ContractList',
    receiving: '/order/OrderList',
    toShip: '/order/OrderList',
    toAccept: '/check/AcceptanceList',
    changes: '/check/ChangeGoods',
    promises: '/owner/PromiseList',
    replies: '/owner/OwnerList',
    questions: '/owner/OwnerList',
    schedule: '/owner/WarningList',
    quality: '/owner/WarningList',
    customers: '/customer/CustomerList',
  }
  const goods = 'receiving toShip toAccept changes'
  const wrong = 'overdue openAlarms noWork tidiness'
  const warned = 'schedule quality'
  const branches = `building signed attendance patrol ${goods}`
  const leads = `${branches} ${wrong} promises complaints ${warned} online retrieval`
  const first: Record<string, string> = {
    hq_ops: leads,
    branch_gm: leads,
    pm: `building attendance online patrol promises toShip toAccept changes ${wrong} ${warned}`,
    steward: `building attendance toAccept changes replies promises questions ${wrong} ${warned}`,
    inspector: 'building attendance online patrol tidiness openAlarms noWork overdue',
    device_keeper: 'building tidiness online retrieval',
    order_clerk: `${goods} building tidiness`,
    acceptor: 'toAccept changes building tidiness',
    quoter: 'signed customers building tidiness',
    examiner: 'examine building tidiness',
    cashier: 'due taken back signed building',
    sales: 'customers building tidiness',
    service: 'complaints replies promises questions openAlarms overdue building tidiness',
    supplier: 'receiving toShip changes',
  }
  for (const [role, cards] of Object.entries(first)) {
    const answer = await (await server.as(role)).call(homeApi.cards)
    expect(answer.places.map((p) => p.card).join(' '), role).toBe(cards)
    const open = new Set(answer.figures.map((f) => f.card))
    const received: Record<string, string> =
      role === 'supplier' ? { receiving: '/order/ReceiveOrder', toShip: '/order/ReceiveOrder' } : {}
    // Who has no list of corrections sees the alarms alone, and is told so.
    const alone: Record<string, string> = role === 'service' ? { overdue: '/image/AlarmEvent' } : {}
    const late = answer.figures.find((f) => f.card === 'overdue')
    if (late) expect(late.aside, role).toBe(role === 'service' ? '只含报警' : '')
    const own = { ...page, ...received, ...alone }
    for (const f of answer.figures) expect(f.link.split('?')[0], role).toBe(own[f.card])
    for (const p of answer.places) {
      const figure = answer.figures.find((f) => f.card === p.card)!
      expect(open.has(p.card)).toBe(true)
      if (p.h < 3) expect(figure.rows).toEqual([])
    }
  }
  // No alarm stands twice: late ones on their own card, what waits for who looks above both.
  const cameras = server.devices.filter((d) => d.type === 'camera' && d.sn.includes('HZ') && d.site)
  const at = Math.floor(server.now().getTime() / 1_000)
  for (const [i, camera] of cameras.slice(0, 14).entries()) {
    const type = i % 2 ? 'smoking' : 'noclothes'
    const event = { id: 'twice', kind: 'alarm', at: at - 600 * (i + 1), type, confidence: 0.9 }
    expect((await report(server.url, camera, [event], server.now())).data.rejected).toEqual([])
  }
  // Whose time ends first came last.
  await server.sql(
    `UPDATE alarms SET due_at = CASE WHEN type = 'smoking' THEN at - interval '1 hour'
       ELSE :now + (:now - at) END WHERE correction_status IN (1, 2)`,
  )
  const urgent = (await gm.call(alarmsApi.list, { query: { correctionStatus: '1,2', pageSize: 100 } })).list
  let apart = 0
  for (const role of ['branch_gm', 'pm', 'hq_ops', 'inspector']) {
    const { waiting, figures } = await (await server.as(role)).call(homeApi.cards)
    const rows = (name: string) => figures.find((f) => f.card === name)!.rows
    const above = waiting.flatMap((lane) => lane.rows.map((r) => r.id))
    const told = [...above, ...rows('openAlarms').map((r) => r.id), ...rows('overdue').map((r) => r.id)]
    expect(told, role).toEqual([...new Set(told)])
    expect(rows('overdue').every((r) => r.late)).toBe(true)
    if (role === 'inspector') continue
    expect(rows('openAlarms').some((r) => r.late)).toBe(false)
    apart += rows('openAlarms').length
    if (role !== 'branch_gm') continue
    const inTime = urgent.filter((x) => x.type !== 'smoking' && !above.includes(x.id)).map((x) => x.id)
    expect(
      rows('openAlarms')
        .map((r) => r.id)
        .toSorted(),
    ).toEqual(inTime.toSorted())
  }
  expect(apart).toBeGreaterThan(0)
  // Without a card for what is late, the worst of all are among the open ones.
  const alone = [{ card: 'openAlarms' as const, x: 0, y: 0, w: 12, h: 8 }]
  await gm.call(homeApi.saveCards, { body: { places: alone } })
  const single = await gm.call(homeApi.cards)
  const open = single.figures.find((f) => f.card === 'openAlarms')!.rows
  const waits = single.waiting.flatMap((lane) => lane.rows.map((r) => r.id))
  const others = urgent.map((x) => x.id).filter((id) => !waits.includes(id))
  expect(open.some((r) => r.late)).toBe(true)
  expect(open.map((r) => r.id)).toEqual(others.slice(0, open.length))
  expect(open.map((r) => r.at)).toEqual(open.map((r) => r.at).toSorted((x, y) => x! - y!))
  await gm.call(homeApi.saveCards, { body: { places: [] } })
  // One figure over all corrections; what found them are its parts, as many as the list behind each has.
  await server.sql(
    `INSERT INTO corrections (tenant_id, id, bc_id, site_id, source, source_id, problem, at, due_at, closed_at,
       correction_status)
     SELECT w.tenant_id, gen_random_uuid(), w.bc_id, w.id, x.source, gen_random_uuid(), '地面积水',
       :now - interval '4 days', :now - x.late, :now - x.closed, CASE WHEN x.closed IS NULL THEN 1 ELSE 3 END
     FROM (SELECT * FROM sites WHERE code LIKE '%HZ%' ORDER BY code LIMIT 3) w
     CROSS JOIN (VALUES ('patrol', interval '1 hour', NULL::interval), ('feedback', interval '50 hours', NULL),
       ('tidiness', interval '50 hours', interval '20 hours')) AS x(source, late, closed)`,
  )
  const all = await card(gm, 'overdue')
  const behind = async (link: string) =>
    (
      await gm.call(correctionsApi.list, {
        query: Object.fromEntries(new URLSearchParams(link.split('?')[1])),
      })
    ).totalCount
  expect(all.value).toBe(await behind(all.link))
  expect(all.parts.reduce((sum, p) => sum + p.value, 0)).toBe(all.value)
  for (const p of all.parts) expect([p.label, p.value]).toEqual([p.label, await behind(p.link)])
  const partOf = (label: string) => all.parts.find((p) => p.label === label)!.value
  expect([partOf('巡检'), partOf('业主反馈'), partOf('整洁度')]).toEqual([3, 3, 0])
  // Two days ago those of feedback and tidiness were late when the day ended, or since then.
  const ends = await server.sql<{ n: number }>(
    `SELECT (SELECT count(*)::int FROM corrections k JOIN companies c ON c.bc_id = k.bc_id AND c.code = 'HZ'
       WHERE k.due_at < e AND (k.closed_at IS NULL OR k.closed_at >= e)) AS n
     FROM generate_series((:today - 12)::timestamp, :today::timestamp, interval '1 day') d
     CROSS JOIN LATERAL (SELECT d AT TIME ZONE 'Asia/Shanghai' AS e) x ORDER BY d`,
  )
  expect(all.trend.slice(0, -1)).toEqual(ends.map((e) => e.n))
  expect(all.before).toBeGreaterThanOrEqual(3)
  const sibling = await (await server.as('branch_gm2')).call(homeApi.cards)
  expect(
    sibling.figures.find((f) => f.card === 'overdue')!.parts.find((p) => p.label === '巡检')!.value,
  ).toBe(0)
  // Places of before, all of one height, stay as they are; what is made tall has rows.
  const places = [
    { card: 'building' as const, x: 0, y: 0, w: 6, h: 2 },
    { card: 'online' as const, x: 6, y: 0, w: 6, h: 4 },
  ]
  await gm.call(homeApi.saveCards, { body: { places } })
  const kept = await gm.call(homeApi.cards)
  expect(kept.places).toEqual(places)
  const offline = (await gm.call(devicesApi.list, { query: { bindStatus: '2', deviceStatus: '2,4' } }))
    .totalCount
  expect(kept.figures.find((f) => f.card === 'online')!.rows.length).toBe(Math.min(12, offline))
  expect(kept.figures.find((f) => f.card === 'openAlarms')!.rows).toEqual([])
  await gm.call(homeApi.saveCards, { body: { places: [] } })
})
