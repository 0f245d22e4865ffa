import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'

import { AwsClient } from 'aws4fetch'
import { SaxesParser } from 'saxes'

import { ask, Unanswered } from './outgoing.ts'
import type { Bytes } from './send-range.ts'

export const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** The server of objects of an `s3:` address; `{bucket}` in the endpoint is where its name belongs in the host. */
export interface S3Settings {
  endpoint: string
  region: string
  accessKey: string
  secretKey: string
}
export interface Placed {
  /** Below the place, with slashes. */
  path: string
  size: number
  changed: Date
}
/** A bucket's prefix; whatever it does not answer in time, or not as asked, is `Unanswered`. */
export interface Bucket {
  open(path: string): Promise<Bytes | undefined>
  list(prefix?: string): AsyncGenerator<Placed>
  /** All of it; nothing where there is none. What does not have the digest that it was written with is no answer. */
  read(path: string): Promise<Buffer | undefined>
  /** Whole or not at all: the digest travels along, and the bucket refuses other bytes; `once` leaves what is there. */
  put(path: string, bytes: Buffer | Blob, sha256: string, once?: boolean): Promise<void>
  remove(path: string): Promise<void>
}

const MAX_PATH = 500
/** Names, one below the other: nothing that leads up, is absolute or hidden. */
export const isBelow = (path: string): boolean =>
  path.length <= MAX_PATH &&
  path.split('/').every((name) => name !== '' && !name.startsWith('.') && !/[\\\0:]/.test(name))

const MOST_READ = 64 * 1024 * 1024
/** How long a bucket may take to answer a writer: a beginning, and a second for each of these bytes. */
const WRITE_MS = 10_000
const BYTES_A_SECOND = 1024 * 1024
/** Beside each object, what it should be. */
const DIGEST = 'x-amz-meta-sha256'

const LIST_BYTES = 4 * 1024 * 1024
interface Listed {
  objects: { key: string; size: number; changed: Date }[]
  next: string | undefined
}
/** The answer of ListObjectsV2. */
function readListing(xml: string): Listed {
  const listed: Listed = { objects: [], next: undefined }
  let [text, key, size, changed] = ['', '', '', '']
  const parser = new SaxesParser()
  parser.on('error', () => {
    throw new Unanswered('no listing')
  })
  parser.on('opentag', () => (text = ''))
  parser.on('text', (piece) => (text += piece))
  parser.on('closetag', ({ name }) => {
    if (name === 'Key') key = text
    if (name === 'Size') size = text
    if (name === 'LastModified') changed = text
    if (name === 'NextContinuationToken') listed.next = text
    if (name === 'Contents') listed.objects.push({ key, size: Number(size), changed: new Date(changed) })
  })
  parser.write(xml).close()
  return listed
}

/** `s3://bucket/prefix/`. */
export function openBucket(address: string, s3: S3Settings): Bucket {
  const { hostname: name, pathname } = new URL(address)
  const prefix = decodeURIComponent(pathname.slice(1))
  const client = new AwsClient({
    accessKeyId: s3.accessKey,
    secretAccessKey: s3.secretKey,
    region: s3.region,
    service: 's3',
    retries: 0,
  })
  const inHost = s3.endpoint.includes('{bucket}')
  const base = s3.endpoint.replace('{bucket}', name).replace(/\/$/, '') + (inHost ? '' : `/${name}`)
  const objectOf = (key: string) => `${base}/${key.split('/').map(encodeURIComponent).join('/')}`
  const get = (url: string, init: RequestInit = {}, firstMs?: number) =>
    ask((how) => client.fetch(url, { ...init, ...how }), firstMs)
  async function* part(url: string, from: number, to: number): AsyncGenerator<Buffer> {
    const { response, body, end } = await get(url, { headers: { range: `bytes=${from}-${to}` } })
    if (response.status !== 206) {
      end()
      throw new Unanswered(`status ${response.status}`)
    }
    yield* body
  }
  return {
    async open(path) {
      if (!isBelow(path)) return undefined
      const url = objectOf(prefix + path)
      const { response, end } = await get(url, { method: 'HEAD' })
      end()
      if (response.status === 404) return undefined
      const size = Number(response.headers.get('content-length') ?? Number.NaN)
      if (response.status !== 200 || !Number.isSafeInteger(size))
        throw new Unanswered(`status ${response.status}`)
      return { size, part: (from, to) => Readable.from(part(url, from, to), { objectMode: false }) }
    },
    async *list(below = '') {
      let next: string | undefined
      do {
        const query = new URLSearchParams({ 'list-type': '2', prefix: prefix + below })
        if (next) query.set('continuation-token', next)
        const { response, whole, end } = await get(`${base}/?${query}`)
        if (response.status !== 200) {
          end()
          throw new Unanswered(`status ${response.status}`)
        }
        const listed = readListing((await whole(LIST_BYTES)).toString())
        for (const { key, size, changed } of listed.objects) {
          const path = key.slice(prefix.length)
          if (isBelow(path)) yield { path, size, changed }
        }
        next = listed.next
      } while (next)
    },
    async read(path) {
      const { response, whole, end } = await get(objectOf(prefix + path))
      if (response.status !== 200) {
        end()
        if (response.status === 404) return undefined
        throw new Unanswered(`status ${response.status}`)
      }
      const bytes = await whole(MOST_READ)
      const told = response.headers.get(DIGEST)
      if (told !== null && told !== sha256Of(bytes)) throw new Unanswered('other bytes')
      return bytes
    },
    async put(path, bytes, sha256, once = false) {
      const size = bytes instanceof Blob ? bytes.size : bytes.length
      const headers = {
        'x-amz-content-sha256': sha256,
        [DIGEST]: sha256,
        ...(once && { 'if-none-match': '*' }),
      }
      const body = bytes instanceof Blob ? bytes : new Uint8Array(bytes)
      const { response, end } = await get(
        objectOf(prefix + path),
        { method: 'PUT', headers, body },
        WRITE_MS + (size / BYTES_A_SECOND) * 1_000,
      )
      end()
      if (response.status !== 200 && !(once && response.status === 412))
        throw new Unanswered(`status ${response.status}`)
    },
    async remove(path) {
      const { response, end } = await get(objectOf(prefix + path), { method: 'DELETE' })
      end()
      if (![200, 204, 404].includes(response.status)) throw new Unanswered(`status ${response.status}`)
    },
  }
}
