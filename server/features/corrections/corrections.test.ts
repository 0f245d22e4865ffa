import { api } from '@zhuguan/contract/api.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { draw } from '../../../simulator/pictures.ts'
import { report, sendFile } from '../../testing/device.ts'
import { uploadPhoto } from '../../testing/photo.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { seconds } from '../../testing/time.ts'
import { remind } from '../notifications/reminders.service.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { correctionReminders } from './reminding.service.ts'

let server: TestServer
let gm: Person, pm: Person, inspector: Person
let site: { id: string; bc_id: string; manager: string; steward: string }
beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  pm = await server.as('pm')
  inspector = await server.as('inspector')
  const [row] = await server.sql<typeof site>(
    `SELECT w.id, w.bc_id, w.manager_id AS manager, w.steward_id AS steward
     FROM sites w
     JOIN users m ON m.id = w.manager_id AND m.user_name = 'pm'
     JOIN users s ON s.id = w.steward_id AND s.user_name = 'steward'
     WHERE w.status = 1
     ORDER BY w.code LIMIT 1`,
  )
  site = row!
})
afterAll(() => server.stop())

const photo = (person: Person) => uploadPhoto(server.url, person)
/** A check of tidiness that was poor, and the correction that the inspector makes of it. */
async function fromCheck(problem = '客厅垃圾未清', assignee = site.manager) {
  const [check] = await server.sql<{ id: string }>(
    `INSERT INTO tidiness_checks (tenant_id, id, bc_id, site_id, at, result)
     SELECT tenant_id, gen_random_uuid(), bc_id, id, :now, 3 FROM sites WHERE id = $1
     RETURNING id`,
    [site.id],
  )
  const { id } = await inspector.call(api.tidiness.correct, {
    body: { id: check!.id, version: 0, problem, assignee_id: assignee },
  })
  return { id, check: check!.id }
}
const row = async (who: Person, id: string) =>
  (await who.call(api.corrections.list, { query: { id } })).list[0]!
const notices = async (who: Person, id: string) =>
  (await who.call(api.notifications.list)).list.filter((n) => n.link.includes(id) && !n.read)

test('a poor check becomes one correction: handed on, sent back, corrected again and verified by another', async () => {
  const { id, check } = await fromCheck()
  expect(await row(gm, id)).toMatchObject({
    source: 'tidiness',
    source_id: check,
    problem: '客厅垃圾未清',
    correctionStatus: 2,
    step: 'assigned',
    turn: 'correct',
    round: 1,
    assignee_id: site.manager,
  })
  expect(await notices(pm, id)).toHaveLength(1)
  const again = await inspector.ask(api.tidiness.correct, {
    body: { id: check, version: 1, problem: '客厅垃圾未清', assignee_id: site.manager },
  })
  expect(again).toMatchObject({ code: 409, msg: '这次检查已经生成整改单' })

  await pm.call(api.corrections.start, { body: { id, version: 0 } })
  const other = await fromCheck('卫生间材料未归堆')
  const first = await photo(pm)
  await pm.call(api.corrections.submit, { body: { id, version: 1, pictures: [first], text: '已清运' } })
  expect(await row(gm, id)).toMatchObject({ turn: 'verify', step: 'submitted' })
  expect(await notices(pm, id)).toHaveLength(0)
  // The one who corrected does not verify.
  expect(await pm.ask(api.corrections.pass, { body: { id, version: 2 } })).toMatchObject({
    code: 409,
    msg: '整改人不能复核自己的整改，请由他人复核',
  })
  await inspector.call(api.corrections.back, { body: { id, version: 2, reason: '墙角还有' } })
  expect(await row(gm, id)).toMatchObject({ turn: 'correct', round: 2, correctionStatus: 2 })
  // A picture proves one thing once.
  const twice = await pm.ask(api.corrections.submit, {
    body: { id: other.id, version: 0, pictures: [first], text: '' },
  })
  expect(twice.code).toBe(400)
  expect(twice.msg).toContain('已经用于另一条记录')

  await pm.call(api.corrections.submit, {
    body: { id, version: 3, pictures: [await photo(pm)], text: '' },
  })
  await inspector.call(api.corrections.pass, { body: { id, version: 4 } })
  const done = await inspector.call(api.corrections.details, { query: { id } })
  expect(done).toMatchObject({ correctionStatus: 3, turn: 'none', verifiedBy: '罗桂芳' })
  expect(done.log.map((l) => l.action)).toEqual([
    '发现问题',
    '开始整改',
    '提交整改照片',
    '退回',
    '提交整改照片',
    '复核通过',
  ])
  const [told] = await server.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM site_events WHERE ref_id = $1 AND kind = 'correction'`,
    [id],
  )
  expect(told!.n).toBe(6)
})

test('the check judged anew cancels no correction: its thread and its page say so', async () => {
  const { id, check } = await fromCheck('走道堆满板材')
  const details = () => gm.call(api.corrections.details, { query: { id } })
  expect((await details()).tidiness).toBe(3)
  await inspector.call(api.tidiness.judge, {
    body: { id: check, version: 1, result: 1, reason: '看错了工地' },
  })
  const after = await details()
  expect(after).toMatchObject({
    tidiness: 1,
    correctionStatus: 2,
    step: 'assigned',
    closedAt: null,
    version: 0,
  })
  expect(after.log.at(-1)).toMatchObject({ action: '整洁度已改判为优', text: '看错了工地', actor: '罗桂芳' })
})

test('two at once: one wins, the other is told who was faster, and nothing happens twice', async () => {
  const { id } = await fromCheck('阳台杂物')
  const both = await Promise.all(
    [gm, inspector].map((who) =>
      who.ask(api.corrections.assign, { body: { id, version: 0, assignee_id: site.steward } }),
    ),
  )
  expect(both.map((a) => a.code).sort()).toEqual([200, 409])
  expect(both.find((a) => a.code === 409)!.msg).toMatch(/^已被 .+ 于 .+ 处理/)
  const { log } = await gm.call(api.corrections.details, { query: { id } })
  expect(log.filter((l) => l.action === '指派')).toHaveLength(1)
})

test('urging tells whose turn it is, once an hour, and stops nobody who is at work on it', async () => {
  const { id } = await fromCheck('楼道堆料')
  expect(await inspector.call(api.corrections.urge, { body: { id, version: 0 } })).toEqual({ told: 1 })
  expect((await notices(pm, id)).some((n) => n.title.includes('催办'))).toBe(true)
  expect(await inspector.ask(api.corrections.urge, { body: { id, version: 0 } })).toMatchObject({
    code: 409,
    msg: '一小时内已经催办过，请稍后再催',
  })
  await pm.call(api.corrections.start, { body: { id, version: 0 } })
})

test('the dispute stands until it is answered; a supervisor cancels what is being corrected', async () => {
  const { id } = await fromCheck('厨房未打扫')
  await pm.call(api.corrections.dispute, { body: { id, version: 0, reason: '不是我们的工序' } })
  expect(await row(gm, id)).toMatchObject({ disputed: true, turn: 'answer', correctionStatus: 2 })
  expect(
    await inspector.ask(api.corrections.cancel, { body: { id, version: 1, cause: 'wrong', reason: '误判' } }),
  ).toMatchObject({ code: 409 })
  await gm.call(api.corrections.cancel, { body: { id, version: 1, cause: 'wrong', reason: '不属本工序' } })
  expect(await row(gm, id)).toMatchObject({ correctionStatus: 4, turn: 'none' })
  await gm.call(api.corrections.reopen, { body: { id, version: 2, reason: '复查属实' } })
  expect(await row(gm, id)).toMatchObject({
    correctionStatus: 1,
    turn: 'assign',
    assignee_id: null,
    round: 2,
  })
})

test('an alarm is one row of both lists: changed from either, by the rights of alarms', async () => {
  const camera = server.devices.find((d) => d.site === site.id && d.type === 'camera')!
  await report(server.url, camera, [
    { id: 'both-lists', kind: 'alarm', at: seconds() - 5, type: 'smoking', confidence: 0.9 },
  ])
  const [alarm] = await server.sql<{ id: string }>(
    `SELECT id FROM alarms WHERE device_id = (SELECT id FROM devices WHERE sn = $1) AND correction_status = 1
       AND type = 'smoking'`,
    [camera.sn],
  )
  const { id } = alarm!
  expect(await row(inspector, id)).toMatchObject({ source: 'alarm', problem: '抽烟', turn: 'assign' })
  await inspector.call(api.corrections.assign, { body: { id, version: 0, assignee_id: site.manager } })
  const now = await inspector.call(api.alarms.details, { query: { id } })
  expect(now).toMatchObject({ correctionStatus: 2, verdict: 'real', version: 1, assignee_id: site.manager })
  await inspector.ask(api.alarms.assign, { body: { id, version: 1, assignee_id: site.steward } })
  expect(await row(inspector, id)).toMatchObject({ assignee_id: site.steward, version: 2 })
  // An alarm's right does not reach what a check found, and the other way round.
  await server.sql(
    `DELETE FROM role_powers p USING roles r WHERE r.id = p.role_id AND r.code = 'inspector'
       AND p.label = 'alarm:assign'`,
  )
  const inspector2 = await server.as('inspector')
  const refused = await inspector2.ask(api.corrections.assign, {
    body: { id, version: 2, assignee_id: site.manager },
  })
  expect(refused).toMatchObject({ code: 409 })
  expect(refused.msg).toContain('没有“指派”的权限')
})

/** What this person downloads of a picture. */
async function download(who: Person, key: string, size: 'full' | 'medium' | 'thumb'): Promise<Buffer> {
  const answer = await fetch(`${server.url}${api.files.get.path}?key=${key}&size=${size}`, {
    headers: { token: who.token, 'tenant-id': who.tenant },
  })
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.arrayBuffer())
}
/** A room as a hand holds the phone. */
const roomPhoto = (hand: { x: number; turn: number }) =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1200">
      <rect width="100%" height="100%" fill="#d8d2c6"/>
      <g transform="translate(${hand.x} 0) rotate(${hand.turn} 800 600)">
        <rect x="200" y="150" width="420" height="480" fill="#7fa3bd"/>
        <rect x="900" y="420" width="380" height="600" fill="#5a4632"/>
        <rect x="-200" y="980" width="2000" height="400" fill="#8d8374"/>
      </g></svg>`),
  )
    .jpeg()
    .toBuffer()

test('no copy proves a thing: not of the alarm’s own picture, not of a photo that proves another', async () => {
  await server.sql(
    `INSERT INTO settings (tenant_id, bc_id, key, value) VALUES ($1, $2, 'watermark', 'true')`,
    [pm.tenant, site.bc_id],
  )
  const camera = server.devices.filter((d) => d.site === site.id && d.type === 'camera').at(-1)!
  const seen = await draw({ type: 'noclothes', variant: 2, camera: camera.sn, time: '2026-11-22 10:00:00' })
  const { data } = await sendFile(server.url, camera, seen)
  await report(server.url, camera, [
    { id: 'copied', kind: 'alarm', at: seconds() - 5, type: 'smoking', confidence: 0.9, picture: data.key },
  ])
  const [alarm] = await server.sql<{ id: string; version: number }>(
    'SELECT id, version FROM alarms WHERE picture = $1',
    [data.key],
  )
  const { id } = alarm!
  await gm.call(api.alarms.assign, {
    body: { id, version: alarm!.version, assignee_id: site.manager },
  })
  const submit = async (of: string, bytes: Buffer) => {
    const pictures = [await uploadPhoto(server.url, pm, bytes)]
    const { version } = await row(gm, of)
    return pm.ask(api.corrections.submit, { body: { id: of, version, pictures, text: '' } })
  }
  const marked = await download(pm, data.key, 'full')
  const copies = {
    marked,
    medium: await download(pm, data.key, 'medium'),
    thumb: await download(pm, data.key, 'thumb'),
    small: await sharp(marked).resize(320).jpeg({ quality: 50 }).toBuffer(),
    other: await sharp(marked).png().toBuffer(),
  }
  for (const [how, bytes] of Object.entries(copies))
    expect(await submit(id, bytes), how).toMatchObject({
      code: 400,
      msg: '这是发现问题时的照片，请拍摄整改后的现场',
    })
  expect((await row(gm, id)).step).toBe('assigned')
  // The same camera once nobody stands there any more shows another thing.
  const empty = await draw({ type: 'tidiness', variant: 2, camera: camera.sn, time: '2026-11-22 11:10:00' })
  expect((await submit(id, empty)).code).toBe(200)

  const first = await fromCheck('窗台有灰')
  expect((await submit(first.id, await roomPhoto({ x: 0, turn: 0 }))).code).toBe(200)
  const { pictures } = (await gm.call(api.corrections.details, { query: { id: first.id } })).log.at(-1)!
  const second = await fromCheck('窗台又有灰')
  for (const size of ['full', 'thumb'] as const) {
    const again = await submit(second.id, await download(gm, pictures[0]!, size))
    expect(again, size).toMatchObject({ code: 400, msg: expect.stringContaining('已经用于另一条记录') })
  }
  expect((await submit(second.id, await roomPhoto({ x: 25, turn: 0.8 }))).code).toBe(200)
})

/** A wall with its tiles as a phone sees it from where somebody stands; each photo has a grain of its own. */
const wallPhoto = (stand: { x: number; turn: number; bucket?: boolean }) =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1200">
      <rect width="100%" height="100%" fill="#cfc8ba"/>
      <g transform="translate(${stand.x} 0) rotate(${stand.turn} 800 600)">
        <rect x="120" y="100" width="300" height="260" fill="#eef0ee"/>
        <rect x="430" y="100" width="300" height="260" fill="#e2e6e4"/>
        <rect x="120" y="370" width="300" height="260" fill="#9fb2b8"/>
        <rect x="1040" y="180" width="340" height="820" fill="#5a4632"/>
        <circle cx="640" cy="760" r="120" fill="#33424a"/>
        ${stand.bucket ? '<rect x="820" y="860" width="180" height="220" fill="#c2452d"/>' : ''}
      </g></svg>`),
  )
    .composite([
      {
        input: {
          create: {
            width: 1600,
            height: 1200,
            channels: 3,
            background: '#888',
            noise: { type: 'gaussian', mean: 128, sigma: 6 },
          },
        },
        blend: 'soft-light',
      },
    ])
    .jpeg({ quality: 85 })
    .toBuffer()

test('a photo made smaller or with its edges cut off is still the one that proves another correction', async () => {
  const submit = async (of: string, bytes: Buffer) => {
    const pictures = [await uploadPhoto(server.url, pm, bytes)]
    const { version } = await row(gm, of)
    return pm.ask(api.corrections.submit, { body: { id: of, version, pictures, text: '' } })
  }
  const first = await fromCheck('墙砖空鼓')
  const original = await wallPhoto({ x: 0, turn: 0 })
  expect((await submit(first.id, original)).code).toBe(200)
  const { no, siteName } = await row(gm, first.id)

  const second = await fromCheck('墙砖缝未填')
  const cut = (bytes: Buffer, width: number, height: number) =>
    sharp(bytes).extract({ left: 10, top: 10, width: width - 20, height: height - 20 })
  const small = await sharp(original).resize(320, 240).jpeg({ quality: 60 }).toBuffer()
  const copies = {
    smaller: small,
    'ten pixels cut off': await cut(original, 1600, 1200).jpeg().toBuffer(),
    'cut off at two sides': await sharp(original)
      .extract({ left: 10, top: 0, width: 1590, height: 1190 })
      .png()
      .toBuffer(),
    'cut, then smaller': await sharp(await cut(original, 1600, 1200).png().toBuffer())
      .resize(640)
      .jpeg({ quality: 50 })
      .toBuffer(),
    'smaller, then cut': await cut(small, 320, 240).jpeg().toBuffer(),
  }
  for (const [how, bytes] of Object.entries(copies))
    expect(await submit(second.id, bytes), how).toMatchObject({
      code: 400,
      msg: `这张照片已经用于另一条记录：${siteName} 整改单 ${no}，缩小、裁剪过的也算，请重新拍摄`,
    })
  expect(await row(gm, second.id)).toMatchObject({ step: 'assigned', turn: 'correct' })

  // The other way round: what was cut off came first.
  const part = await fromCheck('阳台墙面开裂')
  const whole = await fromCheck('阳台墙面返碱')
  const balcony = await wallPhoto({ x: 300, turn: 12 })
  expect((await submit(part.id, await cut(balcony, 1600, 1200).jpeg().toBuffer())).code).toBe(200)
  expect((await submit(whole.id, balcony)).msg).toContain('缩小、裁剪过的也算')

  // The same wall photographed again is another photo: a step aside, and with a bucket where nobody moved.
  expect((await submit(second.id, await wallPhoto({ x: 30, turn: 1 }))).code).toBe(200)
  const third = await fromCheck('墙边堆放材料')
  expect((await submit(third.id, await wallPhoto({ x: 0, turn: 0, bucket: true }))).code).toBe(200)
})

test('a photo of another site proves nothing here; who does not reach that site is not told which', async () => {
  const [other] = await server.sql<{ id: string; ws_name: string; manager: string }>(
    `SELECT w.id, w.ws_name, w.manager_id AS manager FROM sites w
     WHERE w.bc_id = $1 AND w.status = 1 AND w.manager_id <> $2 ORDER BY w.code LIMIT 1`,
    [site.bc_id, site.manager],
  )
  // Proof of another site, as its own people handed it in.
  const kept = await uploadPhoto(server.url, gm, await wallPhoto({ x: -200, turn: 5 }))
  await server.sql('UPDATE files SET bc_id = $2, site_id = $3, proves = gen_random_uuid() WHERE key = $1', [
    kept,
    site.bc_id,
    other!.id,
  ])
  const { id } = await fromCheck('踢脚线未装')
  const small = await sharp(await wallPhoto({ x: -200, turn: 5 }))
    .resize(320)
    .jpeg()
    .toBuffer()
  const pictures = [await uploadPhoto(server.url, pm, small)]
  const refused = await pm.ask(api.corrections.submit, { body: { id, version: 0, pictures, text: '' } })
  expect(refused).toMatchObject({
    code: 400,
    msg: '这张照片已经用于另一条记录，缩小、裁剪过的也算，请重新拍摄',
  })
  // Whoever reads the branch is told where it stands.
  const { version } = await row(gm, id)
  const [me] = await server.sql<{ id: string }>(`SELECT id FROM users WHERE user_name = 'branch_gm'`)
  await gm.call(api.corrections.assign, { body: { id, version, assignee_id: me!.id } })
  const again = await gm.ask(api.corrections.submit, {
    body: { id, version: version + 1, pictures: [await uploadPhoto(server.url, gm, small)], text: '' },
  })
  expect(again.code).toBe(400)
  expect(again.msg).toContain(other!.ws_name)
})

test('a camera whose clock is ahead proves nothing; a few minutes are forgiven', async () => {
  const { id } = await fromCheck('插座盒未装盖')
  const taken = async (ahead: number) => {
    const written = new Date((seconds() + ahead) * 1000 + 8 * 3_600_000)
      .toISOString()
      .slice(0, 19)
      .replaceAll('-', ':')
      .replace('T', ' ')
    const bytes = await sharp(await wallPhoto({ x: 500, turn: 20 + ahead / 100_000 }))
      .withExif({ IFD2: { DateTimeOriginal: written } })
      .jpeg()
      .toBuffer()
    const pictures = [await uploadPhoto(server.url, pm, bytes)]
    return pm.ask(api.corrections.submit, { body: { id, version: 0, pictures, text: '' } })
  }
  for (const ahead of [3 * 365 * 86_400, 3600, 400]) {
    const refused = await taken(ahead)
    expect(refused.code).toBe(400)
    expect(refused.msg).toContain('比上传的时间还晚，请把相机的时间调准后重新拍摄')
  }
  expect((await row(gm, id)).step).toBe('assigned')
  expect((await taken(120)).code).toBe(200)
})

test('of another branch and another group: not in the list, not by number, not by command', async () => {
  const { id } = await fromCheck('飘窗积灰')
  for (const stranger of ['branch_gm2', 'other']) {
    const who = await server.as(stranger)
    expect((await who.call(api.corrections.list, { query: { id } })).list).toEqual([])
    expect((await who.ask(api.corrections.details, { query: { id } })).code).toBe(403)
    expect((await who.ask(api.corrections.urge, { body: { id, version: 0 } })).code).toBe(403)
  }
})

test('what waits for me, what is overdue, and the total of all are what the rows say', async () => {
  const mine = await pm.call(api.corrections.list, { query: { todo: 'correct', pageSize: 100 } })
  expect(mine.list.length).toBeGreaterThan(0)
  expect(mine.list.every((c) => c.assignee_id === site.manager && c.turn !== 'verify')).toBe(true)
  await server.sql(
    `UPDATE corrections SET due_at = :now - interval '1 hour' WHERE source = 'tidiness' AND correction_status = 2`,
  )
  const late = await gm.call(api.corrections.list, { query: { overdue: true, source: ['tidiness'] } })
  const [n] = await server.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM corrections
     WHERE source = 'tidiness' AND correction_status IN (1, 2) AND due_at < :now AND bc_id = $1`,
    [site.bc_id],
  )
  expect(late.totalCount).toBe(n!.n)
  const all = await gm.call(api.corrections.list, {})
  const [every] = await server.sql<{ n: number }>(
    'SELECT count(*)::int AS n FROM corrections WHERE bc_id = $1',
    [site.bc_id],
  )
  expect(all.totalCount).toBe(every!.n)
})

test('who is late is reminded once a step: the corrector, then who supervises; acted on, nobody is', async () => {
  const [{ tenant_id: tenant }] = (await server.sql<{ tenant_id: string }>(
    'SELECT tenant_id FROM corrections WHERE bc_id = $1 LIMIT 1',
    [site.bc_id],
  )) as [{ tenant_id: string }]
  const look = () =>
    server.db.tx({ ...SYSTEM, tenant, system: false }, async (tx) => {
      for (const source of correctionReminders) await remind(tx, tenant, source)
    })
  // What else is late by now is told before: of many at once there is one message.
  await look()
  const { id } = await fromCheck('电箱未盖')
  const remindAt = async (hours: number) => {
    await server.sql("UPDATE corrections SET due_at = :now + $2::int * interval '1 hour' WHERE id = $1", [
      id,
      hours,
    ])
    await look()
  }
  const titles = async (who: Person) => (await notices(who, id)).map((n) => n.title)
  await remindAt(1)
  await remindAt(1)
  expect(await titles(pm)).toEqual([expect.stringContaining('快到截止时间，请整改')])
  expect(await titles(gm)).toEqual([])
  await remindAt(-1)
  expect(await titles(pm)).toEqual([expect.stringContaining('已超期，请整改')])
  expect(await titles(gm)).toEqual([])
  await remindAt(-25)
  expect(await titles(gm)).toEqual([expect.stringContaining('超期已满一天，仍未办结')])
  await pm.call(api.corrections.start, { body: { id, version: 0 } })
  expect([await titles(pm), await titles(gm)]).toEqual([[], []])
})

test('the site’s timeline marks what its alarms and checks were, and is narrowed by it', async () => {
  const camera = server.devices.find((d) => d.site === site.id && d.type === 'camera')!
  await report(server.url, camera, [
    { id: 'marked-alarm', kind: 'alarm', at: seconds() - 4, type: 'noclothes', confidence: 0.9 },
    { id: 'marked-check', kind: 'tidiness', at: seconds() - 3, result: 3, confidence: 0.9 },
  ])
  const marked = async (marks: ('noclothes' | 'poor' | 'excellent')[]) =>
    (await gm.call(api.timeline.list, { query: { site_id: site.id, marks } })).list
  for (const mark of ['noclothes', 'poor'] as const) {
    const list = await marked([mark])
    expect(list.length).toBeGreaterThan(0)
    expect(list.every((e) => e.mark === mark)).toBe(true)
  }
  const both = await marked(['noclothes', 'poor'])
  expect(new Set(both.map((e) => e.mark))).toEqual(new Set(['noclothes', 'poor']))
  const poor = both.find((e) => e.mark === 'poor')!
  await gm.call(api.tidiness.judge, {
    body: { id: poor.ref_id!, version: 0, result: 1, reason: '材料已归堆' },
  })
  // What was judged anew is marked by the verdict that counts.
  expect((await marked(['excellent'])).some((e) => e.ref_id === poor.ref_id)).toBe(true)
})

test('a site is not finished while something of it is to be corrected', async () => {
  const { id } = await fromCheck('门槛石未收口')
  await server.sql('UPDATE sites SET progress = 100, open_alarms = 0 WHERE id = $1', [site.id])
  const version = async () => {
    const [w] = await server.sql<{ version: number }>('SELECT version FROM sites WHERE id = $1', [site.id])
    return w!.version
  }
  const body = { id: site.id, action: 'finish' as const, reason: '已完成', version: await version() }
  const refused = await gm.ask(api.sites.state, { body })
  expect(refused.code).toBe(409)
  expect(refused.msg).toMatch(/^还有 \d+ 张整改单没有办结，不能完工$/)
  const [after] = await server.sql<{ status: number }>('SELECT status FROM sites WHERE id = $1', [site.id])
  expect(after!.status).toBe(1)
  expect((await row(gm, id)).correctionStatus).toBe(2)
})
