import { linkKind } from '@zhuguan/contract/features/links/links.record.ts'

import type { Due } from '../../kit/due.ts'
import { claimed } from '../../kit/needed.ts'
import { int4, row } from '../../kit/row.ts'

const PIECE = 5_000
const { driver, owner } = linkKind.code
const OVER = `p.tenant_id = $1 AND p.at < $3
  AND NOT EXISTS (SELECT 1 FROM dispatches n
    WHERE n.tenant_id = $1 AND l.kind = '${driver}' AND (n.id = l.target_id OR n.trip_id = l.target_id)
      AND ${claimed('n.site_id')})
  AND NOT EXISTS (SELECT 1 FROM home_contacts c
    WHERE c.tenant_id = $1 AND l.kind = '${owner}' AND c.id = l.target_id AND ${claimed('c.site_id')})`
const OF = `FROM link_openings p
  JOIN links l ON l.tenant_id = $1 AND l.id = p.link_id AND l.bc_id = $2
  WHERE ${OVER}`

/** When whose telephone opened what goes after the days of its branch; how often a link was opened stays on it. */
export const openingDays: Due = {
  async count(tx, { tenant, bc, before }, most) {
    const { rows } = await tx.query(
      'links.oldopenings',
      row({ n: int4 }),
      `SELECT count(*)::int AS n FROM (SELECT 1 ${OF} LIMIT $4) k`,
      [tenant, bc, before, most],
    )
    return rows[0]!.n
  },
  async forget(tx, { tenant, bc, before }) {
    const { rowCount } = await tx.run(
      'links.forget',
      `DELETE FROM link_openings k
       WHERE k.tenant_id = $1 AND k.id IN (SELECT p.id ${OF} ORDER BY p.at LIMIT ${PIECE})`,
      [tenant, bc, before],
    )
    const removed = rowCount ?? 0
    return { removed, more: removed === PIECE }
  },
}
