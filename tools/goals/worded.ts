import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import { z } from 'zod'

import type { Caller } from './client.ts'
import { payload, PAYLOADS } from './payloads.ts'

/** What is put into the texts of a call, and what hears how it was answered. */
export interface Words {
  into(endpoint: Endpoint, body: unknown): unknown
  heard(endpoint: Endpoint, body: unknown, answer: { code: number; msg: string }): void
}
/** Nothing but what is said anyway. */
export const PLAIN: Words = { into: (_endpoint, body) => body, heard: () => {} }

interface Field {
  name: string
  room: number
}
/** Secrets and words of machines are never shown; numbers, units, roles and components of pages have their own form. */
const NO_WORDS: readonly string[] = [
  'componentName',
  'hash',
  'key',
  'next',
  'pass',
  'password',
  'phone',
  'role',
  'sdp',
  'secret',
  'state',
  'ticket',
  'token',
  'unit',
  'wording',
]
const SHORTEST = Math.min(...PAYLOADS.map((text) => text.length))
/** Text that a call takes as it comes: no pattern, no form, no list of values, and room for the shortest payload. */
export function textFields({ body }: { body?: unknown }): Field[] {
  if (!(body instanceof z.ZodType)) return []
  const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })
  return Object.entries(schema.properties ?? {}).flatMap(([name, value]) => {
    if (NO_WORDS.includes(name)) return []
    const kinds = typeof value === 'object' ? [value, ...(value.anyOf ?? [])] : []
    const text = kinds.find(
      (k) => typeof k === 'object' && k.type === 'string' && !k.pattern && !k.format && !k.enum && !k.const,
    )
    const room = typeof text === 'object' ? (text.maxLength ?? 200) : 0
    return room >= SHORTEST ? [{ name, room }] : []
  })
}

/** Texts by which nobody looks for a record afterwards: they take a payload also where something is said. */
const SAID: readonly string[] = [
  'address',
  'note',
  'ours',
  'payee',
  'payer',
  'person',
  'place',
  'reason',
  'remark',
  'scope',
  'signer',
  'title',
  'w_name',
  'words',
  'ws_name',
]
/** One payload after the other in every text that is empty or tells why. */
export function payloadWords(taken: (endpoint: Endpoint, name: string, text: string) => void) {
  let n = 0
  /** What a call was refused with last, by its path. */
  const refused = new Map<string, string>()
  const words: Words = {
    into(endpoint, body) {
      if (typeof body !== 'object' || body === null) return body
      const given = body as Record<string, unknown>
      const fields = textFields(endpoint).filter((f) => !given[f.name] || SAID.includes(f.name))
      return { ...given, ...Object.fromEntries(fields.map((f) => [f.name, payload((n += 1), f.room)])) }
    },
    heard(endpoint, body, { code, msg }) {
      if (code !== 200) return void refused.set(endpoint.path, msg)
      for (const { name } of textFields(endpoint)) {
        const text = (body as Record<string, unknown>)[name]
        if (typeof text === 'string' && PAYLOADS.includes(text)) taken(endpoint, name, text)
      }
    },
  }
  return { words, refused }
}
/** Somebody who says these words. */
export const saying = (who: Caller, words: Words): Caller => ({
  ...who,
  async ask(endpoint, asked = {}) {
    const body = words.into(endpoint as Endpoint, asked.body)
    const heard = await who.ask(endpoint, { ...asked, body })
    words.heard(endpoint as Endpoint, body, heard)
    return heard
  },
})
