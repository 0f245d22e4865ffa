import { MAKER_HOSTS } from '@zhuguan/contract/features/channels/channels.record.ts'

import type { Database, Scope, Tx } from '../../database/connect.ts'
import { Forbidden, guardedPost } from '../../kit/guarded-post.ts'
import { Unanswered } from '../../kit/outgoing.ts'
import { row, uuid } from '../../kit/row.ts'
import {
  giveBack,
  holdBack,
  lately,
  noteFailed,
  noteIll,
  noteSent,
  stopIt,
  takeDue,
  takeRest,
} from './channels.queries.ts'
import { wayOf } from './way.ts'
import { letterOf, refusalOf } from './wording.ts'

/** After the first failure a minute, then twice as long each time, at most six hours; a day in all. */
const LONGEST_MINUTES = 360
const GIVEN_UP_S = 24 * 3_600
/** A channel through which nothing has gone for so long is stopped. */
const ILL_S = 3 * 24 * 3_600
/** One look is at one channel for so long; the rest is left for the next one, before anybody else may take it. */
const LOOK_MS = 45_000
/** More causes than this in so many minutes are told a group as one sum. */
const STORM = 20
const STORM_MINUTES = 10

export interface Office {
  db: Database
  /** The person who works for all groups. */
  system: Scope
  now: () => Date
  secretKey: Buffer
  /** Inner addresses that the operator allows. */
  hosts: readonly string[]
  publicUrl: string | null
  /** Tells whoever made a channel that it does not work. */
  tellMaker(tx: Tx, o: { tenant: string; user: string; channel: string; title: string }): Promise<void>
  warn: (error: unknown) => void
  /** How long a receiver may take to begin its answer. */
  firstMs?: number | undefined
}
type Due = Awaited<ReturnType<typeof takeDue>>
type Receiver = { tenant: string; due: Due }

const minutesAfter = (tries: number) => Math.min(LONGEST_MINUTES, 2 ** Math.max(0, tries - 1))

/** A network's own name, in words. */
const NETWORK: readonly [code: RegExp, why: string][] = [
  [/^(ENOTFOUND|EAI_AGAIN)$/, '找不到这个主机名'],
  [/CERT|SELF_SIGNED|ERR_TLS/, '对方的 HTTPS 证书不可信'],
]
/** Why something did not go, for an administrator to read. */
function reasonOf(error: unknown): string {
  if (error instanceof Forbidden) return error.message
  if (error instanceof Unanswered)
    return error.message === 'too long' ? '对方的回答太长，没有读完' : '对方没有在规定时间里回答'
  const { code = '' } = error as { code?: string }
  return NETWORK.find(([said]) => said.test(code))?.[1] ?? '连不上对方'
}
async function post(o: Office, messages: Due): Promise<string | undefined> {
  const { maker, secret } = messages[0]!
  const way = wayOf(o.secretKey, secret)
  if (!way) return '地址读不出来了，请编辑这个通道，重新填写地址'
  try {
    const letter = letterOf({ maker, ...way }, messages, { now: o.now(), publicUrl: o.publicUrl })
    const answer = await guardedPost(letter.address, {
      ...letter,
      hosts: o.hosts,
      own: MAKER_HOSTS[maker],
      firstMs: o.firstMs,
    })
    return refusalOf(maker, answer)
  } catch (error) {
    return reasonOf(error)
  }
}

/** What came of it is written down, in a transaction of its own after the sending. */
async function note(o: Office, { due, tenant }: Receiver, sent: Due, why: string | undefined): Promise<void> {
  const { channel } = due[0]!
  await o.db.tx(o.system, async (tx) => {
    if (why === undefined)
      return noteSent(tx, tenant, { channel, ids: sent.map((m) => m.id), as: sent[0]!.id })
    const nowS = o.now().getTime() / 1000
    const late = due.filter((m) => nowS - m.since >= GIVEN_UP_S)
    // What was not tried because the one before it failed waits as long as that.
    const minutes = minutesAfter(Math.max(...sent.map((m) => m.tries)))
    const [gone, kept] = [late, due.filter((m) => !late.includes(m))].map((all) => all.map((m) => m.id))
    await noteFailed(tx, tenant, { ids: gone!, said: why, minutes: null })
    await noteFailed(tx, tenant, { ids: kept!, said: why, minutes })
    await holdBack(tx, tenant, channel, minutes)
    const ill = await noteIll(tx, tenant, channel)
    if (!ill) return
    const stop = nowS - ill.since >= ILL_S
    if (stop) await stopIt(tx, tenant, channel, `连续三天送不到：${why}`)
    if (stop || gone!.length)
      await o.tellMaker(tx, {
        tenant,
        user: ill.by,
        channel,
        title: `消息通道 ${ill.name} ${stop ? '连续三天送不到，已停用' : '有消息一天没送到，已放弃'}：${why}`,
      })
  })
}

/** The messages of one channel, in their order; after the first that does not go, none is tried. */
async function sendAll(o: Office, of: Receiver): Promise<void> {
  const { due, tenant } = of
  const { channel, maker } = due[0]!
  const isGroup = maker !== 'webhook'
  const past = isGroup
    ? await o.db.tx(o.system, (tx) => lately(tx, tenant, channel, STORM_MINUTES), { readOnly: true })
    : undefined
  const trials = due.filter((m) => m.event === 'trial')
  const told = due.filter((m) => m.event !== 'trial')
  const isStorm = past !== undefined && past.n + told.length > STORM
  const until = isStorm && past.sum !== null ? past.sum + STORM_MINUTES * 60 : 0
  if (isStorm && told.length && until > o.now().getTime() / 1000) {
    const ids = told.map((m) => m.id)
    await o.db.tx(o.system, (tx) => giveBack(tx, tenant, ids, until))
  }
  const waits = until > o.now().getTime() / 1000
  const letters = trials.map((m) => [m])
  if (isStorm && told.length && !waits) {
    const rest = await o.db.tx(o.system, (tx) => takeRest(tx, tenant, channel))
    due.push(...rest)
    letters.push([...told, ...rest])
  }
  if (!isStorm) letters.push(...told.map((m) => [m]))
  const from = performance.now()
  for (const [at, letter] of letters.entries()) {
    if (performance.now() - from > LOOK_MS) {
      const rest = letters.slice(at).flatMap((all) => all.map((m) => m.id))
      await o.db.tx(o.system, (tx) => giveBack(tx, tenant, rest, o.now().getTime() / 1000))
      return
    }
    const why = await post(o, letter)
    await note(o, { tenant, due: why === undefined ? due : letters.slice(at).flat() }, letter, why)
    if (why !== undefined) return
  }
}

/** Sends what is due now, of every group; answers how many channels had something. */
export async function sendDue(o: Office): Promise<number> {
  const groups = await o.db.tx(
    o.system,
    (tx) =>
      tx.query(
        'channels.groups',
        row({ tenant: uuid }),
        'SELECT g AS tenant FROM groups_to_send(:now) g',
        [],
      ),
    { readOnly: true },
  )
  let channels = 0
  for (const { tenant } of groups.rows) {
    const due = await o.db.tx(o.system, (tx) => takeDue(tx, tenant))
    const byChannel = Map.groupBy(
      due.sort((a, b) => a.at - b.at),
      (m) => m.channel,
    )
    channels += byChannel.size
    await Promise.all([...byChannel.values()].map((all) => sendAll(o, { tenant, due: all }).catch(o.warn)))
  }
  return channels
}
