import { createHash, randomBytes } from 'node:crypto'

import {
  GONE,
  type Logged,
  type LoggedField,
  type LoggedFields,
  UNKNOWN_FIELDS,
} from '@zhuguan/contract/kit/logged.ts'
import { type LogObject, LOGS } from '@zhuguan/contract/logs.ts'

/** The values beside a line: each personal value by its digest, with the salt of that digest. */
export type Beside = Readonly<Record<string, readonly [salt: string, value: unknown]>>
type Values = Readonly<Record<string, unknown>>
const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** The log's words about a kind of thing; nothing of an address that was refused. */
export const logOf = (object: string): Logged | undefined =>
  Object.hasOwn(LOGS, object) ? LOGS[object as LogObject] : undefined

/** Salted with 128 random bits of its own, so that nobody finds a value by trying what it may have been. */
const digestOf = (salt: string, value: unknown): string =>
  createHash('sha256')
    .update(`${salt}:${JSON.stringify(value)}`)
    .digest('hex')
const HASH = /^[\da-f]{64}$/
/** The digest of a value that stands beside the line; nothing where the value itself stands here. */
const heldBy = (value: unknown): string | undefined => {
  if (!isValues(value) || Object.keys(value).length !== 1) return undefined
  return typeof value.digest === 'string' && HASH.test(value.digest) ? value.digest : undefined
}

type Put = (value: unknown) => unknown
function each(value: unknown, put: Put): unknown {
  if (value === null || value === undefined || value === '') return value
  if (isList(value)) return value.map((one) => each(one, put))
  if (isValues(value)) return Object.fromEntries(Object.entries(value).map(([n, v]) => [n, each(v, put)]))
  return put(value)
}
function inField(field: LoggedField | undefined, value: unknown, put: Put): unknown {
  const how = typeof field === 'object' ? field[1] : undefined
  if (how === 'personal') return each(value, put)
  if (typeof how !== 'object' || 'label' in how) return value
  const inOne = (one: unknown) => (isValues(one) ? inFields(how, one, put) : one)
  return isList(value) ? value.map(inOne) : inOne(value)
}
const inFields = (fields: LoggedFields, values: Values, put: Put): Values =>
  Object.fromEntries(Object.entries(values).map(([n, v]) => [n, inField(fields[n], v, put)]))

/** Takes what a line says of people out of it: digests stay, and the values stand beside. */
export function apart(
  object: string,
  values: readonly unknown[],
): { told: unknown[]; beside: Beside | null } {
  const fields = logOf(object)?.fields ?? UNKNOWN_FIELDS
  const beside: Record<string, readonly [string, unknown]> = {}
  const put: Put = (value) => {
    const salt = randomBytes(16).toString('base64url')
    const digest = digestOf(salt, value)
    beside[digest] = [salt, value]
    return { digest }
  }
  const told = values.map((one) => (isValues(one) ? inFields(fields, one, put) : one))
  return { told, beside: Object.keys(beside).length ? beside : null }
}

/** A line's values as they are read: from beside it where they stand there, and said to be gone where they do not. */
export function together(value: unknown, beside: Beside | null): unknown {
  const digest = heldBy(value)
  if (digest) return beside?.[digest]?.[1] ?? GONE
  if (isList(value)) return value.map((one) => together(one, beside))
  if (!isValues(value)) return value
  return Object.fromEntries(Object.entries(value).map(([n, v]) => [n, together(v, beside)]))
}

/** All digests of a line's values. */
function heldIn(value: unknown): string[] {
  const digest = heldBy(value)
  if (digest) return [digest]
  if (isList(value)) return value.flatMap(heldIn)
  return isValues(value) ? Object.values(value).flatMap(heldIn) : []
}
/** What does not fit between a line and what stands beside it, in words; nothing where all fits. */
export function besideFault(values: readonly unknown[], beside: Beside | null): '' | 'strange' | 'missing' {
  const held = new Set(values.flatMap(heldIn))
  const entries = Object.entries(beside ?? {})
  if (entries.some(([digest, [salt, value]]) => !held.has(digest) || digestOf(salt, value) !== digest))
    return 'strange'
  return entries.length < held.size ? 'missing' : ''
}

/** The text of a value with every string in it changed by `put`; digests stay. */
export function inStrings(value: unknown, put: (text: string) => string): unknown {
  if (heldBy(value)) return value
  if (typeof value === 'string') return put(value)
  if (isList(value)) return value.map((one) => inStrings(one, put))
  if (!isValues(value)) return value
  return Object.fromEntries(Object.entries(value).map(([n, v]) => [n, inStrings(v, put)]))
}
