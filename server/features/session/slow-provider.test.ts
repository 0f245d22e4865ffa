import { createServer, type Socket } from 'node:net'

import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { report } from '../../testing/device.ts'
import { startTestServer, type TestServer } from '../../testing/start.ts'
import { seconds } from '../../testing/time.ts'

let server: TestServer
const sockets = new Set<Socket>()
/** A provider that takes the call and never says a word. */
const silent = createServer((socket) => {
  sockets.add(socket)
  socket.on('error', () => {})
  socket.on('close', () => sockets.delete(socket))
})
beforeAll(async () => {
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as { port: number }
  server = await startTestServer({
    oidc: {
      issuer: `http://127.0.0.1:${port}`,
      clientId: 'zhuguan',
      clientSecret: 'secret',
      publicUrl: 'http://127.0.0.1:1',
      answerSeconds: 2,
    },
  })
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  silent.close()
  await server.stop()
})

test('a provider that never answers stops neither passwords nor devices nor readiness', async () => {
  const at = performance.now()
  const strangers = Array.from({ length: 12 }, () => server.nobody().ask(sessionApi.ssoBegin))
  await new Promise((r) => setTimeout(r, 100))
  const camera = server.devices.find((d) => d.type === 'camera')!
  const began = performance.now()
  const [pm, device, ready] = await Promise.all([
    server.as('pm'),
    report(server.url, camera, [{ id: 's1', kind: 'visitor', at: seconds(), seconds: 5 }]),
    fetch(`${server.url}/readyz`),
  ])
  expect(performance.now() - began).toBeLessThan(1_800)
  expect([pm.token.length > 20, device.code, ready.status]).toEqual([true, 200, 200])
  const answers = await Promise.all(strangers)
  expect(performance.now() - at).toBeLessThan(4_500)
  const told = answers.filter((a) => a.status === 503)
  expect(told).toHaveLength(4)
  for (const answer of told) expect(answer.msg).toBe('企业登录服务暂时连接不上，请用账号密码登录')
  for (const answer of answers) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(answers.filter((a) => a.status === 429)).toHaveLength(8)
})

test('a state is used up by its first answer, even by one that failed', async () => {
  const state = 'a-state-of-the-test'
  const browser = 'b'.repeat(32)
  const row = `INSERT INTO oidc_states (state, nonce, verifier, expires_at)
    VALUES (translate(encode(sha256('${state}.${browser}'), 'base64'), '+/=', '-_'), 'n', 'v', :now::timestamptz + interval '5 minutes')`
  await server.sql(row)
  const finish = () =>
    server
      .nobody()
      .ask(sessionApi.ssoFinish, { body: { code: 'c', state } }, { cookie: `sso-begun=${browser}` })
  expect((await finish()).status).toBe(503)
  expect((await finish()).msg).toBe('登录已超时，请重新点“企业账号登录”')
})
