import { randomBytes } from 'node:crypto'

import { MENU_LIST } from '@zhuguan/contract/features/session/session.record.ts'
import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { z } from 'zod'

import type { Database } from '../database/connect.ts'
import { type AccessBook, accessBook } from '../features/session/access.reads.ts'
import { knownNetworks } from '../features/session/known-networks.ts'
import { pictureCookies } from '../features/session/picture-cookie.ts'
import { type Who, writeLog } from '../features/userlogs/userlogs.service.ts'
import { hold } from '../kit/bound.ts'
import { uuidv7 } from '../kit/ids.ts'
import { Refused } from '../kit/refuse.ts'
import { sentenceOf } from '../kit/sentences.ts'
import type { Call, Feature, SessionUser } from '../kit/serve.ts'
import { sourced } from '../kit/sourced.ts'
import { cutStalled } from '../kit/stalled.ts'
import { allowanceOf, type Allowances, refuseBoundless } from './allowances.ts'
import { answer, answerError, answerUnreadable, packed, readInput } from './answer.ts'
import type { Bounds } from './bounds.ts'
import { bodyLimitOf, gate } from './gate.ts'
import { answeredBefore, keepWhole, Repeated, writeOnce } from './repeats.ts'

z.config({ localeError: sentenceOf })

export interface BuildOptions {
  db: Database
  secretKey: Buffer
  features: Feature[]
  bounds: Bounds
  allowances: Allowances
  /** The interval at which a slow reader is looked at. */
  stallMs: number
  /** How long a request may take to arrive whole. */
  sendingMs: number
  trustProxy: string
  now: () => Date
  logLevel: string
  /** Holds what PostgreSQL formed against the schema; on everywhere but in production. */
  verify: boolean
}
export interface Built {
  app: FastifyInstance
  book: AccessBook
  /** Who asks, once it is known. */
  userOf: (request: FastifyRequest) => SessionUser | undefined
  /** Every route with what guards it; the authorization matrix is generated from it (docs/figures.md, G-01, G-07). */
  routes: { method: string; path: string; endpoint: Endpoint }[]
}

const NOBODY: Pick<SessionUser, 'id' | 'tenant' | 'userName' | 'knownAt'> = {
  id: '',
  tenant: '',
  userName: '',
  knownAt: 0,
}
/** The subsystem whose family of paths was called; sign-in and profile belong to none. */
const systemOf = (url: string): string =>
  Object.entries(MENU_LIST).find(([, family]) => url.startsWith(`/${family}/`))?.[0] ?? ''
/** How far of the database's log a browser has seen: it sends back what it was told (docs/decisions/0180). */
const SEEN = 'x-seen'
function seenOf(request: FastifyRequest, user: Pick<SessionUser, 'knownAt'>): number | undefined {
  const told = request.headers[SEEN]
  return typeof told === 'string' && /^\d{1,15}$/.test(told)
    ? Math.max(Number(told), user.knownAt)
    : undefined
}
const tellOn = (reply: FastifyReply) => (place: number) => {
  if (!reply.sent) reply.header(SEEN, String(place))
}
/** Of every answer: read as what it says it is, and kept by nobody on the way. Pages and files say more themselves. */
const PLAIN = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }

/** Numbers of requests that no two servers give, and none twice. */
function requestIds(): () => string {
  const server = randomBytes(4).toString('hex')
  let count = 0
  return () => `${server}-${(count += 1).toString(36)}`
}

const told = (error: Error & { code?: string }) => ({
  type: error.name,
  message: error.message,
  code: error.code,
  stack: sourced(error.stack) ?? '',
  cause: error.cause instanceof Error ? sourced(error.cause.stack) : undefined,
})

export function build({
  db,
  secretKey,
  features,
  bounds,
  allowances,
  stallMs,
  sendingMs,
  trustProxy,
  now,
  logLevel,
  verify,
}: BuildOptions): Built {
  const app = Fastify({
    logger:
      logLevel === 'silent'
        ? false
        : {
            level: logLevel,
            // Read by people and by programs that gather logs of several servers: words and dates, not numbers.
            formatters: { level: (level: string) => ({ level }) },
            timestamp: () => `,"time":"${now().toISOString()}"`,
            redact: ['req.headers.token', 'req.headers["x-sign"]'],
            serializers: { req: (r) => ({ method: r.method, path: r.url.split('?')[0] }), err: told },
          },
    genReqId: requestIds(),
    logController: new LogController({ disableRequestLogging: true }),
    // Node swaps the two when headers may take longer than the whole, and looks only twice a minute by itself.
    http: {
      headersTimeout: sendingMs,
      requestTimeout: sendingMs,
      connectionsCheckingInterval: sendingMs / 15,
    },
    requestTimeout: sendingMs,
    routerOptions: { maxParamLength: 200 },
    trustProxy,
    clientErrorHandler: answerUnreadable,
  })
  app.addHook('onRoute', refuseBoundless)
  const book = accessBook(db, now)
  const routes: Built['routes'] = []

  // The legacy client posts a JSON content type with an empty body.
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(body as string))
    } catch {
      done(Object.assign(new Error('body'), { statusCode: 400 }))
    }
  })
  app.addContentTypeParser(
    ['image/jpeg', 'image/png', 'image/webp', 'video/mp4', 'application/pdf', 'application/octet-stream'],
    { parseAs: 'buffer' },
    (_request, body, done) => done(null, body),
  )
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, _body, done) => done(null, undefined),
  )
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(PLAIN)
    done()
  })
  app.setErrorHandler((error, request, reply) => reply.send(answerError(error, request, reply)))
  app.setNotFoundHandler((request, reply) => {
    reply.status(404).header('content-type', 'application/json; charset=utf-8')
    return reply.send(JSON.stringify({ code: 404, msg: '没有这个地址', data: null }))
  })

  const who = (user: typeof NOBODY, request: FastifyRequest): Who => ({
    tenant: user.tenant,
    userId: user.id || null,
    userName: user.userName,
    ip: request.ip,
    agent: String(request.headers['user-agent'] ?? ''),
    system: systemOf(request.url),
  })

  function callOf(
    user: SessionUser,
    request: FastifyRequest,
    reply: FastifyReply,
    reader = db.replicated ? db.readerOf(seenOf(request, user), tellOn(reply)) : undefined,
  ): Call {
    const write = writeOnce(db, user, request, reader)
    return {
      user,
      request,
      reply,
      now,
      newId: uuidv7,
      ip: request.ip,
      agent: String(request.headers['user-agent'] ?? ''),
      within: (scope) => callOf({ ...user, scope }, request, reply, reader),
      read: (fn) => db.tx(user.scope, fn, { readOnly: true, reader }),
      write(fn) {
        // Who comes without a session is bounded by what they came with.
        if (user.id) allowances.person.spend(user.id, now())
        return write(fn)
      },
      forgetAccess: () => book.forget(),
      log: (tx, line) => writeLog(tx, who(user, request), line),
      async beginExport() {
        await hold(bounds.export, user.id, reply)
        // Its line in the log, written next, is nothing to wait for.
        const apart = reader?.apart()
        return (fn) => db.tx(user.scope, fn, { readOnly: true, export: true, reader: apart })
      },
    }
  }

  /** One row a refusal (G-01): who was refused what. Input errors are not refusals. */
  async function logRefusal(
    user: SessionUser,
    request: FastifyRequest,
    endpoint: Endpoint,
    error: Refused,
  ): Promise<void> {
    allowances.person.spend(user.id, now())
    await db.tx(user.scope, (tx) =>
      writeLog(tx, who(user, request), {
        action: endpoint.title,
        object: endpoint.path,
        objectId: '',
        outcome: 'refused',
        after: { code: error.code, msg: error.message },
      }),
    )
  }

  const door = gate(book, pictureCookies(secretKey), bounds, logRefusal, knownNetworks(db))
  for (const { api, handlers, provers } of features) {
    for (const [key, endpoint] of Object.entries(api)) {
      const handler = handlers[key]
      if (!handler) throw new Error(`no handler for ${endpoint.path}`)
      if (!endpoint.access || (Array.isArray(endpoint.access) && endpoint.access.length === 0))
        throw new Error(`no access rule for ${endpoint.path}`)
      const prover = provers[key]
      if (endpoint.access === 'public' && endpoint.raw && endpoint.work === 'upload' && !prover)
        throw new Error(`nobody proves who sends to ${endpoint.path}`)
      routes.push({ method: endpoint.method, path: endpoint.path, endpoint })
      const { query: querySchema, body: bodySchema } = endpoint
      app.route({
        method: endpoint.method,
        url: endpoint.path,
        config: { allowance: allowanceOf(endpoint) },
        bodyLimit: bodyLimitOf(endpoint),
        onRequest: (request, reply) =>
          door.before(
            endpoint,
            request,
            reply,
            prover && (() => prover(callOf(NOBODY as SessionUser, request, reply))),
          ),
        handler: async (request, reply) => {
          const user = door.userOf(request)
          // Files and workbooks are long; a stream has nothing to send for most of its life.
          if (endpoint.raw && !endpoint.work) cutStalled(reply.raw, stallMs)
          try {
            const { viewer: _who, ...asked } = request.query as Record<string, unknown>
            const query =
              querySchema && readInput(querySchema, endpoint.shown ? asked : request.query, '条件')
            const body =
              bodySchema &&
              readInput(
                bodySchema,
                endpoint.form
                  ? { ...(request.query as object), ...(request.body as object | undefined) }
                  : (request.body ?? {}),
                '字段',
              )
            const data = await door.inside(endpoint, request, () =>
              handler({ query: query ?? {}, body }, callOf(user ?? (NOBODY as SessionUser), request, reply)),
            )
            await keepWhole(db, user, request, data)
            if (endpoint.raw && (reply.sent || data === undefined)) return reply
            const text = answer(reply, data, endpoint, verify)
            return reply.send(endpoint.packed ? packed(request, reply, text) : text)
          } catch (error) {
            if (error instanceof Repeated)
              return reply.send(answer(reply, answeredBefore(endpoint, error.data), endpoint, verify))
            if (user && error instanceof Refused && (error.code === 401 || error.code === 403))
              await logRefusal(user, request, endpoint, error)
            throw error
          }
        },
      })
    }
  }
  return { app, book, routes, userOf: door.userOf }
}
