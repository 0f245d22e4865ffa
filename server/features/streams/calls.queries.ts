import type { Tx } from '../../database/connect.ts'
import { bool, int4, row, text, uuid } from '../../kit/row.ts'

/** The person who watches over a call says so again within this; else it is ended by whoever finds it. */
const HELD = `interval '20 seconds'`
const AT_ONCE = 50
/** A gateway that is away is asked again after two seconds, then four, at last every five minutes. */
const BACK_OFF = `interval '1 second' * least(300, 2 ^ least(tries + 1, 9))`

/** Written down before the browser gets its answer: from then on there is a picture. */
export const addCall = (tx: Tx, c: { tenant: string; id: string; view: string; place: string }) =>
  tx.run(
    'calls.add',
    `INSERT INTO video_calls (tenant_id, id, view_id, place, begun_at, due_at)
     VALUES ($1, $2, $3, $4, :now, :now + ${HELD})`,
    [c.tenant, c.id, c.view, c.place],
  )
/** They go on. @returns those that nobody else has begun to end */
export async function holdCalls(tx: Tx, tenant: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query(
    'calls.hold',
    row({ id: uuid }),
    `UPDATE video_calls c SET due_at = :now + ${HELD}
     WHERE c.tenant_id = $1 AND c.id = ANY ($2::uuid[]) AND c.tries = 0
     RETURNING c.id`,
    [tenant, ids],
  )
  return rows.map(({ id }) => id)
}
/** Their server ends: whoever comes next ends them at once. */
export const leaveCalls = (tx: Tx, tenant: string, ids: readonly string[]) =>
  tx.run(
    'calls.leave',
    `UPDATE video_calls c SET due_at = :now WHERE c.tenant_id = $1 AND c.id = ANY ($2::uuid[]) AND c.tries = 0`,
    [tenant, ids],
  )
/** The gateway did not answer: it is tried again. */
export const putOff = (tx: Tx, tenant: string, id: string) =>
  tx.run(
    'calls.putoff',
    `UPDATE video_calls c SET tries = tries + 1, due_at = :now + ${BACK_OFF}
     WHERE c.tenant_id = $1 AND c.id = $2`,
    [tenant, id],
  )
/** Those that are to be ended now; each is taken by one server, and tried again later unless it is removed. */
export async function takeCalls(tx: Tx, tenant: string) {
  const { rows } = await tx.query(
    'calls.take',
    row({ id: uuid, place: text, tries: int4, old: bool }),
    `UPDATE video_calls c SET tries = tries + 1, due_at = :now + ${BACK_OFF}
     WHERE c.tenant_id = $1 AND c.id IN (
       SELECT k.id FROM video_calls k
       WHERE k.tenant_id = $1 AND k.due_at <= :now
       ORDER BY k.due_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)
     RETURNING c.id, c.place, c.tries, c.begun_at < :now - interval '2 days' AS old`,
    [tenant],
  )
  return rows
}
export const removeCall = (tx: Tx, tenant: string, id: string) =>
  tx.run('calls.remove', 'DELETE FROM video_calls c WHERE c.tenant_id = $1 AND c.id = $2', [tenant, id])

export async function allTenants(tx: Tx): Promise<string[]> {
  const { rows } = await tx.query('calls.tenants', row({ id: uuid }), 'SELECT t.id FROM tenants t', [])
  return rows.map(({ id }) => id)
}
