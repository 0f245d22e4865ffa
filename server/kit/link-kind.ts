import type { Scope, Tx } from './tx.ts'

/** What a link leads to, and where it belongs. */
export interface LinkTarget {
  bc_id: string
  receiver_id?: string
  /** What it is called in the log. */
  code: string
}
/** One kind of link without an account; its powers stand in the contract (LINK_POWERS). */
export interface LinkKind {
  /** The target, where it is inside the reach. */
  find(tx: Tx, scope: Scope, id: string): Promise<LinkTarget | undefined>
  /** Whether it still leads anywhere: the link of something that is over is dead. */
  lives(tx: Tx, tenant: string, id: string): Promise<boolean>
  /** Whose goods it leads to, of whatever branch they are; nothing where it stays in one branch. */
  receiver?(tx: Tx, tenant: string, id: string): Promise<string | undefined>
}
export type LinkKinds = Readonly<Record<string, LinkKind>>
