import type { Tx } from './tx.ts'

/** Collects the conditions of one statement; values become $n and never text. */
export class Where {
  readonly values: unknown[] = []
  private readonly parts: string[] = []

  /** `sql` gets the placeholder of `value`. */
  add(sql: (p: string) => string, value: unknown): this {
    this.values.push(value)
    this.parts.push(sql(`$${this.values.length}`))
    return this
  }
  /** Adds nothing when the filter is not set. */
  when<T>(value: T | undefined | null, sql: (p: string) => string, as: (v: T) => unknown = (v) => v): this {
    return value === undefined || value === null ? this : this.add(sql, as(value))
  }
  plain(sql: string | false | undefined): this {
    if (sql) this.parts.push(sql)
    return this
  }
  get text(): string {
    return this.parts.length ? this.parts.join(' AND ') : 'true'
  }
}

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
  /** What only adds columns: joined to the page's rows and to no others. */
  joins: string
  where: Where
  /** Wire field → SQL expression; only these can be sorted by. */
  sortable: Record<string, string>
  /** Fields that are never empty: sorted as their index is, where empty ones would have to be put last. */
  filled: readonly string[]
  sort: readonly string[] | undefined
  otherwise: string
  /** Breaks ties, so that pages never overlap. */
  tie: string
  pageNo: number
  pageSize: number
}

/** One page and its total in one round trip, formed as JSON by the database. */
export async function pageJson(tx: Tx, p: PageOf): Promise<Json> {
  const order = (p.sort ?? []).map((s) => (s.startsWith('-') ? `${p.sortable[s.slice(1)]} DESC${p.filled.includes(s.slice(1)) ? '' : ' NULLS LAST'}` : `${p.sortable[s]} ASC`))
  const by = [...(order.length ? order : [p.otherwise]), p.tie].join(', ')
  const alias = p.base.split(' ')[1]!
  const limit = p.where.values.length
  const page = `SELECT ${alias}.* FROM ${p.base} WHERE ${p.where.text} ORDER BY ${by} LIMIT $${limit + 1}::int OFFSET $${limit + 2}::int`
  const text = `SELECT json_build_object('list', coalesce((SELECT json_agg(r) FROM (SELECT ${p.columns} FROM (${page}) ${alias} ${p.joins} ORDER BY ${by}) r), '[]'::json), 'pageNo', $${limit + 3}::int, 'pageSize', $${limit + 1}::int, 'totalCount', (SELECT count(*)::int FROM ${p.base} WHERE ${p.where.text}))::text AS json`
  const { rows } = await tx.query<{ json: string }>(p.name, text, [...p.where.values, p.pageSize, (p.pageNo - 1) * p.pageSize, p.pageNo])
  return new Json(rows[0]!.json)
}
