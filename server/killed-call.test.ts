import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { streamsApi } from '@zhuguan/contract/features/streams/streams.api.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { freshDatabase, type TestDatabase } from './testing/database.ts'
import { enterAs } from './testing/person.ts'
import { serve, type Served } from './testing/process.ts'
import { openGateway, type TestGateway } from './testing/video-gateway.ts'

/** The product in processes of its own: one ends while the gateway plays to a browser, the next one begins. */
const folder = mkdtempSync(join(tmpdir(), 'zhuguan-killed-call-'))
let gateway: TestGateway
let database: TestDatabase
let owner: pg.Client
let server: Served
let camera: { id: string; sn: string }
/** What the gateway plays now. */
const playing = new Set<string>()
let isAway = false

const start = () =>
  serve({
    DATABASE_URL: database.ownerUrl,
    DATA_DIR: folder,
    VIDEO_GATEWAY: `${gateway.url}/{sn}/whep`,
  })
beforeAll(async () => {
  ;[gateway, database] = await Promise.all([openGateway(), freshDatabase()])
  server = await start()
  owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  await owner.query(`SET app.tenant = '*'`)
  const { rows } = await owner.query<typeof camera>(
    `SELECT d.id, d.sn FROM devices d
     JOIN sites w ON w.id = d.site_id AND w.status = 1 AND NOT w.lived_in
     JOIN users u ON u.id = w.manager_id AND u.user_name = 'pm'
     WHERE d.type = 'camera' ORDER BY d.sn LIMIT 1`,
  )
  camera = rows[0]!
  let n = 0
  gateway.answers.set(`/${camera.sn}/whep`, (_request, reply) => {
    const place = `/${camera.sn}/whep/${(n += 1)}`
    playing.add(place)
    gateway.answers.set(place, (_end, answer) => {
      if (isAway) answer.destroy()
      else {
        playing.delete(place)
        answer.writeHead(200).end()
      }
    })
    reply.writeHead(201, { 'content-type': 'application/sdp', location: place }).end('v=0\r\n')
  })
})
afterAll(async () => {
  await server.stop()
  await owner.end()
  await database.drop()
  await gateway.close()
  rmSync(folder, { recursive: true, force: true })
})

async function call(): Promise<void> {
  await owner.query('UPDATE devices SET device_status = 1, last_seen = now() WHERE id = $1', [camera.id])
  const pm = await enterAs(() => server.url, 'pm')
  const { view } = await pm.call(streamsApi.open, {
    body: { device_id: camera.id, purpose: 'patrol', said: true },
  })
  await pm.call(streamsApi.offer, { body: { view, sdp: 'v=0\r\n' } })
  expect(playing.size).toBe(1)
}
const written = async () =>
  (await owner.query<{ n: number }>('SELECT count(*)::int AS n FROM video_calls')).rows[0]!.n
async function until(isSo: () => boolean | Promise<boolean>, most = 40_000): Promise<number> {
  const from = performance.now()
  while (!(await isSo())) {
    if (performance.now() - from > most) throw new Error('never')
    await new Promise((done) => setTimeout(done, 100))
  }
  return (performance.now() - from) / 1_000
}

test('a call that ran when its server was killed is ended by the next one', async () => {
  await call()
  await server.kill()
  expect(playing.size).toBe(1)
  server = await start()
  console.log(`ended ${(await until(() => playing.size === 0)).toFixed(1)} s after the start`)
  await until(async () => (await written()) === 0)
})

test('a server that is stopped hangs up; what the gateway does not hear then it hears from the next', async () => {
  await call()
  await server.stop()
  expect(playing.size).toBe(0)
  server = await start()
  await call()
  isAway = true
  await server.stop()
  expect([playing.size, await written()]).toEqual([1, 1])
  isAway = false
  server = await start()
  await until(() => playing.size === 0)
  await until(async () => (await written()) === 0)
})
