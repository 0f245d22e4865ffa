import type { Tx } from './tx.ts'

/** What another feature keeps of a customer: it gives it to the one that the customer is merged into. */
export interface Belongings {
  /** Holds what is of these customers and answers why it cannot be given away now, in a sentence. */
  refusal(tx: Tx, tenant: string, customers: readonly string[]): Promise<string | undefined>
  move(tx: Tx, tenant: string, from: string, into: string): Promise<unknown>
}
