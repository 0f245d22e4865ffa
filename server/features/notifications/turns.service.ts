import type { Audience } from '@zhuguan/contract/kit/audiences.ts'
import type { Link } from '@zhuguan/contract/links.ts'
import type { PageName } from '@zhuguan/contract/pages.ts'
import { type TurnMachine, TURNS } from '@zhuguan/contract/turns.ts'

import type { Tx } from '../../database/connect.ts'
import { type Able, ableTo, type Reached, standInsOf, type TurnPlace } from './notifications.queries.ts'
import { leadersOf, type Notice, notify, pageOf, settle } from './notifications.service.ts'

/** What a record says of its people, by the words of the table of turns. */
export type Named = Readonly<Record<string, string | null | readonly (string | null)[]>>
interface About {
  tenant: string
  place: TurnPlace
  named?: Named
  /** The person who acts now and needs no telling. */
  actor?: string | undefined
  link: Link
}
const listed = (named: Named | undefined, word: string): string[] => {
  const said = named?.[word] ?? []
  return (typeof said === 'string' ? [said] : said).filter((id) => id !== null)
}

/**
 * Who of these is there: for somebody who is away today, who stands in, as far as they can act on the record; the whole
 * group where nobody of the place is left. Nobody where nobody is.
 */
async function present(tx: Tx, asked: Able, { near, wide }: Reached): Promise<string[]> {
  const away = await standInsOf(tx, asked.tenant, [...near, ...wide])
  if (away.size === 0) return near.length ? near : wide
  for (const people of [near, wide]) {
    const among = people.flatMap((id) => away.get(id) ?? [])
    const deputies = among.length ? await ableTo(tx, { ...asked, among }) : { near: [], wide: [] }
    const here = people.filter((id) => !away.has(id))
    const all = [...new Set([...here, ...deputies.near, ...deputies.wide])]
    if (all.length) return all
  }
  return []
}

/**
 * The people behind one word: those who may act on the record where it is and may open the page on which it is read, or
 * who stands in for them today, or those behind the word that stands in for it. Nobody whose account is closed.
 */
async function meant(
  tx: Tx,
  all: Readonly<Record<string, Audience>>,
  word: string,
  about: About,
): Promise<string[]> {
  const a = all[word]!
  const asked = {
    tenant: about.tenant,
    place: about.place,
    among: a.named ? listed(about.named, word) : null,
    except: (a.except ?? []).flatMap((other) => listed(about.named, other)),
    label: a.right ?? null,
    page: pageOf(about.link),
    receiver: a.receiver === true,
  }
  const able = await ableTo(tx, asked)
  // Whoever belongs to the place hears; those of the whole group only where there is nobody else.
  const people = able.near.length ? able.near : able.wide
  if (a.informed) return people
  const here = await present(tx, asked, able)
  if (here.length) return here
  const next = a.otherwise ? await meant(tx, all, a.otherwise, about) : []
  if (next.length || people.length === 0) return next
  // All are away and nobody can stand in: who leads the branch hears, else they themselves, so that it is not lost.
  const leaders = await leadersOf(tx, asked)
  return leaders.length ? leaders : people
}

/** Those behind one word but for who acts: they are one who can, so nobody stands in for them, and need no telling. */
const audience = async (
  tx: Tx,
  all: Readonly<Record<string, Audience>>,
  word: string,
  about: About,
): Promise<string[]> => (await meant(tx, all, word, about)).filter((id) => id !== about.actor)

type Change<M extends TurnMachine> = keyof (typeof TURNS)[M]['on'] & string
const toldAt = <M extends TurnMachine>(machine: M, change: Change<M>): readonly string[] =>
  (TURNS[machine].on as Readonly<Record<string, { told: readonly string[] }>>)[change]!.told
/** Those who are named by the words that are told at this change: who stands in for one of them reads so. */
export const whoseIt = <M extends TurnMachine>(machine: M, change: Change<M>, named: Named | undefined) =>
  toldAt(machine, change).flatMap((word) => listed(named, word))

/** Who is told at this change of a record, each once, by the word under which they are. */
export async function whoseTurn<M extends TurnMachine>(
  tx: Tx,
  machine: M,
  change: Change<M>,
  about: About,
): Promise<Map<string, string>> {
  const { audiences }: { audiences: Readonly<Record<string, Audience>> } = TURNS[machine]
  const people = new Map<string, string>()
  for (const word of toldAt(machine, change))
    for (const id of await audience(tx, audiences, word, about)) if (!people.has(id)) people.set(id, word)
  return people
}

interface Passed extends About, Pick<Notice, 'title' | 'urgent'> {
  cause: NonNullable<Notice['cause']>
}
/**
 * A record has changed: what was said of it before is done with, and who must act next hears. Answers who was told.
 */
export async function passTurn<M extends TurnMachine>(
  tx: Tx,
  machine: M,
  change: Change<M>,
  said: Passed,
): Promise<string[]> {
  const on: Readonly<Record<string, { settles: boolean }>> = TURNS[machine].on
  if (on[change]!.settles) await settle(tx, said.tenant, said.cause)
  const { audiences }: { audiences: Readonly<Record<string, Audience>> } = TURNS[machine]
  const people = await whoseTurn(tx, machine, change, said)
  const informed = [...people.values()].every((word) => audiences[word]!.informed === true)
  const { actor, cause, link, named, place, tenant, title, urgent } = said
  const whose = whoseIt(machine, change, named)
  const user = [...people.keys()]
  return notify(tx, {
    tenant,
    user,
    actor,
    title,
    link,
    cause,
    place,
    informed,
    personal: true,
    whose,
    urgent,
  })
}

/** Who may do this there, and open the page if one is named, whether or not anything waits. */
export const whoCan = (tx: Tx, asked: Omit<Able, 'page'> & { page?: PageName }) =>
  ableTo(tx, { page: null, ...asked })

/** Of those who may do this there and open the page: who is there today, or stands in and may. */
export const whoIsHere = async (tx: Tx, asked: Able & { page: PageName }): Promise<string[]> =>
  present(tx, asked, await ableTo(tx, asked))
