import { feedbackStatus } from '@zhuguan/contract/features/feedback/feedback.record.ts'
import { promiseState } from '@zhuguan/contract/features/promises/promises.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'

import type { Due, Overdue } from '../../kit/due.ts'
import { claimed } from '../../kit/needed.ts'
import { int4, row, texts, uuid } from '../../kit/row.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import type { Tx } from '../../kit/tx.ts'
import type { FileStore } from '../files/files.service.ts'
import { dropForgotten } from '../files/loose-pictures.service.ts'

const PIECE = 500
const { finished, terminated } = siteStatus.code
const { handling, open } = feedbackStatus.code
const { extended, open: due } = promiseState.code
/** A home that ended before $3, with nothing of what was said there still running. */
const HOME = `w.tenant_id = $1 AND w.bc_id = $2 AND (w.status = ${finished} AND w.actual_finish < $3::date
    OR w.status = ${terminated} AND (w.terminated_at AT TIME ZONE 'Asia/Shanghai')::date < $3::date)
  AND NOT ${claimed('w.id')}
  AND NOT EXISTS (SELECT 1 FROM feedback o
    WHERE o.tenant_id = $1 AND o.site_id = w.id AND o.status IN (${open}, ${handling}))
  AND NOT EXISTS (SELECT 1 FROM promises o
    WHERE o.tenant_id = $1 AND o.site_id = w.id AND o.state IN ('${due}', '${extended}'))`
/** What became a record stays as long as that does: it is where the record comes from. */
const OVER = `m.tenant_id = $1 AND NOT EXISTS (SELECT 1 FROM thread_outcomes x
    WHERE x.tenant_id = $1 AND x.message_id = m.id)`
const OF = `FROM sites w
  JOIN thread_messages m ON m.tenant_id = $1 AND m.site_id = w.id
  WHERE ${HOME} AND ${OVER}`
const values = ({ tenant, bc, before }: Overdue) => [tenant, bc, shanghaiDay(before)]

/** Of homes without a word left nobody asks who read how far, and nobody waits. */
async function closeThreads(tx: Tx, of: Overdue): Promise<void> {
  const { rows } = await tx.query(
    'threads.empty',
    row({ id: uuid }),
    `SELECT w.id
     FROM sites w
     JOIN threads t ON t.tenant_id = $1 AND t.site_id = w.id
     WHERE ${HOME} AND NOT EXISTS (SELECT 1 FROM thread_messages m WHERE m.tenant_id = $1 AND m.site_id = w.id)
     LIMIT ${PIECE}`,
    values(of),
  )
  const sites = rows.map((w) => w.id)
  if (sites.length === 0) return
  await tx.run(
    'threads.forgetreads',
    'DELETE FROM thread_reads r WHERE r.tenant_id = $1 AND r.site_id = ANY ($2)',
    [of.tenant, sites],
  )
  await tx.run(
    'threads.forgetthread',
    'DELETE FROM threads t WHERE t.tenant_id = $1 AND t.site_id = ANY ($2)',
    [of.tenant, sites],
  )
}

/** What a home and we said to each other goes with its pictures, so many days after the works ended. */
export const threadDays = (files: FileStore): Due => ({
  async count(tx, of, most) {
    const { rows } = await tx.query(
      'threads.old',
      row({ n: int4 }),
      `SELECT count(*)::int AS n FROM (SELECT 1 ${OF} LIMIT $4) k`,
      [...values(of), most],
    )
    return rows[0]!.n
  },
  async forget(tx, of) {
    const { rows } = await tx.query(
      'threads.forget',
      row({ id: uuid, pictures: texts }),
      `DELETE FROM thread_messages k
       WHERE k.tenant_id = $1 AND k.id IN (SELECT m.id ${OF} ORDER BY m.site_id, m.seq LIMIT ${PIECE})
       RETURNING k.id, k.pictures`,
      values(of),
    )
    const pictures = [...new Set(rows.flatMap((m) => m.pictures))]
    if (pictures.length) await dropForgotten(tx, files, of.tenant, pictures)
    if (rows.length < PIECE) await closeThreads(tx, of)
    return { removed: rows.length, more: rows.length === PIECE }
  },
})
