import { get } from 'node:http'
import { gunzipSync } from 'node:zlib'

import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { sha256, startTestServer, type TestServer } from '../../testing/start.ts'
import { verifyLog } from '../userlogs/log-walk.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())
const login = (username: string, password: string) =>
  server.nobody().ask(sessionApi.login, { body: { username, password } })

test('a wrong password and a name that does not exist read the same and open no session', async () => {
  const wrong = await login('pm', sha256('nope99'))
  expect(wrong).toMatchObject({ status: 200, code: 400, msg: '账号或密码不正确' })
  expect((await login('nobody', sha256('nope99'))).msg).toBe(wrong.msg)
  expect(await login('pm', 'Zhuguan666')).toMatchObject({ code: 400, msg: expect.stringContaining('密码') })
  expect(await server.sql('SELECT 1 FROM sessions')).toHaveLength(0)
})

test('the password is never stored as it travelled, the token never as it was given', async () => {
  const pm = await server.as('pm')
  const [{ password }] = (await server.sql<{ password: string }>(
    `SELECT password FROM users WHERE user_name = 'pm'`,
  )) as [{ password: string }]
  expect(password).toMatch(/^\$argon2id\$/)
  const dump = JSON.stringify(await server.sql('SELECT * FROM sessions'))
  expect(dump).not.toContain(pm.token)
})

test('who is signed in gets user, roles, permissions and the menus of their roles', async () => {
  const pm = await server.as('pm')
  const info = await pm.call(sessionApi.permissionInfo)
  expect(info.user.userName).toBe('pm')
  expect(info.roles).toEqual(expect.arrayContaining(['pm', 'AlarmEvent', 'SiteList']))
  expect(info.menus.osmcore.map((m) => m.path)).toEqual(
    expect.arrayContaining(['/HomeMaster', '/Site', '/image', '/device']),
  )
  // Of the delivery what concerns their own sites, nothing of what is sold or administered.
  expect(info.menus.dsmcore.filter((m) => m.visible).map((m) => m.path)).toEqual([
    '/overview',
    '/order',
    '/dispatch',
    '/check',
  ])
  const supplier = await (await server.as('supplier')).call(sessionApi.permissionInfo)
  expect(supplier.menus.osmcore.map((m) => m.path)).toEqual(['/HomeMaster'])
  expect((await pm.call(sessionApi.companylist))[0]).toEqual({ bc_id: '', bc_name: '全部' })
  expect((await pm.call(sessionApi.companylistprebc)).map((b) => b.bc_name)).toEqual(['杭州分公司'])
  expect((await (await server.as('admin')).call(sessionApi.companylistprebc)).map((b) => b.bc_name)).toEqual([
    '杭州分公司',
    '宁波分公司',
  ])
})

test('the error catalogue: no token, a foreign tenant, no permission, an expired and a revoked token', async () => {
  const pm = await server.as('pm')
  const other = await server.as('other')
  expect((await server.nobody().ask(sitesApi.list)).status).toBe(401)
  expect(
    (await server.nobody({ token: 'x'.repeat(43), 'tenant-id': pm.tenant }).ask(sitesApi.list)).status,
  ).toBe(401)
  for (const tenant of [other.tenant, '', 'x'])
    expect(await server.nobody({ token: pm.token, 'tenant-id': tenant }).ask(sitesApi.list)).toMatchObject({
      status: 403,
      code: 403,
    })
  const before = await server.sql('SELECT 1 FROM user_logs WHERE outcome = $1', ['refused'])
  expect(await (await server.as('supplier')).ask(sitesApi.list)).toMatchObject({
    status: 200,
    code: 401,
    msg: 'No Permission',
  })
  expect(await server.sql('SELECT 1 FROM user_logs WHERE outcome = $1', ['refused'])).toHaveLength(
    before.length + 1,
  )
  await pm.call(sessionApi.logout)
  expect((await pm.ask(sitesApi.list)).status).toBe(401)
  const later = await server.as('pm')
  server.later(61 * 60_000)
  expect(await later.ask(sitesApi.list)).toMatchObject({ status: 200, code: 500, msg: 'Token Expiration' })
  server.later(-61 * 60_000)
})

test('a changed password ends the other sessions and opens with the new one only', async () => {
  const [here, there] = await Promise.all([server.as('service'), server.as('service')])
  const { user } = await here.call(sessionApi.permissionInfo)
  const change = (oldPassword: string, newPassword: string, user_id = user.id) =>
    here.ask(sessionApi.updatePassword, {
      body: { user_id, oldPassword: sha256(oldPassword), newPassword: sha256(newPassword) },
    })
  expect(await change('wrong', 'Better123')).toMatchObject({
    code: 400,
    msg: '原密码不正确',
    data: { fields: { oldPassword: '原密码不正确' } },
  })
  const pm = await (await server.as('pm')).call(sessionApi.permissionInfo)
  expect((await change('Zhuguan666', 'Better123', pm.user.id)).status).toBe(403)
  expect((await change('Zhuguan666', 'Better123')).code).toBe(200)
  expect((await here.ask(sessionApi.permissionInfo)).code).toBe(200)
  expect((await there.ask(sessionApi.permissionInfo)).status).toBe(401)
  expect((await login('service', sha256('Zhuguan666'))).code).toBe(400)
  expect((await login('service', sha256('Better123'))).code).toBe(200)
})

test('a role that loses a page and a power loses them at the next call, without a new login', async () => {
  const inspector = await server.as('inspector')
  const first = await inspector.ask(alarmsApi.list)
  expect(first.code).toBe(200)
  await server.sql(
    `DELETE FROM role_pages USING roles r, pages p WHERE role_pages.role_id = r.id AND role_pages.page_id = p.id AND r.code = 'inspector' AND p.component_name = 'AlarmEvent'`,
  )
  await server.sql(
    `DELETE FROM role_powers USING roles r WHERE role_powers.role_id = r.id AND r.code = 'inspector' AND label = 'alarm:cancel'`,
  )
  await server.sql(`SELECT pg_notify('access', '')`)
  await new Promise((r) => setTimeout(r, 500))
  const info = await inspector.ask(sessionApi.permissionInfo)
  expect(info.headers.get('x-access-version')).not.toBe(first.headers.get('x-access-version'))
  expect(info.data.menus.osmcore.flatMap((m) => m.children.map((c) => c.componentName))).not.toContain(
    'AlarmEvent',
  )
  expect(info.data.permissions).not.toContain('alarm:cancel')
})

test('a disabled user is out at once', async () => {
  const quoter = await server.as('quoter')
  await server.sql(`UPDATE users SET status = 2 WHERE user_name = 'quoter'`)
  await server.sql(`SELECT pg_notify('access', '')`)
  await new Promise((r) => setTimeout(r, 500))
  expect((await quoter.ask(sessionApi.permissionInfo)).status).toBe(401)
  expect((await login('quoter', sha256('Zhuguan666'))).code).toBe(400)
})

test('the log is a chain: a changed, a missing and a cut-off line are found', async () => {
  const [{ tenant }] = (await server.sql<{ tenant: string }>(
    `SELECT tenant_id AS tenant FROM users WHERE user_name = 'admin'`,
  )) as [{ tenant: string }]
  await new Promise((r) => setTimeout(r, 1_500))
  const check = () =>
    verifyLog(
      (look) => server.db.tx({ tenant, bcs: null, sites: null, user: null }, look),
      tenant,
      server.secretKey,
    )
  const good = await check()
  expect(good).toMatchObject({ ok: true })
  expect(good.checked).toBeGreaterThan(5)
  await expect(
    server.db.tx({ tenant, bcs: null, sites: null, user: null }, (tx) =>
      tx.run('x', `UPDATE user_logs SET action = 'x'`, []),
    ),
  ).rejects.toThrow(/permission denied/)
  await server.sql(`UPDATE user_logs SET action = 'x' WHERE tenant_id = $1 AND seq = 3`, [tenant])
  expect(await check()).toMatchObject({ ok: false, why: '第 3 行被改动' })
  await server.sql(`DELETE FROM user_logs WHERE tenant_id = $1 AND seq = 3`, [tenant])
  expect(await check()).toMatchObject({ ok: false, why: '第 3 行缺失' })
})

test('ten wrong guesses from one address wait five minutes', async () => {
  for (let i = 0; i < 10; i += 1) await login('hq_ops', sha256(`guess${i}`))
  expect(await login('hq_ops', sha256('Zhuguan666'))).toMatchObject({ code: 429 })
  server.later(6 * 60_000)
  expect((await login('hq_ops', sha256('Zhuguan666'))).code).toBe(200)
  server.later(-6 * 60_000)
})

test('pages and rights of a session travel packed to who can unpack them, and as they are to others', async () => {
  const pm = await server.as('pm')
  const ask = (encoding: string) =>
    new Promise<{ packed: boolean; bytes: Buffer }>((done, failed) => {
      const headers = { token: pm.token, 'tenant-id': pm.tenant, 'accept-encoding': encoding }
      const url = server.url + sessionApi.permissionInfo.path
      get(url, { headers }, (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('end', () =>
          done({ packed: answer.headers['content-encoding'] === 'gzip', bytes: Buffer.concat(parts) }),
        )
      }).on('error', failed)
    })
  const [small, plain] = [await ask('gzip, deflate'), await ask('identity')]
  expect([small.packed, plain.packed]).toEqual([true, false])
  expect(small.bytes.length).toBeLessThan(plain.bytes.length / 3)
  const read = (text: string) => (JSON.parse(text) as { data: { permissions: string[] } }).data.permissions
  expect(read(gunzipSync(small.bytes).toString())).toEqual(read(plain.bytes.toString()))
  expect(read(plain.bytes.toString()).length).toBeGreaterThan(10)
})
