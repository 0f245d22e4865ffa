import type { ServerResponse } from 'node:http'

import { liveApi } from '@zhuguan/contract/features/live/live.api.ts'

import type { Database, Scope } from '../database/connect.ts'
import type { AccessBook } from '../features/session/access.reads.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { type Feature, serve } from '../kit/serve.ts'

interface Row {
  seq: number
  xid: string
  tenant_id: string
  bc_id: string | null
  site_id: string | null
  user_id: string | null
  topic: string
  what: string
  ref_id: string
  at: number
}
interface Browser {
  token: string
  scope: Scope
  user: string
  reply: ServerResponse
  /** Row pairs at or before this were sent already. */
  after: Position
}
type Position = { xid: bigint; seq: number }

const BEAT_MS = 25_000
const CATCH_UP = 500
const BATCH = 1_000
const MAX_BROWSERS = 12_000
/** A browser that does not read is closed; it catches up when it comes back. */
const MAX_BUFFER = 1024 * 1024
const SAFETY_MS = 2_000

const sees = (b: Pick<Browser, 'scope' | 'user'>, r: Row): boolean =>
  r.tenant_id === b.scope.tenant &&
  (r.user_id === null || r.user_id === b.user) &&
  (r.bc_id === null || b.scope.bcs === null || b.scope.bcs.includes(r.bc_id)) &&
  (r.site_id === null || b.scope.sites === null || b.scope.sites.includes(r.site_id))

const later = (a: Position, b: Position) => a.xid > b.xid || (a.xid === b.xid && a.seq > b.seq)
const place = (r: Row): Position => ({ xid: BigInt(r.xid), seq: r.seq })
const text = (r: Row) =>
  `id: ${r.xid}-${r.seq}\nevent: change\ndata: ${JSON.stringify({ topic: r.topic, what: r.what, id: r.ref_id, site_id: r.site_id, at: r.at })}\n\n`
const read = (id: string | undefined): Position | undefined => {
  const m = /^(\d{1,20})-(\d{1,16})$/.exec(id ?? '')
  return m ? { xid: BigInt(m[1]!), seq: Number(m[2]) } : undefined
}

const COLUMNS =
  'seq, xid::text AS xid, tenant_id, bc_id, site_id, user_id, topic, what, ref_id, extract(epoch FROM at)::int AS at'
/** Only rows below the oldest running transaction: nothing can still commit before them, so none is ever skipped. */
const SETTLED = 'xid < pg_snapshot_xmin(pg_current_snapshot())'

export interface Live {
  feature: Feature
  close(): void
}

/**
 * Committed changes → the browsers that may see them. Each server process reads the same table after a NOTIFY,
 * so a browser may be connected to any of them.
 */
export function startLive(
  db: Database,
  url: Database['listen'],
  book: () => AccessBook,
  warn: (error: unknown) => void,
): Live {
  const browsers = new Set<Browser>()
  let at: Position | undefined
  let reading = false
  let again = false
  let closed = false

  async function drain(): Promise<void> {
    if (reading) {
      again = true
      return
    }
    reading = true
    try {
      do {
        again = false
        at ??= await newest()
        const from = at
        const { rows } = await db.tx(
          SYSTEM,
          (tx) =>
            tx.query<Row>(
              'live.read',
              `SELECT ${COLUMNS} FROM live_events WHERE (xid, seq) > ($1::xid8, $2) AND ${SETTLED} ORDER BY xid, seq LIMIT ${BATCH}`,
              [String(from.xid), from.seq],
            ),
          { readOnly: true },
        )
        for (const row of rows) {
          at = place(row)
          const line = text(row)
          for (const b of browsers) if (sees(b, row) && later(at, b.after)) send(b, line)
        }
        if (rows.length === BATCH) again = true
      } while (again && !closed)
    } catch (error) {
      warn(error)
    } finally {
      reading = false
    }
  }

  async function newest(): Promise<Position> {
    const { rows } = await db.tx(
      SYSTEM,
      (tx) =>
        tx.query<Row>(
          'live.newest',
          `SELECT ${COLUMNS} FROM live_events WHERE ${SETTLED} ORDER BY xid DESC, seq DESC LIMIT 1`,
          [],
        ),
      { readOnly: true },
    )
    return rows[0] ? place(rows[0]) : { xid: 0n, seq: 0 }
  }

  function send(b: Browser, line: string): void {
    if (b.reply.writableLength > MAX_BUFFER) {
      b.reply.destroy()
      return
    }
    b.reply.write(line)
  }

  /** A session that ended is cut, a scope that changed is renewed: the stream never outlives the right to it. */
  async function recheck(): Promise<void> {
    for (const b of browsers) {
      const found = await book()
        .find(b.token)
        .catch(() => undefined)
      if (!found) continue
      if (found.kind !== 'user') b.reply.end()
      else b.scope = found.user.scope
    }
  }

  const events = url(
    'live',
    () => void drain(),
    undefined,
    () => void drain(),
  )
  const access = url(
    'access',
    () => {
      book().forget()
      for (const b of browsers)
        send(b, `event: change\ndata: {"topic":"access","what":"changed","id":"","site_id":null,"at":0}\n\n`)
      void recheck()
    },
    () => book().hear(false),
    () => book().hear(true),
  )
  // A NOTIFY may come before its row is settled (another transaction still runs): look again a moment later.
  const safety = setInterval(() => void drain(), SAFETY_MS)
  const beat = setInterval(() => {
    for (const b of browsers) b.reply.write(': still here\n\n')
    void recheck()
  }, BEAT_MS)

  const feature = serve(liveApi, {
    async stream(_input, call) {
      if (browsers.size >= MAX_BROWSERS) {
        call.reply.status(503).header('retry-after', '5')
        await call.reply.send({ code: 503, msg: '实时连接太多，请稍后再试', data: null })
        return
      }
      const reply = call.reply.raw
      call.reply.hijack()
      reply.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-accel-buffering': 'no',
        'x-access-version': call.user.version,
      })
      const asked = read(call.request.headers['last-event-id'] as string | undefined)
      const known = at ?? (at = await newest())
      const browser: Browser = {
        token: String(call.request.headers.token),
        scope: call.user.scope,
        user: call.user.id,
        reply,
        after: asked ?? known,
      }
      reply.write(`retry: 1000\n: hello\n\n`)
      if (asked) await catchUp(browser, asked)
      else reply.write(`id: ${known.xid}-${known.seq}\nevent: hello\ndata: {}\n\n`)
      browsers.add(browser)
      void drain()
      reply.on('close', () => browsers.delete(browser))
      call.request.socket.setTimeout(0)
    },
  })

  /** What was missed since `from`; too much of it is one `reset`, and the browser fetches anew. */
  async function catchUp(b: Browser, from: Position): Promise<void> {
    const { rows, oldest } = await db.tx(
      SYSTEM,
      async (tx) => {
        const missed = await tx.query<Row>(
          'live.missed',
          `SELECT ${COLUMNS} FROM live_events WHERE (xid, seq) > ($1::xid8, $2) AND tenant_id = $3 AND ${SETTLED} ORDER BY xid, seq LIMIT ${CATCH_UP + 1}`,
          [String(from.xid), from.seq, b.scope.tenant],
        )
        const first = await tx.query<{ known: boolean }>(
          'live.known',
          'SELECT EXISTS (SELECT 1 FROM live_events WHERE (xid, seq) <= ($1::xid8, $2)) AS known',
          [String(from.xid), from.seq],
        )
        return { rows: missed.rows, oldest: first.rows[0]!.known }
      },
      { readOnly: true },
    )
    if (rows.length > CATCH_UP || (!oldest && from.seq > 0)) {
      const now = at ?? (await newest())
      b.after = now
      b.reply.write(`id: ${now.xid}-${now.seq}\nevent: reset\ndata: {}\n\n`)
      return
    }
    for (const row of rows) {
      b.after = place(row)
      if (sees(b, row)) b.reply.write(text(row))
    }
  }

  return {
    feature,
    close() {
      closed = true
      clearInterval(beat)
      clearInterval(safety)
      for (const b of browsers) b.reply.end()
      void events.close()
      void access.close()
    },
  }
}
