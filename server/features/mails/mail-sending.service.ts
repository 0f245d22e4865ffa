import { mailEvent } from '@zhuguan/contract/features/mails/mails.record.ts'
import { causeKind } from '@zhuguan/contract/features/notifications/notifications.record.ts'

import type { Database, Scope, Tx } from '../../database/connect.ts'
import type { Letter, Mailer, Unsent } from '../../kit/mailer.ts'
import { shanghaiTime } from '../../kit/shanghai.ts'
import {
  dropDigest,
  type Due,
  giveBackMails,
  groupsToMail,
  noteMailed,
  noteUnsent,
  takeMails,
  unreadOf,
  writtenLately,
} from './mail-sending.queries.ts'
import { digestWords, type Item, MOST_LINES, toldWords } from './mail-words.ts'
import { dropAddress } from './mails.queries.ts'

/** After the first failure a minute, then twice as long each time, at most six hours; a day in all. */
const LONGEST_MINUTES = 360
const GIVEN_UP_S = 24 * 3_600
/** More causes than this in so many minutes are told as one sum. */
const STORM = 20
const STORM_MINUTES = 10
/** One look takes so long; the rest is left for the next one, before anybody else may take it. */
const LOOK_MS = 45_000

export interface MailOffice {
  db: Database
  /** The person who works for all groups. */
  system: Scope
  now: () => Date
  mailer: Mailer
  publicUrl: string | null
  /** The reports of these days as this person may read them, a line a branch. */
  reports(of: { tenant: string; user: string; days: readonly string[] }): Promise<Map<string, string[]>>
  /** Says in the bell that mail does not arrive. */
  tell(tx: Tx, o: { tenant: string; user: string; title: string }): Promise<void>
}
interface Post {
  tenant: string
  user: string
  due: Due
}
const idsOf = (due: Due) => due.map((m) => m.id)
const secondsOf = (o: MailOffice) => o.now().getTime() / 1000

/** What came of it is written down, in a transaction of its own after the sending. */
async function note(o: MailOffice, { due, tenant, user }: Post, unsent: Unsent | undefined): Promise<void> {
  await o.db.tx(o.system, async (tx) => {
    if (!unsent) return void (await noteMailed(tx, tenant, idsOf(due), due[0]!.id))
    const { forGood, why } = unsent
    const late = due.filter((m) => forGood || secondsOf(o) - m.since >= GIVEN_UP_S)
    const minutes = Math.min(LONGEST_MINUTES, 2 ** Math.max(0, Math.max(...due.map((m) => m.tries)) - 1))
    await noteUnsent(tx, tenant, { ids: idsOf(late), said: why, minutes: null })
    await noteUnsent(tx, tenant, { ids: idsOf(due.filter((m) => !late.includes(m))), said: why, minutes })
    if (forGood) await dropAddress(tx, tenant, user, `邮件被退回：${why}。请检查邮箱，重新填写`)
    if (forGood)
      return o.tell(tx, { tenant, user, title: `邮件送不到您填的邮箱：${why}，请在消息设置里重新填写` })
    if (late.length) await o.tell(tx, { tenant, user, title: `有 ${late.length} 封邮件一天没有送出：${why}` })
  })
}

/**
 * A daily report brings its figures; without them, where they cannot be read now, its link is still good. Each is read
 * after the one before, and none that the letter leaves out: somebody's unread year holds nobody up.
 */
async function withFigures<I extends Item & { cause: string }>(
  o: MailOffice,
  of: { tenant: string; user: string },
  items: readonly I[],
): Promise<I[]> {
  const shown = items.slice(0, MOST_LINES).filter((item) => item.kind === causeKind.code.dailySheet)
  const days = shown.map((item) => item.cause)
  const figures = days.length ? await o.reports({ ...of, days }).catch(() => undefined) : undefined
  return items.map((item) => {
    const lines = item.kind === causeKind.code.dailySheet ? figures?.get(item.cause) : undefined
    return lines ? { ...item, figures: lines } : item
  })
}
/** The letter of what came together, or nothing where there is nothing to say. */
async function letterOf(o: MailOffice, { due, tenant, user }: Post): Promise<Letter | undefined> {
  const { address: to, event, id } = due[0]!
  const reading = { now: secondsOf(o), publicUrl: o.publicUrl }
  const told = <I extends Item & { cause: string }>(all: readonly I[]) =>
    withFigures(o, { tenant, user }, all)
  if (event === mailEvent.code.told) return { id, to, ...toldWords(await told(due), reading) }
  const items = await o.db.tx(o.system, (tx) => unreadOf(tx, tenant, user), { readOnly: true })
  if (items.length) return { id, to, ...digestWords(await told(items), reading) }
  await o.db.tx(o.system, (tx) => dropDigest(tx, tenant, id))
  return undefined
}
/** Whether a sum has gone so lately that these wait for the next one. */
async function waits(o: MailOffice, { due, tenant, user }: Post): Promise<boolean> {
  if (due[0]!.event !== mailEvent.code.told) return false
  const past = await o.db.tx(o.system, (tx) => writtenLately(tx, tenant, user, STORM_MINUTES), {
    readOnly: true,
  })
  if (past.n + due.length <= STORM || past.sum === null) return false
  const until = past.sum + STORM_MINUTES * 60
  if (until <= secondsOf(o)) return false
  await o.db.tx(o.system, (tx) => giveBackMails(tx, tenant, idsOf(due), until))
  return true
}

/** What is due of one group, a letter a person; after the mail server has failed nobody else's is tried. */
async function mailGroup(o: MailOffice, tenant: string): Promise<number> {
  const clock = shanghaiTime(o.now()).slice(11, 16)
  const due = await o.db.tx(o.system, (tx) => takeMails(tx, tenant, clock))
  const posts = [...Map.groupBy(due, (m) => `${m.user} ${m.event}`).values()].map((all): Post => ({
    tenant,
    user: all[0]!.user,
    due: all.toSorted((a, b) => a.at - b.at),
  }))
  const from = performance.now()
  let sent = 0
  for (const [at, post] of posts.entries()) {
    const back = async () => {
      const left = posts.slice(at).flatMap((p) => idsOf(p.due))
      await o.db.tx(o.system, (tx) => giveBackMails(tx, tenant, left, secondsOf(o)))
    }
    if (performance.now() - from > LOOK_MS) {
      await back()
      return sent
    }
    if (await waits(o, post)) continue
    const letter = await letterOf(o, post)
    if (!letter) continue
    const unsent = await o.mailer.send(letter)
    sent += unsent ? 0 : 1
    if (unsent && !unsent.forGood) {
      // Nobody's goes while the server does not answer: all wait as long as this one.
      for (const p of posts.slice(at)) await note(o, p, unsent)
      return sent
    }
    await note(o, post, unsent)
  }
  return sent
}

/** Sends what is due now, of every group; answers how many letters went. */
export async function mailDue(o: MailOffice): Promise<number> {
  const groups = await o.db.tx(o.system, groupsToMail, { readOnly: true })
  let sent = 0
  for (const tenant of groups) sent += await mailGroup(o, tenant)
  return sent
}
