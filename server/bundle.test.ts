import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import pg from 'pg'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { ROOT } from './kit/paths.ts'
import { freshDatabase } from './testing/database.ts'
import { serve, type Served } from './testing/process.ts'

/** What `npm start` runs: one file. The stories run the sources; these ask the file for what a bundle may break. */
const BUNDLE = join(ROOT, 'server', 'dist', 'server.js')
const folder = mkdtempSync(join(tmpdir(), 'zhuguan-bundle-'))
let database: Awaited<ReturnType<typeof freshDatabase>>
let server: Served
beforeAll(async () => {
  execFileSync(process.execPath, [join(ROOT, 'tools', 'bundle.ts')])
  database = await freshDatabase()
  server = await serve({ DATABASE_URL: database.ownerUrl, DATA_DIR: folder }, BUNDLE)
})
afterAll(async () => {
  await server.stop()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

test('signs in, lists, adds, exports, and reads a picture: what is loaded at first use is found', async () => {
  const list = (await server.call(sitesApi.list, {})) as unknown as {
    data: { totalCount: number; list: { bc_id: string }[] }
  }
  expect(list.data.totalCount).toBeGreaterThan(20)
  const added = await server.call(sitesApi.add, {
    ws_name: '一个文件的工地',
    bc_id: list.data.list[0]!.bc_id,
    address: '某路 1 号',
  })
  expect([added.code, added.data.code]).toEqual([200, expect.stringMatching(/^GD\d{8}$/)])
  // A sentence of the form's own language.
  expect((await server.call(sitesApi.add, { ws_name: 5 })).msg).toMatch(/[一-龥]/)
  const sheet = await fetch(server.url + sitesApi.export.path, { method: 'POST', headers: server.headers })
  expect(
    Buffer.from(await sheet.arrayBuffer())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK')
  const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#123' } })
    .png()
    .toBuffer()
  const sent = await fetch(server.url + filesApi.upload.path, {
    method: 'POST',
    headers: { ...server.headers, 'content-type': 'image/png' },
    body: new Uint8Array(png),
  })
  expect(((await sent.json()) as { code: number }).code).toBe(200)
})

test('an unexpected error stands in the log with its places in the files that people know', async () => {
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  await owner.query('ALTER TABLE sites RENAME TO gone')
  try {
    expect((await server.call(sitesApi.list, {})).code).toBe(500)
  } finally {
    await owner.query('ALTER TABLE gone RENAME TO sites')
    await owner.end()
  }
  await expect.poll(() => server.log()).toMatch(/node_modules\/pg-protocol\/dist\/parser\.js:\d+:\d+/)
  expect(server.log()).not.toMatch(/dist\/server\.js:\d/)
})
