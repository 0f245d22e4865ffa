import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { S3Settings } from '../kit/s3-bucket.ts'

/** A bucket as S3 has it: objects by path, each request signed (AWS Signature Version 4), listings in pages. */
export interface TestBucket {
  settings: S3Settings
  objects: Map<string, Buffer>
  pageSize: number
  asked: string[]
  /** Another answer that comes to a request, in the place of what was asked for. */
  trouble: ((request: IncomingMessage, reply: ServerResponse) => boolean) | undefined
  close(): Promise<void>
}

const KEYS = { accessKey: 'AKIDEXAMPLE', secretKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
const REGION = 'cn-test-1'
const hash = (text: string) => createHash('sha256').update(text).digest('hex')
const mac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest()
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

/** The signature that the standard asks for, made from what arrived. */
function isSigned(request: IncomingMessage, url: URL): boolean {
  const told =
    /Credential=(?<credential>[^,]+), ?SignedHeaders=(?<signed>[^,]+), ?Signature=(?<signature>\w+)/.exec(
      request.headers.authorization ?? '',
    )?.groups
  if (!told) return false
  const { credential = '', signed = '', signature } = told
  const [access, day = '', region = '', service = '', end = ''] = credential.split('/')
  if (access !== KEYS.accessKey || region !== REGION || service !== 's3') return false
  const query = [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&')
  const headers = signed.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`)
  const canonical = [
    request.method,
    url.pathname,
    query,
    headers.join(''),
    signed,
    String(request.headers['x-amz-content-sha256']),
  ].join('\n')
  const toSign = [
    'AWS4-HMAC-SHA256',
    String(request.headers['x-amz-date']),
    `${day}/${region}/${service}/${end}`,
    hash(canonical),
  ].join('\n')
  const key = [day, region, service, end].reduce<Buffer | string>(
    (k, piece) => mac(k, piece),
    `AWS4${KEYS.secretKey}`,
  )
  return mac(key, toSign).toString('hex') === signature
}

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')

export async function openBucket(name: string): Promise<TestBucket> {
  const objects = new Map<string, Buffer>()
  const asked: string[] = []
  const own: Pick<TestBucket, 'pageSize' | 'trouble'> = { pageSize: 1_000, trouble: undefined }
  const listing = (url: URL) => {
    const after = url.searchParams.get('continuation-token') ?? ''
    const prefix = url.searchParams.get('prefix') ?? ''
    const keys = [...objects.keys()].sort().filter((key) => key.startsWith(prefix) && key > after)
    const page = keys.slice(0, own.pageSize)
    const contents = page.map(
      (key) =>
        `<Contents><Key>${escaped(key)}</Key><LastModified>2026-11-20T01:02:03.000Z</LastModified>` +
        `<Size>${objects.get(key)!.length}</Size></Contents>`,
    )
    const next =
      keys.length > page.length
        ? `<NextContinuationToken>${escaped(page.at(-1)!)}</NextContinuationToken>`
        : ''
    return `<?xml version="1.0"?><ListBucketResult>${next}${contents.join('')}</ListBucketResult>`
  }
  const digests = new Map<string, string>()
  /** Taken when it is whole and what its digest says, which the signature stands for. */
  async function take(request: IncomingMessage, reply: ServerResponse, path: string) {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const bytes = Buffer.concat(pieces)
    const told = request.headers['x-amz-content-sha256']
    if (createHash('sha256').update(bytes).digest('hex') !== told) return void reply.writeHead(400).end()
    if (request.headers['if-none-match'] === '*' && objects.has(path)) return void reply.writeHead(412).end()
    objects.set(path, bytes)
    digests.set(path, String(request.headers['x-amz-meta-sha256']))
    return void reply.writeHead(200).end()
  }
  const server = createServer((request, reply) => {
    const url = new URL(request.url!, 'http://bucket')
    asked.push(`${request.method} ${request.url}`)
    if (own.trouble?.(request, reply)) return undefined
    if (!isSigned(request, url)) return void reply.writeHead(403).end()
    if (url.pathname === `/${name}/` && url.searchParams.get('list-type') === '2')
      return void reply.writeHead(200, { 'content-type': 'application/xml' }).end(listing(url))
    const path = decodeURIComponent(url.pathname.slice(name.length + 2))
    if (request.method === 'PUT') {
      void take(request, reply, path).catch(() => reply.destroy())
      return undefined
    }
    const bytes = objects.get(path)
    if (request.method === 'DELETE') {
      objects.delete(path)
      return void reply.writeHead(204).end()
    }
    if (!url.pathname.startsWith(`/${name}/`) || !bytes) return void reply.writeHead(404).end()
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    const part = range ? bytes.subarray(Number(range[1]), Number(range[2]) + 1) : bytes
    const digest = digests.get(path)
    reply.writeHead(range ? 206 : 200, {
      'content-length': part.length,
      ...(digest && { 'x-amz-meta-sha256': digest }),
    })
    return void reply.end(request.method === 'HEAD' ? undefined : part)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    settings: { endpoint: `http://127.0.0.1:${port}`, region: REGION, ...KEYS },
    objects,
    asked,
    get pageSize() {
      return own.pageSize
    },
    set pageSize(size) {
      own.pageSize = size
    },
    get trouble() {
      return own.trouble
    },
    set trouble(how) {
      own.trouble = how
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
