import type { Tx } from '../../database/connect.ts'
import { int2, row, uuid } from '../../kit/row.ts'

export const addSupervisors = (
  tx: Tx,
  s: { tenant: string; feedback: string; people: readonly string[]; rung: number },
) =>
  tx.run(
    'feedback.supervise',
    `INSERT INTO feedback_supervisors (tenant_id, feedback_id, user_id, rung, at)
     SELECT $1, $2, x.id, $4, :now
     FROM unnest($3::uuid[]) AS x(id)
     ON CONFLICT DO NOTHING`,
    [s.tenant, s.feedback, s.people, s.rung],
  )
export async function supervisorsOf(tx: Tx, tenant: string, id: string) {
  const { rows } = await tx.query(
    'feedback.followers',
    row({ id: uuid, rung: int2 }),
    `SELECT v.user_id AS id, v.rung
     FROM feedback_supervisors v
     WHERE v.tenant_id = $1 AND v.feedback_id = $2
     ORDER BY v.user_id`,
    [tenant, id],
  )
  return rows
}
