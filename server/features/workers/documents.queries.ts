import {
  documentKind,
  type DocumentRow,
  documentState,
} from '@zhuguan/contract/features/workers/documents.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { float8, int4, row, text, uuid, type RowOf } from '../../kit/row.ts'
import { epoch } from '../../kit/statement.ts'
import { stateOn } from './documents.reads.ts'
import { workerScope } from './workers.reads.ts'

/** The ends of a number, nothing of a short one. */
const HIDDEN = `CASE WHEN length(d.number) > 8 THEN left(d.number, 3) ELSE '' END || '****' ||
  right(d.number, CASE WHEN length(d.number) > 8 THEN 4 ELSE 2 END)`

/** The documents of a worker inside the reach; pictures only for who may see them. */
export async function documentsOf(
  tx: Tx,
  scope: Scope,
  q: { worker_id: string; today: string; pictures: boolean },
): Promise<DocumentRow[]> {
  const where = workerScope(scope).add((p) => `k.id = ${p}::uuid`, q.worker_id)
  const today = `$${where.values.push(q.today)}`
  const { rows } = await tx.query(
    'documents.list',
    row<DocumentRow>({
      id: uuid,
      kind: text.of(documentKind),
      number: text,
      picture: text.null,
      validUntil: text.null,
      state: int4.of(documentState),
      addedBy: text,
      addedAt: float8,
      version: int4,
    }),
    `SELECT d.id, d.kind, ${HIDDEN} AS number, ${q.pictures ? 'd.picture' : 'NULL::text'} AS picture,
       d.valid_until::text AS "validUntil", ${stateOn(today)} AS state, d.added_by AS "addedBy",
       ${epoch('d.added_at')} AS "addedAt", d.version
     FROM workers k
     JOIN worker_documents d ON d.tenant_id = $1 AND d.worker_id = k.id
     WHERE ${where.text}
     ORDER BY state DESC, d.kind, d.id`,
    where.values,
  )
  return rows
}

const lockedDocument = row({
  id: uuid,
  worker_id: uuid,
  bc_id: uuid,
  w_name: text,
  kind: text.of(documentKind),
  number: text,
  picture: text.null,
  validUntil: text.null,
  version: int4,
})
export type LockedDocument = RowOf<typeof lockedDocument>
/** A document of a worker inside the reach, locked with its worker until the transaction ends. */
export async function lockDocument(tx: Tx, scope: Scope, id: string): Promise<LockedDocument | undefined> {
  const where = workerScope(scope).add((p) => `d.id = ${p}::uuid`, id)
  return (
    await tx.query(
      'documents.lock',
      lockedDocument,
      `SELECT d.id, d.worker_id, k.bc_id, k.w_name, d.kind, d.number, d.picture, d.valid_until::text AS "validUntil",
         d.version
       FROM workers k
       JOIN worker_documents d ON d.tenant_id = $1 AND d.worker_id = k.id
       WHERE ${where.text}
       FOR UPDATE`,
      where.values,
    )
  ).rows[0]
}
