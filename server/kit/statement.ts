import { int4, row, text } from './row.ts'
import type { Tx } from './tx.ts'

/** A moment as the wire has it: whole seconds since 1970, the begun one left out. */
export const epoch = (column: string): string => `floor(extract(epoch FROM ${column}))::float8`

/** The day in Asia/Shanghai. */
export const TODAY = `(:now AT TIME ZONE 'Asia/Shanghai')::date`
/** A number as text without the zeros that its column's scale adds. */
export const plain = (column: string): string => `trim_scale(${column})::text`
/** JSON of `object`'s fields for each row of `from`, `[]` for none. */
export const listOf = (object: string, from: string, order: string): string =>
  `coalesce((SELECT json_agg(json_build_object(${object}) ORDER BY ${order}) FROM ${from}), '[]')`

const LISTED = /^(\S+) = ANY ?\(\$\d+::(\w+)\[\]\)$/

/** Collects the conditions of one statement; values become $n and never text. */
export class Where {
  readonly values: unknown[] = []
  private readonly parts: string[] = []

  /** `sql` gets the placeholder of `value`. A list of one becomes an equality: its plan is as good for every value, and made once. */
  add(sql: (p: string) => string, value: unknown): this {
    const p = `$${this.values.length + 1}`
    const text = sql(p)
    const single = Array.isArray(value) && value.length === 1 ? LISTED.exec(text) : null
    this.values.push(single ? (value as unknown[])[0] : value)
    this.parts.push(single ? `${single[1]} = ${p}::${single[2]}` : text)
    return this
  }
  /** Adds nothing when the filter is not set. */
  when<T>(value: T | undefined | null, sql: (p: string) => string, as: (v: T) => unknown = (v) => v): this {
    return value === undefined || value === null ? this : this.add(sql, as(value))
  }
  /** One of several conditions, each with its value; of none, no row. */
  either(parts: readonly (readonly [sql: (p: string) => string, value: unknown])[]): this {
    if (parts.length < 2) return parts[0] ? this.add(...parts[0]) : this.plain('false')
    const texts = parts.map(([sql, value]) => sql(`$${this.values.push(value)}`))
    return this.plain(`(${texts.join(' OR ')})`)
  }
  /**
   * A value that the columns ask for, as its placeholder; empty or not, no row is left out for it. It is mentioned here
   * because the total, which has no columns, is given the same values.
   */
  asked(value: unknown, type: string): string {
    const p = `$${this.values.push(value)}`
    this.parts.push(`(${p}::${type} IS NULL OR true)`)
    return p
  }
  plain(sql: string | false | undefined): this {
    if (sql) this.parts.push(sql)
    return this
  }
  get text(): string {
    return this.parts.length ? this.parts.join(' AND ') : 'true'
  }
}

/** Conditions that already stand inside a source keep their values and say nothing outside. */
export function settled(inner: Where): Where {
  const where = new Where()
  where.values.push(...inner.values)
  return where
}

/**
 * What LIKE looks for: the words of the text in their order, anywhere in another one in lower case (or by ILIKE);
 * its own % and _ stand for themselves.
 */
export const contains = (text: string): string => {
  const words = text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')
  return `%${words.trim().split(/\s+/).join('%')}%`
}
/** The instant at which the Asia/Shanghai day of the placeholder begins. */
export const dayBegins = (p: string): string => `(${p}::date::timestamp AT TIME ZONE 'Asia/Shanghai')`

/** JSON text that PostgreSQL has already formed; goes to the wire as it is. */
export class Json {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export interface PageOf {
  /** Short stable name of the statement family, for logs. */
  name: string
  columns: string
  /** The table and its alias; filters and sorting name nothing else. */
  base: string
  /** The base, where it is a statement of its own. */
  alias?: string
  /** Joins that only add columns: made for the page's rows and no others. */
  joins: string
  where: Where
  /** Wire field → SQL expression; only these can be sorted by. */
  sortable: Record<string, string>
  /** Fields that are never empty: sorted as their index is, where empty ones would have to be put last. */
  filled: readonly string[]
  sort: readonly string[] | undefined
  /** The order when none is asked for; several terms each say their direction. */
  otherwise: string | readonly string[]
  /** Breaks ties, so that pages never overlap. */
  tie: string
  pageNo: number
  pageSize: number
  /** The total, where it is known without counting; over the values of `where`. */
  known?: string | undefined
}

/**
 * The size stands in the text and a first page has no offset: with either unknown the planner would prepare for a tenth
 * of the table, and do so with every call.
 */
export function windowOf(p: { pageNo: number; pageSize: number }, values: unknown[]): string {
  const size = `LIMIT ${Math.trunc(p.pageSize)}`
  return p.pageNo > 1 ? `${size} OFFSET $${values.push((p.pageNo - 1) * p.pageSize)}::int` : size
}

/** Behind so many rows a page is far: its total is asked first, to know from which end it is nearer. */
const FAR = 5_000
const OPPOSITE: Record<string, string> = { ASC: 'DESC', DESC: 'ASC', FIRST: 'LAST', LAST: 'FIRST' }
/** The same order from its other end. */
function backwards(term: string): string {
  const [, by, way = 'ASC', empty] = /^(.*?)(?: (ASC|DESC))?(?: NULLS (FIRST|LAST))?$/s.exec(term)!
  return `${by} ${OPPOSITE[way]}${empty ? ` NULLS ${OPPOSITE[empty]}` : ''}`
}
/** Each by itself; commas inside of brackets part nothing. */
function termsOf(order: string): string[] {
  let depth = 0
  const terms = ['']
  for (const c of order) {
    if (c === '(') depth += 1
    if (c === ')') depth -= 1
    if (c === ',' && depth === 0) terms.push('')
    else terms[terms.length - 1] += c
  }
  return terms.map((term) => term.trim())
}

/**
 * A far page of what is counted anyway: the rows nearer to the end are walked to from there, so that the last page costs
 * what the first does.
 */
async function farWindow(
  tx: Tx,
  p: PageOf & { known: string },
  order: readonly string[],
): Promise<{ order: readonly string[]; window: string; past: number[] }> {
  const skipped = (p.pageNo - 1) * p.pageSize
  const { rows } = await tx.query(
    `${p.name}.total`,
    row({ total: int4 }),
    `SELECT (${p.known})::int AS total`,
    p.where.values,
  )
  const total = rows[0]!.total
  const n = p.where.values.length
  const window = `LIMIT $${n + 1}::int OFFSET $${n + 2}::int`
  const size = Math.max(0, Math.min(p.pageSize, total - skipped))
  const left = Math.max(0, total - skipped - size)
  return left < skipped
    ? { order: order.map(backwards), window, past: [size, left] }
    : { order, window, past: [size, skipped] }
}

/** The order of the rows, the tie last. */
export function orderOf(p: Pick<PageOf, 'sort' | 'sortable' | 'filled' | 'otherwise' | 'tie'>): string[] {
  const order = (p.sort ?? []).map((s) =>
    s.startsWith('-')
      ? `${p.sortable[s.slice(1)]} DESC${p.filled.includes(s.slice(1)) ? '' : ' NULLS LAST'}`
      : `${p.sortable[s]} ASC`,
  )
  return [...(order.length ? order : [p.otherwise].flat()), p.tie].flatMap(termsOf)
}

/** One page and its total in one round trip, formed as JSON by the database. */
export async function pageJson(tx: Tx, p: PageOf): Promise<Json> {
  const terms = orderOf(p)
  const by = terms.join(', ')
  const alias = p.alias ?? p.base.split(' ')[1]!
  const values = [...p.where.values]
  const isFar = p.known !== undefined && (p.pageNo - 1) * p.pageSize > FAR
  const cut = isFar
    ? await farWindow(tx, { ...p, known: p.known! }, terms)
    : { order: terms, window: windowOf(p, values), past: [] }
  values.push(...cut.past)
  const page = `SELECT ${alias}.* FROM ${p.base} WHERE ${p.where.text} ORDER BY ${cut.order.join(', ')} ${cut.window}`
  // The page is cut once and then joined: a planner that expects one row of a joined table would cut it again for each.
  const statement = `WITH page AS MATERIALIZED (${page})
     SELECT coalesce((SELECT json_agg(r)
         FROM (SELECT ${p.columns} FROM page ${alias} ${p.joins} ORDER BY ${by}) r), '[]'::json)::text AS list,
       (${p.known ?? `SELECT count(*) FROM ${p.base} WHERE ${p.where.text}`})::int AS total`
  const { list, total } = (await tx.last(p.name, row({ list: text, total: int4 }), statement, values))
    .rows[0]!
  return new Json(`{"list":${list},"pageNo":${p.pageNo},"pageSize":${p.pageSize},"totalCount":${total}}`)
}
