import type { BodyOf, DataOf, Endpoint, InputOf } from '@zhuguan/contract/kit/api.ts'
import { useEffect, useRef, useState } from 'react'
import type { z } from 'zod'

import { ApiError, call } from '../api.ts'
import { shapeOf } from '../no-schemas.ts'
import { message } from '../notices.ts'
import { whoWas } from '../overtaken.ts'
import { type Asked, askedOf, faultOf, isEmpty } from './asked.ts'

/** A record while it is being filled in: nothing is there for certain. */
export type Draft<B> = { [K in keyof B]?: B[K] | null }
/** The first values of the fields: every name that the call needs, though nothing may be known of it yet. */
export type Start<B> = B extends unknown ? { [K in keyof B]: B[K] | null | undefined } : never
/** The names whose values are of one kind. */
export type NamesOf<B, V> = {
  [K in keyof B & string]-?: NonNullable<B[K]> extends V ? K : never
}[keyof B & string]
/** The names of free text: a code is none. */
export type TextName<B> = {
  [K in keyof B & string]-?: NonNullable<B[K]> extends string
    ? string extends NonNullable<B[K]>
      ? K
      : never
    : never
}[keyof B & string]
/** The names of lists of rows. */
export type RowsName<B> = NamesOf<B, readonly object[]>
export type RowIn<B, K extends keyof B> = NonNullable<B[K]> extends readonly (infer R)[] ? R : never

/** Somebody else's value of a field that was filled in here meanwhile. */
export interface Theirs {
  value: unknown
  /** It was not touched here, so theirs stands in it already. */
  taken: boolean
}
/** A record's fields by name, as the parts of the kit read and write them. */
export interface Raw {
  get: (name: string) => unknown
  put: (name: string, value: unknown) => void
  /** A value that nobody chose: it does not count as a change. */
  preset: (name: string, value: unknown) => void
  asked: (name: string) => Asked
  needs: (name: string) => boolean
  fault: (name: string) => string | undefined
  theirs: (name: string) => Theirs | undefined
  /** The name from the record's root: `stages.3.plannedStart`. */
  path: (name: string) => string
  frozen: boolean
}
/** The record that fields belong to: a whole form, or one row of it. */
export interface Fields<B> {
  readonly values: Draft<B>
  set(change: Draft<B>): void
  readonly raw: Raw
  /** Tells the compiler which record it is; never there. */
  readonly record?: B
}
export interface Form<B, D> extends Fields<B> {
  readonly touched: boolean
  readonly busy: boolean
  /** What it begins with is still being read, or could not be. */
  readonly waiting: boolean
  readonly failure: Error | null
  /** The fields that were refused last, by path. */
  readonly faults: Readonly<Record<string, string>>
  again(): void
  submit(done: (data: D) => void | Promise<void>): Promise<void>
}
export interface BodyEndpoint extends Endpoint {
  body: z.ZodType
}
type BlankRows<B> = { [K in keyof B]?: readonly (keyof RowIn<B, K> & string)[] }
export interface Asking<B> {
  /** The server's values now: begun with where no start is given, and read again when somebody else was faster. */
  latest?: () => Promise<Start<B>>
  /** Fields that must be given although the call would go without. */
  need?: readonly (keyof B & string)[]
  /** Fields that are left out while they are as they began. */
  unlessChanged?: readonly (keyof B & string)[]
  /** It is only looked at. */
  frozen?: boolean
  /** Rows in which none of these is given are neither checked nor sent. */
  blank?: BlankRows<B>
}

type Values = Readonly<Record<string, unknown>>
interface State {
  values: Values
  /** The values it began with, or the server's when it was last asked. */
  base: Values
  faults: Readonly<Record<string, string>>
  theirs: Readonly<Record<string, Theirs>>
  waiting: boolean
  failure: Error | null
}
const same = (a: unknown, b: unknown) => JSON.stringify(a ?? '') === JSON.stringify(b ?? '')
const without = <T>(of: Readonly<Record<string, T>>, name: string) =>
  Object.fromEntries(Object.entries(of).filter(([path]) => path !== name && !path.startsWith(`${name}.`)))

/** Keeps what was changed here, takes what only they changed, and says both where the two differ. */
function merged({ values, base }: State, latest: Values): Pick<State, 'values' | 'base' | 'theirs'> {
  const changed = Object.keys(latest).filter((name) => !same(latest[name], base[name]))
  const mine = (name: string) => !same(values[name], base[name])
  return {
    base: latest,
    values: { ...values, ...Object.fromEntries(changed.filter((n) => !mine(n)).map((n) => [n, latest[n]])) },
    theirs: Object.fromEntries(
      changed
        .filter((name) => name !== 'version' && !same(latest[name], values[name]))
        .map((name) => [name, { value: latest[name], taken: !mine(name) }]),
    ),
  }
}

/** Rows that count, each with its number on the page. */
const rowsOf = (value: unknown, blank: readonly string[] | undefined) =>
  (value as readonly Values[])
    .map((row, at) => ({ row, at }))
    .filter(({ row }) => !blank || !blank.every((name) => isEmpty(row[name])))

/** The fields' values and their fate: the state behind one form of one call. */
export function useForm<E extends BodyEndpoint>(
  endpoint: E,
  start: Start<BodyOf<E>> | null,
  { latest, need = [], unlessChanged = [], frozen = false, blank = {} }: Asking<BodyOf<E>> = {},
): Form<BodyOf<E>, DataOf<E>> {
  const begun: Values = { ...start }
  const [state, setState] = useState<State>({
    values: begun,
    base: begun,
    faults: {},
    theirs: {},
    waiting: start === null,
    failure: null,
  })
  const [busy, setBusy] = useState(false)
  // A second click comes before the first one is drawn.
  const sending = useRef(false)
  const patch = (change: Partial<State>) => setState((old) => ({ ...old, ...change }))
  const read = () =>
    void latest?.().then(
      (values) => patch({ values: { ...values }, base: { ...values }, waiting: false }),
      (failure: Error) => patch({ failure }),
    )
  useEffect(() => {
    if (start === null) read()
  }, [])

  const shape = shapeOf(endpoint.body)
  const blankOf = (name: string) => (blank as Readonly<Record<string, readonly string[]>>)[name]
  const { values, base, faults, theirs } = state
  const raw: Raw = {
    get: (name) => values[name],
    put: (name, value) =>
      setState((old) => ({
        ...old,
        values: { ...old.values, [name]: value },
        faults: without(old.faults, name),
        theirs: without(old.theirs, name),
      })),
    preset: (name, value) =>
      setState((old) => ({
        ...old,
        values: { ...old.values, [name]: value },
        base: { ...old.base, [name]: value },
      })),
    asked: (name) => askedOf(shape[name]),
    needs: (name) => askedOf(shape[name]).needed || (need as readonly string[]).includes(name),
    fault: (name) => faults[name],
    theirs: (name) => theirs[name],
    path: (name) => name,
    frozen: state.waiting || frozen,
  }

  function check(): Record<string, string> {
    const found: Record<string, string> = {}
    for (const name of Object.keys(shape)) {
      const asked = raw.asked(name)
      const fault = faultOf(asked, raw.needs(name), values[name])
      if (fault) found[name] = fault
      if (!asked.rows) continue
      for (const { row, at } of rowsOf(values[name] ?? [], blankOf(name)))
        for (const [field, schema] of Object.entries(asked.rows)) {
          const of = askedOf(schema)
          const wrong = faultOf(of, of.needed, row[field])
          if (wrong) found[`${name}.${at}.${field}`] = wrong
        }
    }
    return found
  }
  /** What is sent: no emptied text where null is meant, no blank rows, nothing that was to be left out. */
  function body(): Values {
    const kept = Object.entries(values).filter(
      ([name]) => !(unlessChanged as readonly string[]).includes(name) || !same(values[name], base[name]),
    )
    return Object.fromEntries(
      kept.map(([name, value]) => {
        const asked = raw.asked(name)
        if (asked.rows) return [name, rowsOf(value ?? [], blankOf(name)).map(({ row }) => row)]
        if (value === '' || value === null || value === undefined)
          return [name, asked.nullable ? null : (value ?? undefined)]
        return [name, value]
      }),
    )
  }
  /** The server counts the rows that were sent; the page has blank ones between them. */
  const onPage = (path: string): string => {
    const [name = '', at, ...rest] = path.split('.')
    if (at === undefined || !raw.asked(name).rows) return path
    return [name, rowsOf(values[name] ?? [], blankOf(name))[Number(at)]?.at ?? at, ...rest].join('.')
  }
  /** Somebody else was faster: nothing was written, and both versions are here now. */
  async function overtaken(read: () => Promise<Start<BodyOf<E>>>, said: string): Promise<void> {
    const next = merged(state, { ...(await read()) })
    patch(next)
    message.info(
      Object.values(next.theirs).some((t) => !t.taken)
        ? `${said}。两边的内容都在，请看标出的地方，再点确定`
        : `${said}，新的内容已经带入；您填的都还在，请核对后再点确定`,
    )
  }
  async function submit(done: (data: DataOf<E>) => void | Promise<void>): Promise<void> {
    if (sending.current || state.waiting) return
    const wrong = check()
    patch({ faults: wrong })
    if (Object.keys(wrong).length) return
    sending.current = true
    setBusy(true)
    try {
      await done(await call(endpoint, { body: body() } as InputOf<E>))
    } catch (error) {
      if (error instanceof ApiError && Object.keys(error.fields).length)
        patch({
          faults: Object.fromEntries(
            Object.entries(error.fields).map(([path, text]) => [onPage(path), text]),
          ),
        })
      else if (latest && error instanceof ApiError && error.overtaken)
        await overtaken(latest, whoWas(error.overtaken)).catch((failed: Error) =>
          message.error(failed.message),
        )
      else message.error((error as Error).message)
    } finally {
      sending.current = false
      setBusy(false)
    }
  }
  return {
    values: values as Draft<BodyOf<E>>,
    set: (change) => Object.entries(change).forEach(([name, value]) => raw.put(name, value)),
    raw,
    touched: Object.keys(values).some((name) => !same(values[name], base[name])),
    busy,
    waiting: state.waiting,
    failure: state.failure,
    faults,
    again() {
      patch({ failure: null })
      read()
    },
    submit,
  }
}
