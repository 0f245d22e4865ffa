import { alarmType } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { feedbackApi as api } from '@zhuguan/contract/features/feedback/feedback.api.ts'
import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import { promisesApi } from '@zhuguan/contract/features/promises/promises.api.ts'
import { threadsApi } from '@zhuguan/contract/features/threads/threads.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { pdfText } from '../../testing/pdf-text.ts'
import { uploadPhoto } from '../../testing/photo.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { dayAhead } from '../../testing/time.ts'

let server: TestServer
let gm: Person, steward: Person, service: Person
let home: { site: string; owner: string; phone: string; steward: string; bc: string }
beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  steward = await server.as('steward')
  service = await server.as('service')
  ;[home] = (await server.sql<typeof home>(
    `SELECT w.id AS site, w.bc_id AS bc, o.name AS owner, o.phone, s.id AS steward FROM sites w
     JOIN owners o ON o.id = w.owner_id
     JOIN users s ON s.id = w.steward_id AND s.user_name = 'steward'
     JOIN users m ON m.id = w.manager_id AND m.user_name = 'pm'
     WHERE w.status = 1 ORDER BY w.code LIMIT 1`,
  )) as [typeof home]
})
afterAll(() => server.stop())

const enter = async (words: string, more: object = {}) =>
  service.call(api.enter, {
    body: {
      site_id: home.site,
      kind: 'complaint',
      level: 2,
      about: 'work',
      channel: 'phone',
      words,
      pictures: [],
      ...more,
    },
  })
async function dossier(id: string, who = service) {
  const response = await fetch(`${server.url}${api.dossier.path}?id=${id}`, {
    method: 'POST',
    headers: { token: who.token, 'tenant-id': who.tenant },
  })
  const bytes = new Uint8Array(await response.arrayBuffer())
  const type = response.headers.get('content-type')
  if (type !== 'application/pdf')
    return { type, code: JSON.parse(new TextDecoder().decode(bytes)).code as number }
  return { type, bytes, text: (await pdfText(bytes)).join('\n').replaceAll(/\s/g, '') }
}

test('the whole case in one paper: people, clocks, answers, promises, what was before; no telephone', async () => {
  const before = await enter('门口的灯不亮')
  const photo = await uploadPhoto(server.url, service)
  const { id, no } = await enter('墙面开裂，请打我爱人电话 139-1234-5678', { pictures: [photo] })
  const seen = async () => ({ id, version: (await gm.call(api.details, { query: { id } })).version })
  await service.call(api.accept, { body: { ...(await seen()), level: 2, assignee_id: home.steward } })
  await steward.call(api.answer, { body: { id, answers: 0, words: '明天上午来看', pictures: [] } })
  await steward.call(threadsApi.hear, {
    body: { site_id: home.site, channel: 'phone', words: '我的新号码 13612345678' },
  })
  await steward.call(promisesApi.add, {
    body: {
      site_id: home.site,
      content: '周日前补好墙面',
      subject: 'quality',
      post: 1,
      due: dayAhead(700),
      answers: [],
    },
  })
  const { bytes, text, type } = await dossier(id)
  expect(type).toBe('application/pdf')
  for (const words of [
    no,
    '投诉卷宗',
    home.owner,
    '墙面开裂',
    '明天上午来看',
    '首次回复',
    '周日前补好墙面',
    '我的新号码136****5678',
    '139****5678',
    before.no,
    '留存的录像',
    '照片（1张）',
  ])
    expect(text).toContain(words)
  for (const number of ['13612345678', '139-1234-5678', home.phone]) expect(text).not.toContain(number)
  expect(home.phone).toMatch(/^1\d{10}$/)
  // The picture is in it.
  expect(Buffer.from(bytes!).includes('/DCTDecode')).toBe(true)
  const logs = await server.sql<{ action: string; user_name: string }>(
    `SELECT action, user_name FROM user_logs WHERE object_id = $1 AND action = '导出反馈卷宗'`,
    [id],
  )
  expect(logs).toHaveLength(1)
})

test('numbers are hidden however they are written, and nothing else is', async () => {
  const hidden = [
    '+86 13712345671',
    '8613712345672',
    '+86-137-1234-5673',
    '137.1234.5674',
    '137·1234·5675',
    '137 1234 5676',
  ]
  const whole = ['6222021391111567890', 'FK261124-00012', '2026.11.24']
  const { id } = await enter(`号码：${[...hidden, ...whole].join('；')}。`)
  const { text } = await dossier(id)
  for (const last of ['5671', '5672', '5673', '5674', '5675', '5676'])
    expect(text).toContain(`137****${last}`)
  expect(text).not.toMatch(/137.?1234.?567/)
  for (const other of whole) expect(text).toContain(other)
})

test('a home that was sold has a case for each owner: people, words and promises of their own time', async () => {
  const [sold] = await server.sql<{
    site: string
    owner: string
    contact: string
    version: number
    steward: string
  }>(
    `SELECT w.id AS site, o.name AS owner, h.id AS contact, h.version, w.steward_id AS steward FROM sites w
     JOIN owners o ON o.id = w.owner_id
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     WHERE w.status = 1 AND w.steward_id = $1 AND w.id <> $2 ORDER BY w.code LIMIT 1`,
    [home.steward, home.site],
  )
  const { site } = sold!
  const promise = async (content: string) =>
    steward.call(promisesApi.add, {
      body: { site_id: site, content, subject: 'quality', post: 1, due: dayAhead(700), answers: [] },
    })
  const hear = async (words: string) =>
    steward.call(threadsApi.hear, { body: { site_id: site, channel: 'phone', words } })
  await gm.call(ownersApi.addContact, {
    body: { site_id: site, name: '前任太太', relation: 'spouse', phone: '13700001111' },
  })
  const before = await enter('从前的漏水', { site_id: site })
  await hear('卖房以前的话')
  const dropped = await promise('从前答应又办好的')
  const photo = await uploadPhoto(server.url, steward)
  await steward.call(promisesApi.keep, {
    body: { id: dropped.id, version: 0, pictures: [photo], text: '好了' },
  })
  await promise('接着要办的')
  await gm.call(ownersApi.change, {
    body: {
      id: sold!.contact,
      version: sold!.version,
      name: '接手人',
      phone: '13500002222',
      promises: 'taken',
      reason: '房屋转让',
    },
  })
  const raise = (type: string, ago: string) =>
    server.sql(
      `INSERT INTO alarms (tenant_id, id, bc_id, site_id, device_id, type, confidence, at, last_seen)
       SELECT w.tenant_id, gen_random_uuid(), w.bc_id, w.id, d.id, $2, 0.9, :now - $3::interval, :now
       FROM sites w
       JOIN LATERAL (SELECT d.id FROM devices d
         WHERE d.site_id = w.id AND d.type = 'camera' ORDER BY d.sn LIMIT 1) d ON true
       WHERE w.id = $1`,
      [site, type, ago],
    )
  await server.sql('DELETE FROM alarms WHERE site_id = $1', [site])
  await raise('smoking', '2 hours')
  // Of what contract an order is does not matter here.
  await server.sql('ALTER TABLE orders DROP CONSTRAINT orders_tenant_id_contract_id_fkey')
  const ordered = (code: string, ago: string) =>
    server.sql(
      `INSERT INTO orders (tenant_id, id, code, bc_id, bc_name, site_id, contract_id, receiver_id, receiver_name,
         method, expected_on, made_by, made_name, made_at, due_at)
       SELECT w.tenant_id, gen_random_uuid(), $2, w.bc_id, '', w.id, w.id, w.bc_id, '砖行', 1, :today, w.steward_id, '',
         :now - $3::interval, :now
       FROM sites w WHERE w.id = $1`,
      [site, code, ago],
    )
  await ordered('DD-SELLER', '2 hours')
  await raise('noclothes', '0 minutes')
  await ordered('DD-BUYER', '0 minutes')
  const after = await enter('现在的漏水', { site_id: site })
  await hear('买房以后的话')
  await promise('新答应的')
  const [one, other] = [await dossier(before.id, gm), await dossier(after.id, gm)]
  const old = [sold!.owner, '前任太太', '从前的漏水', '卖房以前的话', '从前答应又办好的']
  const young = ['接手人', '现在的漏水', '买房以后的话', '新答应的']
  for (const words of [...old, '接着要办的']) expect(one.text, words).toContain(words)
  for (const words of young) expect(one.text, words).not.toContain(words)
  for (const words of [...young, '接着要办的']) expect(other.text, words).toContain(words)
  for (const words of [...old, before.no]) expect(other.text, words).not.toContain(words)
  // What is counted of the site is of the same time.
  const alarms = { smoking: alarmType.label('smoking'), noclothes: alarmType.label('noclothes') }
  for (const [text, there, elsewhere] of [
    [one.text, [alarms.smoking, 'DD-SELLER'], [alarms.noclothes, 'DD-BUYER']],
    [other.text, [alarms.noclothes, 'DD-BUYER'], [alarms.smoking, 'DD-SELLER']],
  ] as const) {
    for (const words of there) expect(text).toContain(words)
    for (const words of elsewhere) expect(text).not.toContain(words)
  }
  expect(one.text).toMatch(/所列期间开工起，至.*更换业主登记/)
  expect(other.text).toMatch(/更换业主起，至导出时/)
  for (const { id } of [before, after])
    expect((await gm.call(api.details, { query: { id } })).openAlarms).toBe(1)
})

test('by right, in reach, and never by the steward whom it is about', async () => {
  const { id } = await enter('管家态度不好', { about: 'person', about_id: home.steward })
  expect((await dossier(id, await server.as('pm'))).code).toBe(401)
  expect((await dossier(id, steward)).code).toBe(401)
  expect((await dossier(id, await server.as('hq_ops'))).code).toBe(401)
  expect((await dossier(id, await server.as('branch_gm2'))).code).toBe(403)
  expect((await dossier(id, gm)).type).toBe('application/pdf')
  // With the right, what is kept from them stays so: their name stands in no paper of the earlier ones either.
  const later = await enter('另一件事')
  await server.sql(
    `INSERT INTO role_powers (tenant_id, role_id, label)
     SELECT r.tenant_id, r.id, 'feedback:dossier' FROM roles r WHERE r.code = 'steward'`,
  )
  const keeper = await server.as('steward')
  expect((await dossier(id, keeper)).code).toBe(403)
  const { text } = await dossier(later.id, keeper)
  expect(text).toContain('另一件事')
  expect(text).not.toContain('管家态度不好')
})

test('a case with hundreds of lines and pictures stays a paper, and says what it leaves out', async () => {
  const pictures = await Promise.all(Array.from({ length: 9 }, () => uploadPhoto(server.url, service)))
  const { id } = await enter('什么都不对', { pictures })
  await server.sql(
    `INSERT INTO threads (tenant_id, site_id, bc_id, newest, changed_at)
     SELECT tenant_id, id, bc_id, 5000, :now FROM sites WHERE id = $1
     ON CONFLICT (tenant_id, site_id) DO UPDATE SET newest = 5000`,
    [home.site],
  )
  await server.sql(
    `INSERT INTO thread_messages (tenant_id, id, site_id, bc_id, seq, kind, side, channel, who, words, at)
     SELECT w.tenant_id, gen_random_uuid(), w.id, w.bc_id, n, 'words', 'owner', 'phone', '业主',
       repeat('很长的话', 50), :now
     FROM sites w, generate_series(1001, 1900) n WHERE w.id = $1`,
    [home.site],
  )
  await server.sql('DELETE FROM alarms WHERE site_id = $1', [home.site])
  await server.sql(
    `INSERT INTO alarms (tenant_id, id, bc_id, site_id, device_id, type, confidence, at, last_seen,
       correction_status, closed_at, verdict)
     SELECT w.tenant_id, gen_random_uuid(), w.bc_id, w.id, d.id, 'smoking', 0.9, :now - n * interval '1 hour', :now,
       4, :now, 'wrong'
     FROM sites w
     JOIN LATERAL (SELECT d.id FROM devices d
       WHERE d.site_id = w.id AND d.type = 'camera' ORDER BY d.sn LIMIT 1) d ON true, generate_series(1, 250) n
     WHERE w.id = $1`,
    [home.site],
  )
  await server.sql('ALTER TABLE orders DROP CONSTRAINT IF EXISTS orders_tenant_id_contract_id_fkey')
  await server.sql(
    `INSERT INTO orders (tenant_id, id, code, bc_id, bc_name, site_id, contract_id, receiver_id, receiver_name,
       method, expected_on, made_by, made_name, made_at, due_at)
     SELECT w.tenant_id, gen_random_uuid(), 'DD-' || n, w.bc_id, '', w.id, w.id, w.bc_id, '砖行', 1, :today,
       w.steward_id, '', :now, :now
     FROM sites w, generate_series(1001, 1260) n WHERE w.id = $1`,
    [home.site],
  )
  const { bytes, text } = await dossier(id)
  expect(text).toMatch(/互动记录（共9\d\d条，列出1\d\d条）/)
  expect(text).toMatch(/报警（共250条，列出200条）/)
  expect(text).toMatch(/订单（共26\d条，列出200条）/)
  expect([...text!.matchAll(/DD-1\d\d\d/g)]).toHaveLength(200)
  expect(bytes!.length).toBeLessThan(4_000_000)
})
