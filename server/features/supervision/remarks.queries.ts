import { KEPT_DAYS } from '@zhuguan/contract/features/keeping/keeping.record.ts'
import { figure, type Remark } from '@zhuguan/contract/features/supervision/supervision.record.ts'

import type { Tx } from '../../database/connect.ts'
import { float8, int4, row, text, uuid } from '../../kit/row.ts'
import { epoch, TODAY } from '../../kit/statement.ts'
import type { Asked } from './supervision.queries.ts'

const remarkRow = row<Remark>({
  id: uuid,
  figure: text.of(figure),
  from: text,
  to: text,
  words: text,
  at: float8,
  version: int4,
})
const REMARK = `k.id, k.figure, k.from_day::text AS "from", k.to_day::text AS "to", k.words, ${epoch('k.at')} AS at,
     k.version`
/** Somebody's remarks to figures of days that are among these, the newest first. */
export async function remarksOf(tx: Tx, a: Asked, person: string): Promise<Remark[]> {
  const { rows } = await tx.query(
    'supervision.remarks',
    remarkRow,
    `SELECT ${REMARK}
     FROM supervision_remarks k
     WHERE k.tenant_id = $1 AND k.bc_id = $2 AND k.user_id = $5 AND k.to_day >= $3::date AND k.from_day <= $4::date
     ORDER BY k.at DESC, k.id
     LIMIT 100`,
    [a.tenant, a.bc, a.from, a.to, person],
  )
  return rows
}
/** One of somebody's own, locked until the transaction ends. */
export async function lockRemark(tx: Tx, tenant: string, person: string, id: string) {
  const { rows } = await tx.query(
    'supervision.remark',
    row({ ...remarkRow, bc_id: uuid }),
    `SELECT ${REMARK}, k.bc_id
     FROM supervision_remarks k
     WHERE k.tenant_id = $1 AND k.user_id = $2 AND k.id = $3
     FOR UPDATE OF k`,
    [tenant, person, id],
  )
  return rows[0]
}
export const addRemark = (
  tx: Tx,
  tenant: string,
  r: { id: string; bc: string; person: string; figure: string; from: string; to: string; words: string },
) =>
  tx.run(
    'supervision.say',
    `INSERT INTO supervision_remarks (tenant_id, id, bc_id, user_id, figure, from_day, to_day, words, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, :now)`,
    [tenant, r.id, r.bc, r.person, r.figure, r.from, r.to, r.words],
  )
export const dropRemark = (tx: Tx, tenant: string, id: string) =>
  tx.run('supervision.unsay', 'DELETE FROM supervision_remarks k WHERE k.tenant_id = $1 AND k.id = $2', [
    tenant,
    id,
  ])

/** What was said of days that long ago says nothing to anybody. */
export const forgetRemarks = (tx: Tx, tenant: string) =>
  tx.run(
    'supervision.forget',
    `DELETE FROM supervision_remarks k WHERE k.tenant_id = $1 AND k.to_day < ${TODAY} - ${KEPT_DAYS.remarks}`,
    [tenant],
  )
