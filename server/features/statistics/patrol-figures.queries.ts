import { patrolKind, patrolStatus } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { rankReason } from '@zhuguan/contract/features/rankings/rankings.record.ts'
import type { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { int4, row, text } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { type PageOf, settled, type Where } from '../../kit/statement.ts'
import { FOUND, LISTED } from '../patrols/yields.reads.ts'
import { between, keptIn, type Span } from './span.ts'
import { coverageOf, latenessOf, type Source, taskRows } from './task-figures.queries.ts'

type Filters = QueryOf<(typeof statisticsApi)['patrols']>
type People = QueryOf<(typeof statisticsApi)['patrolPeople']>

const { submitted } = patrolStatus.code

/** Rows `k` of what was handed in by day, branch, kind and person; of single sites their patrols are asked. */
function patrolDays(scope: Scope, span: Span, q: Filters): Source {
  const ofKind = (where: Where, alias: string) =>
    where
      .when(q.bc_id, (p) => `${alias}.bc_id = ANY(${p}::uuid[])`)
      .when(q.kind, (p) => `${alias}.kind = ANY(${p}::text[])`)
  if (!scope.sites)
    return {
      from: 'patrol_days k',
      where: ofKind(keptIn(scoped(scope, 'k'), span), 'k'),
    }
  const where = ofKind(patrolsIn(scope, span), 'p')
  return {
    from: `(SELECT p.kind, p.inspector_id, 1 AS made, (${FOUND})::int AS found, p.problems
      FROM patrols p
      WHERE ${where.text}) k`,
    where: settled(where),
  }
}
/** Patrols `p` handed in in the span. */
const patrolsIn = (scope: Scope, span: Span): Where =>
  between(scoped(scope, 'p').plain(`p.status = ${submitted}`), span, 'p.submitted_at')
const MADE = 'sum(k.made)::int AS made, sum(k.found)::int AS found, sum(k.problems)::int AS problems'

async function kindsOf(tx: Tx, scope: Scope, span: Span, q: Filters) {
  const { from, where } = patrolDays(scope, span, q)
  const { rows } = await tx.query(
    'statistics.patrolkinds',
    row({ kind: text.of(patrolKind), made: int4, found: int4, problems: int4 }),
    `SELECT k.kind, ${MADE}
     FROM ${from}
     WHERE ${where.text}
     GROUP BY k.kind
     HAVING sum(k.made) > 0
     ORDER BY k.kind`,
    where.values,
  )
  return rows
}
export function peoplePage(
  scope: Scope,
  span: Span,
  q: Filters & Pick<People, 'pageNo' | 'pageSize' | 'sort'>,
): PageOf {
  const { from, where } = patrolDays(scope, span, q)
  return {
    name: 'statistics.patrolpeople',
    columns: `g.inspector_id AS id, coalesce(u.nickname, '') AS name, g.made, g.found, g.problems`,
    base: `(SELECT k.inspector_id, ${MADE} FROM ${from} WHERE ${where.text} GROUP BY 1 HAVING sum(k.made) > 0) g`,
    alias: 'g',
    joins: 'LEFT JOIN users u ON u.tenant_id = $1 AND u.id = g.inspector_id',
    where: settled(where),
    otherwise: 'g.made DESC',
    tie: 'g.inspector_id',
    sortable: { made: 'g.made', found: 'g.found', problems: 'g.problems' },
    filled: ['made', 'found', 'problems'],
    sort: q.sort,
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

/** Findings of patrols that count for a reason of the morning's list, each once a reason. */
export function reasonsOf(scope: Scope, span: Span, q: Filters): Source {
  const where = patrolsIn(scope, span)
    .when(q.bc_id, (p) => `p.bc_id = ANY(${p}::uuid[])`)
    .when(q.kind, (p) => `p.kind = ANY(${p}::text[])`)
  return {
    from: `(SELECT m.reason, count(*)::int AS made, count(*) FILTER (WHERE m.found)::int AS found
      FROM (SELECT DISTINCT p.id, e.code AS reason, ${FOUND} AS found
        FROM patrols p
        JOIN site_ranks k ON k.tenant_id = $1 AND ${LISTED}
        CROSS JOIN LATERAL jsonb_to_recordset(k.reasons) AS e(code text)
        WHERE ${where.text}) m
      GROUP BY m.reason) g`,
    where: settled(where),
  }
}
async function reasonRows(tx: Tx, scope: Scope, span: Span, q: Filters) {
  const { from, where } = reasonsOf(scope, span, q)
  const { rows } = await tx.query(
    'statistics.patrolreasons',
    row({ reason: text.of(rankReason), made: int4, found: int4 }),
    `SELECT g.reason, g.made, g.found FROM ${from} WHERE ${where.text} ORDER BY g.made DESC, g.reason`,
    where.values,
  )
  return rows
}

/** The figures of the days of a span, asked together: they travel together. */
export async function patrolFigures(tx: Tx, scope: Scope, span: Span, q: Filters) {
  const [branches, sites, late, kinds, reasons] = await Promise.all([
    taskRows(tx, scope, span, q, 'branch'),
    coverageOf(tx, scope, span, q),
    latenessOf(tx, scope, span, q),
    kindsOf(tx, scope, span, q),
    reasonRows(tx, scope, span, q),
  ])
  return { branches, sites, late, kinds, reasons }
}
