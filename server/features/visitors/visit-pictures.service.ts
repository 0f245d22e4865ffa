import type { Due } from '../../kit/due.ts'
import { needed } from '../../kit/needed.ts'
import { int4, row, text, timestamptz, uuid } from '../../kit/row.ts'
import type { FileStore } from '../files/files.service.ts'
import { dropForgotten } from '../files/loose-pictures.service.ts'
import { forgetLinePictures } from '../live/live.service.ts'

const PIECE = 500
const OVER = `v.tenant_id = $1 AND v.bc_id = $2 AND v.at < $3 AND v.picture IS NOT NULL AND NOT ${needed('v')}`

/** Pictures of strangers go after the days of their branch; that somebody was there, when and how long, stays. */
export const visitPictures = (files: FileStore): Due => ({
  async count(tx, { tenant, bc, before }, most) {
    const { rows } = await tx.query(
      'visits.pictures',
      row({ n: int4 }),
      `SELECT count(*)::int AS n FROM (SELECT 1 FROM visits v WHERE ${OVER} LIMIT $4) k`,
      [tenant, bc, before, most],
    )
    return rows[0]!.n
  },
  async forget(tx, { tenant, bc, before }) {
    const { rows } = await tx.query(
      'visits.forget',
      row({ id: uuid, site_id: uuid, at: timestamptz, picture: text }),
      `UPDATE visits k
       SET picture = NULL
       FROM (SELECT v.id, v.picture FROM visits v WHERE ${OVER} ORDER BY v.at LIMIT ${PIECE} FOR UPDATE OF v) x
       WHERE k.tenant_id = $1 AND k.id = x.id
       RETURNING k.id, k.site_id, k.at, x.picture`,
      [tenant, bc, before],
    )
    if (rows.length === 0) return { removed: 0, more: false }
    await forgetLinePictures(tx, tenant, rows)
    await dropForgotten(tx, files, tenant, [...new Set(rows.map((v) => v.picture))])
    return { removed: rows.length, more: rows.length === PIECE }
  },
})
