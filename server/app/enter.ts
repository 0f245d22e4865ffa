import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'
import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import type { FastifyRequest } from 'fastify'

import { type AccessBook, hashToken } from '../features/session/access.reads.ts'
import type { PictureCookies } from '../features/session/picture-cookie.ts'
import type { Bound } from '../kit/bound.ts'
import { byNetwork } from '../kit/network.ts'
import { narrowed } from '../kit/reach.ts'
import { Refused } from '../kit/refuse.ts'
import type { SessionUser } from '../kit/serve.ts'
import { noPermission, tokenExpired, unauthorized, wrongTenant } from './answer.ts'

const header = (request: FastifyRequest, name: string): string => {
  const value = request.headers[name]
  return typeof value === 'string' ? value.trim() : ''
}

/** The session that a request belongs to: its token's, or where the call allows it the one that its cookie proves. */
function sessionOf(cookies: PictureCookies, endpoint: Endpoint, request: FastifyRequest): Buffer | undefined {
  const token = header(request, 'token')
  if (token) return token.length > 200 ? undefined : hashToken(token)
  const { viewer } = request.query as { viewer?: unknown }
  if (!endpoint.shown || typeof viewer !== 'string') return undefined
  return cookies.sessionOf(viewer, request.headers.cookie)
}

/** Session → person. Whom the book does not remember is looked up, as many at once as `strangers` allows. */
export async function enter(
  { book, cookies, strangers }: { book: AccessBook; cookies: PictureCookies; strangers: Bound },
  endpoint: Endpoint,
  request: FastifyRequest,
): Promise<SessionUser> {
  const session = sessionOf(cookies, endpoint, request)
  if (!session) throw unauthorized()
  const found = book.peek(session) ?? (await strangers.run(byNetwork(request.ip), () => book.find(session)))
  if (found.kind === 'unknown') throw unauthorized()
  if (found.kind === 'expired') throw tokenExpired()
  return found.user
}

/** What a person may do before they have chosen a password of their own. */
const BEFORE_CHANGE = new Set<string>(Object.values(sessionApi).map((e) => e.path))

/**
 * The tenant header chooses among the session's tenants, it never grants one; who comes without a token has no choice.
 * Any label of the endpoint is enough; a page counts as a label. The call reaches as far as the roles that hold one.
 */
export function admit(user: SessionUser, endpoint: Endpoint, request: FastifyRequest): SessionUser {
  if (header(request, 'token') && header(request, 'tenant-id') !== user.tenant) throw wrongTenant()
  if (user.mustChange && !BEFORE_CHANGE.has(endpoint.path)) throw new Refused('请先修改初始密码')
  if (typeof endpoint.access === 'string') return user
  const admitted = narrowed(user, endpoint.access)
  if (!admitted) throw noPermission()
  return admitted
}
