import { type CalendarLife, movedClocks } from '../../kit/calendar-life.ts'
import { row, timestamptz, uuid } from '../../kit/row.ts'

export const examineCalendar: CalendarLife = {
  async changed(tx, call, change) {
    const { tenant } = call.user
    const { rows } = await tx.query(
      'examine.clocks',
      row({ id: uuid, bc: uuid, due: timestamptz }),
      `SELECT k.id, k.bc_id AS bc, k.due_at AS due
       FROM examine_requests k
       WHERE k.tenant_id = $1 AND k.bc_id = ANY ($2::uuid[])
         AND k.state = 0 AND k.withdrawn_at IS NULL AND k.due_at > :now
       ORDER BY k.id
       FOR UPDATE`,
      [tenant, change.bcs],
    )
    const [ids, dues] = movedClocks(rows, change)
    if (ids.length)
      await tx.run(
        'examine.moveclocks',
        `UPDATE examine_requests k SET due_at = x.due
         FROM unnest($2::uuid[], $3::timestamptz[]) AS x(id, due)
         WHERE k.tenant_id = $1 AND k.id = x.id`,
        [tenant, ids, dues],
      )
  },
}
