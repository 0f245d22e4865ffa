import { createHash, randomUUID } from 'node:crypto'

import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'
import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import { z } from 'zod'

import { DEMO_PASSWORD } from '../../server/database/seed/demo.ts'

export interface Heard {
  status: number
  /** The envelope's code; the HTTP status where the answer is no envelope. */
  code: number
  msg: string
  data: unknown
  text: string
  headers: Headers
}
export interface Asked {
  query?: Record<string, unknown>
  body?: unknown
  headers?: Record<string, string>
}
export interface Caller {
  headers: Record<string, string>
  ask(endpoint: Pick<Endpoint, 'method' | 'path'> & { body?: unknown }, asked?: Asked): Promise<Heard>
}
/** Of a body what the call knows: tables of commands give each a reason, and other names are refused. */
export const fitting = <B>(endpoint: { body?: unknown }, body: B): B => {
  const { body: takes } = endpoint
  if (!(takes instanceof z.ZodObject) || typeof body !== 'object' || body === null) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => name in takes.shape)) as B
}
/** Number of answers that have been heard. */
let heardSoFar = 0
export const heard = () => heardSoFar
export const travelling = (password: string) => createHash('sha256').update(password).digest('hex')

export async function send(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string | Buffer,
): Promise<Heard> {
  let text = ''
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body === undefined || method === 'GET' ? {} : { body: body as string }),
    redirect: 'manual',
  })
    .then(async (r) => {
      text = await r.text()
      heardSoFar += 1
      return r
    })
    .catch(
      (error: Error) =>
        new Response(null, { status: 599, statusText: error.message.replace(/[^\x20-\x7e]/g, '?') }),
    )
  let envelope: { code?: number; msg?: string; data?: unknown } = {}
  try {
    envelope = JSON.parse(text) as typeof envelope
  } catch {
    // Not an envelope: a page, a file, nothing.
  }
  return {
    status: response.status,
    code: envelope?.code ?? response.status,
    msg: envelope?.msg ?? '',
    data: envelope?.data,
    text,
    headers: response.headers,
  }
}

/** Somebody who calls with these headers. */
export const caller = (url: string, headers: Record<string, string>): Caller => ({
  headers,
  ask(endpoint, { query = {}, body, headers: more = {} } = {}) {
    const params = new URLSearchParams(
      Object.entries(query)
        .filter(([, v]) => v !== undefined)
        .map(([k, v]) => [k, String(v)]),
    ).toString()
    return send(
      url,
      endpoint.method,
      endpoint.path + (params ? `?${params}` : ''),
      { 'content-type': 'application/json', ...headers, ...more },
      body === undefined ? '' : JSON.stringify(body),
    )
  },
})
/** The answer to a sign-in. */
export const enter = (
  url: string,
  name: string,
  password = DEMO_PASSWORD,
  headers: Record<string, string> = {},
): Promise<Heard> =>
  caller(url, headers).ask(sessionApi.login, { body: { username: name, password: travelling(password) } })
export async function signIn(url: string, name: string, password = DEMO_PASSWORD): Promise<Caller> {
  const heard = await enter(url, name, password)
  if (heard.code !== 200) throw new Error(`${name}: ${heard.msg}`)
  const { token, tenant_id } = heard.data as { token: string; tenant_id: string }
  return caller(url, { token, 'tenant-id': tenant_id })
}

/** The same numbers for the same seed (mulberry32: a period of 2³², in whole numbers of 32 bits). */
export function dice(seed: number) {
  let state = seed | 0
  const random = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    random,
    below: (n: number) => Math.floor(random() * n),
    pick: <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!,
  }
}
export const noId = () => randomUUID()
export interface Result {
  value: string
  ok: boolean
  /** The reason why it could not be measured here. */
  skipped?: string
}
