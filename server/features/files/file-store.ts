import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'

import { DatabaseDown } from '../../database/connect.ts'
import { uuidv7 } from '../../kit/ids.ts'
import { loadSharp } from '../../kit/native.ts'
import { invalid, outside, Refused } from '../../kit/refuse.ts'

export interface FileStore {
  /** Writes and syncs before it answers; the key is ours, never a name from outside. */
  put(bytes: Buffer | Readable, ext: string): Promise<string>
  /**
   * The error that left the file without a row, thrown again; the file goes too, unless its row may have been
   * committed.
   */
  unnamed(key: string, error: unknown): Promise<never>
  read(key: string): Promise<Buffer>
  /** The same for who may read as slowly as they like: never whole in memory. */
  open(key: string): Promise<{ size: number; part(from: number, to: number): Readable }>
  /** Gone for good, with what was made from it. */
  remove(key: string): Promise<void>
  path(key: string): string
  /** The folder of everything that lies beside the database. */
  readonly dataDir: string
}

const KEY = /^[0-9a-f-]{36}\.(jpg|png|webp|mp4|pdf)$/
export const isKey = (name: string): boolean => KEY.test(name)

async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folders; there the file system sees to it.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** What could not be written whole, because the disk is full or fails, leaves nothing behind. */
async function orNothing(files: string[], write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    for (const file of files) await rm(file, { force: true }).catch(() => {})
    throw error
  }
}

/** Files that are named and do not lie there, since the start; each is told once. */
export const missingFiles = new Set<string>()
const MOST_MISSING = 100_000

/** A row of a table has a thumbnail, a card or a sharp screen the middle one. */
const SMALLER = ['thumb', 'medium'] as const
export type Smaller = (typeof SMALLER)[number]
/** A film that is being made from another stands beside it until it is whole. */
export const BEING_MADE = 'turned'

export function openFileStore(dataDir: string, warn: (why: string) => void = () => {}): FileStore {
  const root = join(dataDir, 'files')
  /** Not the caller's fault, nor a question of what they may see. */
  const missing = (key: string) => (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    if (!missingFiles.has(key) && missingFiles.size < MOST_MISSING) {
      missingFiles.add(key)
      warn(`文件不在了：${path(key)}`)
    }
    throw new Refused('这个文件在服务器上已经不在了，请告诉管理员', 404, 404)
  }
  const path = (key: string) => {
    if (!KEY.test(key)) throw outside()
    return join(root, key.slice(-8, -6), key)
  }
  async function remove(key: string): Promise<void> {
    for (const file of [path(key), ...[...SMALLER, BEING_MADE].map((more) => `${path(key)}.${more}`)])
      await rm(file, { force: true })
  }
  return {
    dataDir,
    path,
    read: async (key) => readFile(path(key)).catch(missing(key)),
    async open(key) {
      const { size } = await stat(path(key)).catch(missing(key))
      return { size, part: (start, end) => createReadStream(path(key), { start, end }) }
    },
    remove,
    async unnamed(key, error) {
      if (!(error instanceof DatabaseDown)) await remove(key).catch(() => {})
      throw error
    },
    async put(bytes, ext) {
      const key = `${uuidv7()}.${ext}`
      const target = path(key)
      const made = await mkdir(dirname(target), { recursive: true })
      await orNothing([`${target}.part`, target], async () => {
        const handle = await open(`${target}.part`, 'w')
        try {
          await handle.writeFile(bytes)
          await handle.sync()
        } finally {
          await handle.close()
        }
        await rename(`${target}.part`, target)
        // The name too must survive a power cut, and the folder's own name when it is new.
        await syncFolder(dirname(target))
        if (made) await syncFolder(root)
      })
      return key
    },
  }
}

export type FileType = 'jpg' | 'png' | 'webp' | 'mp4'
/** What the bytes are, whatever the header said. */
export function fileType(b: Buffer): FileType | undefined {
  if (b.length > 3 && b[0] === 0xff && b[1] === 0xd8 && b[2] === 0xff) return 'jpg'
  if (b.length > 8 && b.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])))
    return 'png'
  if (b.length > 12 && b.toString('latin1', 0, 4) === 'RIFF' && b.toString('latin1', 8, 12) === 'WEBP')
    return 'webp'
  if (b.length > 12 && b.toString('latin1', 4, 8) === 'ftyp') return 'mp4'
  return undefined
}

/** Packets of a transport stream, each with its mark. */
const PACKET = 188
export const isTransportStream = (b: Buffer): boolean =>
  b.length > 2 * PACKET && [0, PACKET, 2 * PACKET].every((at) => b[at] === 0x47)

export const MAX_PIXELS = 40_000_000
/** A PDF by its first bytes; nothing in it is read. */
export const isPdf = (b: Buffer): boolean => b.length > 5 && b.toString('latin1', 0, 5) === '%PDF-'
/** JPEG, PNG or WebP by its first bytes. */
export const isPicture = (b: Buffer): boolean => ![undefined, 'mp4'].includes(fileType(b))
/** Re-encoded as JPEG, upright and without EXIF; refuses what is not a picture. */
export async function picture(bytes: Buffer): Promise<Buffer> {
  if (!isPicture(bytes)) throw invalid('file', '这不是一张图片，请上传 JPG、PNG 或 WebP')
  try {
    return await (
      await loadSharp()
    )(bytes, { limitInputPixels: MAX_PIXELS })
      .rotate()
      .resize({ width: 2560, height: 2560, fit: 'inside', withoutEnlargement: true })
      .jpeg({ quality: 82 })
      .toBuffer()
  } catch {
    throw invalid('file', '图片已损坏或太大，无法读取')
  }
}

const WRITTEN = /(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)\0/g
/** The earliest time that the camera wrote into a picture, in its own (Shanghai) time; none where it wrote none. */
export async function takenAt(bytes: Buffer): Promise<Date | null> {
  const { exif } = await (await loadSharp())(bytes, { limitInputPixels: MAX_PIXELS }).metadata()
  const times = [...(exif?.toString('latin1') ?? '').matchAll(WRITTEN)]
    .map(([, year, month, day, time]) => Date.parse(`${year}-${month}-${day}T${time}+08:00`))
    .filter(Number.isFinite)
  return times.length ? new Date(Math.min(...times)) : null
}

const WIDTH = { thumb: 320, medium: 960 }
/** Smaller pictures that are being made: whoever asks meanwhile waits for the same one. */
const making = new Map<string, Promise<Buffer>>()

/** A smaller WebP beside the original, made once when it is first asked for; servers with one folder may both make it. */
export async function smaller(store: FileStore, key: string, size: Smaller): Promise<Buffer> {
  const small = `${store.path(key)}.${size}`
  const kept = await readFile(small).catch(() => undefined)
  if (kept) return kept
  const begun = making.get(small)
  if (begun) return begun
  const made = (async () => {
    const sharp = await loadSharp()
    const bytes = await sharp(await store.read(key), { limitInputPixels: MAX_PIXELS })
      .resize({ width: WIDTH[size], withoutEnlargement: true })
      .webp({ quality: 70 })
      .toBuffer()
    // A name of its own until it is whole: nobody reads half a picture, nobody renames another's.
    const part = `${small}.${uuidv7()}.part`
    // On a full disk it is made again the next time.
    await orNothing([part], async () => {
      await writeFile(part, bytes)
      await rename(part, small)
    }).catch(() => {})
    return bytes
  })().finally(() => making.delete(small))
  making.set(small, made)
  return made
}
