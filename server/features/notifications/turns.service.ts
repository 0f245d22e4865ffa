import type { Audience } from '@zhuguan/contract/kit/audiences.ts'
import { type TurnMachine, TURNS } from '@zhuguan/contract/turns.ts'

import type { Tx } from '../../database/connect.ts'
import { type Able, ableTo, type TurnPlace } from './notifications.queries.ts'
import { type Notice, notify, pageOf, settle } from './notifications.service.ts'

/** What a record says of its people, by the words of the table of turns. */
export type Named = Readonly<Record<string, string | null | readonly (string | null)[]>>
interface About {
  tenant: string
  place: TurnPlace
  named?: Named
  /** Who acts now and needs no telling. */
  actor?: string | undefined
  link: string
}
const listed = (named: Named | undefined, word: string): string[] => {
  const said = named?.[word] ?? []
  return (typeof said === 'string' ? [said] : said).filter((id) => id !== null)
}

/**
 * The people behind one word: those who may act on the record where it is and may open the page on which it is read,
 * or those behind the word that stands in for it. Never who acts, and nobody whose account is closed.
 */
async function audience(
  tx: Tx,
  all: Readonly<Record<string, Audience>>,
  word: string,
  about: About,
): Promise<string[]> {
  const a = all[word]!
  const among = a.named ? listed(about.named, word) : null
  const able = await ableTo(tx, {
    tenant: about.tenant,
    place: about.place,
    among,
    except: (a.except ?? []).flatMap((other) => listed(about.named, other)),
    label: a.right ?? null,
    page: pageOf(about.link),
    receiver: a.receiver === true,
  })
  // Whoever belongs to the place hears; those of the whole group only where there is nobody else.
  const people = able.near.length ? able.near : able.wide
  // Who acts themselves is one who can: nobody stands in for them, and they need no telling.
  if (people.length === 0 && a.otherwise) return audience(tx, all, a.otherwise, about)
  return people.filter((id) => id !== about.actor)
}

type Change<M extends TurnMachine> = keyof (typeof TURNS)[M]['on'] & string
/** Who is told at this change of a record, each once, by the word under which they are. */
export async function whoseTurn<M extends TurnMachine>(
  tx: Tx,
  machine: M,
  change: Change<M>,
  about: About,
): Promise<Map<string, string>> {
  const { audiences, on }: { audiences: Readonly<Record<string, Audience>>; on: object } = TURNS[machine]
  const { told } = (on as Readonly<Record<string, { told: readonly string[] }>>)[change]!
  const people = new Map<string, string>()
  for (const word of told)
    for (const id of await audience(tx, audiences, word, about)) if (!people.has(id)) people.set(id, word)
  return people
}

interface Passed extends About, Pick<Notice, 'title'> {
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
  const people = [...(await whoseTurn(tx, machine, change, said)).keys()]
  const { actor, cause, link, tenant, title } = said
  return notify(tx, { tenant, user: people, actor, title, link, cause })
}

/** Who may do this there, whether or not anything waits: of the place, and of the whole group. */
export const whoCan = (tx: Tx, asked: Omit<Able, 'page'>) => ableTo(tx, { ...asked, page: null })
