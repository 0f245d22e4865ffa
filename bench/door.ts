import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'

import { canonical } from '@zhuguan/contract/features/devices/devices.events.ts'
import pg from 'pg'

/**
 * The limit of single device events: node:http and pg, the devices' signature, and nothing looked up or judged. What
 * arrives while an INSERT is being committed makes the next one; answered after the commit. Environment: DATABASE,
 * SECRETS (by serial number).
 */
const client = new pg.Client({ connectionString: process.env.DATABASE! })
await client.connect()
const secrets = new Map(Object.entries(JSON.parse(process.env.SECRETS!) as Record<string, string>))

interface Waiting {
  row: object
  done: () => void
}
let waiting: Waiting[] = []
let running = false
async function run(): Promise<void> {
  while (waiting.length) {
    const batch = waiting
    waiting = []
    await client.query({
      name: 'door',
      text: `INSERT INTO bench_copy (tenant_id, id, bc_id, site_id, worker_id, at, day, direction)
             SELECT tenant_id, id, bc_id, site_id, worker_id, to_timestamp(at), day, direction
             FROM json_to_recordset($1::json) AS x(tenant_id uuid, id uuid, bc_id uuid, site_id uuid,
               worker_id uuid, at float8, day date, direction text)`,
      values: [JSON.stringify(batch.map((w) => w.row))],
    })
    for (const { done } of batch) done()
  }
  running = false
}

const header = (request: IncomingMessage, name: string) => String(request.headers[name])
function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const secret = secrets.get(header(request, 'x-device-sn'))
  if (!secret) return false
  const said = canonical({
    digest: createHash('sha256').update(body).digest('hex'),
    nonce: header(request, 'x-nonce'),
    sn: header(request, 'x-device-sn'),
    timestamp: header(request, 'x-timestamp'),
  })
  const sign = createHmac('sha256', secret).update(said).digest()
  return timingSafeEqual(sign, Buffer.from(header(request, 'x-sign'), 'hex'))
}
const server = createServer((request, response) => {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    const body = Buffer.concat(pieces)
    if (!isSigned(request, body)) return response.writeHead(401).end()
    const { events } = JSON.parse(body.toString()) as { events: [object] }
    const done = () =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"code":200,"data":{"accepted":1}}')
    waiting.push({ row: events[0], done })
    if (!running) {
      running = true
      setImmediate(() => void run())
    }
  })
})
server.listen(0, '127.0.0.1', () =>
  process.send!({ url: `http://127.0.0.1:${(server.address() as { port: number }).port}` }),
)
