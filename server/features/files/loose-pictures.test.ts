import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { loosePictures } from '../../app/retention.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { report, sendFile } from '../../testing/device.ts'
import { plainJpeg, uploadPhoto } from '../../testing/photo.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { openFileStore, placeOf } from './file-store.ts'
import { NAMERS } from './loose-pictures.service.ts'

const DAY_MS = 86_400_000
let server: TestServer
let gm: Person
let camera: { sn: string; secret: string }
let tenant: string
beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  tenant = gm.tenant
  const [row] = await server.sql<{ sn: string }>(
    `SELECT sn FROM devices WHERE type = 'camera' AND site_id IS NOT NULL AND tenant_id = $1 ORDER BY sn LIMIT 1`,
    [tenant],
  )
  camera = { sn: row!.sn, secret: server.devices.find((d) => d.sn === row!.sn)!.secret }
})
afterAll(() => server.stop())

const sent = async () => (await sendFile(server.url, camera, await plainJpeg())).data.key
const night = (since: Date | null = null) =>
  loosePictures(openFileStore(server.dataDir)).run({
    db: server.db,
    tenant,
    day: shanghaiDay(server.now()),
    since,
    met: server.now(),
    now: server.now(),
    stopped: () => false,
  })
const there = async (key: string) => {
  const rows = await server.sql('SELECT 1 FROM files WHERE key = $1', [key])
  const isNamed = rows.length === 1
  // It leaves the disk after the commit.
  await expect.poll(() => existsSync(join(server.dataDir, 'files', placeOf(key)))).toBe(isNamed)
  return isNamed
}
async function allThere(keys: readonly string[]): Promise<boolean[]> {
  const all: boolean[] = []
  for (const key of keys) all.push(await there(key))
  return all
}
const age = (keys: string[], days: number) =>
  server.sql(`UPDATE files SET at = :now - $2 * interval '1 day' WHERE key = ANY ($1)`, [keys, days])
/** An alarm that names a picture. */
const alarm = (picture: string, id: string) => {
  const at = Math.floor(server.now().getTime() / 1_000) - 30
  const event = { id, kind: 'alarm', at, type: 'smoking', confidence: 0.9, picture }
  return report(server.url, camera, [event], server.now())
}

test('wherever the database may name a picture, it is looked for', async () => {
  const columns = await server.sql<{ name: string }>(
    `SELECT c.relname || '.' || a.attname AS name
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND a.attnum > 0 AND NOT a.attisdropped AND a.atttypid IN ('text'::regtype, 'text[]'::regtype)
       AND a.attname ~ 'pict|photo|clip|face|proof|signature|key|image'
     ORDER BY 1`,
  )
  // Keys of other things, and what a file is called itself.
  const others = ['files.key', 'installation.key_print', 'log_heads.signature', 'login_failures.key']
  others.push('files_leaving.key', 'log_blackened.signature', 'offered.key', 'settings.key')
  const looked = Object.entries(NAMERS).flatMap(([table, all]) => all.map((n) => `${table}.${n.column}`))
  expect([...looked, ...others].sort()).toEqual(columns.map((c) => c.name).sort())
})

test('a picture that no event named goes after seven days; what is younger or named stays', async () => {
  const keys: string[] = []
  for (let i = 0; i < 4; i += 1) keys.push(await sent())
  const [loose, named, young, held] = keys as [string, string, string, string]
  expect((await alarm(named, 'named')).data.accepted).toBe(1)
  await age([loose, named, held], 8)
  await age([young], 7)
  // Somebody is about to name it.
  await server.sql('BEGIN')
  await server.sql('SELECT 1 FROM files WHERE key = $1 FOR KEY SHARE', [held])
  expect(await night()).toBe('删除 1 个没有用到的照片和文件')
  await server.sql('COMMIT')
  expect(await allThere(keys)).toEqual([false, true, true, true])
  expect((await alarm(loose, 'too late')).data.rejected).toEqual([{ id: 'too late', reason: '文件不存在' }])
  // The next night comes by it once more.
  expect(await night(new Date(server.now().getTime() - DAY_MS))).toBe('删除 1 个没有用到的照片和文件')
  expect(await there(held)).toBe(false)
})

test('what people uploaded and never handed in goes after seven days; what proves something stays', async () => {
  const keys: string[] = []
  for (let i = 0; i < 3; i += 1) keys.push(await uploadPhoto(server.url, gm))
  const [draft, old, used] = keys as [string, string, string]
  await server.sql(
    `UPDATE files f SET proves = gen_random_uuid(), site_id = d.site_id, bc_id = d.bc_id
     FROM devices d WHERE d.sn = $2 AND d.tenant_id = f.tenant_id AND f.key = $1`,
    [used, camera.sn],
  )
  await age([draft], 7)
  await age([old, used], 8)
  expect(await night()).toBe('删除 1 个没有用到的照片和文件')
  expect(await allThere(keys)).toEqual([true, false, true])
})
