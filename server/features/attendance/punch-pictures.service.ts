import { violationStatus } from '@zhuguan/contract/features/violations/violations.record.ts'

import type { Due } from '../../kit/due.ts'
import { needed } from '../../kit/needed.ts'
import { int4, row, text } from '../../kit/row.ts'
import type { FileStore } from '../files/files.service.ts'
import { dropForgotten } from '../files/loose-pictures.service.ts'

const PIECE = 500
const OVER = `e.tenant_id = $1 AND e.bc_id = $2 AND e.at < $3 AND e.picture IS NOT NULL AND NOT ${needed('e')}
  AND NOT EXISTS (SELECT 1 FROM violations o
    WHERE o.tenant_id = $1 AND o.worker_id = e.worker_id AND o.status = ${violationStatus.code.objected})`

/** The face that clocked in goes after the days of its branch; that somebody clocked in, and when, stays. */
export const punchPictures = (files: FileStore): Due => ({
  async count(tx, { tenant, bc, before }, most) {
    const { rows } = await tx.query(
      'attendance.pictures',
      row({ n: int4 }),
      `SELECT count(*)::int AS n FROM (SELECT 1 FROM attendance_events e WHERE ${OVER} LIMIT $4) k`,
      [tenant, bc, before, most],
    )
    return rows[0]!.n
  },
  async forget(tx, { tenant, bc, before }) {
    const { rows } = await tx.query(
      'attendance.forget',
      row({ picture: text }),
      `UPDATE attendance_events k
       SET picture = NULL
       FROM (SELECT e.id, e.worker_id, e.at, e.picture FROM attendance_events e WHERE ${OVER}
         ORDER BY e.at LIMIT ${PIECE} FOR UPDATE OF e) x
       WHERE k.tenant_id = $1 AND k.worker_id = x.worker_id AND k.at = x.at AND k.id = x.id
       RETURNING x.picture`,
      [tenant, bc, before],
    )
    if (rows.length === 0) return { removed: 0, more: false }
    await dropForgotten(tx, files, tenant, [...new Set(rows.map((e) => e.picture))])
    return { removed: rows.length, more: rows.length === PIECE }
  },
})
