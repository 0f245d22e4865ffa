import type { Tx } from './tx.ts'

/** A branch, and the moment before which its days are over. */
export interface Overdue {
  tenant: string
  bc: string
  before: Date
}
/**
 * What a setting of days rules. The night takes exactly what is counted, in pieces; whoever shortens the days is told
 * the count before it is saved, so that both must ask by one rule.
 */
export interface Due {
  count: (tx: Tx, of: Overdue, most: number) => Promise<number>
  forget: (tx: Tx, of: Overdue) => Promise<{ removed: number; more: boolean }>
}
