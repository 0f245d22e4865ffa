import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { refuseOtherFiles } from '../app/files-mark.ts'
import { refuseOtherKey } from '../app/installation.ts'
import { exportTenant, importTenant } from '../app/move-tenant.ts'
import { ownBucket } from '../kit/own-bucket.ts'
import { filesFolder } from '../kit/own-place.ts'
import { openBucket, type TestBucket } from '../testing/bucket.ts'
import { freshDatabase } from '../testing/database.ts'
import { uploadPhoto } from '../testing/photo.ts'
import { startTestServer, type TestServer } from '../testing/start.ts'
import { backup } from './backup.ts'
import { connect } from './connect.ts'
import { finishRestore, restore } from './restore.ts'

let bucket: TestBucket
let folder: string
let server: TestServer
let key: string
const placeIn = (prefix: string) =>
  ownBucket({ address: `s3://files/${prefix}`, s3: bucket.settings }, folder)
const begin = (prefix: string) => refuseOtherFiles(server.db, placeIn(prefix), () => {})
const below = (prefix: string) =>
  [...bucket.objects.entries()]
    .filter(([name]) => name.startsWith(`${prefix}/`) && !/\.(thumb|medium)$/.test(name))
    .map(([name, bytes]) => [name.slice(prefix.length + 1), bytes.toString('base64')] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))

beforeAll(async () => {
  bucket = await openBucket('files')
  bucket.pageSize = 2
  folder = await mkdtemp(join(tmpdir(), 'zhuguan-bucket-'))
  server = await startTestServer({ place: placeIn('house') })
  await refuseOtherKey(server.db, server.secretKey, server.dataDir)
  await begin('house')
  const gm = await server.as('branch_gm')
  for (let i = 0; i < 3; i += 1) key = await uploadPhoto(server.url, gm)
})
afterAll(async () => {
  await server.stop()
  await bucket.close()
  await rm(folder, { recursive: true, force: true })
})

test('the bucket bears the mark of the installation: a server with another does not start', async () => {
  const [{ mark }] = (await server.sql('SELECT files_mark AS mark FROM installation')) as [{ mark: string }]
  expect(bucket.objects.get('house/installation')!.toString()).toBe(mark)
  await begin('house')
  await expect(begin('another')).rejects.toThrow(/^s3:\/\/files\/another 不是这个库的存储.*请用 FILES 指向/)
  const disk = filesFolder(join(folder, 'disk'))
  await expect(refuseOtherFiles(server.db, disk, () => {})).rejects.toThrow(
    `${join(folder, 'disk', 'files')} 不是这个库的文件夹`,
  )
  const s3 = { ...bucket.settings, secretKey: 'another' }
  const shut = ownBucket({ address: 's3://files/house', s3 }, folder)
  await expect(refuseOtherFiles(server.db, shut, () => {})).rejects.toThrow(
    /^s3:\/\/files\/house 不能读写：status 403。请检查 FILES、S3_ENDPOINT/,
  )
  expect(below('another')).toEqual([])
})

test('a backup takes the files along out of the bucket, a restore puts them into another or a folder', async () => {
  const file = join(folder, 'all.gz')
  const before = below('house')
  expect(before.map(([name]) => name)).toContain(`${key.slice(-8, -6)}/${key}`)
  // The three, the mark and the key.
  expect(await backup(server.ownerUrl, server.dataDir, file, placeIn('house'))).toMatchObject({ files: 5 })
  const database = await freshDatabase()
  const [there, disk] = [join(folder, 'there'), join(folder, 'onto-disk')]
  try {
    // Another's bucket is left alone, and so are the rows.
    bucket.objects.set('taken/installation', Buffer.from('somebody else'))
    await expect(restore(database.ownerUrl, there, file, placeIn('taken'))).rejects.toThrow(
      's3://files/taken 是另一个安装的',
    )
    expect(below('taken').map(([name]) => name)).toEqual(['installation'])
    await restore(database.ownerUrl, there, file, placeIn('second'))
    expect(below('second')).toEqual(before)
    expect(await readdir(there)).toEqual(['secret.key'])
    await restore(database.ownerUrl, disk, file)
    expect((await readFile(join(disk, 'files', 'installation'))).toString()).toBe(
      bucket.objects.get('house/installation')!.toString(),
    )
    // The bucket goes away between the rows and the files: the next start brings the rest.
    bucket.trouble = (request, reply) => {
      if (request.method !== 'PUT') return false
      reply.writeHead(503).end()
      return true
    }
    await expect(restore(database.ownerUrl, there, file, placeIn('third'))).rejects.toThrow('没有回应')
    expect(below('third')).toEqual([])
    bucket.trouble = undefined
    await finishRestore(database.ownerUrl, there, placeIn('third'))
    expect(below('third')).toEqual(before)
    const db = connect(database.logins, { max: 1, now: server.now })
    await refuseOtherFiles(db, placeIn('third'), () => {}).finally(() => db.close())
  } finally {
    bucket.trouble = undefined
    await database.drop()
  }
})

test('a group that moves takes its files along; one that is refused leaves nothing in the bucket', async () => {
  const file = join(folder, 'group.gz')
  const [group] = await server.sql<{ name: string }>(
    `SELECT t.name FROM tenants t JOIN files f ON f.tenant_id = t.id WHERE f.key = $1`,
    [key],
  )
  const told = (await exportTenant(
    server.ownerUrl,
    server.dataDir,
    [group!.name, file],
    placeIn('house'),
  )) as {
    key: string
    files: number
  }
  expect(told.files).toBe(3)
  const other = await startTestServer({ place: placeIn('beside') })
  try {
    await refuseOtherKey(other.db, other.secretKey, other.dataDir)
    // The same demo is here: its group is.
    await expect(
      importTenant(other.ownerUrl, other.dataDir, [file, told.key], placeIn('beside')),
    ).rejects.toThrow('这里已经有')
    expect(below('beside')).toEqual([])
  } finally {
    await other.stop()
  }
})
