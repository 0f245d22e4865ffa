import { api } from '@zhuguan/contract/api.ts'
import { maskPhone } from '@zhuguan/contract/kit/masked.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { cellsOf, download } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

// Numbers that stand nowhere else; a landline too.
const CANARIES = ['13977001111', '057188770022', '13977003333', '0571-88770044', '13977005555']
const [MOBILE, LANDLINE, MANAGER, OWNER, OLD] = CANARIES as [string, string, string, string, string]

let server: TestServer
let site: string
let workers: string[]

beforeAll(async () => {
  server = await startTestServer()
  const gm = await server.as('branch_gm')
  const [own] = await server.sql<{ site: string; bc: string }>(
    `SELECT w.id AS site, w.bc_id AS bc
     FROM sites w JOIN users m ON m.id = w.manager_id
     WHERE m.user_name = 'pm' AND w.owner_id IS NOT NULL LIMIT 1`,
  )
  site = own!.site
  await server.sql('UPDATE users SET phone = $1 WHERE id = (SELECT manager_id FROM sites WHERE id = $2)', [
    MANAGER,
    site,
  ])
  await server.sql('UPDATE owners SET phone = $1 WHERE id = (SELECT owner_id FROM sites WHERE id = $2)', [
    OWNER,
    site,
  ])
  const facts = { bc_id: own!.bc, w_type: 3 as const, w_sex: 1 as const }
  const first = await gm.call(api.workers.add, { body: { ...facts, w_name: '金丝雀', w_contact: MOBILE } })
  const second = await gm.call(api.workers.add, { body: { ...facts, w_name: '金丝雀乙', w_contact: MOBILE } })
  await gm.call(api.workers.edit, {
    body: { id: second.id, version: 0, ...facts, w_name: '金丝雀乙', team: '', w_contact: LANDLINE },
  })
  workers = [first.id, second.id]
  // A line of a version that still wrote numbers; the chain holds it as it is.
  await server.sql(
    `INSERT INTO user_logs (tenant_id, id, user_id, user_name, action, object, object_id, after, at)
     SELECT tenant_id, '01900000-0000-7000-8000-00000000abcd', id, user_name, '新增工人', 'worker', 'old', $1, :now
     FROM users WHERE user_name = 'branch_gm'`,
    [JSON.stringify({ w_contact: OLD, rows: [{ phone: OLD }] })],
  )
})
afterAll(() => server.stop())

/** Everything that somebody without the right can read about them. */
async function read(who: Person): Promise<Record<string, string>> {
  const id = workers[1]!
  const log = { query: { object: ['worker' as const, 'site' as const], pageSize: 100 } }
  const sheet = async (endpoint: Parameters<typeof download>[2]) =>
    JSON.stringify(await cellsOf(await download(server.url, who, endpoint)))
  return {
    workers: (await who.ask(api.workers.list, { query: { keyword: '金丝雀' } })).text,
    worker: (await who.ask(api.workers.details, { query: { id } })).text,
    workersSheet: await sheet(api.workers.export),
    log: (await who.ask(api.userlogs.list, log)).text,
    logSheet: await sheet(api.userlogs.export),
    site: (await who.ask(api.sites.details, { query: { id: site } })).text,
    search: (await who.ask(api.search.all, { query: { keyword: MOBILE.slice(3) } })).text,
    timeline: (await who.ask(api.timeline.list, { query: { site_id: site } })).text,
  }
}
/** Seven digits of a number in a row tell it. */
const tells = (text: string, number: string) => {
  const digits = number.replace(/\D/g, '')
  return text.includes(number) || text.replace(/-/g, '').includes(digits.slice(-7))
}

test('a number that lists hide is hidden in details, log, exports, search and timeline', async () => {
  // Group operations read everything and no numbers; this one may take the log away too.
  await server.sql(
    `INSERT INTO role_powers SELECT tenant_id, id, 'log:export' FROM roles WHERE code = 'hq_ops'
     ON CONFLICT DO NOTHING`,
  )
  const seen = await read(await server.as('hq_ops'))
  for (const [where, text] of Object.entries(seen)) {
    expect(text.length, where).toBeGreaterThan(10)
    for (const number of CANARIES) expect(tells(text, number), `${number} in ${where}`).toBe(false)
  }
  expect(seen.log).toContain('139****1111')
  expect(seen.site).toContain('139****3333')
  expect(seen.site).toContain('"****44"')
})

test('who may read numbers reads them in the list and on the site, never in the log', async () => {
  const seen = await read(await server.as('branch_gm'))
  expect(seen.workers).toContain(MOBILE)
  expect(seen.site).toContain(MANAGER)
  for (const number of CANARIES) expect(tells(seen.log!, number), number).toBe(false)
  // What is written today holds no number at all; the old line stands as it was sealed.
  const kept = await server.sql<{ after: string }>(
    `SELECT concat(before, after, beside) AS after FROM user_logs WHERE object_id <> 'old'`,
  )
  for (const number of CANARIES)
    expect(
      kept.some((line) => tells(line.after, number)),
      number,
    ).toBe(false)
  expect(await server.as('admin').then((a) => a.call(api.userlogs.verify, { body: {} }))).toMatchObject({
    ok: true,
  })
})

test('sales reads no number of a manager', async () => {
  const sales = await server.as('sales')
  const list = await sales.call(api.sites.list, { query: { pageSize: 100 } })
  for (const { id } of list.list.slice(0, 5)) {
    const { manager, steward } = await sales.call(api.sites.details, { query: { id } })
    for (const person of [manager, steward]) expect(person?.phone ?? '').toMatch(/^(\d{3})?(\*{4}\d*)?$/)
  }
})

test('the rule is the same in statements and outside of them', async () => {
  const numbers = [
    ...CANARIES,
    '',
    '1',
    '110',
    '95588',
    '4008001234',
    '+8613977001111',
    '1397700111',
    '139770011112',
  ]
  const rows = await server.sql<{ masked: string }>(
    'SELECT masked_phone(n) AS masked FROM unnest($1::text[]) WITH ORDINALITY AS x(n, i) ORDER BY i',
    [numbers],
  )
  expect(rows.map((r) => r.masked)).toEqual(numbers.map(maskPhone))
})

test('who changed what, from what to what, is read in words and names', async () => {
  const gm = await server.as('branch_gm')
  const [own] = await server.sql<{ id: string; bc: string; name: string; version: number; manager: string }>(
    `SELECT w.id, w.bc_id AS bc, w.ws_name AS name, w.version, m.nickname AS manager
     FROM sites w JOIN users m ON m.tenant_id = w.tenant_id AND m.id = w.manager_id
     WHERE w.id = $1`,
    [site],
  )
  const [steward] = await server.sql<{ id: string }>('SELECT steward_id AS id FROM sites WHERE id = $1', [
    site,
  ])
  const [other] = await server.sql<{ id: string; nickname: string }>(
    `SELECT u.id, u.nickname FROM users u JOIN user_branches b ON b.tenant_id = u.tenant_id AND b.user_id = u.id
     WHERE u.post = (SELECT post FROM users WHERE user_name = 'pm') AND u.user_name <> 'pm' AND b.bc_id = $1
       AND u.status = 1 LIMIT 1`,
    [own!.bc],
  )
  await gm.call(api.sites.people, {
    body: { id: site, version: own!.version, steward_id: steward!.id, manager_id: other!.id },
  })
  await gm.call(api.workers.edit, {
    body: {
      id: workers[0]!,
      version: 0,
      bc_id: own!.bc,
      w_type: 3,
      w_sex: 1,
      w_name: '金丝雀甲',
      team: '一班',
      w_contact: MOBILE,
    },
  })
  const lines = async (object: string, object_id: string) =>
    (await gm.call(api.userlogs.list, { query: { object: [object], object_id } })).list
  expect((await lines('site', site))[0]).toMatchObject({
    action: '换管家/经理',
    objectName: own!.name,
    changes: [{ title: '项目经理', before: own!.manager, after: other!.nickname }],
  })
  // What an edit left as it was is not told, and two numbers that look alike hidden are told apart.
  expect((await lines('worker', workers[0]!))[0]).toMatchObject({
    action: '编辑工人',
    objectName: '金丝雀甲',
    changes: [
      { title: '姓名', before: '金丝雀', after: '金丝雀甲' },
      { title: '班组', before: '', after: '一班' },
    ],
  })
  const [line] = await lines('site', site)
  expect(JSON.stringify(line!.changes)).not.toMatch(/[\da-f]{8}-[\da-f]{4}/)
  const done = await gm.call(api.userlogs.actions)
  expect(done).toContain('换管家/经理')
  const some = await gm.call(api.userlogs.list, { query: { action: ['换管家/经理'] } })
  expect(new Set(some.list.map((l) => l.action))).toEqual(new Set(['换管家/经理']))
  const sheet = JSON.stringify(await cellsOf(await download(server.url, gm, api.userlogs.export)))
  expect(sheet).toContain(`项目经理：${own!.manager}`)
  expect(sheet).toContain(`项目经理：${other!.nickname}`)
})

test('the chain says where it ends and who last walked it', async () => {
  const admin = await server.as('admin')
  const verdict = await admin.call(api.userlogs.verify, { body: {} })
  // Lines are sealed a moment after they are written.
  await expect
    .poll(async () => (await admin.call(api.userlogs.chain)).head, { timeout: 10_000 })
    .not.toBeNull()
  const { head, verified } = await admin.call(api.userlogs.chain)
  expect(verified).toMatchObject({ ok: true, checked: verdict.checked, why: '' })
  expect(head!.seq).toBeGreaterThanOrEqual(verdict.checked)
  expect(head!.hash).toMatch(/^[\da-f]{64}$/)
})
