import type { Call } from './serve.ts'
import type { Scope, Tx } from './tx.ts'

/** What a link leads to, and where it belongs. */
export interface LinkTarget {
  bc_id: string
  receiver_id?: string
  /** What it is called in the log. */
  code: string
  /** To whom it is given, where that is no choice of whoever makes it. */
  person?: string
}
/** A link as it was opened on a device. */
export interface ShownLink {
  id: string
  tenant: string
  target_id: string
  device: string
}
/** One kind of link without an account; its powers stand in the contract (LINK_POWERS). */
export interface LinkKind {
  /** The target, where it is inside the reach. */
  find(tx: Tx, scope: Scope, id: string): Promise<LinkTarget | undefined>
  /** Whether it still leads anywhere: the link of something that is over is dead. */
  lives(tx: Tx, tenant: string, id: string): Promise<boolean>
  /** Whose goods it leads to, of whatever branch they are; nothing where it stays in one branch. */
  receiver?(tx: Tx, tenant: string, id: string): Promise<string | undefined>
  /** When a link made now ends at the latest; nothing where its hours alone say so. */
  until?(tx: Tx, tenant: string, id: string): Promise<Date | null>
  /** The branch of what it leads to, which stays there until the end of the transaction; where that can change. */
  held?(tx: Tx, tenant: string, id: string): Promise<string | undefined>
  /** One at a time: a new one takes the place of those before. */
  alone?: true
  /** Who has to hear that staff make a link, told before those of before are taken back. */
  madeBy?(tx: Tx, call: Call, id: string): Promise<void>
  /**
   * Whether somebody has let in the device: what others do with the link takes nothing from it, and has bounds of its
   * own. Where this is left out all devices are alike.
   */
  isLetIn?(tx: Tx, link: ShownLink): Promise<boolean>
  /** Whether a picture is of what the link shows on that device; nothing is shown where this is left out. */
  shows?(tx: Tx, link: ShownLink, picture: string, now: Date): Promise<boolean>
}
export type LinkKinds = Readonly<Record<string, LinkKind>>
