import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'

import { isBelow } from './s3-bucket.ts'
import type { Bytes } from './send-range.ts'
import { syncFolder, writeWhole } from './whole-file.ts'

/** The record of its maker since the start; a folder is never away. */
export interface PlaceUse {
  kind: 'folder' | 'bucket'
  /** Questions that were not answered, or not as asked. */
  unanswered: number
  isAway: boolean
  /** The last one's error. */
  said: string | null
}
/** The name under which a place says whose it is. */
export const MARK = 'installation'
/** What can be made again, and what is not whole. */
export const isMadeAgain = (path: string): boolean => /\.(thumb|medium|part|turned)$/.test(path)
/**
 * The place of the files that the product writes itself: a folder, or a bucket's prefix with the same names below it.
 * Nothing answers `undefined`; a place that does not answer is refused with 503.
 */
export interface OwnPlace {
  /** As an operator knows it. */
  readonly called: string
  open(path: string): Promise<Bytes | undefined>
  read(path: string): Promise<Buffer | undefined>
  /** Whole or not at all, and there after a power cut. */
  put(path: string, bytes: Buffer | Readable): Promise<void>
  /** The same, and whoever is first writes it: everybody else leaves it. */
  putOnce(path: string, bytes: Buffer): Promise<void>
  remove(path: string): Promise<void>
  has(path: string): Promise<boolean>
  /** Every path, in no order. */
  list(): AsyncGenerator<string>
  /** As a file of this machine, for programs that read nothing else; what they write beside it goes with the end. */
  asFile<T>(path: string, work: (file: string) => Promise<T>): Promise<T | undefined>
  /** All of a folder comes here, under its own names; may be done again. A folder gives way, into `before`. */
  takeIn(folder: string, before: string): Promise<void>
  use(): PlaceUse
}

const absent = (error: NodeJS.ErrnoException): undefined => {
  if (error.code === 'ENOENT') return undefined
  throw error
}
/** Writes and syncs before it answers; a full disk leaves nothing behind. */
async function writeSynced(target: string, bytes: Buffer | Readable): Promise<void> {
  // A name of its own until it is whole: nobody reads half a file, nobody renames another's.
  const part = `${target}.${randomUUID()}.part`
  try {
    const handle = await open(part, 'w')
    try {
      await handle.writeFile(bytes)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(part, target)
  } catch (error) {
    await rm(part, { force: true }).catch(() => {})
    throw error
  }
}

/** The files below a folder, by their paths in it. */
export async function* underneath(root: string): AsyncGenerator<string> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(absent)
  for (const entry of entries ?? [])
    if (entry.isFile()) yield relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')
}

/** The folder of files that lies beside the key. */
export const filesFolder = (dataDir: string): OwnPlace => ownFolder(join(dataDir, 'files'))

export function ownFolder(root: string): OwnPlace {
  const at = (path: string): string => {
    if (!isBelow(path)) throw new Error(`no path: ${path}`)
    return join(root, path)
  }
  return {
    called: root,
    async open(path) {
      const file = at(path)
      const found = await stat(file).catch(absent)
      return found && { size: found.size, part: (start, end) => createReadStream(file, { start, end }) }
    },
    read: async (path) => readFile(at(path)).catch(absent),
    async put(path, bytes) {
      const target = at(path)
      const made = await mkdir(dirname(target), { recursive: true })
      await writeSynced(target, bytes)
      // The name too must survive a power cut, and the folder's own name when it is new.
      await syncFolder(dirname(target))
      if (made) await syncFolder(root)
    },
    async putOnce(path, bytes) {
      await mkdir(dirname(at(path)), { recursive: true })
      await writeWhole(at(path), bytes.toString('utf8'), { once: true })
    },
    remove: async (path) => rm(at(path), { force: true }),
    has: async (path) => !!(await stat(at(path)).catch(absent)),
    list: () => underneath(root),
    async asFile(path, work) {
      const file = at(path)
      return (await stat(file).catch(absent)) && work(file)
    },
    async takeIn(folder, before) {
      if (await stat(root).catch(absent)) {
        await rm(before, { recursive: true, force: true })
        await rename(root, before)
      }
      await rename(folder, root)
    },
    use: () => ({ kind: 'folder', unanswered: 0, isAway: false, said: null }),
  }
}
