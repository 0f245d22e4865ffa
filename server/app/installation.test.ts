import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { connect } from '../database/connect.ts'
import { databaseNow } from '../database/own-clock.ts'
import { openFileStore, placeOf } from '../features/files/file-store.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { filesFolder } from '../kit/own-place.ts'
import { uploadPhoto } from '../testing/photo.ts'
import { startTestServer, type TestServer } from '../testing/start.ts'
import { refuseOtherFiles } from './files-mark.ts'
import { refuseOtherKey, refuseWrongClock } from './installation.ts'

interface Told {
  msg: string
}
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

test('servers of one database have one key: the first says which, another is refused', async () => {
  await refuseOtherKey(server.db, server.secretKey, '/first')
  await refuseOtherKey(server.db, server.secretKey, '/second')
  await expect(refuseOtherKey(server.db, randomBytes(32), '/third')).rejects.toThrow(
    '/third/secret.key 不是这个库的密钥',
  )
  await refuseOtherKey(server.db, server.secretKey, '/first')
  const kept = await server.sql<{ key_print: string }>('SELECT key_print FROM installation')
  expect(kept).toHaveLength(1)
  expect(kept[0]!.key_print).not.toContain(server.secretKey.toString('base64url'))
})

test('servers of one database have one folder of files: the one that holds them bears the mark', async () => {
  const folders = await Promise.all(['a', 'b', 'c'].map((n) => mkdtemp(join(tmpdir(), `zhuguan-mark-${n}-`))))
  const [whole, part, empty] = folders as [string, string, string]
  const warned: string[] = []
  await refuseOtherKey(server.db, server.secretKey, whole)
  const begin = (folder: string) =>
    refuseOtherFiles(server.db, filesFolder(folder), (why) => warned.push(why))
  try {
    // As the release before left it: two servers, each with a disk of its own, and one that is new.
    const [tenant] = await server.sql<{ id: string }>('SELECT id FROM tenants LIMIT 1')
    const keys = await Promise.all(
      [...Array(10).keys()].map((i) => openFileStore(i < 6 ? whole : part).put(Buffer.from('x'), 'jpg')),
    )
    await server.sql('DELETE FROM files')
    await server.sql(
      `INSERT INTO files (key, tenant_id, kind, bytes, at) SELECT k, $2, 'picture', 1, :now FROM unnest($1::text[]) k`,
      [keys, tenant!.id],
    )
    await expect(begin(empty)).rejects.toThrow('库里最近的 10 个文件')
    await expect(begin(part)).rejects.toThrow('里只有 4 个')
    await begin(whole)
    expect(warned).toEqual([expect.stringContaining('缺 4 个')])
    await begin(whole)
    for (const other of [part, empty])
      await expect(begin(other)).rejects.toThrow(`${join(other, 'files')} 不是这个库的文件夹`)
    // The same disk by another way, and files that were lost for good.
    const [{ mark }] = (await server.sql('SELECT files_mark AS mark FROM installation')) as [{ mark: string }]
    await writeFile(join(part, 'files', 'installation'), `${mark}\n`)
    await begin(part)
  } finally {
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
  }
})

test('a file that is named and not there is told as missing, counted and logged once', async () => {
  const gm = await server.as('branch_gm')
  const key = await uploadPhoto(server.url, gm)
  const ask = async () => {
    const answer = await fetch(`${server.url}${filesApi.get.path}?key=${key}`, {
      headers: { token: gm.token, 'tenant-id': gm.tenant },
    })
    return { status: answer.status, msg: answer.status === 200 ? '' : ((await answer.json()) as Told).msg }
  }
  const missing = async () =>
    Number(/^zhuguan_files_missing (\d+)$/m.exec(await (await fetch(`${server.url}/metrics`)).text())![1])
  expect(await ask()).toEqual({ status: 200, msg: '' })
  const before = await missing()
  await rm(join(server.dataDir, 'files', placeOf(key)))
  for (let i = 0; i < 2; i += 1)
    expect(await ask()).toEqual({ status: 404, msg: '这个文件在服务器上已经不在了，请告诉管理员' })
  expect(await missing()).toBe(before + 1)
  const warned: string[] = []
  const store = openFileStore(server.dataDir, (why) => warned.push(why))
  const other = `${key.slice(0, -8)}aaaa.jpg`
  for (let i = 0; i < 2; i += 1) await expect(store.open(other)).rejects.toThrow('已经不在了')
  expect(warned).toEqual([`文件不在了：${join(server.dataDir, 'files', placeOf(other))}`])
})

test('a server whose clock is minutes away from the database’s does not start', async () => {
  const db = connect(server.logins, { max: 1, now: server.now })
  try {
    const right = await databaseNow(db, SYSTEM)
    const off = (minutes: number) => () => new Date(right.getTime() + minutes * 60_000)
    await refuseWrongClock(db, off(1))
    await expect(refuseWrongClock(db, off(9 * 1_440))).rejects.toThrow('比数据库快 12960 分钟')
    await expect(refuseWrongClock(db, off(-30))).rejects.toThrow('比数据库慢 30 分钟')
  } finally {
    await db.close()
  }
})
