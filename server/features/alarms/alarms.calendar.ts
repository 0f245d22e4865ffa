import { type CalendarLife, movedClocks } from '../../kit/calendar-life.ts'
import { row, timestamptz, uuid } from '../../kit/row.ts'

export const alarmsCalendar: CalendarLife = {
  async changed(tx, call, change) {
    const { tenant } = call.user
    const { rows } = await tx.query(
      'alarms.clocks',
      row({ id: uuid, bc: uuid, due: timestamptz }),
      `SELECT k.id, k.bc_id AS bc, k.due_at AS due
       FROM alarms k
       WHERE k.tenant_id = $1 AND k.bc_id = ANY ($2::uuid[])
         AND k.correction_status IN (1, 2) AND k.due_at > :now
       ORDER BY k.id
       FOR UPDATE`,
      [tenant, change.bcs],
    )
    const [ids, dues] = movedClocks(rows, change)
    if (ids.length)
      await tx.run(
        'alarms.moveclocks',
        `UPDATE alarms k SET due_at = x.due
         FROM unnest($2::uuid[], $3::timestamptz[]) AS x(id, due)
         WHERE k.tenant_id = $1 AND k.id = x.id`,
        [tenant, ids, dues],
      )
  },
}
