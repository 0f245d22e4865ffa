import { createHash } from 'node:crypto'

import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'
import type { DataOf, Endpoint, Envelope, InputOf } from '@zhuguan/contract/kit/api.ts'

import { DEMO_PASSWORD } from '../database/seed/demo.ts'

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

export interface Person {
  token: string
  tenant: string
  /** Calls the endpoint and answers status, envelope and headers; nothing is thrown. */
  ask<E extends Endpoint>(
    endpoint: E,
    input?: InputOf<E>,
    headers?: Record<string, string>,
  ): Promise<Answer<DataOf<E>>>
  /** As `ask`, of an endpoint that is only known when it is asked: a walk over all of them. */
  askAny(endpoint: Endpoint, input?: object, headers?: Record<string, string>): Promise<Answer<unknown>>
  /** As `ask`, but anything that is not code 200 fails the test with its sentence. */
  call<E extends Endpoint>(endpoint: E, input?: InputOf<E>): Promise<DataOf<E>>
}
export interface Answer<T> extends Envelope<T> {
  status: number
  headers: Headers
  text: string
  bytes: Buffer
}

/** What `call` makes of `ask`. */
export const callBy =
  (ask: Person['ask']): Person['call'] =>
  async (endpoint, input) => {
    const answer = await ask(endpoint, input)
    if (answer.code !== 200)
      throw new Error(`${endpoint.path}: ${answer.status} ${answer.code} ${answer.msg}`)
    return answer.data
  }

/** Somebody with these headers; where the server is may change while they work. */
export function person(url: () => string, headers: Record<string, string> = {}): Person {
  // What comes back has the type that the asker knows: `never` fits each.
  async function ask(
    endpoint: Endpoint,
    input?: unknown,
    more: Record<string, string> = {},
  ): Promise<Answer<never>> {
    const { query, body } = (input ?? {}) as { query?: object; body?: unknown }
    const params = new URLSearchParams(
      Object.entries(query ?? {})
        .filter(([, v]) => v !== undefined)
        .map(([k, v]) => [k, Array.isArray(v) ? v.join(',') : String(v)]),
    )
    const response = await fetch(`${url()}${endpoint.path}?${params}`, {
      method: endpoint.method,
      headers: { ...headers, 'content-type': 'application/json', ...more },
      ...(endpoint.method === 'GET' ? {} : { body: body === undefined ? '' : JSON.stringify(body) }),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const text = bytes.toString()
    const envelope = (
      response.headers.get('content-type')?.includes('json')
        ? JSON.parse(text)
        : { code: 200, msg: '', data: null }
    ) as Envelope<never>
    return { ...envelope, status: response.status, headers: response.headers, text, bytes }
  }
  return {
    token: headers.token ?? '',
    tenant: headers['tenant-id'] ?? '',
    ask,
    askAny: ask,
    call: callBy(ask),
  }
}

/** Signs in, as a role of the demo unless another name is given. */
export async function enterAs(url: () => string, name: string, password = DEMO_PASSWORD): Promise<Person> {
  const { token, tenant_id } = await person(url).call(sessionApi.login, {
    body: { username: name, password: sha256(password) },
  })
  return person(url, { token, 'tenant-id': tenant_id })
}
