import type { Call } from './serve.ts'
import type { Scope, Tx } from './tx.ts'

/** The record that a link leads to, and its place. */
export interface LinkTarget {
  bc_id: string
  receiver_id?: string
  /** The name of it in the log. */
  code: string
  /** To whom it is given, where that is no choice of whoever makes it. */
  person?: string
  /** The owner and the subject of what customers are shown, in words that name nobody. */
  store_id?: string | null
  customer_id?: string | null
  title?: string
}
/** A link as it was opened on a device. */
export interface ShownLink {
  id: string
  tenant: string
  target_id: string
  device: string
}
/** A link of which an opening has been counted. */
export interface OpenedLink {
  id: string
  tenant: string
  bc_id: string
  target_id: string
  first: boolean
}
/** One kind of link without an account; its powers stand in the contract (LINK_POWERS). */
export interface LinkKind {
  /** The target, where it is inside the reach. */
  find: (tx: Tx, scope: Scope, id: string) => Promise<LinkTarget | undefined>
  /** Whether it still leads anywhere: the link of something that is over is dead. */
  lives(tx: Tx, tenant: string, id: string): Promise<boolean>
  /** Whose goods it leads to, of whatever branch they are; nothing where it stays in one branch. */
  receiver?(tx: Tx, tenant: string, id: string): Promise<string | undefined>
  /** When a link made now ends at the latest; nothing where its hours alone say so. */
  until?(tx: Tx, tenant: string, id: string): Promise<Date | null>
  /** From when its usual hours count, where that is later than now: what it is for happens then. */
  begins?(tx: Tx, tenant: string, id: string): Promise<Date | null>
  /** The branch of what it leads to, which stays there until the end of the transaction; where that can change. */
  held?(tx: Tx, tenant: string, id: string): Promise<string | undefined>
  /** What it leads to may be of any branch: `find` looks at all of the group, and says where the link itself is. */
  beyond?: true
  /** For customers: its secret can be copied again, openings by staff and robots do not count. */
  visits?: true
  /** The reason why no link to it is made any more, where that is not for goods. */
  over?: string
  /** Whether a new one may be made, where that asks more than that it lives. */
  mayBegin?(tx: Tx, tenant: string, id: string): Promise<boolean>
  /** Whether what it shows is for nobody without a password. */
  needsPassword?(tx: Tx, tenant: string, id: string): Promise<boolean>
  /** Somebody has opened it. */
  opened?(tx: Tx, link: OpenedLink): Promise<void>
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
