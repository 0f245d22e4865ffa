import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { openBucket, type TestBucket } from '../testing/bucket.ts'
import { openPlace, type Place } from './place.ts'

const FILES: Record<string, string> = {
  'HZ-1/index.m3u8': '#EXTM3U',
  'HZ-1/a b+c 中.ts': 'segment',
  'HZ-1/2026/11/x.mp4': '0123456789',
  'HZ-2/index.m3u8': 'other',
}
let dir: string
let bucket: TestBucket
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'zhuguan-place-'))
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(join(dir, 'in', path, '..'), { recursive: true })
    await writeFile(join(dir, 'in', path), text)
  }
  await writeFile(join(dir, 'secret.txt'), 'secret')
  await symlink(join(dir, 'secret.txt'), join(dir, 'in', 'HZ-1', 'out.ts'))
  await symlink(join(dir, 'in', 'HZ-1', 'index.m3u8'), join(dir, 'in', 'HZ-1', 'inside.m3u8'))
  bucket = await openBucket('video')
  for (const [path, text] of Object.entries({ ...FILES, 'HZ-10/x.ts': 'x' }))
    bucket.objects.set(`cams/${path}`, Buffer.from(text))
})
afterAll(async () => {
  await rm(dir, { recursive: true, force: true })
  await bucket.close()
})

async function read(place: Place, path: string, from = 0, to?: number): Promise<string | undefined> {
  const file = await place.open(path)
  if (!file) return undefined
  const pieces: Buffer[] = []
  const part = file.part(from, to ?? file.size - 1)
  for await (const piece of Buffer.isBuffer(part) ? [part] : part) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString()
}
const pathsOf = async (place: Place, prefix?: string) => {
  const paths: string[] = []
  for await (const { path } of place.list(prefix)) paths.push(path)
  return paths.sort()
}
const ASTRAY = [
  '../secret.txt',
  'HZ-1/../../secret.txt',
  '/etc/passwd',
  'HZ-1//x',
  '',
  '.',
  'HZ-1',
  'a\0b',
  'a\\b',
]

describe.each([
  ['a folder', () => openPlace(pathToFileURL(join(dir, 'in')).href, null)],
  ['a bucket', () => openPlace('s3://video/cams/', bucket.settings)],
])('%s', (_name, open) => {
  test('is read whole and in parts, and listed', async () => {
    const place = open()
    expect(await read(place, 'HZ-1/index.m3u8')).toBe('#EXTM3U')
    expect(await read(place, 'HZ-1/a b+c 中.ts')).toBe('segment')
    expect(await read(place, 'HZ-1/2026/11/x.mp4', 3, 5)).toBe('345')
    expect(await pathsOf(place, 'HZ-1/2026/')).toEqual(['HZ-1/2026/11/x.mp4'])
    expect(await pathsOf(place)).toEqual(expect.arrayContaining(Object.keys(FILES)))
    expect(await read(place, 'HZ-3/index.m3u8')).toBeUndefined()
  })
  test('nothing leads out of it', async () => {
    for (const path of ASTRAY) expect(await read(open(), path), path).toBeUndefined()
  })
})

test('a link inside the folder may be followed, one that leads out may not', async () => {
  const place = openPlace(pathToFileURL(join(dir, 'in')).href, null)
  expect(await read(place, 'HZ-1/inside.m3u8')).toBe('#EXTM3U')
  expect(await read(place, 'HZ-1/out.ts')).toBeUndefined()
})

test('a bucket asks page by page, and every request is signed by its key', async () => {
  bucket.pageSize = 2
  expect((await pathsOf(openPlace('s3://video/cams/', bucket.settings))).length).toBe(5)
  bucket.pageSize = 1000
  const wrong = openPlace('s3://video/cams/', { ...bucket.settings, secretKey: 'wrong' })
  await expect(read(wrong, 'HZ-1/index.m3u8')).rejects.toThrow('status 403')
  await expect(pathsOf(wrong)).rejects.toThrow('status 403')
})
