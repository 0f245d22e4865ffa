import { examineKind } from '@zhuguan/contract/features/examine/examine.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { bool, float8, int4, row, type RowOf, text, uuid } from '../../kit/row.ts'
import { scopedStores } from '../../kit/scoped.ts'
import type { SessionUser } from '../../kit/serve.ts'
import { epoch } from '../../kit/statement.ts'
import { todoOf } from './examine.queries.ts'
import { readBy } from './reading.ts'

/** Anybody who may judge, and where. */
export interface Judge {
  user: SessionUser
  scope: Scope
}

/** The number that waited for this person at each of these moments, and now; late ones apart. */
export async function waitedFor(tx: Tx, { user, scope }: Judge, moments: readonly Date[]) {
  const where = readBy(scopedStores(scope, 'x'), user).add((p) => `x.submitted_by <> ${p}::uuid`, user.id)
  const list = `$${where.values.length + 1}::timestamptz[]`
  const { rows } = await tx.query(
    'examine.waited',
    row({ n: int4, late: int4 }),
    `SELECT count(x.id)::int AS n, (count(x.id) FILTER (WHERE x.due_at < t.at))::int AS late
     FROM unnest(${list} || :now) WITH ORDINALITY AS t(at, place)
     LEFT JOIN examine_requests x ON x.submitted_at <= t.at
       AND coalesce(x.judged_at, x.withdrawn_at, 'infinity'::timestamptz) > t.at AND ${where.text}
     GROUP BY t.place
     ORDER BY t.place`,
    [...where.values, moments],
  )
  return { before: rows.slice(0, -1).map((r) => r.n), now: rows.at(-1)!.n, late: rows.at(-1)!.late }
}

const waitingRow = row({
  id: uuid,
  kind: text.of(examineKind),
  number: text,
  summary: text,
  submitter: text,
  at: float8,
  late: bool,
})
/** The first of what waits for this person, as the list has them: whose time is over first. */
export async function firstToJudge(
  tx: Tx,
  { user, scope }: Judge,
  most: number,
): Promise<RowOf<typeof waitingRow>[]> {
  const where = todoOf(readBy(scopedStores(scope, 'x'), user), user.id)
  const { rows } = await tx.query(
    'examine.first',
    waitingRow,
    `SELECT x.id, x.kind, x.number, x.summary, coalesce(u.nickname, '') AS submitter, ${epoch('x.due_at')} AS at,
       x.due_at < :now AS late
     FROM examine_requests x
     LEFT JOIN users u ON u.tenant_id = $1 AND u.id = x.submitted_by
     WHERE ${where.text}
     ORDER BY x.due_at, x.submitted_at DESC, x.id DESC
     LIMIT ${Math.trunc(most)}`,
    where.values,
  )
  return rows
}
