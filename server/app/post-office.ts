import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../database/connect.ts'
import { type Office, sendDue } from '../features/channels/sending.service.ts'
import { mailDue, type MailOffice } from '../features/mails/mail-sending.service.ts'
import { notify } from '../features/notifications/notifications.service.ts'
import { absentPerson, SYSTEM } from '../features/session/access.reads.ts'
import { dailyReport } from '../features/statistics/daily-report.reads.ts'
import type { Mailer } from '../kit/mailer.ts'

const LOOK_MS = 3_000

const tellMaker: Office['tellMaker'] = async (tx: Tx, { channel, tenant, title, user }) => {
  const cause = { kind: 'channel', id: channel } as const
  await notify(tx, { tenant, user, title, link: linkTo('SetSelf', {}), cause, personal: true })
}
/** In the bell alone: by mail it would not arrive. */
const tell: MailOffice['tell'] = async (tx, { tenant, title, user }) => {
  await notify(tx, {
    tenant,
    user,
    title,
    link: '',
    cause: { kind: 'mail', id: user },
    personal: true,
    informed: true,
  })
}
export type OfficeDeps = Omit<Office, 'system' | 'tellMaker'> & {
  /** Nothing: this installation sends no mail. */
  mailer?: Mailer | null | undefined
}
export interface PostOffice {
  /** Sends what is due now; answers how many channels had something, and letters that went. */
  look(): Promise<number>
  close(): Promise<void>
}
/** What waits for groups, systems and people goes within seconds, outside of the transaction that told of it. */
export function startPostOffice({ mailer, ...deps }: OfficeDeps, everyMs = LOOK_MS): PostOffice {
  const office: Office = { ...deps, system: SYSTEM, tellMaker }
  const { db, now, publicUrl } = deps
  let looking: Promise<number> | undefined
  let mailing: Promise<number> | undefined
  const reports: MailOffice['reports'] = async ({ days, ...of }) => {
    const person = await absentPerson(db, of)
    const found = new Map<string, string[]>()
    if (person) for (const day of days) found.set(day, await dailyReport(db, person, { day, now: now() }))
    return found
  }
  // Neither waits for the other: a slow mail server holds no robot back.
  const send = () => (looking ??= sendDue(office).finally(() => (looking = undefined)))
  const mail = () =>
    (mailing ??= (
      mailer ? mailDue({ db, system: SYSTEM, now, mailer, publicUrl, reports, tell }) : Promise.resolve(0)
    ).finally(() => (mailing = undefined)))
  const timer = setInterval(() => {
    for (const one of [send(), mail()]) one.catch(deps.warn)
  }, everyMs)
  return {
    look: async () => (await Promise.all([send(), mail()])).reduce((sum, n) => sum + n, 0),
    async close() {
      clearInterval(timer)
      await Promise.allSettled([looking, mailing])
      mailer?.close()
    },
  }
}
