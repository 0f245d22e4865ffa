import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { api } from '@zhuguan/contract/api.ts'
import Provider from 'oidc-provider'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { serveApp, type RunningApp } from '../../app/serve-app.ts'
import { sha256, startTestServer, type TestServer } from '../../testing/start.ts'
import { testTime } from '../../testing/time.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())
const login = (username: string, code?: string) =>
  server.nobody().ask(api.session.login, { body: { username, password: sha256('Zhuguan666'), code } })

describe('a code from the telephone', () => {
  test('is asked after the password, is right once, and is turned off by another or by a reset', async () => {
    const pm = await server.as('pm')
    const { secret, uri, ticket } = await pm.call(api.session.totpBegin, {})
    expect(uri).toMatch(/^otpauth:\/\/totp\//)
    const codeAt = (seconds: number) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: testTime() + seconds * 1000 })
    expect(
      (await pm.ask(api.session.totpConfirm, { body: { ticket, code: codeAt(-600) } })).data,
    ).toMatchObject({ fields: { code: '动态验证码不正确' } })
    expect((await login('pm')).code).toBe(200)
    const steward = await server.as('steward')
    expect(
      (await steward.ask(api.session.totpConfirm, { body: { ticket, code: codeAt(0) } })).data,
    ).toMatchObject({ fields: { ticket: expect.any(String) } })
    await pm.call(api.session.totpConfirm, { body: { ticket, code: codeAt(-30) } })
    expect((await pm.call(api.session.userdata, {})).totp).toBe(true)

    expect(await login('pm')).toMatchObject({ code: 400, msg: '请输入动态验证码', data: { totp: true } })
    expect((await login('pm', '000000')).code).toBe(400)
    const good = codeAt(0)
    expect((await login('pm', good)).code).toBe(200)
    // The same code a second time is somebody who looked over a shoulder.
    expect(await login('pm', good)).toMatchObject({ code: 400, msg: '动态验证码不正确或已经用过' })
    expect(JSON.stringify(await server.sql('SELECT totp FROM users WHERE totp IS NOT NULL'))).not.toContain(
      secret,
    )
    // A wrong password never tells that a code would be asked.
    expect(
      (
        await server
          .nobody()
          .ask(api.session.login, { body: { username: 'pm', password: sha256('wrong99') } })
      ).data,
    ).toBeNull()

    await pm.call(api.session.totpOff, { body: { code: codeAt(30) } })
    expect((await login('pm')).code).toBe(200)
  })
})

test('who signs in from a place that is new is told, from one that is known not', async () => {
  const at = (agent: string) =>
    server
      .nobody({ 'user-agent': agent })
      .call(api.session.login, { body: { username: 'inspector', password: sha256('Zhuguan666') } })
  const notices = async () =>
    (
      await server.sql<{ title: string }>(
        `SELECT n.title FROM notifications n JOIN users u ON u.id = n.user_id WHERE u.user_name = 'inspector'`,
      )
    ).map((n) => n.title)
  await at('Mozilla/5.0 (Windows NT 10.0) Chrome/120.0')
  await at('Mozilla/5.0 (Windows NT 10.0) Chrome/121.4')
  expect(await notices()).toEqual([])
  await at('Mozilla/5.0 (iPhone) Safari/600')
  expect(await notices()).toEqual([expect.stringContaining('在新的地点登录')])
})

test('guessing is counted in the database: another server knows of it, another address is not held back', async () => {
  for (let i = 0; i < 10; i += 1)
    await server
      .nobody()
      .ask(api.session.login, { body: { username: 'sales', password: sha256(`wrong${i}`) } })
  expect(
    (
      await server
        .nobody()
        .ask(api.session.login, { body: { username: 'sales', password: sha256('Zhuguan666') } })
    ).code,
  ).toBe(429)
  expect(
    (
      await server
        .nobody({ 'x-forwarded-for': '203.0.113.9' })
        .ask(api.session.login, { body: { username: 'sales', password: sha256('Zhuguan666') } })
    ).code,
  ).toBe(200)
  expect((await server.sql('SELECT 1 FROM login_failures')).length).toBeGreaterThan(0)
  server.later(6 * 60_000)
  expect(
    (
      await server
        .nobody()
        .ask(api.session.login, { body: { username: 'sales', password: sha256('Zhuguan666') } })
    ).code,
  ).toBe(200)
  server.later(-6 * 60_000)
})

describe('the company’s own sign-in', () => {
  let provider: Server
  let app: RunningApp
  beforeAll(async () => {
    provider = createServer()
    await new Promise<void>((done) => provider.listen(0, '127.0.0.1', done))
    const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
    app = await serveApp({
      db: server.db,
      dataDir: server.dataDir,
      secretKey: server.secretKey,
      port: 0,
      mqttPort: 0,
      mqttUrl: null,
      sessionMinutes: 60,
      oidc: {
        issuer,
        clientId: 'zhuguan',
        clientSecret: 'a-secret-of-the-client',
        publicUrl: 'http://127.0.0.1:1',
      },
      logLevel: 'silent',
      verify: true,
      host: '127.0.0.1',
      now: server.now,
    })
    const oidc = new Provider(issuer, {
      clients: [
        {
          client_id: 'zhuguan',
          client_secret: 'a-secret-of-the-client',
          redirect_uris: ['http://127.0.0.1:1/'],
          grant_types: ['authorization_code'],
          response_types: ['code'],
        },
      ],
      claims: { openid: ['sub'], profile: ['preferred_username'] },
      conformIdTokenClaims: false,
      pkce: { required: () => true },
      findAccount: (_ctx, id) => ({
        accountId: id,
        claims: async () => ({ sub: id, preferred_username: id }),
      }),
    })
    provider.on('request', oidc.callback())
  })
  afterAll(async () => {
    await app?.close()
    provider?.close()
  })
  /** As one browser: what it was given as a cookie comes with its later requests. */
  function browser() {
    let cookie = ''
    return async (path: string, body: object) => {
      const response = await fetch(`${app.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie },
        body: JSON.stringify(body),
      })
      const given = response.headers.getSetCookie().find((c) => c.startsWith('sso-begun='))
      if (given) {
        expect(given).toMatch(/; HttpOnly; SameSite=Strict/)
        cookie = given.split(';')[0]!
      }
      return (await response.json()) as { code: number; msg: string; data: never }
    }
  }
  const FINISH = '/user/system/auth/sso-finish'
  type Opened = { token: string; tenant_id: string }
  const whoIs = async ({ token, tenant_id }: Opened) =>
    (await server.nobody({ token, 'tenant-id': tenant_id }).call(api.session.permissionInfo, {})).user
      .userName
  /** Begins, goes through the provider as `name` and comes back. */
  async function returned(ask: ReturnType<typeof browser>, name: string) {
    const { url } = (await ask('/user/system/auth/sso-begin', {})).data as { url: string }
    const back = (await through(url, name)).searchParams
    return { code: back.get('code')!, state: back.get('state')! }
  }

  /** Through the provider's own development pages, as a browser would: sign in, consent, come back with a code. */
  async function through(url: string, name: string): Promise<URL> {
    const jar = new Map<string, string>()
    let at = url
    let form: Record<string, string> | undefined
    for (let step = 0; step < 12; step += 1) {
      const response: Response = await fetch(at, {
        redirect: 'manual',
        headers: {
          cookie: [...jar].map(([k, v]) => `${k}=${v}`).join('; '),
          ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        },
        ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
      })
      for (const cookie of response.headers.getSetCookie())
        jar.set(cookie.split('=')[0]!, cookie.slice(cookie.indexOf('=') + 1).split(';')[0]!)
      form = undefined
      const next = response.headers.get('location')
      if (next) {
        at = new URL(next, at).href
        if (at.startsWith('http://127.0.0.1:1/')) return new URL(at)
        continue
      }
      const html = await response.text()
      const action = /action="([^"]+)"/.exec(html)?.[1]
      if (!action) throw new Error(`no way on from ${at}: ${response.status}`)
      at = new URL(action, at).href
      form = { prompt: /name="prompt" value="(\w+)"/.exec(html)![1]!, login: name, password: 'x' }
    }
    throw new Error('too many steps')
  }

  test('a company account opens the account that it was linked to with the password, whatever it calls itself', async () => {
    expect((await server.nobody().ask(api.session.ssoBegin, {})).code).toBe(404)
    const ask = browser()
    const begun = (await ask('/user/system/auth/sso-begin', {})).data as { url: string }
    expect(new URL(begun.url).searchParams.get('code_challenge_method')).toBe('S256')

    // It calls itself acceptor, which is an account of ours: a name proves nothing.
    const first = await ask(FINISH, await returned(ask, 'acceptor'))
    expect(first).toMatchObject({ code: 400 })
    expect(first.msg).toContain('企业账号 acceptor 还没有绑定')
    const { ticket } = first.data as { ticket: string }
    const linked = await ask('/user/system/auth/login', {
      username: 'examiner',
      password: sha256('Zhuguan666'),
      ticket,
    })
    expect(await whoIs(linked.data as Opened)).toBe('examiner')
    expect(await whoIs((await ask(FINISH, await returned(ask, 'acceptor'))).data as Opened)).toBe('examiner')

    const other = await ask('/user/system/auth/login', {
      username: 'acceptor',
      password: sha256('Zhuguan666'),
      ticket,
    })
    expect(other).toMatchObject({ code: 400, msg: '这个企业账号已经绑定了别的账号，请联系系统管理员' })
    const spoiled = `${ticket.slice(0, -4)}AAAA`
    expect(
      await ask('/user/system/auth/login', {
        username: 'acceptor',
        password: sha256('Zhuguan666'),
        ticket: spoiled,
      }),
    ).toMatchObject({ code: 400 })
  })

  test('a state counts once, for the browser that began, and with its own code', async () => {
    const [ask, victim] = [browser(), browser()]
    const link = await returned(ask, 'acceptor')
    // A link with an attacker's code and state, opened by somebody else.
    await victim('/user/system/auth/sso-begin', {})
    expect((await victim(FINISH, link)).msg).toContain('登录已超时')
    expect((await browser()(FINISH, link)).msg).toContain('登录已超时')
    expect((await ask(FINISH, link)).code).toBe(200)
    expect((await ask(FINISH, link)).msg).toContain('登录已超时')
    expect((await ask(FINISH, { ...link, state: 'made-up' })).code).toBe(400)
    const third = (await ask('/user/system/auth/sso-begin', {})).data as { url: string }
    const state = new URL(third.url).searchParams.get('state')
    expect((await ask(FINISH, { code: 'forged', state })).msg).toContain('没有确认您的身份')
  })

  test('who has a second factor is asked for it after the provider as well', async () => {
    const person = await server.as('examiner')
    const { secret, ticket } = await person.call(api.session.totpBegin, {})
    const code = (seconds: number) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({
        timestamp: server.now().getTime() + seconds * 1000,
      })
    await person.call(api.session.totpConfirm, { body: { ticket, code: code(0) } })
    const ask = browser()
    const first = await ask(FINISH, await returned(ask, 'acceptor'))
    expect(first).toMatchObject({ code: 400, data: { totp: true } })
    const second = (first.data as { ticket: string }).ticket
    expect((await ask(FINISH, { ticket: second, totp: '000000' })).code).toBe(400)
    server.later(60_000)
    const done = await ask(FINISH, { ticket: second, totp: code(0) })
    expect(await whoIs(done.data as Opened)).toBe('examiner')
  })
})
