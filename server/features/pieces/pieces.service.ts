import {
  acceptanceResult,
  stateOfAll,
  stateOfPiece,
} from '@zhuguan/contract/features/pieces/pieces.record.ts'
import { compare, isZero, less, total } from '@zhuguan/contract/kit/money.ts'

import type { Tx } from '../../database/connect.ts'
import { LOCKS } from '../../database/locks.ts'
import type { Call } from '../../kit/serve.ts'
import { type Owed, tellOwed } from '../statements/owed.service.ts'
import {
  addCounts,
  type CountChanges,
  divideTies,
  insertMoves,
  insertPieces,
  lockPieces,
  type Move,
  type Piece,
  settleOrder,
  updatePieces,
} from './pieces.queries.ts'

export {
  carryOver,
  insertCarried,
  linkChange,
  lockPieces,
  type Piece,
  tickCarried,
} from './pieces.queries.ts'

/**
 * Who moves goods of a branch waits for who does, from their order on until they are done: numbers of documents, counts
 * of sites and pieces are taken in another order by every command, and two of them would wait for each other.
 */
export const inTurn = (tx: Tx, bc: string): void =>
  tx.send('pieces.turn', 'SELECT pg_advisory_xact_lock($1::int, hashtext($2))', [LOCKS.pieces, bc])

type Moving = Pick<Call, 'newId' | 'user'>
const sumOf = (pieces: readonly Piece[]) => total(pieces.map((p) => p.quantity))
export { sumOf }

/** What a change of pieces is to the counts of their sites. */
function counted(before: readonly Piece[], after: readonly Piece[]): CountChanges {
  const changes = new Map<string, { bc: string; by: Map<1 | 2 | 3 | 4 | 5 | 6 | 7, number> }>()
  const count = (p: Piece, state: Piece['orderState'], n: number) => {
    if (state === null) return
    const site = changes.get(p.site_id) ?? { bc: p.bc_id, by: new Map() }
    site.by.set(state, (site.by.get(state) ?? 0) + n)
    changes.set(p.site_id, site)
  }
  for (const p of before) count(p, p.orderState, -1)
  for (const p of after) count(p, stateOfPiece(p), 1)
  return changes
}

const isBilled = (p: Piece): boolean => p.place === 'accepted'
/** What of these begins or ceases to stand accepted, by line, note and change: the receiver is owed for that. */
function owedOf(before: readonly Piece[], after: readonly Piece[]): Owed[] {
  const owed = new Map<string, Owed>()
  for (const [i, p] of after.entries()) {
    const was = before[i]!
    if (isBilled(p) === isBilled(was)) continue
    const of = isBilled(p) ? p : was
    const quantity = isBilled(p) ? p.quantity : less('0', was.quantity)
    const change_id = p.change_id ?? was.change_id
    const key = [of.line_id, of.note_id, change_id, isBilled(p)].join(' ')
    const known = owed.get(key)
    owed.set(key, {
      line_id: of.line_id!,
      note_id: of.note_id,
      change_id,
      quantity: known ? total([known.quantity, quantity]) : quantity,
    })
  }
  return [...owed.values()]
}

/**
 * Pieces go where `to` says, each by itself. The caller has locked them and, where they stand in orders, those orders,
 * whose headers are anew afterwards.
 * @returns the pieces as they are now
 */
export async function movePieces(
  tx: Tx,
  call: Moving,
  pieces: readonly Piece[],
  to: (p: Piece) => Partial<Piece>,
): Promise<Piece[]> {
  const { tenant } = call.user
  const after = pieces.map((p): Piece => {
    const moved = { ...p, ...to(p) }
    return { ...moved, orderState: stateOfPiece(moved) }
  })
  await updatePieces(tx, tenant, after)
  await tellOwed(tx, call, owedOf(pieces, after))
  await addCounts(tx, tenant, counted(pieces, after))
  await settleOrders(tx, tenant, [...pieces, ...after])
  return after
}
const settleOrders = async (tx: Tx, tenant: string, pieces: readonly Piece[]) => {
  const orders = [...new Set(pieces.flatMap((p) => p.order_id ?? []))].sort()
  for (const order of orders) await settleOrder(tx, tenant, order, stateOfAll)
}

/** Part of a piece becomes one of its own in the same place; what notes and changes know of it is divided with it. */
async function splitOff(tx: Tx, call: Moving, piece: Piece, quantity: string): Promise<[Piece, Piece]> {
  const { tenant } = call.user
  const part: Piece = { ...piece, id: call.newId(), quantity, from_id: piece.id }
  const rest: Piece = { ...piece, quantity: less(piece.quantity, quantity) }
  await insertPieces(tx, tenant, [part])
  await updatePieces(tx, tenant, [rest])
  await divideTies(tx, tenant, { piece: piece.id, part: part.id }, quantity)
  await addCounts(tx, tenant, counted([], [part]))
  return [part, rest]
}
/**
 * Of locked pieces exactly so much, the last one split where it is more; nothing where they are less.
 * @returns those that make up the quantity, and those that are left
 */
export async function takeFrom(
  tx: Tx,
  call: Moving,
  pieces: readonly Piece[],
  quantity: string,
): Promise<{ taken: Piece[]; rest: Piece[] } | undefined> {
  if (compare(sumOf(pieces), quantity) < 0) return undefined
  const taken: Piece[] = []
  const rest: Piece[] = []
  let missing = quantity
  for (const p of pieces) {
    if (isZero(missing)) rest.push(p)
    else if (compare(p.quantity, missing) <= 0) {
      taken.push(p)
      missing = less(missing, p.quantity)
    } else {
      const [part, left] = await splitOff(tx, call, p, missing)
      taken.push(part)
      rest.push(left)
      missing = '0'
    }
  }
  return { taken, rest }
}

/** What went out and what became of it, a line a piece. */
export const tellMoves = (
  tx: Tx,
  call: Moving,
  kind: Move['kind'],
  pieces: readonly Piece[],
  { note = null, takenBack = false }: { note?: string | null; takenBack?: boolean } = {},
): Promise<void> =>
  insertMoves(
    tx,
    call.user.tenant,
    pieces.map((piece) => ({
      id: call.newId(),
      piece,
      note,
      kind,
      quantity: takenBack ? `-${piece.quantity}` : piece.quantity,
    })),
  )

const FREE = {
  place: 'open',
  receiver_id: null,
  order_id: null,
  line_id: null,
  note_id: null,
  next_note_id: null,
  change_id: null,
  result: null,
  replaced: '',
} as const satisfies Partial<Piece>
/** Out of their order, to be ordered again; of a contract that has ended they are dropped. */
export const freePieces = (
  tx: Tx,
  call: Moving,
  pieces: readonly Piece[],
  { ended = false }: { ended?: boolean } = {},
): Promise<Piece[]> => movePieces(tx, call, pieces, () => (ended ? { ...FREE, place: 'dropped' } : FREE))

/** Goods of a contract that can be ordered from now on. */
export async function openPieces(
  tx: Tx,
  call: Moving,
  of: { bc: string; site: string; store: string | null; contract: string },
  items: readonly { id: string; quantity: string }[],
): Promise<void> {
  const pieces = items
    .filter((item) => !isZero(item.quantity))
    .map((item): Piece => ({
      id: call.newId(),
      bc_id: of.bc,
      site_id: of.site,
      store_id: of.store,
      contract_id: of.contract,
      item_id: item.id,
      quantity: item.quantity,
      ...FREE,
      round: 0,
      faulty: 0,
      legs: 0,
      counts: true,
      free: false,
      orderState: 1,
      from_id: null,
    }))
  await insertPieces(tx, call.user.tenant, pieces)
  await addCounts(tx, call.user.tenant, counted([], pieces))
}

/**
 * An item is ordered no further than `to`: the difference leaves the open pieces, then those that went back for good
 * and were left to the contract. The caller has asked `committed` before.
 */
export async function reducePieces(tx: Tx, call: Moving, item: string, to: string): Promise<void> {
  const all = (await lockPieces(tx, call.user.tenant, { items: [item] })).filter((p) => p.counts)
  const excess = less(sumOf(all), to)
  if (compare(excess, '0') <= 0) return
  // Of a home that has ended, what nobody ordered was dropped and still stands in its contract.
  const loose = [
    ...all.filter((p) => p.place === 'open' || p.place === 'dropped'),
    ...all.filter((p) => p.place === 'back' && p.free),
  ]
  const parts = await takeFrom(tx, call, loose, excess)
  if (!parts) throw new Error(`item ${item} is committed beyond ${to}`)
  await movePieces(tx, call, parts.taken, (p) =>
    p.place === 'open' ? { place: 'dropped', counts: false } : { counts: false, free: false },
  )
}

export const { accepted, exchange, return: returned, short, underWay, waiting } = acceptanceResult.code
