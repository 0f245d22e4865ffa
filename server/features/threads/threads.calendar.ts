import type { CalendarLife } from '../../kit/calendar-life.ts'
import { row, timestamptz, uuid } from '../../kit/row.ts'

/** Ends that lie ahead. */
export const threadsCalendar: CalendarLife = {
  async changed(tx, call, { bcs, moved }) {
    const { tenant } = call.user
    const { rows } = await tx.query(
      'threads.clocks',
      row({ site_id: uuid, bc: uuid, due_at: timestamptz, late_at: timestamptz }),
      `SELECT t.site_id, t.bc_id AS bc, t.due_at, t.late_at
       FROM threads t
       WHERE t.tenant_id = $1 AND t.bc_id = ANY ($2::uuid[]) AND t.late_at > :now
       ORDER BY t.site_id
       FOR UPDATE OF t`,
      [tenant, bcs],
    )
    const now = call.now()
    const ahead = (bc: string, end: Date) => (end > now ? moved(bc, end) : end)
    const shifted = rows.map((t) => ({
      site_id: t.site_id,
      due_at: ahead(t.bc, t.due_at),
      late_at: ahead(t.bc, t.late_at),
    }))
    if (shifted.length)
      await tx.run(
        'threads.moveclocks',
        `UPDATE threads t
         SET due_at = x.due_at, late_at = x.late_at
         FROM json_populate_recordset(NULL::threads, $2::json) x
         WHERE t.tenant_id = $1 AND t.site_id = x.site_id`,
        [tenant, JSON.stringify(shifted)],
      )
  },
}
