import type { Tx } from '../../database/connect.ts'
import { outbox, settleOutbox, type Told as ToldOutside } from '../channels/outbox.service.ts'
import { tellPerson } from '../live/live.service.ts'
import { mailAtOnce, settleMails } from '../mails/mail-box.service.ts'

/** What people have just been told, the page that its link opens, and whether it waits for no quiet hour to end. */
interface Told extends ToldOutside {
  page: string | null
  urgent: boolean
}
/** A way by which people hear of their messages; each is told of every change, in the transaction that makes it. */
interface Channel {
  /** These messages were written, or renewed. */
  tell(tx: Tx, told: Told): void
  /** These causes wait no longer; `people` had messages of them that went. */
  settle(tx: Tx, tenant: string, causes: Told['cause'][], people: Iterable<string>): void
}

const bell: Channel = {
  tell(tx, { tenant, told }) {
    for (const { id, user_id } of told) tellPerson(tx, tenant, user_id, 'notification', id)
  },
  settle(tx, tenant, _causes, people) {
    for (const user of people) tellPerson(tx, tenant, user, 'notification', '')
  },
}
/** Groups and other systems: a message lies ready for each, and is sent afterwards. */
const outside: Channel = {
  tell: outbox,
  settle: (tx, tenant, causes) =>
    settleOutbox(
      tx,
      tenant,
      causes.filter((c) => c !== undefined),
    ),
}

/** A person's own mail, by the person's own rules. */
const mail: Channel = {
  tell: mailAtOnce,
  settle: (tx, tenant, causes) =>
    settleMails(
      tx,
      tenant,
      causes.filter((c) => c !== undefined),
    ),
}

export const CHANNELS: readonly Channel[] = [bell, outside, mail]
