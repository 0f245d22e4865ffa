import { feedbackLevel } from '@zhuguan/contract/features/feedback/feedback.record.ts'

import type { CalendarLife } from '../../kit/calendar-life.ts'
import { row, timestamptz, uuid } from '../../kit/row.ts'
import { OPEN } from './feedback.reads.ts'

const CLOCKS = ['answer_warn_at', 'answer_due_at', 'close_warn_at', 'close_due_at'] as const

/** Ends that lie ahead. What is urgent runs day and night, and what stands still goes on by what is left of it. */
export const feedbackCalendar: CalendarLife = {
  async changed(tx, call, { bcs, moved }) {
    const { tenant } = call.user
    const { rows } = await tx.query(
      'feedback.clocks',
      row({
        id: uuid,
        bc: uuid,
        answer_warn_at: timestamptz,
        answer_due_at: timestamptz,
        close_warn_at: timestamptz.null,
        close_due_at: timestamptz.null,
      }),
      `SELECT f.id, f.bc_id AS bc, ${CLOCKS.map((c) => `f.${c}`).join(', ')}
       FROM feedback f
       WHERE f.tenant_id = $1 AND f.bc_id = ANY ($2::uuid[]) AND ${OPEN}
         AND f.level < ${feedbackLevel.code.urgent} AND f.paused_at IS NULL
       ORDER BY f.id
       FOR UPDATE OF f`,
      [tenant, bcs],
    )
    const now = call.now()
    const shifted = rows.map((f) => ({
      id: f.id,
      ...Object.fromEntries(CLOCKS.map((c) => [c, f[c] && f[c] > now ? moved(f.bc, f[c]) : f[c]])),
    }))
    if (shifted.length)
      await tx.run(
        'feedback.moveclocks',
        `UPDATE feedback f
         SET ${CLOCKS.map((c) => `${c} = x.${c}`).join(', ')}
         FROM json_populate_recordset(NULL::feedback, $2::json) x
         WHERE f.tenant_id = $1 AND f.id = x.id`,
        [tenant, JSON.stringify(shifted)],
      )
  },
}
