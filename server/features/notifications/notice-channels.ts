import type { Tx } from '../../database/connect.ts'
import { tellPerson } from '../live/live.service.ts'

/** A way by which people hear of their messages; each is told of every change, in the transaction that makes it. */
interface Channel {
  /** `notice` is the message that is new; empty where messages only went. */
  tell(tx: Tx, tenant: string, user: string, notice: string): void
}

const bell: Channel = {
  tell: (tx, tenant, user, notice) => tellPerson(tx, tenant, user, 'notification', notice),
}

export const CHANNELS: readonly Channel[] = [bell]
