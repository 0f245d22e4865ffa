/** What a transaction may see. null means all of them; `system` sees every tenant and is for the server's own work. */
export interface Scope {
  tenant: string
  bcs: string[] | null
  sites: string[] | null
  user: string | null
  system?: boolean
}
export interface Result<R> {
  rows: R[]
  rowCount: number | null
}
export interface Tx {
  /** A named prepared statement: `name` is its family, the text decides which one. */
  query<R = Record<string, unknown>>(name: string, text: string, values?: unknown[]): Promise<Result<R>>
  /** Runs when the transaction has committed, never when it was rolled back. */
  afterCommit(effect: () => void): void
}
