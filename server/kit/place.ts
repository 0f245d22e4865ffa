import { createReadStream } from 'node:fs'
import { opendir, realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

import { AwsClient } from 'aws4fetch'
import { SaxesParser } from 'saxes'

import { ask, Unanswered } from './outgoing.ts'
import type { Bytes } from './send-range.ts'

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
/** A folder or a bucket's prefix that others write into and the server only reads. */
export interface Place {
  /** Nothing where there is none; a path never leads out of the place. */
  open(path: string): Promise<Bytes | undefined>
  /** Everything whose path begins so, in no order. */
  list(prefix?: string): AsyncGenerator<Placed>
}

/** `file:///var/hls/` or `s3://bucket/prefix/`. */
export function openPlace(address: string, s3: S3Settings | null): Place {
  const url = new URL(address)
  if (url.protocol === 'file:') return folder(fileURLToPath(url))
  if (url.protocol !== 's3:' || !s3) throw new Error(`no place: ${url.protocol}`)
  return bucket(s3, url.hostname, decodeURIComponent(url.pathname.slice(1)))
}

const MAX_PATH = 500
/** Names, one below the other: nothing that leads up, is absolute or hidden. */
const isBelow = (path: string): boolean =>
  path.length <= MAX_PATH &&
  path.split('/').every((name) => name !== '' && !name.startsWith('.') && !/[\\\0:]/.test(name))

const GONE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR'])
const absent = (error: NodeJS.ErrnoException): undefined => {
  if (GONE.has(error.code ?? '')) return undefined
  throw error
}

function folder(root: string): Place {
  const rooted = () => realpath(root).catch(absent)
  return {
    async open(path) {
      if (!isBelow(path)) return undefined
      const [base, real] = [await rooted(), await realpath(join(root, path)).catch(absent)]
      // A link may stand in the folder; it may not lead out of it.
      if (!base || !real?.startsWith(base.endsWith(sep) ? base : base + sep)) return undefined
      const found = await stat(real).catch(absent)
      if (!found?.isFile()) return undefined
      return { size: found.size, part: (start, end) => createReadStream(real, { start, end }) }
    },
    async *list(prefix = '') {
      const base = await rooted()
      if (!base) return
      for await (const entry of await opendir(base, { recursive: true })) {
        if (!entry.isFile()) continue
        const real = join(entry.parentPath, entry.name)
        const path = relative(base, real).split(sep).join('/')
        if (!path.startsWith(prefix) || !isBelow(path)) continue
        const found = await stat(real).catch(absent)
        if (found) yield { path, size: found.size, changed: found.mtime }
      }
    },
  }
}

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

function bucket(s3: S3Settings, name: string, prefix: string): Place {
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
  const get = (url: string, init: RequestInit = {}) => ask((how) => client.fetch(url, { ...init, ...how }))
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
  }
}
