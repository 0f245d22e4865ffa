import { z } from 'zod'

/**
 * Who may call: `public` nobody signed in is needed · `signedIn` any session · `device` a signed device ·
 * a list of labels, one of which is enough: operation permissions (`alarm:assign`) or pages (`page:AlarmEvent`).
 */
export type Access = 'public' | 'signedIn' | 'device' | readonly string[]

export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  /** The effect of the call, in the words of a clerk; shown in the OpenAPI document and written to the user log. */
  title: string
  /** The sentence of a success, where the spec's client shows one. */
  says?: string
  access: Access
  query?: z.ZodType
  body?: z.ZodType
  data: z.ZodType
  /** The body's fields may as well stand in the query string; where both name one, the body's counts. */
  form?: boolean
  /**
   * A kind of work that is not ordinary: each has its own bounds on the server, and what carries a file its own
   * size.
   */
  work?: 'signIn' | 'provider' | 'upload' | 'import' | 'heavy' | 'stream' | 'screen'
  /** A document of many lines: its body may be as long as its record allows. */
  long?: boolean
  /** Set where the answer is long, and nothing in it was sent by who asks: it travels packed. */
  packed?: boolean
  /** Set where the answer is not the JSON envelope: a stream, a picture, a workbook. */
  raw?: boolean
  /** Set where a browser asks by itself and sends no headers: `viewer` and the session's cookie say who it is. */
  shown?: boolean
}

/** A feature's calls as plain data: no code, so server, web, tests, bench and documents read the same thing. */
export const defineApi = <const T extends Record<string, Endpoint>>(endpoints: T): T => endpoints

export type QueryOf<E extends Endpoint> = E['query'] extends z.ZodType
  ? z.output<E['query']>
  : Record<string, never>
/** A query as an address says it: every value as text; the server reads and checks it. */
export type AddressOf<E extends Endpoint> = Partial<
  Record<keyof QueryOf<E> & string, string | number | readonly string[] | undefined>
>
export type BodyOf<E extends Endpoint> = E['body'] extends z.ZodType ? z.output<E['body']> : undefined
export type DataOf<E extends Endpoint> = z.output<E['data']>
/** What a caller passes: query and body in one object each, as the schemas read them. */
export type InputOf<E extends Endpoint> = (E['query'] extends z.ZodType
  ? { query?: z.input<E['query']> }
  : { query?: undefined }) &
  (E['body'] extends z.ZodType ? { body: z.input<E['body']> } : { body?: undefined })

/** The obstacles to something refused, each with the list that shows it; the data of such an answer is `{links}`. */
export interface Tie {
  title: string
  count: number
  link: string
}

/** The envelope of every JSON answer (docs/product.md). */
export interface Envelope<T> {
  code: number
  msg: string
  data: T
}

export const nothing = z.null()
