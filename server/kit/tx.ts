import type { Row } from './row.ts'

/**
 * What a transaction may see: the whole tenant where neither branches nor sites are listed, else the rows of the listed
 * branches and those of the listed sites. `stores` and `receivers` reach rows that may stand on no site.
 * `system` is the login that sees every tenant, for the server's own work only.
 */
export interface Scope {
  tenant: string
  bcs: string[] | null
  sites: string[] | null
  stores?: string[]
  receivers?: string[]
  user: string | null
  /**
   * Where addresses are told, of homes and of the deals that lead to one; nowhere unless it is said
   * (docs/decisions/0676).
   */
  addresses?: Partial<Record<'homes' | 'deals', Pick<Scope, 'bcs' | 'sites' | 'stores'>>>
  system?: boolean
}
export interface Result<R> {
  rows: R[]
  rowCount: number | null
}
export interface Tx {
  /** The instant of the transaction by the server's clock; `:now` in a statement. */
  readonly now: Date
  /**
   * A named prepared statement that answers rows: `name` is its family, the text decides which one, `columns` says what
   * it answers and so what a row is. `:now` in the text is the transaction's instant.
   */
  query<R>(name: string, columns: Row<R>, text: string, values?: unknown[]): Promise<Result<R>>
  /** The only or last statement of a transaction that reads: its end travels with it, one round trip in all. */
  last<R>(name: string, columns: Row<R>, text: string, values?: unknown[]): Promise<Result<R>>
  /** A statement that answers no rows, only how many it wrote. */
  run(name: string, text: string, values?: unknown[]): Promise<Pick<Result<never>, 'rowCount'>>
  /** A statement whose answer nobody needs: it travels with the next one, at the latest with the commit, and fails the whole. */
  send(name: string, text: string, values?: unknown[]): void
  /** What was written is told to every server's listeners after the commit, for many commits at once. */
  tell(channel: string): void
  /** Runs when the transaction has committed, never when it was rolled back. */
  afterCommit(effect: () => void): void
}
