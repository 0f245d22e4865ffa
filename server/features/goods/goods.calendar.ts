import { type CalendarLife, movedClocks } from '../../kit/calendar-life.ts'
import { row, timestamptz, uuid } from '../../kit/row.ts'

export const goodsCalendar: CalendarLife = {
  async changed(tx, call, change) {
    const { tenant } = call.user
    const { rows } = await tx.query(
      'goods.clocks',
      row({ id: uuid, bc: uuid, due: timestamptz }),
      `SELECT k.id, k.bc_id AS bc, k.answer_due AS due
       FROM goods_changes k
       WHERE k.tenant_id = $1 AND k.bc_id = ANY ($2::uuid[])
         AND k.answer = '' AND k.examine_state = 0 AND k.answer_due > :now
       ORDER BY k.id
       FOR UPDATE`,
      [tenant, change.bcs],
    )
    const [ids, dues] = movedClocks(rows, change)
    if (ids.length)
      await tx.run(
        'goods.moveclocks',
        `UPDATE goods_changes k SET answer_due = x.due
         FROM unnest($2::uuid[], $3::timestamptz[]) AS x(id, due)
         WHERE k.tenant_id = $1 AND k.id = x.id`,
        [tenant, ids, dues],
      )
  },
}
