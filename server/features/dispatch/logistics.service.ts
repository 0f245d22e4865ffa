import type { logisticsType } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import type { Code } from '@zhuguan/contract/kit/codes.ts'

import type { Tx } from '../../database/connect.ts'
import { row, text } from '../../kit/row.ts'
import { nextNumberIn } from '../numbers/numbers.service.ts'
import type { NoteCall } from './notes.service.ts'

type Type = Code<typeof logisticsType>
interface NewLeg {
  type: Type
  order: string
  bc: string
  note?: string | null
  change?: string | null
  /** 1 where it is on its way at once, 3 where there is none. */
  progress: 0 | 1 | 2 | 3
  /** The leg of the note that this one comes instead of, or goes back for. */
  parentNote?: string | null
  carrier?: string
  waybill?: string
  expectedOn?: string | null
}
/** A way that goods go: to the site, or back. */
export async function openLeg(tx: Tx, call: NoteCall, leg: NewLeg, first: string | NewNode): Promise<string> {
  const { tenant } = call.user
  const code = await nextNumberIn(tx, { tenant, kind: 'logistics', bc: leg.bc })
  const id = call.newId()
  await tx.run(
    'dispatch.leg',
    `INSERT INTO logistics (tenant_id, id, code, bc_id, receiver_id, site_id, order_id, type, progress, note_id,
    change_id,
       parent_id, carrier, waybill, expected_on, made_at)
     SELECT $1, $2, $3, o.bc_id, o.receiver_id, o.site_id, o.id, $5, $6, $7, $8,
       (SELECT g.id FROM logistics g WHERE g.tenant_id = $1 AND g.note_id = $9 AND g.type IN (1, 2, 3) LIMIT 1),
       $10, $11, $12, :now
     FROM orders o
     WHERE o.tenant_id = $1 AND o.id = $4`,
    [
      tenant,
      id,
      code,
      leg.order,
      leg.type,
      leg.progress,
      leg.note ?? null,
      leg.change ?? null,
      leg.parentNote ?? null,
      leg.carrier ?? '',
      leg.waybill ?? '',
      leg.expectedOn ?? null,
    ],
  )
  await addNode(tx, call, id, typeof first === 'string' ? { title: first } : first)
  return id
}

export interface NewNode {
  title: string
  place?: string
  /** When it happened; now unless somebody else tells of it. */
  at?: Date
  source?: 'system' | 'person' | 'driver' | 'carrier'
  photo?: string | null
  /** The carrier's own number. */
  event?: string | null
}
/** One more thing that happened on a way; a carrier's comes once. @returns whether it is new */
export async function addNode(tx: Tx, call: NoteCall, leg: string, node: NewNode): Promise<boolean> {
  const { nickname, tenant } = call.user
  const added = await tx.run(
    'dispatch.node',
    `INSERT INTO logistics_nodes (tenant_id, id, logistics_id, at, heard_at, source, title, place, user_name, event,
       photo)
     VALUES ($1, $2, $3, $4, :now, $5, $6, $7, $8, $9, $10)
     ON CONFLICT (tenant_id, logistics_id, event) WHERE event IS NOT NULL DO NOTHING`,
    [
      tenant,
      call.newId(),
      leg,
      node.at ?? call.now(),
      node.source ?? 'person',
      node.title,
      node.place ?? '',
      nickname,
      node.event ?? null,
      node.photo ?? null,
    ],
  )
  if (!added.rowCount) return false
  await tx.run(
    'dispatch.lastnode',
    `UPDATE logistics g
     SET (node_text, node_at) = (SELECT n.title, n.at FROM logistics_nodes n
         WHERE n.tenant_id = $1 AND n.logistics_id = $2 ORDER BY n.at DESC, n.heard_at DESC LIMIT 1),
       version = g.version + 1
     WHERE g.tenant_id = $1 AND g.id = $2`,
    [tenant, leg],
  )
  return true
}

/** The way of a note: how far it is, and who signed for it. */
export const moveLegOf = (
  tx: Tx,
  call: NoteCall,
  note: string,
  to: { progress?: number; status?: number; signed?: boolean },
) =>
  tx.run(
    'dispatch.moveleg',
    `UPDATE logistics g
     SET progress = coalesce($3, g.progress), status = coalesce($4, g.status),
       signed_by = CASE WHEN $5 THEN $6 ELSE g.signed_by END, signed_at = CASE WHEN $5 THEN :now ELSE g.signed_at END,
       version = g.version + 1
     WHERE g.tenant_id = $1 AND g.note_id = $2 AND g.type IN (1, 2, 3)`,
    [call.user.tenant, note, to.progress ?? null, to.status ?? null, to.signed ?? false, call.user.nickname],
  )
export async function legOf(tx: Tx, tenant: string, note: string): Promise<string | undefined> {
  const { rows } = await tx.query(
    'dispatch.legof',
    row({ id: text }),
    `SELECT g.id::text AS id FROM logistics g
     WHERE g.tenant_id = $1 AND g.note_id = $2 AND g.type IN (1, 2, 3)
     LIMIT 1`,
    [tenant, note],
  )
  return rows[0]?.id
}

/** A way back: how far it is, in which state the goods arrived, what is said against that. */
export const setLeg = (
  tx: Tx,
  tenant: string,
  id: string,
  to: {
    progress?: number
    grade?: string
    reason?: string
    disputed?: string
    damage?: string
    dispute?: string
  },
) =>
  tx.run(
    'dispatch.setleg',
    `UPDATE logistics g
     SET progress = coalesce($3, g.progress), grade = coalesce($4, g.grade),
       grade_reason = coalesce($5, g.grade_reason), disputed = coalesce($6, g.disputed),
       damage = coalesce($7, g.damage), dispute = coalesce($8, g.dispute), version = g.version + 1
     WHERE g.tenant_id = $1 AND g.id = $2`,
    [
      tenant,
      id,
      to.progress ?? null,
      to.grade ?? null,
      to.reason ?? null,
      to.disputed ?? null,
      to.damage ?? null,
      to.dispute ?? null,
    ],
  )
