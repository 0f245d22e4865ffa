import type { ImportDef, ImportState } from '@zhuguan/contract/kit/imports.ts'

import type { Tx } from '../../database/connect.ts'
import { found } from '../../kit/refuse.ts'
import { float8, int4, row, text, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { epoch } from '../../kit/statement.ts'

const STATE = `i.id, i.file_name AS "fileName", ${epoch('i.at')} AS at, i.total, r.unchecked, r.good, r.bad, r.done`
const COUNTED = `CROSS JOIN LATERAL (
    SELECT (count(*) FILTER (WHERE state = 'unchecked'))::int AS unchecked,
      (count(*) FILTER (WHERE state = 'good'))::int AS good,
      (count(*) FILTER (WHERE state = 'bad'))::int AS bad,
      (count(*) FILTER (WHERE state = 'done'))::int AS done
    FROM import_rows r
    WHERE r.tenant_id = i.tenant_id AND r.import_id = i.id) r`
const importState = row<ImportState>({
  id: uuid,
  fileName: text,
  at: float8,
  total: int4,
  unchecked: int4,
  good: int4,
  bad: int4,
  done: int4,
})
export type Who = Pick<Call, 'user'>
export const mine = ({ user }: Who, def: ImportDef) => [user.tenant, user.id, def.permission]

/** An import as far as it has come, of whoever began it. */
export async function stateOf(tx: Tx, call: Who, def: ImportDef, id: string): Promise<ImportState> {
  return found(
    (
      await tx.query(
        'imports.state',
        importState,
        `SELECT ${STATE}
         FROM imports i ${COUNTED}
         WHERE i.tenant_id = $1 AND i.user_id = $2 AND i.kind = $3 AND i.id = $4`,
        [...mine(call, def), id],
      )
    ).rows[0],
  )
}
export async function latest(tx: Tx, call: Who, def: ImportDef): Promise<ImportState | null> {
  return (
    (
      await tx.query(
        'imports.latest',
        importState,
        `SELECT ${STATE}
         FROM imports i ${COUNTED}
         WHERE i.tenant_id = $1 AND i.user_id = $2 AND i.kind = $3
         ORDER BY i.at DESC
         LIMIT 1`,
        mine(call, def),
      )
    ).rows[0] ?? null
  )
}
