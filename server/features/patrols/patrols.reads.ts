import { taskState } from '@zhuguan/contract/features/patrols/plans.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { int4, row, text } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { dayBegins } from '../../kit/statement.ts'

const { done, excused, late } = taskState.code

/**
 * Of each day, oldest first: occurrences whose window has a part in it and that are not excused, how many of them were
 * done, how many by this hour of that day, and how many are not done and over.
 */
export async function patrolledOn(tx: Tx, scope: Scope, days: readonly string[]) {
  const where = scoped(scope, 't')
  const list = `$${where.values.push(days)}::date[]`
  const last = `$${where.values.push(days.at(-1))}`
  const { rows } = await tx.query(
    'patrols.days',
    row({ day: text, all: int4, done: int4, byNow: int4, missed: int4 }),
    `SELECT d.day::text AS day, count(t.id)::int AS all,
       count(t.id) FILTER (WHERE t.outcome IN (${done}, ${late}))::int AS done,
       count(t.id) FILTER (WHERE coalesce(p.submitted_at, a.submitted_at)
         <= :now - interval '1 day' * (${last}::date - d.day))::int AS "byNow",
       count(t.id) FILTER (WHERE t.outcome IS NULL AND t.lapses_at <= :now)::int AS missed
     FROM unnest(${list}) AS d(day)
     LEFT JOIN patrol_tasks t ON ${where.text} AND t.outcome IS DISTINCT FROM ${excused}
       AND t.opens_at < ${dayBegins('(d.day + 1)')} AND t.closes_at >= ${dayBegins('d.day')}
       AND t.opens_at > ${dayBegins('(d.day - 14)')}
     LEFT JOIN patrols p ON p.tenant_id = $1 AND p.task_id = t.id AND p.status = 2
     LEFT JOIN patrols a ON a.tenant_id = $1 AND a.id = t.done_in
     GROUP BY d.day
     ORDER BY d.day`,
    where.values,
  )
  return rows
}
