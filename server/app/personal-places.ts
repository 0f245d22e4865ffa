import type { PersonBar, PersonData } from '@zhuguan/contract/features/persons/persons.record.ts'
import { ERASED } from '@zhuguan/contract/features/persons/persons.record.ts'

/**
 * Where something of a person stands: what erasure takes away, what a person who asks is told, and what keeps it.
 * Ids of the person's records come as $2, their words as $3, their numbers alone as $4; every
 * statement names its table `p`.
 */
export interface Place {
  data: PersonData
  table: string
  /** The rows that are the person's. */
  of: string
  /** Texts out of which the words of the person are taken; of these places only rows that have one. */
  words?: readonly string[]
  /** Columns that become something else. */
  set?: Readonly<Record<string, string>>
  /** Keys of pictures that go with it. */
  pictures?: string
  /** The rows go. */
  gone?: true
  /** The reason that keeps it for a time. */
  bars?: readonly PersonBar[]
  /** Who the person is: set aside where it may not be used and may not go. */
  identity?: true
  /** It stays: by which law, how long. */
  law?: string
  /** As the person is told of it. */
  tell?: string
}

/** The person's ids of one kind, inside a statement. */
export const ids = (kind: string) =>
  `(SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> '${kind}') v)`
export const among = (column: string, kind: string) => `${column} IN ${ids(kind)}`
/** Rows that hang on others that are the person's. */
export const behind = (column: string, table: string, of: string) =>
  `${column} IN (SELECT x.id FROM ${table} x WHERE x.tenant_id = $1 AND ${of})`
export const HOME: readonly PersonBar[] = ['works', 'complaint', 'money', 'hold']
export const TEAM: readonly PersonBar[] = ['team']
export const gone = `'${ERASED}'`
const time = (column: string) => `to_char(${column} AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI')`
export const told = (column: string, ...what: string[]) =>
  `concat_ws(' ', ${[time(column), ...what.map((w) => `nullif(${w}, '')`)].join(', ')})`
export const OF_SITES = among('p.site_id', 'sites')
export const LINKS = `(x.kind = 'owner' AND ${among('x.target_id', 'contacts')}
  OR ${among('x.customer_id', 'customers')})`
