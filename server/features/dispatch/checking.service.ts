import {
  dispatchState,
  logisticsProgress,
  logisticsStatus,
} from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import { acceptanceResult, checkOf, piecePlace } from '@zhuguan/contract/features/pieces/pieces.record.ts'

import type { Tx } from '../../database/connect.ts'
import { bool, int2, row, text, uuid } from '../../kit/row.ts'
import { settle } from '../notifications/notifications.service.ts'
import { moveLegOf } from './logistics.service.ts'
import type { NoteCall } from './notes.service.ts'

const { checked, delivered, returned } = dispatchState.code
const { back, done, partBack, waiting } = logisticsStatus.code
const onNote = row({
  note_id: uuid,
  state: int2.of(dispatchState),
  line_id: text,
  checked: bool,
  place: text.of(piecePlace),
  result: int2.of(acceptanceResult).null,
})
/** At most so many ways hang on one another: what goes back of what comes instead of what went out. */
const DEEPEST = 6

/**
 * Notes that brought any of these pieces say anew how far they are accepted, and their ways close with it
 * (docs/states.md). `by` where somebody has just judged.
 */
export async function recheck(
  tx: Tx,
  call: NoteCall,
  order: string,
  pieces: readonly string[],
  by?: string,
): Promise<void> {
  const { tenant } = call.user
  const { rows } = await tx.query(
    'dispatch.recheck',
    onNote,
    `SELECT d.id AS note_id, d.state, c.line_id::text AS line_id, c.checked, p.place, p.result
     FROM dispatches d
     JOIN carried c ON c.tenant_id = $1 AND c.note_id = d.id
     JOIN pieces p ON p.tenant_id = $1 AND p.id = c.piece_id
     WHERE d.tenant_id = $1 AND d.check_state IS NOT NULL AND d.id IN (
       SELECT k.note_id FROM carried k WHERE k.tenant_id = $1 AND k.piece_id = ANY ($2::uuid[]))`,
    [tenant, pieces],
  )
  for (const [note, on] of Map.groupBy(rows, (r) => r.note_id)) {
    const isChecked = on.every((p) => p.checked)
    const isBack = on.every((p) => p.place === 'back')
    const state = on[0]!.state === delivered && isChecked ? checked : on[0]!.state
    const lines = Map.groupBy(on, (p) => p.line_id)
    await tx.run(
      'dispatch.checked',
      `UPDATE dispatches d
       SET state = $3, check_state = $4, lines_checked = $5, checked_by = coalesce($6, d.checked_by),
         checked_at = CASE WHEN $6::text IS NULL THEN d.checked_at ELSE :now END, version = d.version + 1
       WHERE d.tenant_id = $1 AND d.id = $2`,
      [
        tenant,
        note,
        state === checked && isBack ? returned : state,
        checkOf(on),
        [...lines.values()].filter((ps) => ps.every((p) => p.checked)).length,
        by ?? null,
      ],
    )
    // It has been judged whole: nobody waits to judge it any more.
    if (state !== on[0]!.state) await settle(tx, tenant, { kind: 'dispatch', id: note })
    if (isChecked) await moveLegOf(tx, call, note, { progress: logisticsProgress.code.checked })
  }
  await closeLegs(tx, tenant, order)
}

/** Ways of an order that are over: nothing of them is open, and nothing that hangs on them. */
export async function closeLegs(tx: Tx, tenant: string, order: string): Promise<void> {
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    const closed = await tx.run(
      'dispatch.closelegs',
      `UPDATE logistics g SET status = ${done}, version = g.version + 1
       WHERE g.tenant_id = $1 AND g.order_id = $2 AND g.status = ${waiting}
         AND g.progress = ${logisticsProgress.code.checked}
         AND NOT EXISTS (SELECT 1 FROM logistics k
           WHERE k.tenant_id = $1 AND k.parent_id = g.id AND k.status = ${waiting})`,
      [tenant, order],
    )
    if (!closed.rowCount) break
  }
  await tx.run(
    'dispatch.backlegs',
    `UPDATE logistics g SET status = x.status, version = g.version + 1
     FROM (SELECT c.note_id, CASE WHEN bool_and(p.place = 'back') THEN ${back} ELSE ${partBack} END AS status
       FROM dispatches d
       JOIN carried c ON c.tenant_id = $1 AND c.note_id = d.id
       JOIN pieces p ON p.tenant_id = $1 AND p.id = c.piece_id
       WHERE d.tenant_id = $1 AND d.order_id = $2
       GROUP BY c.note_id
       HAVING bool_or(p.place = 'back')) x
     WHERE g.tenant_id = $1 AND g.order_id = $2 AND g.note_id = x.note_id AND g.type IN (1, 2, 3)
       AND g.status IN (${done}, ${partBack}) AND g.status <> x.status`,
    [tenant, order],
  )
}
