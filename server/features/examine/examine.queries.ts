import type { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import {
  type ExamineDetail,
  type ExamineKind,
  examineKind,
  type ExamineRow,
  examineState,
} from '@zhuguan/contract/features/examine/examine.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { bool, float8, int2, int4, row, type RowOf, text, uuid } from '../../kit/row.ts'
import { scopedStores } from '../../kit/scoped.ts'
import type { SessionUser } from '../../kit/serve.ts'
import { contains, epoch, type PageOf, type Where } from '../../kit/statement.ts'
import { readBy } from './reading.ts'

const { waiting } = examineState.code

const COLUMNS = `x.id, x.kind, x.object_id, x.version_id,
     coalesce(x.of_id, x.object_id) AS of_id, x.bc_id, c.bc_name, x.store_id, x.number, x.round, x.summary,
     x.amount::text AS amount, x.change, x.hash, x.state AS "examineState", x.submitted_by,
     coalesce(u.nickname, '') AS submitter, ${epoch('x.submitted_at')} AS "submittedAt",
     ${epoch('x.due_at')} AS "dueAt",
     coalesce(j.nickname, '') AS judge, ${epoch('x.judged_at')} AS "judgedAt", x.reason, x.version`
const JOINS = `JOIN companies c ON c.tenant_id = $1 AND c.bc_id = x.bc_id
   LEFT JOIN users u ON u.tenant_id = $1 AND u.id = x.submitted_by
   LEFT JOIN users j ON j.tenant_id = $1 AND j.id = x.judged_by`
const OPEN = `x.state = ${waiting} AND x.withdrawn_at IS NULL`

/** What a person has to judge: it waits, and was not submitted by them. */
export const todoOf = (where: Where, user: string): Where =>
  where.plain(OPEN).add((p) => `x.submitted_by <> ${p}::uuid`, user)

/** What was taken back is in nobody's queue. `judging`: where the caller may judge, if anywhere. */
export function examinePage(
  scope: Scope,
  q: QueryOf<(typeof examineApi)['list']>,
  todo: { user: SessionUser; judging: Scope | undefined },
): PageOf {
  const where = readBy(scopedStores((q.todo && todo.judging) || scope, 'x'), todo.user)
    .when(q.id, (p) => `x.id = ${p}::uuid`)
    .when(q.ids, (p) => `x.id = ANY(${p}::uuid[])`)
    .when(q.object_id, (p) => `x.object_id = ${p}::uuid`)
    .when(q.kind, (p) => `x.kind = ANY(${p}::text[])`)
    .when(q.examineState, (p) => `x.state = ANY(${p}::smallint[])`)
    .when(q.bc_id, (p) => `x.bc_id = ANY(${p}::uuid[])`)
    .when(q.keyword || undefined, (p) => `(x.number ILIKE ${p} OR x.summary ILIKE ${p})`, contains)
    .plain('x.withdrawn_at IS NULL')
    .plain(q.overdue !== undefined && `(${OPEN} AND x.due_at < :now) = ${q.overdue}`)
    .plain(q.todo && !todo.judging && 'false')
  return {
    name: 'examine.page',
    columns: COLUMNS,
    base: 'examine_requests x',
    joins: JOINS,
    where: q.todo ? todoOf(where, todo.user.id) : where,
    sort: q.sort,
    otherwise: [`CASE WHEN x.state = ${waiting} THEN x.due_at END ASC`, 'x.submitted_at DESC'],
    tie: 'x.id DESC',
    sortable: { submittedAt: 'x.submitted_at', amount: 'x.amount', dueAt: 'x.due_at', kind: 'x.kind' },
    filled: ['submittedAt', 'dueAt', 'kind'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

const examineRow = {
  id: uuid,
  kind: text.of(examineKind),
  object_id: uuid,
  version_id: uuid.null,
  of_id: uuid,
  bc_id: uuid,
  bc_name: text,
  store_id: uuid.null,
  number: text,
  round: int4,
  summary: text,
  amount: text.null,
  change: text,
  hash: text,
  examineState: int2.of(examineState),
  submitted_by: uuid,
  submitter: text,
  submittedAt: float8,
  dueAt: float8,
  judge: text,
  judgedAt: float8.null,
  reason: text,
  version: int4,
} as const
/** A request in reach, with whether it was taken back. */
const found = row({ ...examineRow, withdrawn: bool })
export type FoundExamine = RowOf<typeof found>
async function read(name: string, tx: Tx, where: Where, more = ''): Promise<FoundExamine | undefined> {
  const { rows } = await tx.query(
    name,
    found,
    `SELECT ${COLUMNS}, x.withdrawn_at IS NOT NULL AS withdrawn
     FROM examine_requests x ${JOINS}
     WHERE ${where.text} ${more}`,
    where.values,
  )
  return rows[0]
}
const byId = (scope: Scope, id: string): Where => scopedStores(scope, 'x').add((p) => `x.id = ${p}::uuid`, id)
export const findExamine = (tx: Tx, scope: Scope, id: string) => read('examine.one', tx, byId(scope, id))
export const lockExamine = (tx: Tx, scope: Scope, id: string) =>
  read('examine.lock', tx, byId(scope, id), 'FOR UPDATE OF x')
/** The last that was submitted of something; its row is locked. */
export const lockLast = (tx: Tx, scope: Scope, kind: ExamineKind, object: string) =>
  read(
    'examine.last',
    tx,
    scopedStores(scope, 'x')
      .add((p) => `x.kind = ${p}`, kind)
      .add((p) => `x.object_id = ${p}::uuid`, object),
    'ORDER BY x.round DESC LIMIT 1 FOR UPDATE OF x',
  )

/** Submissions of the same thing before, the newest first, and the time when this person opened it. */
export async function earlierOf(
  tx: Tx,
  { tenant, user }: { tenant: string; user: string },
  of: Pick<ExamineRow, 'kind' | 'object_id' | 'round'>,
): Promise<ExamineDetail['earlier']> {
  const { rows } = await tx.query(
    'examine.earlier',
    row<ExamineDetail['earlier'][number]>({
      id: uuid,
      version_id: uuid.null,
      round: int4,
      amount: text.null,
      examineState: int2.of(examineState),
      submitter: text,
      submittedAt: float8,
      judge: text,
      judgedAt: float8.null,
      reason: text,
      withdrawn: bool,
      seenAt: float8.null,
    }),
    `SELECT x.id, x.version_id, x.round, x.amount::text AS amount, x.state AS "examineState",
       coalesce(u.nickname, '') AS submitter, ${epoch('x.submitted_at')} AS "submittedAt",
       coalesce(j.nickname, '') AS judge, ${epoch('x.judged_at')} AS "judgedAt", x.reason,
       x.withdrawn_at IS NOT NULL AS withdrawn, ${epoch('s.at')} AS "seenAt"
     FROM examine_requests x
     LEFT JOIN users u ON u.tenant_id = $1 AND u.id = x.submitted_by
     LEFT JOIN users j ON j.tenant_id = $1 AND j.id = x.judged_by
     LEFT JOIN examine_views s ON s.tenant_id = $1 AND s.request_id = x.id AND s.user_id = $2
     WHERE x.tenant_id = $1 AND x.kind = $3 AND x.object_id = $4 AND x.round < $5
     ORDER BY x.round DESC`,
    [tenant, user, of.kind, of.object_id, of.round],
  )
  return rows
}
export const noteSeen = (tx: Tx, tenant: string, request: string, user: string): void =>
  tx.send(
    'examine.seen',
    `INSERT INTO examine_views (tenant_id, request_id, user_id, at) VALUES ($1, $2, $3, :now)
     ON CONFLICT (tenant_id, request_id, user_id) DO UPDATE SET at = excluded.at`,
    [tenant, request, user],
  )

/** The request that somebody submits. */
export interface Asked {
  kind: ExamineKind
  object_id: string
  version_id?: string | null
  /** The record on whose page it is read, where it has no page of its own. */
  of_id?: string
  bc_id: string
  store_id: string | null
  number: string
  summary: string
  amount: string | null
  /** Against what was submitted before, in words. */
  change?: string
  /** Of what is submitted: it is judged by nobody who has seen something else. */
  hash: string
  /** Somebody else answers first: who judges hears from whoever submits it. */
  later?: true
}
interface Added extends Asked {
  tenant: string
  id: string
  round: number
  by: string
  dueAt: Date
}
export const addExamine = (tx: Tx, a: Added) =>
  tx.run(
    'examine.add',
    `INSERT INTO examine_requests (tenant_id, id, bc_id, store_id, kind, object_id, version_id, number, round, summary,
       amount, change, hash, submitted_by, submitted_at, due_at, of_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, :now, $15, $16)`,
    [
      a.tenant,
      a.id,
      a.bc_id,
      a.store_id,
      a.kind,
      a.object_id,
      a.version_id ?? null,
      a.number,
      a.round,
      a.summary,
      a.amount,
      a.change ?? '',
      a.hash,
      a.by,
      a.dueAt,
      a.of_id ?? null,
    ],
  )
export const withdraw = (tx: Tx, tenant: string, id: string) =>
  tx.run(
    'examine.withdraw',
    `UPDATE examine_requests SET withdrawn_at = :now, version = version + 1 WHERE tenant_id = $1 AND id = $2`,
    [tenant, id],
  )
export const judgeExamine = (
  tx: Tx,
  j: { tenant: string; id: string; to: number; by: string; reason: string },
) =>
  tx.run(
    'examine.judge',
    `UPDATE examine_requests
     SET state = $3, judged_by = $4, judged_at = :now, reason = $5, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [j.tenant, j.id, j.to, j.by, j.reason],
  )
