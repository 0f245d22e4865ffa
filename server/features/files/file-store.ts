import type { Readable } from 'node:stream'

import { DatabaseDown } from '../../database/connect.ts'
import { uuidv7 } from '../../kit/ids.ts'
import { loadSharp } from '../../kit/native.ts'
import { filesFolder, type OwnPlace, type PlaceUse } from '../../kit/own-place.ts'
import { invalid, outside, Refused } from '../../kit/refuse.ts'
import type { Bytes } from '../../kit/send-range.ts'

export interface FileStore {
  /** There for good before it answers; the key is ours, never a name from outside. */
  put(bytes: Buffer | Readable, ext: string): Promise<string>
  /**
   * The error that left the file without a row, thrown again; the file goes too, unless its row may have been
   * committed.
   */
  unnamed(key: string, error: unknown): Promise<never>
  read(key: string): Promise<Buffer>
  /** The same for who may read as slowly as they like: never whole in memory. */
  open(key: string): Promise<Bytes>
  /** As a file of this machine, for programs that read nothing else; what they write beside it goes with the end. */
  asFile<T>(key: string, work: (file: string) => Promise<T>): Promise<T>
  /** Gone for good, with what was made from it. */
  remove(key: string): Promise<void>
  /** The smaller one that was kept of it. */
  kept(key: string, size: Smaller): Promise<Buffer | undefined>
  keep(key: string, size: Smaller, bytes: Buffer): Promise<void>
  use(): PlaceUse
  /** The folder of everything that lies beside the database. */
  readonly dataDir: string
}

const KEY = /^[0-9a-f-]{36}\.(jpg|png|webp|mp4|pdf)$/
export const isKey = (name: string): boolean => KEY.test(name)

/** Files that are named and do not lie there, since the start; each is told once. */
export const missingFiles = new Set<string>()
const MOST_MISSING = 100_000

/** A row of a table has a thumbnail, a card or a sharp screen the middle one. */
const SMALLER = ['thumb', 'medium'] as const
export type Smaller = (typeof SMALLER)[number]
/** A film that is being made from another stands beside it until it is whole. */
export const BEING_MADE = 'turned'

/** Below the folder or the bucket: the same in both, so that one may be copied into the other. */
export function placeOf(key: string): string {
  if (!KEY.test(key)) throw outside()
  return `${key.slice(-8, -6)}/${key}`
}

/** Files by their keys: in the folder below `dataDir`, or where `place` says. */
export function openFileStore(
  dataDir: string,
  warn: (why: string) => void = () => {},
  place: OwnPlace = filesFolder(dataDir),
): FileStore {
  /** Not the caller's fault, nor a question of what they may see. */
  function here<T>(key: string, found: T | undefined): T {
    if (found !== undefined) return found
    if (!missingFiles.has(key) && missingFiles.size < MOST_MISSING) {
      missingFiles.add(key)
      warn(`文件不在了：${place.called}/${placeOf(key)}`)
    }
    throw new Refused('这个文件在服务器上已经不在了，请告诉管理员', 404, 404)
  }
  const remove = async (key: string) => {
    // One after the other: while a bucket is looked for again it is asked one question at a time.
    await place.remove(placeOf(key))
    for (const name of [...SMALLER, BEING_MADE]) await place.remove(`${placeOf(key)}.${name}`)
  }
  return {
    dataDir,
    remove,
    use: place.use,
    read: async (key) => here(key, await place.read(placeOf(key))),
    open: async (key) => here(key, await place.open(placeOf(key))),
    asFile: async (key, work) => {
      const done = await place.asFile(placeOf(key), async (file) => ({ answer: await work(file) }))
      return here(key, done).answer
    },
    kept: (key, size) => place.read(`${placeOf(key)}.${size}`),
    keep: (key, size, bytes) => place.put(`${placeOf(key)}.${size}`, bytes),
    async unnamed(key, error) {
      if (!(error instanceof DatabaseDown)) await remove(key).catch(() => {})
      throw error
    },
    async put(bytes, ext) {
      const key = `${uuidv7()}.${ext}`
      await place.put(placeOf(key), bytes)
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

/** A smaller WebP beside the original, made once when it is first asked for; two servers may both make it. */
export async function smaller(store: FileStore, key: string, size: Smaller): Promise<Buffer> {
  // One that cannot be read is made anew, and where the place is away the original says so.
  const kept = await store.kept(key, size).catch(() => undefined)
  if (kept) return kept
  const name = `${store.dataDir} ${key}.${size}`
  const begun = making.get(name)
  if (begun) return begun
  const made = (async () => {
    const sharp = await loadSharp()
    const bytes = await sharp(await store.read(key), { limitInputPixels: MAX_PIXELS })
      .resize({ width: WIDTH[size], withoutEnlargement: true })
      .webp({ quality: 70 })
      .toBuffer()
    // On a full disk it is made again the next time.
    await store.keep(key, size, bytes).catch(() => {})
    return bytes
  })().finally(() => making.delete(name))
  making.set(name, made)
  return made
}
