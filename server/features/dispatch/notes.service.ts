import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'

import type { Tx } from '../../database/connect.ts'
import { row, text, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { nextNumberIn } from '../numbers/numbers.service.ts'
import { movePieces, type Piece } from '../pieces/pieces.service.ts'

/** The part of its order that a note takes. */
const ofOrder = row({
  bc_id: uuid,
  receiver_id: uuid,
  site_id: uuid,
  address: text,
  contact: text,
  contact_phone: text,
})
export type NoteCall = Pick<Call, 'newId' | 'now' | 'user'>
export interface NewNote {
  order: string
  /** logisticsType of its way. */
  kind?: 1 | 2 | 3
  parent?: string | null
  change?: string | null
  plannedOn?: string | null
}
/**
 * A note that waits to be shipped, with these pieces on it; of a replacement they go on where they stand now until it
 * arrives. The caller has locked the order and the pieces.
 */
export async function openNote(
  tx: Tx,
  call: NoteCall,
  { order, kind = 1, parent = null, change = null, plannedOn = null }: NewNote,
  pieces: readonly Piece[],
): Promise<{ id: string; code: string }> {
  const { nickname, tenant } = call.user
  const { rows } = await tx.query(
    'dispatch.oforder',
    ofOrder,
    `SELECT o.bc_id, o.receiver_id, o.site_id, o.address, o.contact, o.contact_phone
     FROM orders o
     WHERE o.tenant_id = $1 AND o.id = $2`,
    [tenant, order],
  )
  const of = rows[0]!
  const id = call.newId()
  const code = await nextNumberIn(tx, { tenant, kind: 'dispatch', bc: of.bc_id })
  await tx.run(
    'dispatch.open',
    `INSERT INTO dispatches (tenant_id, id, code, bc_id, receiver_id, site_id, order_id, kind, parent_id, change_id,
       method, planned_on, address, contact, contact_phone, lines, made_name, made_at, after_sale)
     SELECT $1, $2, $3, o.bc_id, o.receiver_id, o.site_id, o.id, $5, $6, $7, o.method, coalesce($8::date,
     o.expected_on),
       $9, $10, $11, $12, $13, :now, coalesce((SELECT w.status = ${siteStatus.code.finished} FROM sites w
         WHERE w.tenant_id = $1 AND w.id = o.site_id), false)
     FROM orders o
     WHERE o.tenant_id = $1 AND o.id = $4`,
    [
      tenant,
      id,
      code,
      order,
      kind,
      parent,
      change,
      plannedOn,
      of.address,
      of.contact,
      of.contact_phone,
      new Set(pieces.map((p) => p.line_id)).size,
      nickname,
    ],
  )
  await movePieces(tx, call, pieces, () =>
    kind === 1 ? { note_id: id } : { next_note_id: id, replaced: 'ship' },
  )
  return { id, code }
}

/** In a statement about a note `d` whose goods are still on it: its lines, for whoever reads it when they have gone. */
export const STANDING = `coalesce((SELECT jsonb_agg(jsonb_build_object('line_id', x.line_id, 'quantity', x.quantity))
       FROM (SELECT p.line_id, sum(p.quantity) AS quantity FROM pieces p
         WHERE p.tenant_id = $1 AND (p.note_id = d.id OR p.next_note_id = d.id)
         GROUP BY p.line_id) x), '[]')`
/** Ordered goods that have not left will not leave. The caller has locked the order and sees to the pieces after. */
export const cancelNotes = (tx: Tx, tenant: string, order: string, reason: string) =>
  tx.run(
    'dispatch.cancelall',
    `UPDATE dispatches d SET state = 1, reason = $3, stood = ${STANDING}, version = d.version + 1
     WHERE d.tenant_id = $1 AND d.order_id = $2 AND d.state = 0 AND d.kind = 1`,
    [tenant, order, reason],
  )

/** The next of two people who saw this note hears that it is another one by now. */
export const touchNote = (tx: Tx, tenant: string, note: string) =>
  tx.run(
    'dispatch.touch',
    'UPDATE dispatches d SET version = d.version + 1 WHERE d.tenant_id = $1 AND d.id = $2',
    [tenant, note],
  )
