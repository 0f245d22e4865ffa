import { api } from '@zhuguan/contract/api.ts'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { sha256, startTestServer, type TestServer } from '../../testing/start.ts'
import { testTime } from '../../testing/time.ts'

const RIGHT = sha256('Zhuguan666')
const WRONG = '账号或密码不正确'
const WAIT = '密码或验证码错误次数太多，请 5 分钟后再试'
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const login = (username: string, password: string, ip = '198.51.100.1') =>
  server.nobody({ 'x-forwarded-for': ip }).ask(api.session.login, { body: { username, password } })
const many = async <T>(n: number, ask: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: n }, (_, i) => ask(i)))

test('of two hundred guesses at once ten are judged, however many are under way', async () => {
  const answers = await many(200, (i) => login('hq_ops', sha256(`guess${i}`)))
  const judged = answers.filter((a) => a.msg === WRONG)
  expect(judged.length).toBeGreaterThan(0)
  expect(judged.length).toBeLessThanOrEqual(10)
  for (const a of answers.filter((x) => x.msg !== WRONG)) expect([429, 503]).toContain(a.status)
  // The owner elsewhere is not held back.
  expect((await login('hq_ops', RIGHT, '198.51.100.77')).code).toBe(200)
})

test('who tries names from one address is slowed down, who has come from there before is not', async () => {
  const ip = '198.51.100.2'
  expect((await login('pm', RIGHT, ip)).code).toBe(200)
  let judged = 0
  for (let i = 0; i < 70; i += 1) if ((await login(`name${i}`, sha256('x'), ip)).msg === WRONG) judged += 1
  expect(judged).toBe(50)
  expect(await login('examiner', RIGHT, ip)).toMatchObject({ status: 429, msg: WAIT })
  expect((await login('pm', RIGHT, ip)).code).toBe(200)
  expect((await login('examiner', RIGHT, '198.51.100.3')).code).toBe(200)
  server.later(6 * 60_000)
  expect((await login('examiner', RIGHT, ip)).code).toBe(200)
  server.later(-6 * 60_000)
})

test('an account guessed from many addresses: each further one has one guess, and the owner is let in from everywhere', async () => {
  const home = '198.51.100.9'
  expect((await login('sales', RIGHT, home)).code).toBe(200)
  const from = (i: number) => `203.0.113.${i}`
  for (let i = 0; i < 6; i += 1)
    for (let guess = 0; guess < 10; guess += 1)
      expect((await login('sales', sha256(`${i}/${guess}`), from(i))).msg).toBe(WRONG)
  for (let i = 10; i < 20; i += 1) {
    expect((await login('sales', sha256('x'), from(i))).msg).toBe(WRONG)
    expect(await login('sales', sha256('y'), from(i))).toMatchObject({ status: 429, msg: WAIT })
  }
  // A name that nobody has is answered in the same way.
  for (let i = 0; i < 60; i += 1)
    expect((await login('nobody-here', sha256('x'), from(30 + (i % 20)))).msg).toBe(WRONG)
  expect((await login('nobody-here', sha256('x'), from(99))).msg).toBe(WRONG)
  expect(await login('nobody-here', sha256('x'), from(99))).toMatchObject({ status: 429, msg: WAIT })
  // The owner: from where it is known, with ten tries, and from somewhere new.
  for (let i = 0; i < 9; i += 1) expect((await login('sales', sha256('typo'), home)).msg).toBe(WRONG)
  expect((await login('sales', RIGHT, home)).code).toBe(200)
  expect((await login('sales', RIGHT, '192.0.2.44')).code).toBe(200)
})

test('one subscriber of IPv6 guesses a hundred times; beside a known address is known', async () => {
  const at = (net: number, host: number) => `2001:db8:9:${net}::${host}`
  expect((await login('quoter', RIGHT, at(0, 1))).code).toBe(200)
  let judged = 0
  for (let i = 0; i < 120; i += 1)
    if ((await login(`v6-${i}`, sha256('x'), at(i % 3, i))).msg === WRONG) judged += 1
  expect(judged).toBe(100)
  expect(await login('examiner', RIGHT, at(3, 1))).toMatchObject({ status: 429, msg: WAIT })
  expect((await login('quoter', RIGHT, at(0, 2))).code).toBe(200)
})

test('right ones cost nothing: thirty sign-ins one after the other, and a code that was only asked for', async () => {
  for (let i = 0; i < 30; i += 1) expect((await login('quoter', RIGHT, '198.51.100.4')).code).toBe(200)
})

test('a session alone guesses no password and no code, and replaces no secret in force', async () => {
  const steward = await server.as('steward')
  const me = (await steward.call(api.session.permissionInfo, {})).user.id
  const change = (oldPassword: string) =>
    steward.ask(api.session.updatePassword, {
      body: { user_id: me, oldPassword, newPassword: sha256('Another777') },
    })
  const wrong = []
  for (let i = 0; i < 12; i += 1) wrong.push(await change(sha256(`old${i}`)))
  expect(wrong.filter((a) => a.msg.includes('原密码不正确'))).toHaveLength(10)
  expect(wrong.at(-1)).toMatchObject({ status: 429, msg: WAIT })
  server.later(6 * 60_000)

  const begun = await steward.call(api.session.totpBegin, {})
  const codeOf = (secret: string, shift = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: testTime() + 6 * 60_000 + shift * 1000,
    })
  const first = begun.secret
  await steward.call(api.session.totpConfirm, { body: { ticket: begun.ticket, code: codeOf(first, -30) } })
  const again = await steward.call(api.session.totpBegin, {})
  const replace = (current?: string) =>
    steward.ask(api.session.totpConfirm, {
      body: { ticket: again.ticket, code: codeOf(again.secret), ...(current ? { current } : {}) },
    })
  expect(await replace()).toMatchObject({ code: 400, data: { fields: { current: /原来的动态验证码/ } } })
  const kept = await server.sql('SELECT totp FROM users WHERE id = $1', [me])
  const off = []
  for (let i = 0; i < 12; i += 1)
    off.push(await steward.ask(api.session.totpOff, { body: { code: String(100_000 + i) } }))
  // One was used up by the replacement that was refused.
  expect(off.filter((a) => a.code === 400)).toHaveLength(9)
  expect(off.at(-1)).toMatchObject({ status: 429, msg: WAIT })
  expect(await server.sql('SELECT totp FROM users WHERE id = $1', [me])).toEqual(kept)
  server.later(6 * 60_000)
  const later = new TOTP({ secret: Secret.fromBase32(first) }).generate({
    timestamp: testTime() + 12 * 60_000,
  })
  const fresh = await steward.call(api.session.totpBegin, {})
  const code = new TOTP({ secret: Secret.fromBase32(fresh.secret) }).generate({
    timestamp: testTime() + 12 * 60_000,
  })
  const replaced = await steward.ask(api.session.totpConfirm, {
    body: { ticket: fresh.ticket, code, current: later },
  })
  expect(replaced.msg).toBe('')
  server.later(-12 * 60_000)
})
