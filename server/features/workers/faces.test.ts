import { attendanceApi } from '@zhuguan/contract/features/attendance/attendance.api.ts'
import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { facesApi } from '@zhuguan/contract/features/workers/faces.api.ts'
import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import type { WorkerRow } from '@zhuguan/contract/features/workers/workers.record.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { report } from '../../testing/device.ts'
import { plainJpeg, uploadPhoto } from '../../testing/photo.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { testNow } from '../../testing/time.ts'

let server: TestServer
let gm: Person
let pm: Person
let team: string[]
const today = shanghaiDay(testNow())
beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  pm = await server.as('pm')
  const mine = new Set(
    (await pm.call(sitesApi.list, { query: { pageSize: 100, status: '1' } })).list.map((s) => s.id),
  )
  team = server.devices.find(
    (d) => d.type === 'faceTerminal' && d.workers.length > 4 && mine.has(d.site),
  )!.workers
})
afterAll(() => server.stop())

const one = async (w_id: string): Promise<WorkerRow> =>
  (await gm.call(workersApi.list, { query: { keyword: w_id } })).list.find((w) => w.w_id === w_id)!
const idsWith = async (face: string) =>
  (await gm.call(workersApi.list, { query: { face, pageSize: 100 } })).list.map((w) => w.w_id)
const uploaded = async (who: Person) =>
  uploadPhoto(server.url, who, await plainJpeg('#b98', { width: 300, height: 300 }))
const picture = async (who: Person, key: string, size: 'full' | 'thumb' = 'full') =>
  (await who.ask(filesApi.get, { query: { key, size } })).status
const said = { how: 'spoken', answeredOn: today, scope: '只用于工地考勤打卡' } as const
const answer = (who: Person, w: WorkerRow, more: object = {}) =>
  who.ask(facesApi.answer, { body: { id: w.id, version: w.version, answer: 1, ...said, ...more } })
const withdraw = (who: Person, w: WorkerRow) =>
  who.ask(facesApi.withdraw, { body: { id: w.id, version: w.version, reason: '本人要求' } })
const face = (who: Person, w: WorkerRow, key: string) =>
  who.ask(workersApi.face, { body: { id: w.id, version: w.version, key } })
const faceFiles = () => server.sql("SELECT key FROM files WHERE kind = 'face'")

test('a face is taken after consent only; who sees the worker sees it; deleted, the consent stays', async () => {
  const w_id = team[0]!
  let w = await one(w_id)
  expect(w).toMatchObject({ face: 2, w_face: null })
  const key = await uploaded(pm)
  expect(await face(pm, w, key)).toMatchObject({
    code: 409,
    msg: expect.stringContaining('请先登记本人的同意'),
  })
  expect(await one(w_id)).toEqual(w)
  expect(await faceFiles()).toEqual([])

  expect(await answer(pm, w, { how: 'written' })).toMatchObject({
    code: 400,
    msg: expect.stringContaining('签字'),
  })
  expect(await answer(pm, w, { answeredOn: addDays(today, 1) })).toMatchObject({ code: 400 })
  const proof = await uploaded(pm)
  expect((await answer(pm, w, { how: 'written', proof })).msg).toBe('')
  w = await one(w_id)
  expect(w.face).toBe(3)
  expect(await idsWith('3')).toEqual([w_id])
  // Somebody else's upload becomes nobody's face.
  expect(await face(gm, w, key)).toMatchObject({ status: 403 })
  expect((await face(pm, w, key)).msg).toBe('')
  w = await one(w_id)
  expect(w).toMatchObject({ face: 1, w_face: key })
  expect(await idsWith('1')).toEqual([w_id])
  for (const [who, sees, proves] of [
    ['branch_gm', 200, 200],
    ['steward', 200, 200],
    ['hq_ops', 200, 403],
    ['branch_gm2', 403, 403],
    ['other', 403, 403],
    ['device_keeper', 403, 403],
    ['pm2', 403, 403],
  ] as const) {
    const person = await server.as(who)
    expect([await picture(person, key), await picture(person, proof)], who).toEqual([sees, proves])
  }
  const told = (who: Person) => who.call(facesApi.consents, { query: { worker_id: w.id } })
  expect(await told(gm)).toMatchObject([{ state: 1, how: 'written', answeredOn: today, proof }])
  expect(await told(await server.as('hq_ops'))).toMatchObject([{ state: 1, proof: null }])
  // A second yes is none; another worker may not be given the same picture.
  expect(await answer(pm, w)).toMatchObject({ code: 409 })
  const other = await one(team[1]!)
  expect((await answer(pm, other)).msg).toBe('')
  expect((await face(pm, await one(team[1]!), key)).msg).toBe('这张照片已经用过，请另拍一张')

  const again = await uploaded(pm)
  expect((await face(pm, w, again)).msg).toBe('')
  expect(await picture(pm, key)).toBe(403)
  w = await one(w_id)
  await gm.call(workersApi.forgetFace, { body: { id: w.id, version: w.version, reason: '照片太旧' } })
  expect(await picture(pm, again)).toBe(403)
  w = await one(w_id)
  expect(w).toMatchObject({ face: 3, w_face: null })
  expect(
    await gm.ask(workersApi.forgetFace, { body: { id: w.id, version: w.version, reason: '再删' } }),
  ).toMatchObject({ code: 409 })
})

test('taken back, consent and face end in one step, by every size of the picture; the log says so', async () => {
  const w_id = team[2]!
  expect(await withdraw(pm, await one(w_id))).toMatchObject({
    code: 409,
    msg: expect.stringContaining('没有可以撤回'),
  })
  await answer(pm, await one(w_id))
  const key = await uploaded(pm)
  // Whoever took the picture has looked at it before it was anybody's face.
  expect([await picture(pm, key, 'thumb'), await picture(pm, key)]).toEqual([200, 200])
  expect((await face(pm, await one(w_id), key)).msg).toBe('')
  expect(await picture(gm, key, 'thumb')).toBe(200)
  expect((await withdraw(await server.as('steward'), await one(w_id))).msg).toBe('')
  for (const who of [gm, pm])
    for (const size of ['thumb', 'full'] as const) expect(await picture(who, key, size)).toBe(403)
  expect(await faceFiles()).toEqual([])
  const w = await one(w_id)
  expect(w).toMatchObject({ face: 5, w_face: null })
  expect(await face(pm, w, await uploaded(pm))).toMatchObject({ code: 409 })
  expect(await gm.call(facesApi.consents, { query: { worker_id: w.id } })).toMatchObject([
    { state: 3, withdrawnWhy: '本人要求', withdrawnAt: expect.any(Number) },
  ])
  const log = await server.sql<{ action: string }>(
    `SELECT action FROM user_logs WHERE object = 'worker' AND object_id = $1 ORDER BY id`,
    [w.id],
  )
  expect(log.map((l) => l.action)).toEqual(['登记人脸同意', '录入人脸', '撤回人脸同意'])
  // Asked again they may agree again: both answers stand.
  expect((await answer(pm, w)).msg).toBe('')
  const states = (await gm.call(facesApi.consents, { query: { worker_id: w.id } })).map((c) => c.state)
  expect(states).toEqual([1, 3])
})

test('a face from before consents were kept waits for one: a yes keeps it, a no destroys it', async () => {
  const old = team.slice(3, 5)
  for (const w_id of old) {
    const key = await uploaded(pm)
    // As the release before writes it.
    await server.sql(`UPDATE files SET kind = 'face' WHERE key = $1`, [key])
    await server.sql(
      `UPDATE workers SET w_face = $2, consent_how = 'paper', consent_at = :now, consent_by = '入职登记'
       WHERE tenant_id = $3 AND w_id = $1`,
      [w_id, key, pm.tenant],
    )
  }
  expect((await idsWith('4')).toSorted()).toEqual(old.toSorted())
  const [yes, no] = [await one(old[0]!), await one(old[1]!)]
  expect((await answer(pm, yes)).msg).toBe('')
  expect(await one(old[0]!)).toMatchObject({ face: 1, w_face: yes.w_face })
  expect((await answer(pm, no, { answer: 2 })).msg).toBe('')
  expect(await one(old[1]!)).toMatchObject({ face: 5, w_face: null })
  expect([await picture(gm, yes.w_face!), await picture(gm, no.w_face!)]).toEqual([200, 403])
  expect(await idsWith('4')).toEqual([])
  expect((await idsWith('4,5')).length).toBeGreaterThan(0)
})

test('of many who answer at once one is written, and a taken-back consent lets no face through', async () => {
  const [{ w_id }] = (await server.sql<{ w_id: string }>(
    `SELECT w_id FROM workers k WHERE bc_id = (SELECT bc_id FROM companies WHERE code = 'HZ')
       AND NOT EXISTS (SELECT 1 FROM consents c WHERE c.subject_id = k.id) ORDER BY w_id LIMIT 1`,
  )) as [{ w_id: string }]
  const w = await one(w_id)
  const answers = await Promise.all(Array.from({ length: 8 }, () => answer(gm, w)))
  expect(answers.filter((a) => a.code === 200)).toHaveLength(1)
  expect(await server.sql('SELECT 1 AS one FROM consents WHERE subject_id = $1', [w.id])).toHaveLength(1)
  const agreed = await one(w_id)
  const key = await uploaded(gm)
  const both = await Promise.all([face(gm, agreed, key), withdraw(gm, agreed)])
  expect(both.filter((a) => a.code === 200)).toHaveLength(1)
  const after = await one(w_id)
  expect([1, 5]).toContain(after.face)
  expect(after.w_face === null).toBe(after.face === 5)
})

test('strangers neither see nor write answers; who may not take faces writes none', async () => {
  const w = await one(team[0]!)
  for (const who of ['branch_gm2', 'pm2', 'other', 'other_pm']) {
    const stranger = await server.as(who)
    const asked = [
      await stranger.ask(facesApi.consents, { query: { worker_id: w.id } }),
      await answer(stranger, w),
      await withdraw(stranger, w),
    ]
    expect(
      asked.map((a) => a.status),
      who,
    ).toEqual([403, 403, 403])
  }
  for (const who of ['hq_ops', 'inspector'])
    expect(await withdraw(await server.as(who), w), who).toMatchObject({ code: 401 })
  expect(await one(team[0]!)).toEqual(w)
})

test('who leaves takes face and consent along; who comes back is asked anew', async () => {
  const w_id = team[1]!
  const key = await uploaded(pm)
  expect((await face(pm, await one(w_id), key)).msg).toBe('')
  const state = (action: 'stop' | 'start', reason: string) =>
    one(w_id).then(({ id, version }) => gm.ask(workersApi.state, { body: { id, version, action, reason } }))
  expect(await state('stop', '')).toMatchObject({ code: 400 })
  expect((await state('stop', '离职')).msg).toBe('')
  expect(await one(w_id)).toMatchObject({ status: 2, w_face: null, face: 5, ws_names: '' })
  expect(await picture(pm, key)).toBe(403)
  expect(await state('stop', '再停')).toMatchObject({
    code: 409,
    msg: expect.stringContaining('可以：重新启用'),
  })
  expect(await answer(gm, await one(w_id))).toMatchObject({
    code: 409,
    msg: expect.stringContaining('已停用'),
  })
  expect((await state('start', '')).msg).toBe('')
  expect(await face(gm, await one(w_id), await uploaded(gm))).toMatchObject({ code: 409 })
})

test('a consent that ends ends at the terminals too: a task for their keeper, a mark on what comes after', async () => {
  const keeper = await server.as('device_keeper')
  const w_id = team[3]!
  let w = await one(w_id)
  await answer(pm, w)
  w = await one(w_id)
  await face(pm, w, await uploaded(pm))
  const terminal = server.devices.find((d) => d.type === 'faceTerminal' && d.workers.includes(w_id))!
  const heard = async () =>
    (
      await server.sql<{ user_name: string; title: string }>(
        `SELECT u.user_name, n.title FROM notifications n JOIN users u ON u.id = n.user_id
         WHERE n.cause_kind = 'face' AND n.read_at IS NULL AND n.title LIKE '把 ' || $1 || ' 的人脸从 ' || $2 || '%'
         ORDER BY u.user_name`,
        [w.w_name, terminal.sn],
      )
    ).map((n) => [n.user_name, n.title])
  const tasks = async (who = keeper) =>
    (await who.call(facesApi.removals)).filter((r) => r.worker_id === w.id && r.deviceSn === terminal.sn)
  const punch = async (id: string) => {
    const at = Math.floor(server.now().getTime() / 1000)
    const event = { id, kind: 'clockin' as const, at, w_id, direction: 'in' as const, similarity: 0.95 }
    await report(server.url, terminal, [event])
  }
  const punches = async () =>
    (
      await gm.call(attendanceApi.punches, {
        query: { worker_id: w.id, site_id: terminal.site, day: shanghaiDay(server.now()) },
      })
    )
      .filter((p) => p.similarity !== null)
      .map((p) => p.faceWhy)
  await punch('before')
  server.later(2_000)
  w = await one(w_id)
  expect((await withdraw(pm, w)).msg).toBe('')
  expect(await heard()).toEqual([
    ['device_keeper', `把 ${w.w_name} 的人脸从 ${terminal.sn} 上删除（本人撤回同意），删完请登记`],
  ])
  const [task] = await tasks()
  expect(task).toMatchObject({ why: 'withdrawn', deviceSn: terminal.sn })
  server.later(2_000)
  await punch('after')
  // Presence is a fact and counts; that the face was still known is seen beside it.
  expect((await punches()).slice(-2)).toEqual([null, 'withdrawn'])
  // Of another branch, and without the right: nothing.
  const body = { id: task!.id, version: task!.version }
  expect(
    (
      await (
        await server.as('device_keeper2').catch(() => server.as('branch_gm2'))
      ).ask(facesApi.removed, { body })
    ).code,
  ).not.toBe(200)
  expect((await gm.ask(facesApi.removed, { body })).code).toBe(401)
  await keeper.call(facesApi.removed, { body })
  expect(await keeper.ask(facesApi.removed, { body })).toMatchObject({
    code: 409,
    msg: expect.stringContaining('已经登记删除'),
  })
  expect([await heard(), await tasks()]).toEqual([[], []])
  server.later(2_000)
  await punch('still')
  expect((await punches()).at(-1)).toBe('withdrawn')
  // Agreed once more, the terminal may know the face; stopped, it is to forget it again.
  w = await one(w_id)
  await answer(pm, w)
  server.later(2_000)
  await punch('again')
  expect((await punches()).at(-1)).toBe(null)
  w = await one(w_id)
  await gm.call(workersApi.state, { body: { id: w.id, version: w.version, action: 'stop', reason: '离场' } })
  expect((await tasks()).map((r) => r.why)).toEqual(['stopped'])
})
