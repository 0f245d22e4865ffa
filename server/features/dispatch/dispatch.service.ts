import { dispatchActions } from '@zhuguan/contract/features/dispatch/dispatch.actions.ts'
import type { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import { logisticsType } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { linkTo } from '@zhuguan/contract/links.ts'
import type { TURNS } from '@zhuguan/contract/turns.ts'

import type { Tx } from '../../database/connect.ts'
import { type AtParties, onParties } from '../../kit/parties.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, overtaken, refuse, Refused } from '../../kit/refuse.ts'
import { row, text } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { tell } from '../live/live.service.ts'
import { type Named, passTurn } from '../notifications/turns.service.ts'
import { type Piece, sumOf, takeFrom } from '../pieces/pieces.service.ts'
import { lastActor } from '../userlogs/userlogs.reads.ts'
import { lockNote, type LockedNote, lockOrderOf, type OrderOfNote, partiesOfNote } from './notes.queries.ts'
import type { NoteCall } from './notes.service.ts'

export type Body<K extends keyof typeof dispatchApi> = BodyOf<(typeof dispatchApi)[K]>
type Command = Parameters<typeof dispatchActions.refusal>[0]
export type Parts = Body<'prepare'>['lines']
/** Ordered goods, not what comes instead of some. */
export const FIRST = logisticsType.code.ship
export interface AtNote {
  o: OrderOfNote
  n: LockedNote
}

/** Finds a note in the caller's reach and works on it in the reach of both its parties. */
export async function onNote<T>(
  call: Call,
  id: string,
  work: (tx: Tx, at: AtParties) => Promise<T>,
): Promise<T> {
  return onParties(call, found(await call.read((tx) => partiesOfNote(tx, call.user.scope, id))), work)
}
/** A note and its order, locked in that order. */
export async function lockWithOrder(tx: Tx, tenant: string, note: string, order: string): Promise<AtNote> {
  const o = found(await lockOrderOf(tx, tenant, order))
  return { o, n: found(await lockNote(tx, tenant, note)) }
}
async function orderOf(tx: Tx, tenant: string, note: string): Promise<string> {
  const { rows } = await tx.query(
    'dispatch.orderof',
    row({ id: text }),
    'SELECT d.order_id::text AS id FROM dispatches d WHERE d.tenant_id = $1 AND d.id = $2',
    [tenant, note],
  )
  return found(rows[0]).id
}
export async function lockSeenNote(
  tx: Tx,
  { call, sides }: AtParties,
  body: { id: string; version: number },
  action: Command,
): Promise<AtNote> {
  const { tenant } = call.user
  const { n, o } = await lockWithOrder(tx, tenant, body.id, await orderOf(tx, tenant, body.id))
  if (n.version !== body.version) throw overtaken('张发货单', await lastActor(tx, tenant, 'dispatch', n.id))
  const seen = { ...n, ...sides }
  refuse(dispatchActions.refusal(action, seen, actorAt(call.user, { ...n, site_id: n.place_id })))
  return { o, n: seen }
}

export const tellNote = (
  tx: Tx,
  call: NoteCall,
  n: Pick<LockedNote, 'bc_id' | 'id' | 'place_id' | 'receiver_id'>,
  title?: string,
) =>
  tell(tx, call, {
    topic: 'dispatch',
    bc: n.bc_id,
    site: n.place_id,
    receiver: n.receiver_id,
    id: n.id,
    ...(title ? { line: { kind: 'delivery' as const, title } } : {}),
  })
export const linkOfNote = (id: string) => linkTo('DispatchList', { id })
/** The part that every message about a note has in common. */
export const noticeOf = (n: { id: string; bc_id: string; site_id: string; receiver_id: string }) => ({
  link: linkOfNote(n.id),
  cause: { kind: 'dispatch', id: n.id } as const,
  place: { bc_id: n.bc_id, site_id: n.site_id, receiver_id: n.receiver_id },
})
/** A note has changed: who must act next hears, and what was said of it before is done with. */
export const passNote = (
  tx: Tx,
  call: { user: { id: string; tenant: string } },
  { n, o }: { n: { id: string }; o: Pick<OrderOfNote, 'bc_id' | 'site_id' | 'receiver_id' | 'made_by'> },
  change: keyof (typeof TURNS)['dispatch']['on'],
  title: string,
  named: Named = {},
) =>
  passTurn(tx, 'dispatch', change, {
    ...noticeOf({ ...o, id: n.id }),
    tenant: call.user.tenant,
    actor: call.user.id,
    named: { author: o.made_by, ...named },
    title,
  })

/** So much of each line of these pieces; more than there is of one is refused. */
export async function partsOf(
  tx: Tx,
  call: NoteCall,
  pieces: readonly Piece[],
  parts: Parts,
): Promise<{ taken: Piece[]; rest: Piece[] }> {
  if (new Set(parts.map((p) => p.line_id)).size < parts.length) throw invalid('lines', '同一行选了两次')
  const taken: Piece[] = []
  const rest = pieces.filter((p) => !parts.some((part) => part.line_id === p.line_id))
  for (const part of parts) {
    const own = pieces.filter((p) => p.line_id === part.line_id)
    if (own.length === 0) throw invalid('lines', '有的行不在这里')
    const cut = await takeFrom(tx, call, own, part.quantity)
    if (!cut) throw new Refused(`有一行只剩 ${sumOf(own)}，不能是 ${part.quantity}`)
    taken.push(...cut.taken)
    rest.push(...cut.rest)
  }
  return { taken, rest }
}
export const linesIn = (pieces: readonly Piece[]) => new Set(pieces.map((p) => p.line_id)).size
