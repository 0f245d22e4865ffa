import { createHash } from 'node:crypto'

import { api } from '@zhuguan/contract/api.ts'
import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { SEED_ROLES } from '../database/seed/roles.ts'
import { examples } from '../testing/examples.ts'
import { endpoints, held, type Matrix, openMatrix } from '../testing/matrix.ts'
import type { Person } from '../testing/start.ts'

/** Anybody who may make a call at all (G-01): without a session, with one that ended, in every role. */
let matrix: Matrix
beforeAll(async () => (matrix = await openMatrix()))
afterAll(() => matrix?.server.stop())

test('every endpoint has a rule; doors of machines, links and sign-in alone need no session', () => {
  const open = Object.values(api)
    .flatMap((f) => Object.values(f) as Endpoint[])
    .filter((e) => e.access === 'public' || e.access === 'device')
    .map((e) => e.path)
  expect(open.sort()).toEqual([
    '/open/device/events',
    '/open/device/files',
    // Links without an account, and carriers: both prove themselves by a secret of their own.
    '/open/driver/handover',
    '/open/driver/node',
    '/open/driver/photo',
    '/open/driver/say',
    '/open/driver/state',
    '/open/home/alive',
    '/open/home/allow',
    '/open/home/answer',
    '/open/home/caseanswer',
    '/open/home/cases',
    '/open/home/casewithdraw',
    '/open/home/consent',
    '/open/home/feedback',
    '/open/home/introduce',
    '/open/home/keep',
    '/open/home/leave',
    '/open/home/look',
    '/open/home/object',
    '/open/home/offer',
    '/open/home/personask',
    '/open/home/persons',
    '/open/home/photo',
    '/open/home/questions',
    '/open/home/remove',
    '/open/home/reopen',
    '/open/home/saw',
    '/open/home/say',
    '/open/home/score',
    '/open/home/scorevisit',
    '/open/home/state',
    '/open/home/takeback',
    '/open/home/thread',
    '/open/home/video',
    '/open/home/withdraw',
    '/open/link/open',
    '/open/link/painted',
    '/open/link/picture',
    '/open/logistics/events',
    '/open/screen/look',
    '/open/screen/picture',
    '/open/screen/report',
    '/open/share/interest',
    '/open/share/seen',
    '/open/share/state',
    '/osmcore/api/recording/play',
    '/osmcore/api/stream/play',
    '/user/system/auth/login',
    '/user/system/auth/sso-begin',
    '/user/system/auth/sso-finish',
  ])
  const served = matrix.server.app.built.routes.map((r) => `${r.method} ${r.path}`).sort()
  const said = Object.values(api)
    .flatMap((f) => Object.values(f) as Endpoint[])
    .filter((e) => e.access !== 'device')
    .map((e) => `${e.method} ${e.path}`)
    .sort()
  expect(served).toEqual(said)
})

test('nobody without a session gets in anywhere', async () => {
  const pm = matrix.people.get('pm')!
  for (const e of endpoints) {
    for (const headers of [{}, { token: '' }, { token: 'made-up', 'tenant-id': pm.tenant }] as Record<
      string,
      string
    >[])
      expect((await matrix.server.nobody(headers).askAny(e)).status, e.path).toBe(401)
    for (const tenant of ['', '01900000-0000-7000-8000-000000000000'])
      expect(
        (await matrix.server.nobody({ token: pm.token, 'tenant-id': tenant }).askAny(e)).status,
        e.path,
      ).toBe(403)
  }
})

test('every endpoint as every role: no wrong allow, no wrong denial', async () => {
  const strange = examples(await matrix.recordsOf('SZ'))
  let asked = 0
  for (const role of SEED_ROLES) {
    for (const endpoint of endpoints) {
      const answer = await matrix.people.get(role.code)!.askAny(endpoint, strange[endpoint.path]?.[0])
      const denied = answer.code === 401 && answer.msg === 'No Permission'
      expect(denied, `${role.code} ${endpoint.path}: ${answer.code} ${answer.msg}`).toBe(
        !held(role, endpoint),
      )
      asked += 1
    }
  }
  expect(asked).toBe(SEED_ROLES.length * endpoints.length)
}, 600_000)

test('a session that ended, or of another tenant, gets in nowhere; a known person’s refusal is one line', async () => {
  const tell = async () => {
    await matrix.server.sql(`SELECT pg_notify('access', '')`)
    await new Promise((r) => setTimeout(r, 300))
  }
  const ended = {
    revoked: await matrix.server.as('sales'),
    expired: await matrix.server.as('examiner'),
    disabled: await matrix.server.as('acceptor'),
  }
  const hash = (p: Person) => createHash('sha256').update(p.token).digest()
  await matrix.server.sql('UPDATE sessions SET revoked_at = :now WHERE token_hash = $1', [
    hash(ended.revoked),
  ])
  await matrix.server.sql(
    `UPDATE sessions SET expires_at = :now - interval '1 second' WHERE token_hash = $1`,
    [hash(ended.expired)],
  )
  await matrix.server.sql(`UPDATE users SET status = 2 WHERE user_name = 'acceptor'`)
  await tell()
  const pm = matrix.people.get('pm')!
  const other = await matrix.server.as('other')
  for (const e of endpoints.filter((x) => x.access !== 'public')) {
    expect((await ended.revoked.askAny(e)).status, e.path).toBe(401)
    expect((await ended.disabled.askAny(e)).status, e.path).toBe(401)
    expect(await ended.expired.askAny(e), e.path).toMatchObject({
      code: 500,
      msg: 'Token Expiration',
      data: null,
    })
    expect(
      (await matrix.server.nobody({ token: '   ', 'tenant-id': pm.tenant }).askAny(e)).status,
      e.path,
    ).toBe(401)
    const before = await matrix.refusals()
    const strangers = [
      { token: pm.token },
      { token: pm.token, 'tenant-id': other.tenant },
      { token: other.token, 'tenant-id': pm.tenant },
    ] as Record<string, string>[]
    for (const headers of strangers)
      expect(await matrix.server.nobody(headers).askAny(e), e.path).toMatchObject({
        status: 403,
        code: 403,
        data: null,
      })
    expect(await matrix.refusals(), e.path).toBe(before + strangers.length)
  }
  await matrix.server.sql(`UPDATE users SET status = 1 WHERE user_name = 'acceptor'`)
  await tell()
}, 600_000)
