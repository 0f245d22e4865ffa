import { setTimeout as pause } from 'node:timers/promises'

import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { sha256, startTestServer, type TestServer } from '../testing/start.ts'

const BOTS = 250
const OFFICE = '198.51.100.20'
const AGAIN_MS = 1_000
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.sql(
    `INSERT INTO sessions (token_hash, tenant_id, user_id, expires_at, ip, agent, via, created_at)
     SELECT sha256('long ago'), u.tenant_id, u.id, :now - interval '1 day', $1, '', 'password', :now - interval '2 days'
     FROM users u WHERE u.user_name = 'pm'`,
    [OFFICE],
  )
})
afterAll(() => server.stop())

const signIn = (from: string, username: string, password: string) =>
  server
    .nobody()
    .ask(sessionApi.login, { body: { username, password: sha256(password) } }, { 'x-forwarded-for': from })

test('250 addresses that ask without end keep out nobody who comes from where somebody signed in before', async () => {
  let flooding = true
  let full = 0
  const bots = Array.from({ length: BOTS }, async (_, i) => {
    while (flooding) {
      if ((await signIn(`203.0.${i % 2}.${i}`, `nobody${i}`, 'Wrong1234')).code === 503) full += 1
      await pause(AGAIN_MS)
    }
  })
  await expect.poll(() => full, { timeout: 20_000 }).toBeGreaterThan(BOTS / 2)
  const honest: number[] = []
  for (let i = 0; i < 8; i += 1) honest.push((await signIn(OFFICE, 'pm', 'Zhuguan666')).code)
  // From where nobody came before the same person is one of many.
  const elsewhere = await Promise.all(
    Array.from({ length: 200 }, (_, i) => signIn(`192.0.2.${i}`, 'pm', 'Zhuguan666')),
  )
  flooding = false
  await Promise.all(bots)
  expect(honest).toEqual(Array<number>(8).fill(200))
  expect(elsewhere.filter(({ code }) => code === 503).length).toBeGreaterThan(0)
}, 600_000)
