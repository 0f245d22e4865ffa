import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, openAsBlob } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { Unanswered } from './outgoing.ts'
import { type OwnPlace, underneath } from './own-place.ts'
import { Refused } from './refuse.ts'
import { openBucket, type S3Settings, sha256Of } from './s3-bucket.ts'

export interface BucketSettings {
  /** `s3://bucket/prefix`. */
  address: string
  s3: S3Settings
}
/** After so many failures in succession one question at a time goes out; everybody else is refused at once. */
const MOST_MISSES = 5
const AFTER_S = 5

const away = () => new Refused('存放照片和文件的对象存储没有回应，请稍后再试', 503, 503, null, AFTER_S)

/** Asks, and keeps a bucket that is away from holding up everybody for as long as it may be silent. */
function asker() {
  let [misses, unanswered] = [0, 0]
  let probing = false
  let said: string | null = null
  return {
    async ask<T>(question: () => Promise<T>): Promise<T> {
      const isProbe = misses >= MOST_MISSES
      if (isProbe && probing) throw away()
      probing ||= isProbe
      try {
        const answer = await question()
        misses = 0
        return answer
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error
        misses += 1
        unanswered += 1
        said = error.message
        throw away()
      } finally {
        if (isProbe) probing = false
      }
    },
    use: () => ({ kind: 'bucket' as const, unanswered, isAway: misses >= MOST_MISSES, said }),
  }
}

/** A bucket's prefix; what has to be a file of this machine for a while lies in a folder of its own below `dataDir`. */
export function ownBucket({ address, s3 }: BucketSettings, dataDir: string): OwnPlace {
  const called = address.replace(/\/$/, '')
  const bucket = openBucket(`${called}/`, s3)
  const { ask, use } = asker()
  async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
    const scratch = join(dataDir, 'scratch')
    await mkdir(scratch, { recursive: true })
    const folder = await mkdtemp(join(scratch, 'file-'))
    try {
      return await work(folder)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  async function* asked(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const iterator = pieces[Symbol.asyncIterator]()
    try {
      for (;;) {
        const { done, value } = await ask(() => iterator.next())
        if (done) return
        yield value
      }
    } finally {
      await iterator.return?.()
    }
  }
  const open: OwnPlace['open'] = async (path) => {
    const found = await ask(() => bucket.open(path))
    if (!found) return undefined
    const { size, part } = found
    const pieces = (from: number, to: number) => asked(part(from, to) as AsyncIterable<Buffer>)
    return { size, part: (from, to) => Readable.from(pieces(from, to), { objectMode: false }) }
  }
  /** Of a file the digest is read first, and its bytes on their way. */
  async function putFile(path: string, file: string): Promise<void> {
    const digest = createHash('sha256')
    for await (const piece of createReadStream(file)) digest.update(piece as Buffer)
    const sha256 = digest.digest('hex')
    const blob = await openAsBlob(file)
    await ask(() => bucket.put(path, blob, sha256))
  }
  /** Of what comes in pieces the size and the digest are known at its end: it waits on this machine's disk for them. */
  const putStream = (path: string, stream: Readable) =>
    withFolder(async (folder) => {
      const file = join(folder, 'sent')
      await pipeline(stream, createWriteStream(file))
      await putFile(path, file)
    })
  return {
    called,
    open,
    use,
    read: (path) => ask(() => bucket.read(path)),
    put: (path, bytes) =>
      Buffer.isBuffer(bytes) ? ask(() => bucket.put(path, bytes, sha256Of(bytes))) : putStream(path, bytes),
    putOnce: (path, bytes) => ask(() => bucket.put(path, bytes, sha256Of(bytes), true)),
    remove: (path) => ask(() => bucket.remove(path)),
    has: async (path) => !!(await ask(() => bucket.open(path))),
    async takeIn(folder) {
      for await (const path of underneath(folder)) await putFile(path, join(folder, path))
    },
    async *list() {
      try {
        for await (const { path } of bucket.list()) yield path
      } catch (error) {
        throw error instanceof Unanswered ? away() : error
      }
    },
    asFile: (path, work) =>
      withFolder(async (folder) => {
        const found = await open(path)
        if (!found) return undefined
        const file = join(folder, path.split('/').at(-1)!)
        await pipeline(found.part(0, found.size - 1), createWriteStream(file))
        return work(file)
      }),
  }
}
