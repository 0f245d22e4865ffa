import { createServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'

import pg from 'pg'

/** What a pooler takes of what a connection asks for at its beginning. */
const KNOWN = new Set(['user', 'database', 'application_name', 'client_encoding'])
const READY = 'Z'.charCodeAt(0)
const END = 'X'.charCodeAt(0)
const IDLE = 'I'.charCodeAt(0)

const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const words = (...all: string[]) => Buffer.concat(all.map((word) => Buffer.from(`${word}\0`)))
const int = (n: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(n)
  return bytes
}
/** Signed in, with a number of its own instead of the session's. */
const WELCOME = Buffer.concat([
  message('R', int(0)),
  message('S', words('server_version', '15.0')),
  message('K', Buffer.concat([int(1), int(1)])),
  message('Z', Buffer.from('I')),
])
const refusal = (what: string) =>
  message(
    'E',
    Buffer.concat([words('SFATAL', 'C08P01', `Munsupported startup parameter: ${what}`), Buffer.alloc(1)]),
  )

interface Session {
  socket: Duplex
  busy: boolean
  hear: (bytes: Buffer) => void
}

const streamOf = (client: pg.Client): Duplex =>
  (Reflect.get(client, 'connection') as { stream: Duplex }).stream

/** Whole messages out of pieces, each with its type. */
function messages(each: (type: number, whole: Buffer) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= 5 && rest.length >= 1 + rest.readInt32BE(1)) {
      const length = 1 + rest.readInt32BE(1)
      each(rest[0]!, rest.subarray(0, length))
      rest = rest.subarray(length)
    }
  }
}

/**
 * Stands before a PostgreSQL as PgBouncer does: it signs everybody in itself and refuses settings at the beginning. By
 * `transaction` it has few sessions, and each transaction gets the one that rested longest; by `session` everybody has
 * one of their own.
 */
export async function poolerTo(mode: 'session' | 'transaction', sessions = 4) {
  const opened: pg.Client[] = []
  const sockets = new Set<Socket>()
  const pools = new Map<string, Session[]>()
  const waiting: (() => void)[] = []

  async function open(url: string): Promise<Session> {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    await client.connect()
    opened.push(client)
    const socket = streamOf(client)
    socket.removeAllListeners('data')
    const session: Session = { socket, busy: false, hear: () => {} }
    socket.on('data', (bytes: Buffer) => session.hear(bytes))
    return session
  }
  async function take(url: string): Promise<Session> {
    const pool = pools.get(url) ?? pools.set(url, []).get(url)!
    for (;;) {
      const at = pool.findIndex((one) => !one.busy)
      const free = at >= 0 ? pool.splice(at, 1)[0]! : undefined
      if (free || mode === 'session' || pool.length < sessions) {
        const session = free ?? (await open(url))
        session.busy = true
        pool.push(session)
        return session
      }
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }
  const give = (session: Session) => {
    session.busy = false
    waiting.shift()?.()
  }

  let urlOf = (_user: string): string => ''
  const server = createServer((near) => {
    let session: Session | undefined
    let url = ''
    let turn = Promise.resolve()
    sockets.add(near)
    near.on('error', () => {})
    // What somebody left in the middle of a transaction is nobody's any more.
    near.on('close', () => {
      session?.socket.destroy()
      const pool = pools.get(url)
      if (session) pool?.splice(pool.indexOf(session), 1)
      waiting.shift()?.()
    })
    const answers = messages((type, whole) => {
      near.write(whole)
      if (type !== READY || whole[5] !== IDLE || mode === 'session') return
      const ended = session!
      session = undefined
      give(ended)
    })
    const pass = async (whole: Buffer) => {
      if (!session) {
        const taken = await take(url)
        if (near.destroyed) return give(taken)
        session = taken
        session.hear = answers
      }
      session.socket.write(whole)
    }
    const asked = messages((type, whole) => {
      if (type !== END) turn = turn.then(() => pass(whole))
    })
    near.once('data', (hello) => {
      const said = hello.subarray(8).toString().split('\0')
      const settings = new Map(said.flatMap((name, i) => (i % 2 === 0 && name ? [[name, said[i + 1]!]] : [])))
      const strange = [...settings.keys()].find((name) => !KNOWN.has(name))
      if (strange) return void near.end(refusal(strange))
      url = urlOf(settings.get('user')!)
      near.write(WELCOME)
      near.on('data', asked)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    /** The same address through it; a login's real address is known from then on. */
    url(of: string): string {
      const before = urlOf
      const { username } = new URL(of)
      urlOf = (user) => (user === decodeURIComponent(username) ? of : before(user))
      const through = new URL(of)
      through.searchParams.delete('host')
      through.host = `127.0.0.1:${port}`
      return through.href
    },
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy()
      for (const client of opened) streamOf(client).destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
