import type { AddressOf, DataOf, Endpoint, Envelope, InputOf, Tie } from '@zhuguan/contract/kit/api.ts'
import type { Overtaken } from '@zhuguan/contract/kit/overtaken.ts'
import { queryText } from '@zhuguan/contract/kit/query.ts'
import { RELOAD_AFTER_LOGOUT_MS, REQUEST_TIMEOUT_MS } from '@zhuguan/contract/kit/times.ts'

import { message, notification } from './notices.ts'

const ENDED = '登录已失效：可能在别处退出了、密码改过或账号停用了，请重新登录'
const EXPIRED = '登录已过期，请重新登录'

/** The data of a refusal. */
interface Failure {
  fields?: Record<string, string>
  links?: Tie[]
  overtaken?: Overtaken | null
  isLogin?: boolean
}
/** The server's refusal; a form shows `fields` beside its inputs. */
export class ApiError extends Error {
  readonly code: number
  readonly fields: Record<string, string>
  /** The obstacles, each with the list that shows it. */
  readonly links: readonly Tie[]
  /** The record is no longer what was seen: somebody was faster. */
  readonly overtaken: Overtaken | null
  constructor(text: string, code: number, { fields = {}, links = [], overtaken = null }: Failure = {}) {
    super(text)
    this.code = code
    this.fields = fields
    this.links = links
    this.overtaken = overtaken
  }
}

/** The store of a browser; one that keeps nothing, as inside some chat applications, has nobody signed in. */
function kept(read: () => string | null): string {
  try {
    return read() ?? ''
  } catch {
    return ''
  }
}
export const token = () => kept(() => sessionStorage.getItem('token'))
export const sessionHeaders = (): Record<string, string> =>
  token()
    ? { token: token(), 'tenant-id': sessionStorage.getItem('tenant_id') ?? '', 'no-cache': 'true' }
    : {}

/** Forgets the session; what the user chose for this machine stays. */
export function clearSession(): void {
  // What was ended here is not asked back from another tab (web/index.html).
  sessionStorage.setItem('signedOut', '1')
  for (const key of ['token', 'tenant_id', 'roles', 'tabs']) sessionStorage.removeItem(key)
  for (const key of ['path', 'SET_SYSTEM', SEEN]) localStorage.removeItem(key)
  document.cookie = 'Access-Token=; path=/; max-age=0'
}
/** Back to the form, which says why. */
export function toLogin(because = ''): void {
  clearSession()
  if (because) sessionStorage.setItem('signedOutBecause', because)
  // Whoever signs in again goes on where the session ended.
  if (because) sessionStorage.setItem('wanted', location.hash)
  // Not by the hash: the application would still answer to it, and remember where it went.
  history.replaceState(null, '', '#/login')
  location.reload()
}

let version: string | null = null
let changed: () => void = () => {}
/** Called when an answer tells that roles, pages or powers are not what this browser was told. */
export const onAccessChange = (fn: () => void) => (changed = fn)
function noteVersion(response: Response): void {
  const next = response.headers.get('x-access-version')
  if (!next || next === version) return
  const known = version !== null
  version = next
  if (known) changed()
}

const SEEN = 'seen'
/** How far this browser has seen the data: an answer to any of its tabs is never older (docs/decisions/0180). */
export function noteSeen(place: string | null | undefined): void {
  if (place && Number(place) > Number(kept(() => localStorage.getItem(SEEN))))
    localStorage.setItem(SEEN, place)
}
const seenHeader = (): Record<string, string> => {
  const seen = kept(() => localStorage.getItem(SEEN))
  return seen ? { 'x-seen': seen } : {}
}

let leaving = false
function endSession(): void {
  if (leaving || !token()) return
  leaving = true
  notification('Unauthorized', 'Authorization verification failed.')
  clearSession()
  sessionStorage.setItem('signedOutBecause', ENDED)
  setTimeout(() => location.reload(), RELOAD_AFTER_LOGOUT_MS)
}

/** One reading of every answer that is not a success (docs/product.md). */
function fail(response: Response, body: Envelope<Failure | null> | null): ApiError {
  const text = body?.msg || (response.status === 503 ? '系统繁忙，请稍后再试' : '连接不上服务器，请稍后再试')
  if (response.status === 401 && !body?.data?.isLogin) endSession()
  else if (response.status === 403) notification('Forbidden', text)
  else if (body?.code === 500 && body.msg === 'Token Expiration') {
    toLogin(EXPIRED)
    return new ApiError(EXPIRED, 500)
  } else if (body?.code === 401) {
    message.error('无权访问')
    changed()
    return new ApiError('无权访问', 401)
  }
  return new ApiError(text, body?.code ?? response.status, body?.data ?? {})
}

/** Names one command, so that it is done once however often it is sent; `randomUUID` is not there on plain HTTP. */
/** 32 digits that nobody has had before. */
export const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, '0')).join('')
/** The same as a UUID of version 4. */
export function randomUuid(): string {
  const h = randomKey()
  const variant = ((Number.parseInt(h[16]!, 16) & 3) | 8).toString(16)
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-${variant}${h.slice(17, 20)}-${h.slice(20)}`
}
const AGAIN_MS = 1_000

async function request(
  endpoint: Endpoint,
  input: { query?: object; body?: unknown },
  signal?: AbortSignal,
  blob?: Blob,
  more: Record<string, string> = {},
): Promise<Response> {
  const query = queryText(input.query ?? {})
  const key = input.body === undefined && !blob ? undefined : randomKey()
  const send = async (): Promise<Response> => {
    const response = await fetch(endpoint.path + query, {
      method: endpoint.method,
      headers: {
        ...sessionHeaders(),
        ...seenHeader(),
        ...(key ? { 'idempotency-key': key } : {}),
        ...more,
        ...(blob || endpoint.method !== 'GET' ? { 'content-type': blob?.type ?? 'application/json' } : {}),
      },
      ...(endpoint.method === 'GET'
        ? {}
        : { body: blob ?? (input.body === undefined ? '' : JSON.stringify(input.body)) }),
      signal: signal
        ? AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)])
        : AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    noteSeen(response.headers.get('x-seen'))
    noteVersion(response)
    return response
  }
  try {
    // A connection that broke says nothing about what was done: the same command is sent once more, under its own name.
    return await send().catch(async (error: Error) => {
      if (signal?.aborted || error.name === 'TimeoutError' || !key) throw error
      await new Promise((r) => setTimeout(r, AGAIN_MS))
      return send()
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError('连接不上服务器，请检查网络', 0)
  }
}

/** The data of an answer; whatever else it is goes through the catalogue. */
export async function unwrap<T>(response: Response): Promise<T> {
  const body = (await response.json().catch(() => null)) as Envelope<unknown> | null
  if (response.ok && body?.code === 200) return body.data as T
  throw fail(response, body as Envelope<Failure | null> | null)
}

/** Calls an endpoint of the contract and answers its data. */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  signal?: AbortSignal,
): Promise<DataOf<E>> {
  return unwrap(await request(endpoint, input as { query?: object; body?: unknown }, signal))
}
/** The same for a command that keeps its name: however often and whenever it is sent, it is done once. */
export async function callOnce<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  key: string,
): Promise<DataOf<E>> {
  return unwrap(
    await request(endpoint, input as { body?: unknown }, undefined, undefined, { 'idempotency-key': key }),
  )
}

/** Calls an endpoint with what an address says. */
export const callAddressed = <E extends Endpoint>(
  endpoint: E,
  query: AddressOf<E>,
  signal?: AbortSignal,
): Promise<DataOf<E>> => call(endpoint, { query } as InputOf<E>, signal)

/** The bytes of a raw endpoint: a picture, a workbook; `progress` is told how many have come. */
export async function callForBytes(
  endpoint: Endpoint,
  input: { query?: object; body?: unknown },
  signal?: AbortSignal,
  progress?: (bytes: number) => void,
): Promise<Blob> {
  const response = await request(endpoint, input, signal)
  const type = response.headers.get('content-type') ?? ''
  if (!response.ok || type.startsWith('application/json')) return unwrap<never>(response)
  if (!progress || !response.body) return response.blob()
  let bytes = 0
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, on) {
        progress((bytes += chunk.length))
        on.enqueue(chunk)
      },
    }),
  )
  return new Response(counted, { headers: { 'content-type': type } }).blob()
}

export async function upload<T>(
  endpoint: Endpoint,
  file: Blob,
  query: object = {},
  signal?: AbortSignal,
  more?: Record<string, string>,
): Promise<T> {
  return unwrap(await request(endpoint, { query }, signal, file, more))
}
