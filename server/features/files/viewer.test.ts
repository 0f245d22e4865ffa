import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { draw } from '../../../simulator/pictures.ts'
import { report, sendFile } from '../../testing/device.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { seconds } from '../../testing/time.ts'

let server: TestServer
let key: string
beforeAll(async () => {
  server = await startTestServer()
  const camera = server.devices.find((d) => d.type === 'camera' && d.sn.includes('HZ'))!
  const picture = await draw({ type: 'smoking', variant: 1, camera: camera.sn, time: '2026-11-21 10:00:00' })
  key = (await sendFile(server.url, camera, picture)).data.key
  await report(server.url, camera, [
    { id: 'seen', kind: 'alarm', at: seconds() - 5, type: 'smoking', confidence: 0.9, picture: key },
  ])
})
afterAll(() => server.stop())

/** What a browser of this session is given: its name in addresses, and the cookie. */
async function browserOf(who: Person) {
  const response = await fetch(server.url + sessionApi.permissionInfo.path, {
    headers: { token: who.token, 'tenant-id': who.tenant },
  })
  const { data } = (await response.json()) as { data: { viewer: string } }
  const said = response.headers.get('set-cookie')!
  return { viewer: data.viewer, said, cookie: said.split(';')[0]! }
}
const look = (viewer: string, cookie?: string, query = '') =>
  fetch(`${server.url}${filesApi.get.path}?key=${key}&size=thumb&viewer=${viewer}${query}`, {
    headers: cookie ? { cookie } : {},
  })

test('an address of a picture opens in the browser of its session, and nowhere else', async () => {
  const gm = await server.as('branch_gm')
  const mine = await browserOf(gm)
  const shown = await look(mine.viewer, mine.cookie)
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/webp'])
  expect(shown.headers.get('vary')).toContain('cookie')
  expect(mine.said).toMatch(/; Path=\/user\/api\/file\/get; Max-Age=\d+; HttpOnly; SameSite=Strict$/)
  // The same all the time: what the browser keeps by it stays good.
  expect((await browserOf(gm)).cookie).toBe(mine.cookie)

  const other = await browserOf(await server.as('branch_gm2'))
  expect((await look(mine.viewer)).status).toBe(401)
  expect((await look('')).status).toBe(401)
  expect((await look(mine.viewer, other.cookie)).status).toBe(401)
  // Under the name of the other's cookie it is the other who asks, and their branch that counts.
  expect((await look(other.viewer, `${mine.cookie}; ${other.cookie}`)).status).toBe(403)
  expect((await look(mine.viewer, `${mine.cookie}; ${other.cookie}`)).status).toBe(200)
})

test('a cookie that was changed, renamed or taken from the database proves nothing', async () => {
  const { viewer, cookie } = await browserOf(await server.as('branch_gm'))
  const [name, value] = cookie.split('=') as [string, string]
  const bytes = Buffer.from(value, 'base64url')
  for (let at = 0; at < bytes.length; at += 7) {
    const changed = Buffer.from(bytes)
    changed[at]! ^= 1
    expect((await look(viewer, `${name}=${changed.toString('base64url')}`)).status).toBe(401)
  }
  for (const text of ['', value.slice(0, 20), `${value}AA`, '%00'])
    expect((await look(viewer, `${name}=${text}`)).status).toBe(401)
  const [row] = await server.sql(`SELECT encode(token_hash, 'hex') AS hash FROM sessions LIMIT 1`)
  const hash = Buffer.from(row!.hash as string, 'hex')
  expect((await look(viewer, `${name}=${hash.toString('base64url')}`)).status).toBe(401)
  expect((await look(viewer, `see-0000000000000000=${value}`)).status).toBe(401)
  expect((await look('0000000000000000', cookie)).status).toBe(401)
  expect((await look(viewer, cookie, `&viewer=${viewer}`)).status).toBe(401)
})

test('the cookie opens pictures alone, and nothing once the session is over', async () => {
  const gm = await server.as('branch_gm')
  const { viewer, cookie } = await browserOf(gm)
  const list = await fetch(`${server.url}${sessionApi.permissionInfo.path}?viewer=${viewer}`, {
    headers: { cookie },
  })
  expect(list.status).toBe(401)
  expect((await look(viewer, cookie)).status).toBe(200)
  const out = await fetch(server.url + sessionApi.logout.path, {
    method: 'POST',
    headers: { token: gm.token, 'tenant-id': gm.tenant },
  })
  expect(out.headers.get('set-cookie')).toMatch(new RegExp(`^see-${viewer}=; .*Max-Age=0`))
  expect((await look(viewer, cookie)).status).toBe(401)
})
