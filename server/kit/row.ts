/** A column as PostgreSQL answers it, and what the driver makes of its values. */
export interface Column<T> {
  /** PostgreSQL's name of the type, and its number on the wire. */
  readonly type: string
  readonly oid: number
  readonly nullable: boolean
  /** The only values that it has. */
  readonly among?: readonly unknown[] | undefined
  /** Only says the type; no column has it. */
  readonly value?: T
}
interface Declared<T> extends Column<T> {
  /** May be empty. */
  readonly null: Column<T | null>
}
interface Codes<C> {
  readonly values: readonly C[]
}
interface Scalar<T> extends Declared<T> {
  /** Holds one of these codes. */
  of<C extends T>(codes: Codes<C>): Declared<C>
}

/** The columns that a statement answers. */
export type Row<R> = { readonly [C in keyof R]-?: Column<R[C]> }
/** One row of it. */
export type RowOf<S> = { -readonly [C in keyof S]: S[C] extends Column<infer T> ? T : never }

/**
 * The columns that a statement answers, by name; their order is the statement's own business. `row<Known>` has the
 * compiler compare them with a type that is stated elsewhere.
 */
export const row = <R extends object>(columns: Row<R>): Row<R> => columns

/** The columns of what a LEFT JOIN may not find. */
export const outer = <R>(columns: Row<R>): Row<{ [C in keyof R]: R[C] | null }> =>
  Object.fromEntries(
    Object.entries<Column<unknown>>(columns).map(([name, column]) => [name, { ...column, nullable: true }]),
  ) as Row<{ [C in keyof R]: R[C] | null }>

/** The types by their numbers, to tell of an answer. */
const TYPES = new Map<number, string>()
function column<T>(type: string, oid: number, among?: readonly unknown[]): Declared<T> {
  TYPES.set(oid, type)
  return { type, oid, nullable: false, among, null: { type, oid, nullable: true, among } }
}
const scalar = <T>(type: string, oid: number): Scalar<T> => ({
  ...column<T>(type, oid),
  of: <C extends T>(codes: Codes<C>) => column<C>(type, oid, codes.values),
})

export const bool = column<boolean>('bool', 16)
export const bytea = column<Buffer>('bytea', 17)
export const int8 = column<number>('int8', 20)
export const int2 = scalar<number>('int2', 21)
export const int4 = scalar<number>('int4', 23)
export const text = scalar<string>('text', 25)
export const float8 = column<number>('float8', 701)
/** The name of a thing of the database. */
export const name = column<string>('name', 19)
/** A calendar day as its text, 2026-01-31. */
export const date = column<string>('date', 1082)
export const timestamptz = column<Date>('timestamptz', 1184)
export const uuid = column<string>('uuid', 2950)
export const texts = {
  ...column<string[]>('text[]', 1009),
  of: <C extends string>(codes: Codes<C>) => column<C[]>('text[]', 1009, codes.values),
}
export const uuids = column<string[]>('uuid[]', 2951)
export const int2s = {
  ...column<number[]>('int2[]', 1005),
  of: <C extends number>(codes: Codes<C>) => column<C[]>('int2[]', 1005, codes.values),
}
/** What is in it is the statement's promise: PostgreSQL says no more than that it is JSON. */
export const json = <T>(): Declared<T> => column<T>('json', 114)
export const jsonb = <T>(): Declared<T> => column<T>('jsonb', 3802)

/** Of a statement that is asked whether there is a row: SELECT 1. */
export const there = row({ '?column?': int4 })

interface Answer {
  fields: readonly { name: string; dataTypeID: number }[]
  rows: readonly object[]
}
/** Answered by a function that answers nothing. */
const VOID = 2278
const named = (columns: readonly (readonly [name: string, type: string])[]): string =>
  columns
    .map(([name, type]) => `${name} ${type}`)
    .sort()
    .join(', ')

/**
 * How an answer differs from the columns that its statement declares, in a sentence; a statement that declares none
 * answers nothing.
 */
export function difference(
  statement: string,
  columns: Row<object> | undefined,
  answer: Answer,
): string | undefined {
  const all = Object.entries<Column<unknown>>({ ...columns })
  const declared = named(all.map(([name, { type }]) => [name, type]))
  const fields = columns ? answer.fields : answer.fields.filter((f) => f.dataTypeID !== VOID)
  const answered = named(fields.map((f) => [f.name, TYPES.get(f.dataTypeID) ?? `of type ${f.dataTypeID}`]))
  if (declared !== answered) return `${statement} answers (${answered}), declared are (${declared})`
  for (const [name, { type, nullable, among }] of all)
    for (const value of answer.rows.map((r) => (r as Record<string, unknown>)[name])) {
      if (value === null && !nullable) return `${statement} answers an empty ${name}, declared is ${type}`
      const strange = among && value !== null && [value].flat().some((v) => !among.includes(v))
      if (strange) return `${statement} answers ${name} ${String(value)}, declared are ${among.join(', ')}`
    }
  return undefined
}
