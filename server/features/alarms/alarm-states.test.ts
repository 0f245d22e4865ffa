import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { correctionsApi } from '@zhuguan/contract/features/corrections/corrections.api.ts'
import { homeApi } from '@zhuguan/contract/features/home/home.api.ts'
import { notificationsApi } from '@zhuguan/contract/features/notifications/notifications.api.ts'
import { usersApi } from '@zhuguan/contract/features/users/users.api.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { report } from '../../testing/device.ts'
import { uploadPhoto } from '../../testing/photo.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { seconds } from '../../testing/time.ts'

/** docs/states.md by hand: command, who, from (code and step) → the code and step it arrives in, or the sentence why not. */
const TABLE: [string, string, string, string | RegExp][] = [
  ['assign', 'pm', '1', '2 assigned'],
  ['cancel', 'pm', '1', '4'],
  ['cancel', 'inspector', '1', '4'],
  ['cancel', 'service', '1', /No Permission/],
  ['start', 'pm', '2 assigned', '2 doing'],
  ['start', 'gm', '2 assigned', /只有责任人/],
  ['submit', 'pm', '2 doing', '2 submitted'],
  ['submit', 'gm', '2 doing', /只有责任人/],
  ['pass', 'pm', '2 submitted', /不能复核自己/],
  ['pass', 'steward', '2 submitted', '3 submitted'],
  ['pass', 'gm', '2 doing', /还没有提交/],
  ['back', 'pm', '2 submitted', /责任人不能退回/],
  ['back', 'steward', '2 submitted', '2 doing'],
  ['dispute', 'pm', '2 assigned', '2 assigned'],
  ['dispute', 'pm', '2 doing', '2 doing'],
  ['dispute', 'gm', '2 doing', /只有责任人/],
  ['cancel', 'pm', '2 assigned', /没有“取消报警”的权限/],
  ['cancel', 'inspector', '2 doing', /没有“取消报警”的权限/],
  ['cancel', 'gm', '2 doing', '4'],
  ['cancel', 'gm', '2 submitted', '4'],
  ['reopen', 'pm', '3', /No Permission/],
  ['reopen', 'gm', '3', '2 assigned'],
  ['reopen', 'gm', '4', '1'],
  ['reopen', 'gm', '1', /当前为“未整改”，不能重新打开/],
  ['pass', 'steward', '1', /当前为“未整改”，不能复核通过/],
  ['cancel', 'gm', '3', /当前为“已整改”，不能取消/],
]

let server: TestServer
let people: Record<string, Person>
let manager: string
let camera: TestServer['devices'][number]
let id: string
let event = 0

beforeAll(async () => {
  server = await startTestServer()
  people = {
    pm: await server.as('pm'),
    gm: await server.as('branch_gm'),
    steward: await server.as('steward'),
    inspector: await server.as('inspector'),
    service: await server.as('service'),
  }
  const [mine] = await server.sql<{ sn: string; manager: string }>(
    `SELECT d.sn, w.manager_id AS manager FROM devices d JOIN sites w ON w.id = d.site_id JOIN users m ON m.id = w.manager_id JOIN users s ON s.id = w.steward_id
     WHERE d.type = 'camera' AND m.user_name = 'pm' AND s.user_name = 'steward' LIMIT 1`,
  )
  camera = server.devices.find((d) => d.sn === mine!.sn)!
  manager = mine!.manager
  id = await raise('smoking')
})
afterAll(() => server.stop())

async function raise(type: string, ago = 60): Promise<string> {
  await report(server.url, camera, [
    { id: `s${++event}`, kind: 'alarm', at: seconds() - ago, type, confidence: 0.9 },
  ])
  const [row] = await server.sql<{ id: string }>(
    `SELECT a.id FROM alarms a JOIN devices d ON d.id = a.device_id WHERE d.sn = $1 AND a.type = $2 ORDER BY a.id DESC LIMIT 1`,
    [camera.sn, type],
  )
  return row!.id
}
async function photo(person: Person, shade: string, taken?: string): Promise<string> {
  let picture = sharp({ create: { width: 40, height: 30, channels: 3, background: shade } }).jpeg()
  if (taken) picture = picture.withExif({ IFD2: { DateTimeOriginal: taken } })
  return uploadPhoto(server.url, person, await picture.toBuffer())
}
const shade = () => `#${(0x100000 + ++event * 977).toString(16)}`
const now = (alarm = id) => people.gm!.call(alarmsApi.details, { query: { id: alarm } })

/** Puts the alarm where a line of the table begins. */
async function stand(from: string) {
  const [code, step] = from.split(' ')
  await server.sql(
    `UPDATE alarms SET correction_status = $2::smallint, disputed = false, step = coalesce($3, CASE WHEN $2::smallint = 3 THEN 'submitted' END), round = 1, version = version + 1,
       assignee_id = CASE WHEN $2::smallint IN (2, 3) THEN $4::uuid END, corrector_id = CASE WHEN $3 = 'submitted' OR $2::smallint = 3 THEN $4::uuid END,
       due_at = to_timestamp($5), closed_at = CASE WHEN $2::smallint > 2 THEN to_timestamp($6) END, verdict = CASE WHEN $2::smallint IN (2, 3) THEN 'real' ELSE 'none' END WHERE id = $1`,
    [id, Number(code), step ?? null, manager, seconds() + 1000, seconds() - 60],
  )
  return now()
}

test.each(TABLE)(
  '%s by %s from %s arrives where docs/states.md says',
  async (command, who, from, arrives) => {
    const before = await stand(from)
    const more: Record<string, object> = {
      assign: { assignee_id: manager },
      submit: { pictures: [await photo(people[who]!, shade())] },
      back: { reason: '拍得不清楚' },
      dispute: { reason: '不是我们的人' },
      cancel: { reason: '看错了画面', cause: 'wrong' },
      reopen: { reason: '又出现了' },
    }
    const endpoint = alarmsApi[command as 'start']
    const answer = await people[who]!.ask(endpoint, {
      body: { id, version: before.version, ...more[command] },
    })
    const after = await now()
    if (typeof arrives === 'string') {
      expect(answer.msg).toBe('')
      expect([after.correctionStatus, after.step].filter(Boolean).join(' ')).toBe(arrives)
    } else {
      expect(answer.msg).toMatch(arrives)
      // What an assignment would begin with reads the clock.
      const { log: _log, assign: _assign, ...unchanged } = before
      expect(after).toMatchObject(unchanged)
    }
  },
)

test('who disputes keeps the work and the clock; what comes back has a clock again', async () => {
  const assigned = await stand('2 doing')
  await people.pm!.call(alarmsApi.dispute, {
    body: { id, version: assigned.version, reason: '这是业主的亲戚' },
  })
  expect(await now()).toMatchObject({ dueAt: assigned.dueAt, assignee_id: manager, round: 1 })
  const told = (await people.inspector!.call(notificationsApi.list, {})).list.map((n) => n.title)
  const heard = () => told.filter((title) => title.endsWith('申诉：这是业主的亲戚')).length
  expect(heard()).toBe(1)
  // Said once more before anybody answered it is one dispute; handed on, there is a new person who may.
  const disputed = await now()
  expect(disputed.disputed).toBe(true)
  const twice = await people.pm!.ask(alarmsApi.dispute, {
    body: { id, version: disputed.version, reason: '这是业主的亲戚' },
  })
  expect(twice).toMatchObject({ code: 409, msg: '已经申诉，等待项目经理改派或主管取消' })
  expect((await now()).version).toBe(disputed.version)
  await people.gm!.call(alarmsApi.assign, { body: { id, version: disputed.version, assignee_id: manager } })
  expect((await now()).disputed).toBe(false)
  const closed = await stand('3')
  await people.gm!.call(alarmsApi.reopen, { body: { id, version: closed.version, reason: '又出现了' } })
  const again = await now()
  expect(again).toMatchObject({ assignee_id: manager, corrector_id: null, closedAt: null, round: 2 })
  expect(again.dueAt! - seconds()).toBeGreaterThan(23 * 3600)
})

test('who assigns is offered the site’s steward, and told until when', async () => {
  const open = await stand('1')
  const [{ steward }] = (await server.sql<{ steward: string }>(
    'SELECT w.steward_id AS steward FROM sites w WHERE w.id = $1',
    [open.site_id],
  )) as [{ steward: string }]
  expect(open.assign!.steward!.id).toBe(steward)
  await people.gm!.call(alarmsApi.assign, { body: { id, version: open.version, assignee_id: steward } })
  const given = await now()
  expect(Math.abs(given.dueAt! - open.assign!.dueAt!)).toBeLessThan(60)
  // Handed on the clock runs on; who cannot assign is told nothing of it.
  expect(given.assign!.dueAt).toBe(given.dueAt)
  expect((await people.steward!.call(alarmsApi.details, { query: { id } })).assign).toBe(null)
  expect((await stand('3')).assign).toBe(null)
})

test('a supervisor who corrects does not cancel it himself', async () => {
  const open = await stand('1')
  const gm = (await server.sql<{ id: string }>(`SELECT id FROM users WHERE user_name = 'branch_gm'`))[0]!.id
  await people.gm!.call(alarmsApi.assign, { body: { id, version: open.version, assignee_id: gm } })
  const answer = await people.gm!.ask(alarmsApi.cancel, {
    body: { id, version: open.version + 1, cause: 'wrong', reason: '看错了' },
  })
  expect(answer.msg).toContain('责任人不能取消自己的整改')
  expect((await now()).correctionStatus).toBe(2)
})

test('a picture proves one alarm, and was taken after it', async () => {
  const pm = people.pm!
  const submit = async (alarm: string, key: string) =>
    pm.ask(alarmsApi.submit, { body: { id: alarm, version: (await now(alarm)).version, pictures: [key] } })
  const first = await stand('2 doing')
  const old = await photo(pm, shade(), '2020:05:01 10:00:00')
  expect((await submit(id, old)).msg).toContain('必须在发现问题之后拍摄，这张拍摄于 2020-05-01 10:00')
  const grey = shade()
  const key = await photo(pm, grey)
  expect((await submit(id, key)).code).toBe(200)
  const { no } = (await people.gm!.call(correctionsApi.list, { query: { id } })).list[0]!
  const other = await raise('noclothes')
  await pm.call(alarmsApi.assign, { body: { id: other, version: 0, assignee_id: manager } })
  // The same file, and the same photograph uploaded once more.
  for (const again of [key, await photo(pm, grey)])
    expect((await submit(other, again)).msg).toMatch(
      new RegExp(`^这张照片已经用于另一条记录：.+ 整改单 ${no}，请重新拍摄$`),
    )
  expect(await now(other)).toMatchObject({ correctionStatus: 2, step: 'assigned' })
  expect(await server.sql('SELECT site_id, proves FROM files WHERE key = $1', [key])).toEqual([
    { site_id: first.site_id, proves: id },
  ])
})

test('work is offered and given to those who see the site, and to no others', async () => {
  const open = await stand('1')
  const offered = await people.gm!.call(usersApi.pick, { query: { site_id: open.site_id } })
  const names = await server.sql<{ user_name: string }>(
    'SELECT user_name FROM users WHERE id = ANY ($1) ORDER BY 1',
    [offered.map((p) => p.id)],
  )
  expect(names.map((n) => n.user_name)).toEqual(['branch_gm', 'pm', 'steward'])
  const [stranger] = await server.sql<{ id: string }>(
    `SELECT u.id FROM users u JOIN user_roles ur ON ur.user_id = u.id JOIN roles r ON r.id = ur.role_id JOIN sites w ON w.bc_id = u.bc_id
     WHERE w.id = $1 AND r.code = 'pm' AND u.id <> w.manager_id LIMIT 1`,
    [open.site_id],
  )
  const answer = await people.gm!.ask(alarmsApi.assign, {
    body: { id, version: open.version, assignee_id: stranger!.id },
  })
  expect(answer.status).toBe(403)
  expect((await now()).correctionStatus).toBe(1)
})

test('an alarm that nobody judges runs out of its own time, and every figure counts it', async () => {
  const late = async () => ({
    list: (await people.gm!.call(alarmsApi.list, { query: { overdue: true } })).totalCount,
    card: (await people.gm!.call(homeApi.cards, {})).figures.find((c) => c.card === 'overdue')!.value,
  })
  // A branch without working hours of its own: a day is a day.
  await server.sql(`DELETE FROM settings WHERE key IN ('workStart', 'workEnd')`)
  await stand('4')
  const before = await late()
  expect(before.card).toBe(before.list)
  const unjudged = await raise('cameraproblem', 25 * 3600)
  expect((await now(unjudged)).dueAt).toBe((await now(unjudged)).at + 24 * 3600)
  expect(await late()).toEqual({ list: before.list + 1, card: before.card! + 1 })
})

test('the list begins with what is worst: overdue longest, then the next deadline, closed ones last', async () => {
  await server.sql('DELETE FROM alarm_logs')
  await server.sql('DELETE FROM alarms')
  const at = { smoking: await raise('smoking', 500), noclothes: await raise('noclothes', 400) }
  const closed = await raise('cameraproblem', 5)
  const day = 86_400
  const due = (alarm: string, in_: number, status = 1) =>
    server.sql(
      'UPDATE alarms SET due_at = to_timestamp($2), correction_status = $3::smallint WHERE id = $1',
      [alarm, seconds() + in_, status],
    )
  await due(closed, -3 * day, 3)
  await due(at.smoking, 3600)
  await due(at.noclothes, -day)
  const order = async (query: object = {}) =>
    (await people.gm!.call(alarmsApi.list, { query })).list.map((a) => a.id)
  expect(await order()).toEqual([at.noclothes, at.smoking, closed])
  expect(await order({ sort: ['-at'] })).toEqual([closed, at.noclothes, at.smoking])
  expect(await order({ sort: ['-lastSeen'] })).toEqual([closed, at.noclothes, at.smoking])
})
