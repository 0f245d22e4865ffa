import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../database/connect.ts'
import { type Office, sendDue } from '../features/channels/sending.service.ts'
import { notify } from '../features/notifications/notifications.service.ts'
import { SYSTEM } from '../features/session/access.reads.ts'

const LOOK_MS = 3_000

const tellMaker: Office['tellMaker'] = async (tx: Tx, { channel, tenant, title, user }) => {
  const cause = { kind: 'channel', id: channel } as const
  await notify(tx, { tenant, user, title, link: linkTo('SetSelf', {}), cause, personal: true })
}
export type OfficeDeps = Omit<Office, 'system' | 'tellMaker'>
export interface PostOffice {
  /** Sends what is due now; answers how many channels had something. */
  look(): Promise<number>
  close(): Promise<void>
}
/** What waits for groups and other systems goes within seconds, outside of the transaction that told of it. */
export function startPostOffice(deps: OfficeDeps, everyMs = LOOK_MS): PostOffice {
  const office: Office = { ...deps, system: SYSTEM, tellMaker }
  let looking: Promise<number> | undefined
  const look = () =>
    (looking ??= sendDue(office).finally(() => {
      looking = undefined
    }))
  const timer = setInterval(() => void look().catch(deps.warn), everyMs)
  return {
    look,
    async close() {
      clearInterval(timer)
      await looking?.catch(() => {})
    },
  }
}
