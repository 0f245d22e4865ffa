import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import { z } from 'zod'

/** What is read of a JSON schema. */
export interface FieldSchema {
  title?: string
  type?: string | string[]
  format?: string
  pattern?: string
  properties?: Record<string, FieldSchema>
  required?: string[]
  items?: FieldSchema
  anyOf?: FieldSchema[]
  oneOf?: FieldSchema[]
}
export interface IdField {
  where: 'query' | 'body'
  /** Names from the outside in; a list is one step that is called `0`. */
  path: string[]
  /** One that only narrows what is answered: in the query and left out at will. */
  narrows: boolean
}

/** A serial number and a file's key name a record too. */
const NAMES_A_RECORD = [String.raw`^[\w.:-]{1,64}$`, String.raw`^[A-Za-z0-9_-]{1,64}\.[a-z0-9]{2,4}$`]
const CALLED_ID = /(^|_)(ids?|keys?)$|Id$/
/** Numbers that a clerk gives to what is new. */
const GIVEN = ['w_id', 'sns']
/** A part of a document gets its number where the document is written. */
const ROW_NUMBER = '行号'

export const schemaOf = (schema: z.ZodType | undefined): FieldSchema | undefined =>
  schema && (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as FieldSchema)

export const isUuid = (of: FieldSchema): boolean =>
  of.format === 'uuid' ||
  !!(of.anyOf ?? of.oneOf)?.some(isUuid) ||
  (of.type === 'array' && isUuid(of.items ?? {}))
const isNatural = (of: FieldSchema): boolean =>
  NAMES_A_RECORD.includes(of.pattern ?? '') ||
  !!(of.anyOf ?? of.oneOf)?.some(isNatural) ||
  (of.type === 'array' && isNatural(of.items ?? {}))
const namesRecord = (name: string, of: FieldSchema) =>
  !GIVEN.includes(name) && of.title !== ROW_NUMBER && (isUuid(of) || isNatural(of) || CALLED_ID.test(name))

/** The way to every field that names a record, also in rows of a list. */
export function idPaths(
  of: FieldSchema | undefined,
  names: (field: string, of: FieldSchema) => boolean = namesRecord,
  at: string[] = [],
): string[][] {
  if (!of) return []
  if (of.type === 'array') return idPaths(of.items, names, [...at, '0'])
  return Object.entries(of.properties ?? {}).flatMap(([name, field]) => [
    ...(names(name, field) ? [[...at, name]] : []),
    ...idPaths(field, names, [...at, name]),
  ])
}

/** Every id that a call takes, read from its schemas. */
export function idFields({ query, body }: Endpoint): IdField[] {
  const [asked, sent] = [schemaOf(query), schemaOf(body)]
  return [
    ...idPaths(asked).map((path) => ({
      where: 'query' as const,
      path,
      narrows: !body && !asked!.required?.includes(path[0]!),
    })),
    ...idPaths(sent).map((path) => ({ where: 'body' as const, path, narrows: false })),
  ]
}

type Input = Partial<Record<IdField['where'], object>>
const step = (of: unknown, name: string): unknown => (of as Record<string, unknown> | undefined)?.[name]
/** What stands in a field of an input. */
export const valueAt = (input: Input, { where, path }: IdField): unknown =>
  path.reduce<unknown>(step, input[where])

/** The input with something else in one field; with nothing in it where `value` is undefined. */
export function withValue<I extends Input>(input: I, { where, path }: IdField, value: unknown): I {
  const copy = structuredClone(input)
  const holder = path.slice(0, -1).reduce<unknown>(step, copy[where])
  if (holder) (holder as Record<string, unknown>)[path.at(-1)!] = value
  return copy
}
