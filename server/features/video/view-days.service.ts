import type { Due } from '../../kit/due.ts'
import { claimed } from '../../kit/needed.ts'
import { int4, row } from '../../kit/row.ts'

const PIECE = 5_000
const OVER = `v.tenant_id = $1 AND v.bc_id = $2 AND v.at < $3 AND NOT ${claimed('v.site_id')}`

/** The person who looked at what goes after the days of its branch, staff's looks and those of the home. */
export const viewDays: Due = {
  async count(tx, { tenant, bc, before }, most) {
    const { rows } = await tx.query(
      'video.old',
      row({ n: int4 }),
      `SELECT count(*)::int AS n FROM (SELECT 1 FROM video_views v WHERE ${OVER} LIMIT $4) k`,
      [tenant, bc, before, most],
    )
    return rows[0]!.n
  },
  async forget(tx, { tenant, bc, before }) {
    const { rowCount } = await tx.run(
      'video.forget',
      `DELETE FROM video_views k
       WHERE k.tenant_id = $1 AND k.id IN (SELECT v.id FROM video_views v WHERE ${OVER} ORDER BY v.at LIMIT ${PIECE})`,
      [tenant, bc, before],
    )
    const removed = rowCount ?? 0
    return { removed, more: removed === PIECE }
  },
}
