import {
  acceptanceResult,
  type OrderState,
  orderState,
  piecePlace,
  stateOfPiece,
} from '@zhuguan/contract/features/pieces/pieces.record.ts'

import type { Tx } from '../../database/connect.ts'
import { bool, int2, int2s, int4, row, type RowOf, text, uuid } from '../../kit/row.ts'
import { Where } from '../../kit/statement.ts'

const piece = row({
  id: uuid,
  bc_id: uuid,
  site_id: uuid,
  store_id: uuid.null,
  receiver_id: uuid.null,
  contract_id: uuid,
  item_id: uuid,
  order_id: uuid.null,
  line_id: uuid.null,
  quantity: text,
  place: text.of(piecePlace),
  result: int2.of(acceptanceResult).null,
  replaced: text.of({ values: ['', 'ship', 'way'] as const }),
  note_id: uuid.null,
  next_note_id: uuid.null,
  change_id: uuid.null,
  round: int4,
  faulty: int4,
  legs: int4,
  counts: bool,
  free: bool,
  orderState: int2.of(orderState).null,
  from_id: uuid.null,
})
export type Piece = RowOf<typeof piece>
const COLUMNS = `p.id, p.bc_id, p.site_id, p.store_id, p.receiver_id, p.contract_id, p.item_id, p.order_id, p.line_id,
       trim_scale(p.quantity)::text AS quantity, p.place, p.result, p.replaced, p.note_id, p.next_note_id, p.change_id,
       p.round, p.faulty, p.legs, p.counts, p.free, p.order_state AS "orderState", p.from_id`

export interface PiecesOf {
  items?: readonly string[]
  order?: string
  site?: string
  /** Those that a note carries now or will. */
  note?: string
  ids?: readonly string[]
}
/** Pieces in the order in which everybody locks them; locked until the transaction ends. */
export async function lockPieces(tx: Tx, tenant: string, of: PiecesOf): Promise<Piece[]> {
  const where = new Where()
    .add((p) => `p.tenant_id = ${p}::uuid`, tenant)
    .when(of.items, (p) => `p.item_id = ANY (${p}::uuid[])`)
    .when(of.order, (p) => `p.order_id = ${p}::uuid`)
    .when(of.site, (p) => `p.site_id = ${p}::uuid`)
    .when(of.note, (p) => `(p.note_id = ${p}::uuid OR p.next_note_id = ${p}::uuid)`)
    .when(of.ids, (p) => `p.id = ANY (${p}::uuid[])`)
  const { rows } = await tx.query(
    'pieces.lockpieces',
    piece,
    `SELECT ${COLUMNS} FROM pieces p WHERE ${where.text} ORDER BY p.id FOR UPDATE`,
    where.values,
  )
  return rows
}

/** What is new of a piece; its state follows from it. */
const stored = (p: Piece) => ({ ...p, state: stateOfPiece(p) })
const SHAPE = `x(id uuid, bc_id uuid, site_id uuid, store_id uuid, receiver_id uuid, contract_id uuid, item_id uuid,
order_id uuid,
       line_id uuid, quantity numeric, place text, result smallint, replaced text, note_id uuid, next_note_id uuid,
       change_id uuid, round int, faulty int, legs int, counts boolean, free boolean, state smallint, from_id uuid)`

export async function insertPieces(tx: Tx, tenant: string, pieces: readonly Piece[]): Promise<void> {
  if (pieces.length === 0) return
  await tx.run(
    'pieces.addpieces',
    `INSERT INTO pieces (tenant_id, id, bc_id, site_id, store_id, receiver_id, contract_id, item_id, order_id,
    line_id, quantity,
       place, result, replaced, note_id, next_note_id, change_id, round, faulty, legs, counts, free, order_state,
       from_id,
       since)
     SELECT $1, x.id, x.bc_id, x.site_id, x.store_id, x.receiver_id, x.contract_id, x.item_id, x.order_id, x.line_id,
     x.quantity,
       x.place, x.result, x.replaced, x.note_id, x.next_note_id, x.change_id, x.round, x.faulty, x.legs, x.counts,
       x.free, x.state, x.from_id, :now
     FROM json_to_recordset($2::json) AS ${SHAPE}`,
    [tenant, JSON.stringify(pieces.map(stored))],
  )
}
/** Pieces as they are from now on; the caller has locked them. */
export async function updatePieces(tx: Tx, tenant: string, pieces: readonly Piece[]): Promise<void> {
  if (pieces.length === 0) return
  await tx.run(
    'pieces.movepieces',
    `UPDATE pieces p
     SET receiver_id = x.receiver_id, order_id = x.order_id, line_id = x.line_id, quantity = x.quantity,
       place = x.place, result = x.result, replaced = x.replaced, note_id = x.note_id, next_note_id = x.next_note_id,
       change_id = x.change_id, round = x.round, faulty = x.faulty, legs = x.legs, counts = x.counts, free = x.free,
       order_state = x.state,
       since = CASE WHEN p.place = x.place AND p.order_state IS NOT DISTINCT FROM x.state THEN p.since ELSE :now END
     FROM json_to_recordset($2::json) AS ${SHAPE}
     WHERE p.tenant_id = $1 AND p.id = x.id`,
    [tenant, JSON.stringify(pieces.map(stored))],
  )
}

/** What notes and changes know of a piece, divided as it is: the part keeps what is left over. */
export async function divideTies(
  tx: Tx,
  tenant: string,
  ids: { piece: string; part: string },
  quantity: string,
): Promise<void> {
  const values = [tenant, ids.piece, ids.part, quantity]
  await tx.run(
    'pieces.dividecarried',
    `INSERT INTO carried (tenant_id, note_id, piece_id, line_id, quantity, checked)
     SELECT k.tenant_id, k.note_id, $3, k.line_id, $4, k.checked
     FROM carried k
     WHERE k.tenant_id = $1 AND k.piece_id = $2`,
    values,
  )
  await tx.run(
    'pieces.lessencarried',
    'UPDATE carried k SET quantity = k.quantity - $3 WHERE k.tenant_id = $1 AND k.piece_id = $2',
    [tenant, ids.piece, quantity],
  )
  await tx.run(
    'pieces.dividechanged',
    `INSERT INTO change_pieces (tenant_id, change_id, piece_id, quantity)
     SELECT k.tenant_id, k.change_id, $3, $4
     FROM change_pieces k
     WHERE k.tenant_id = $1 AND k.piece_id = $2`,
    values,
  )
  await tx.run(
    'pieces.lessenchanged',
    'UPDATE change_pieces k SET quantity = k.quantity - $3 WHERE k.tenant_id = $1 AND k.piece_id = $2',
    [tenant, ids.piece, quantity],
  )
}

/** Sites with how many pieces more, or less, stand in each state: 1 to 7. */
export type CountChanges = ReadonlyMap<string, { bc: string; by: ReadonlyMap<OrderState, number> }>
export async function addCounts(tx: Tx, tenant: string, changes: CountChanges): Promise<void> {
  // In the order of the sites: two commands over the same ones do not wait for each other in a circle.
  for (const [site, { bc, by }] of [...changes].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const values = orderState.values.map((state) => by.get(state) ?? 0)
    if (values.every((n) => n === 0)) continue
    await tx.run(
      'pieces.beginscount',
      'INSERT INTO piece_counts (tenant_id, site_id, bc_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [tenant, site, bc],
    )
    await tx.run(
      'pieces.count',
      `UPDATE piece_counts c
       SET n1 = c.n1 + $3, n2 = c.n2 + $4, n3 = c.n3 + $5, n4 = c.n4 + $6, n5 = c.n5 + $7, n6 = c.n6 + $8,
         n7 = c.n7 + $9
       WHERE c.tenant_id = $1 AND c.site_id = $2`,
      [tenant, site, ...values],
    )
  }
}

export interface Move {
  id: string
  piece: Pick<Piece, 'id' | 'item_id'>
  note: string | null
  kind: 'shipped' | 'short' | 'lost' | 'back' | 'scrapped'
  /** Below 0 where a finding is taken back. */
  quantity: string
}
/** What left the receiver and what became of it (docs/states.md, second law). */
export async function insertMoves(tx: Tx, tenant: string, moves: readonly Move[]): Promise<void> {
  if (moves.length === 0) return
  await tx.run(
    'pieces.moved',
    `INSERT INTO goods_moves (tenant_id, id, item_id, piece_id, note_id, kind, quantity, at)
     SELECT $1, x.id, x.item_id, x.piece_id, x.note, x.kind, x.quantity, :now
     FROM json_to_recordset($2::json) AS x(id uuid, item_id uuid, piece_id uuid, note uuid, kind text,
     quantity numeric)`,
    [
      tenant,
      JSON.stringify(moves.map(({ piece: p, ...m }) => ({ ...m, item_id: p.item_id, piece_id: p.id }))),
    ],
  )
}

/**
 * The header of an order anew, from its pieces, and what of it is in force: not what went back for good, nor what was
 * ordered again in its place. The caller has locked the order.
 */
export async function settleOrder(
  tx: Tx,
  tenant: string,
  order: string,
  of: (states: readonly (OrderState | null)[]) => OrderState | null,
): Promise<void> {
  const { rows } = await tx.query(
    'pieces.statesof',
    row({ line_id: uuid, states: int2s.of(orderState).null }),
    `SELECT p.line_id, array_agg(p.order_state) FILTER (WHERE p.order_state IS NOT NULL) AS states
     FROM pieces p
     WHERE p.tenant_id = $1 AND p.order_id = $2 AND p.line_id IS NOT NULL
     GROUP BY p.line_id`,
    [tenant, order],
  )
  const lines = rows.map((r) => of(r.states ?? []))
  await tx.run(
    'pieces.settle',
    `UPDATE orders o
     SET order_state = $3, lines_accepted = $4, lines = x.lines, amount = x.amount, version = o.version + 1
     FROM (
       SELECT count(*)::int AS lines, coalesce(sum(round(p.quantity * l.price, 2)), 0) AS amount
       FROM (SELECT i.line_id, coalesce(sum(i.quantity) FILTER (WHERE i.counts AND i.place <> 'back'), 0) AS quantity
         FROM pieces i
         WHERE i.tenant_id = $1 AND i.order_id = $2 AND i.place <> 'held'
         GROUP BY i.line_id) p
       JOIN order_lines l ON l.tenant_id = $1 AND l.id = p.line_id) x
     WHERE o.tenant_id = $1 AND o.id = $2`,
    [tenant, order, of(lines), lines.filter((s) => s === orderState.code.accepted).length],
  )
}

/** What a note carried, as it was when it left. */
export const insertCarried = (tx: Tx, tenant: string, note: string, pieces: readonly Piece[]) =>
  tx.run(
    'pieces.carried',
    `INSERT INTO carried (tenant_id, note_id, piece_id, line_id, quantity)
     SELECT $1, $2, x.id, x.line_id, x.quantity
     FROM json_to_recordset($3::json) AS x(id uuid, line_id uuid, quantity numeric)`,
    [tenant, note, JSON.stringify(pieces)],
  )
/** Part of what a note carried stands on another one from now on. */
export const carryOver = (tx: Tx, tenant: string, from: string, to: string, pieces: readonly string[]) =>
  tx.run(
    'pieces.carryover',
    `UPDATE carried k SET note_id = $3
     WHERE k.tenant_id = $1 AND k.note_id = $2 AND k.piece_id = ANY ($4::uuid[])`,
    [tenant, from, to, pieces],
  )
/** These pieces have been judged since the note brought them, or are to be judged again. */
export const tickCarried = (
  tx: Tx,
  tenant: string,
  note: string,
  pieces: readonly string[],
  checked = true,
) =>
  tx.run(
    'pieces.tick',
    `UPDATE carried k SET checked = $4
     WHERE k.tenant_id = $1 AND k.note_id = $2 AND k.piece_id = ANY ($3::uuid[])`,
    [tenant, note, pieces, checked],
  )
/** What a change of goods is about. */
export async function linkChange(
  tx: Tx,
  tenant: string,
  change: string,
  pieces: readonly Piece[],
): Promise<void> {
  if (pieces.length === 0) return
  await tx.run(
    'pieces.linkchange',
    `INSERT INTO change_pieces (tenant_id, change_id, piece_id, quantity)
     SELECT $1, $2, x.id, x.quantity
     FROM json_to_recordset($3::json) AS x(id uuid, quantity numeric)`,
    [tenant, change, JSON.stringify(pieces)],
  )
}
