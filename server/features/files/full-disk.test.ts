import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { loadSharp } from '../../kit/native.ts'
import { sendFile } from '../../testing/device.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let gm: Person
let photo: Buffer
beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  mkdirSync(files(), { recursive: true })
  photo = await (
    await loadSharp()
  )({ create: { width: 40, height: 30, channels: 3, background: '#357' } })
    .jpeg()
    .toBuffer()
})
afterAll(() => server.stop())

const files = () => join(server.dataDir, 'files')
const onDisk = () =>
  readdirSync(files(), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .sort()
async function upload(): Promise<{ status: number; after: string | null; code: number; msg: string }> {
  const answer = await fetch(server.url + api.files.upload.path, {
    method: 'POST',
    headers: { token: gm.token, 'tenant-id': gm.tenant, 'content-type': 'image/jpeg' },
    body: new Uint8Array(photo),
  })
  const said = (await answer.json()) as { code: number; msg: string }
  return { status: answer.status, after: answer.headers.get('retry-after'), ...said }
}
const camera = () => server.devices.find((d) => d.type === 'camera')!
/** The database refuses this table's rows as it does when its disk is full. */
const fill = (table: string) =>
  server.sql(
    `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
     CREATE TRIGGER full_disk BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION full_disk()`,
  )
const free = () => server.sql('DROP FUNCTION full_disk CASCADE')

describe('a full disk', () => {
  it('under the database: people are told so, in a sentence and with when to come again; afterwards all is well', async () => {
    await fill('sites')
    const { bc } = (
      await server.sql<{ bc: string }>(`SELECT bc_id AS bc FROM sites WHERE code = 'GDHZ001'`)
    )[0]!
    const body = { ws_name: '磁盘满时', bc_id: bc, address: '某路 1 号' }
    const refused = await gm.ask(api.sites.add, { body })
    expect([refused.status, refused.code, refused.headers.get('retry-after')]).toEqual([503, 503, '10'])
    expect(refused.msg).toContain('服务器的磁盘已满或出错，没有保存')
    await free()
    expect((await gm.ask(api.sites.add, { body })).code).toBe(200)
  })

  it('under the database: a photo that no row names is no file either, from a person or from a device', async () => {
    const before = onDisk()
    await fill('files')
    expect(await upload()).toMatchObject({ status: 503, after: '10', code: 503 })
    expect(await sendFile(server.url, camera(), photo)).toMatchObject({ status: 503, code: 503 })
    expect(onDisk()).toEqual(before)
    await free()
    expect((await upload()).code).toBe(200)
    expect(onDisk()).toHaveLength(before.length + 1)
  })

  it.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
    'under the uploads: refused in a sentence, and nothing half is left there (needs the right to mount)',
    async () => {
      const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', files()])
      if (mounted.status !== 0) return
      try {
        writeFileSync(join(files(), 'ballast'), Buffer.alloc(60 * 1024))
        const big = await (
          await loadSharp()
        )(Buffer.from(Array.from({ length: 90_000 }, (_, i) => (i * 7919) % 251)), {
          raw: { width: 200, height: 150, channels: 3 },
        })
          .jpeg()
          .toBuffer()
        photo = big
        expect(await upload()).toMatchObject({ status: 503, after: '10', code: 503 })
        expect(await sendFile(server.url, camera(), photo)).toMatchObject({ status: 503, code: 503 })
        expect(onDisk()).toEqual(['ballast'])
        rmSync(join(files(), 'ballast'))
        expect((await upload()).code).toBe(200)
      } finally {
        spawnSync('umount', [files()])
      }
    },
  )
})
