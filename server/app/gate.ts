import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'

import type { AccessBook } from '../features/session/access.reads.ts'
import type { PictureCookies } from '../features/session/picture-cookie.ts'
import { hold, type Key } from '../kit/bound.ts'
import { byNetwork } from '../kit/network.ts'
import { Refused } from '../kit/refuse.ts'
import type { SessionUser } from '../kit/serve.ts'
import { type Bounds, boundOf } from './bounds.ts'
import { admit, enter } from './enter.ts'

const FILE_BYTES = 8 * 1024 * 1024
const BODY_BYTES = 256 * 1024
/** A thousand lines with all that may be said of each, three bytes a character. */
const LONG_BYTES = 2 * 1024 * 1024
const STRANGER_BYTES = 16 * 1024
/** A photo that a telephone has made smaller. */
const STRANGER_FILE_BYTES = 1024 * 1024

/**
 * The size that a call may bring: strangers a form, people a form or a list of rows, and a file where one is asked
 * for.
 */
export function bodyLimitOf(endpoint: Endpoint): number {
  if (endpoint.work === 'upload' || endpoint.work === 'import')
    return endpoint.access === 'public' ? STRANGER_FILE_BYTES : FILE_BYTES
  if (endpoint.long) return LONG_BYTES
  return endpoint.access === 'public' ? STRANGER_BYTES : BODY_BYTES
}

export interface Gate {
  /** Before a byte of the body is read: who it is, whether they may, and whether there is room. */
  before(
    endpoint: Endpoint,
    request: FastifyRequest,
    reply: FastifyReply,
    /** The proof for a file from somebody without an account, by the headers alone. */
    prove?: () => Promise<string>,
  ): Promise<void>
  /** With the body there: the work itself, inside its class. */
  inside<T>(endpoint: Endpoint, request: FastifyRequest, work: () => Promise<T>): Promise<T>
  userOf(request: FastifyRequest): SessionUser | undefined
}

export function gate(
  book: AccessBook,
  cookies: PictureCookies,
  all: Bounds,
  logRefusal: (user: SessionUser, request: FastifyRequest, endpoint: Endpoint, why: Refused) => Promise<void>,
  /** Whether somebody has signed in from this address before. */
  isKnown: (ip: string) => Promise<boolean>,
): Gate {
  const users = new WeakMap<FastifyRequest, SessionUser>()
  const isFile = (endpoint: Endpoint) => endpoint.work === 'upload' || endpoint.work === 'import'
  const keyOf = (endpoint: Endpoint, request: FastifyRequest, user: SessionUser | undefined): Key =>
    !user || endpoint.work === 'signIn' || endpoint.work === 'provider' ? byNetwork(request.ip) : user.id
  /** Many addresses that nobody ever came from do not keep out who comes from one of their own. */
  const goesFirst = async (endpoint: Endpoint, request: FastifyRequest) =>
    endpoint.work === 'signIn' && (await isKnown(request.ip))
  return {
    userOf: (request) => users.get(request),
    async before(endpoint, request, reply, prove) {
      if (endpoint.access === 'public') {
        const from = byNetwork(request.ip)
        boundOf(all, endpoint, request.query).turnAway(from, await goesFirst(endpoint, request))
        if (prove) await hold(all.strangerFile, await all.strangers.run(from, prove), reply)
        return
      }
      const user = await enter({ book, cookies, strangers: all.strangers }, endpoint, request)
      reply.header('x-access-version', user.version)
      try {
        users.set(request, admit(user, endpoint, request))
      } catch (error) {
        if (error instanceof Refused && (error.code === 401 || error.code === 403))
          await logRefusal(user, request, endpoint, error)
        throw error
      }
      if (endpoint.work === 'stream') return
      await hold(all.person, user.id, reply)
      if (isFile(endpoint)) await hold(all.sending, user.id, reply)
      else boundOf(all, endpoint, request.query).turnAway(keyOf(endpoint, request, user))
    },
    async inside(endpoint, request, work) {
      // A stream is counted by who sends it.
      if (endpoint.work === 'stream') return work()
      const key = keyOf(endpoint, request, users.get(request))
      return boundOf(all, endpoint, request.query).run(key, work, await goesFirst(endpoint, request))
    },
  }
}
