import { patrolStatus } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { taskState } from '@zhuguan/contract/features/patrols/plans.record.ts'
import { patrolCoverage, type TaskCell } from '@zhuguan/contract/features/statistics/patrol-figures.record.ts'
import type { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { float8, int4, row, text } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { type PageOf, settled, type Where } from '../../kit/statement.ts'
import { TIMES } from './alarm-figures.queries.ts'
import { between, keptIn, type Span } from './span.ts'

type Filters = QueryOf<(typeof statisticsApi)['patrols']>
type Sites = QueryOf<(typeof statisticsApi)['patrolSites']>
export interface Source {
  from: string
  where: Where
}

const { done, excused, late } = taskState.code
const { submitted } = patrolStatus.code
const DAY_OF = (moment: string) => `(${moment} AT TIME ZONE 'Asia/Shanghai')::date`
const TASK = {
  done: `coalesce(t.outcome = ${done}, false)`,
  late: `coalesce(t.outcome = ${late}, false)`,
  excused: `coalesce(t.outcome = ${excused}, false)`,
  /** Nobody has done it, and it may still be done; after that it is missed. */
  waiting: '(t.outcome IS NULL AND t.lapses_at > :now)',
}

/** As the list of occurrences has it: the kind is the plan's. */
const ofPlans = (where: Where, q: Filters, alias: string): Where =>
  where
    .when(q.bc_id, (p) => `${alias}.bc_id = ANY(${p}::uuid[])`)
    .when(
      q.kind,
      (p) =>
        `${alias}.plan_id IN (SELECT l.id FROM patrol_plans l WHERE l.tenant_id = $1 AND l.kind = ANY(${p}::text[]))`,
    )
/** Occurrences `t` whose window ended in the span. */
const tasksIn = (scope: Scope, span: Span, q: Filters): Where =>
  ofPlans(between(scoped(scope, 't'), span, 't.closes_at'), q, 't')

/**
 * Rows `k` of occurrences by branch, day and plan: the kept ones of whole branches, and what may still be done of them
 * by the clock; of single sites their occurrences are asked, which are few.
 */
function taskDays(scope: Scope, span: Span, q: Filters): Source {
  if (scope.sites) {
    const where = tasksIn(scope, span, q)
    const count = (state: keyof typeof TASK) => `${TASK[state]}::int AS ${state}`
    return {
      from: `(SELECT t.bc_id, ${DAY_OF('t.closes_at')} AS day, 1 AS tasks, ${count('done')}, ${count('late')},
          ${count('excused')}, ${count('waiting')}
        FROM patrol_tasks t
        WHERE ${where.text}) k`,
      where: settled(where),
    }
  }
  const where = ofPlans(keptIn(scoped(scope, 'k'), span), q, 'k')
  return {
    from: `(SELECT k.bc_id, k.day, k.tasks, k.done, k.late, k.excused, 0 AS waiting
      FROM patrol_task_days k
      WHERE ${where.text}
      UNION ALL
      SELECT k.bc_id, k.day, 0, 0, 0, 0, 1
      FROM (SELECT t.tenant_id, t.bc_id, t.plan_id, ${DAY_OF('t.closes_at')} AS day
        FROM patrol_tasks t
        WHERE t.tenant_id = $1 AND ${TASK.waiting}) k
      WHERE ${where.text}) k`,
    where: settled(where),
  }
}
const CELLS = {
  day: ['k.day::text', `''`, ''],
  branch: ['k.bc_id::text', 'c.bc_name', 'JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id'],
} as const

/** Occurrences by day or by branch; the page's rows, and those of the file. */
export function taskCells(scope: Scope, span: Span, q: Filters, by: keyof typeof CELLS): Source {
  const { from, where } = taskDays(scope, span, q)
  const [key, name, join] = CELLS[by]
  return {
    from: `(SELECT ${key} AS key, ${name} AS name, sum(k.tasks)::int AS tasks, sum(k.done)::int AS done,
        sum(k.late)::int AS late, sum(k.excused)::int AS excused, sum(k.waiting)::int AS waiting,
        (sum(k.tasks) - sum(k.done) - sum(k.late) - sum(k.excused) - sum(k.waiting))::int AS missed
      FROM ${from} ${join}
      GROUP BY 1, 2
      HAVING sum(k.tasks) > 0) g`,
    where: settled(where),
  }
}
const taskCell = row<TaskCell>({
  key: text,
  name: text,
  tasks: int4,
  done: int4,
  late: int4,
  missed: int4,
  waiting: int4,
  excused: int4,
})
export async function taskRows(
  tx: Tx,
  scope: Scope,
  span: Span,
  q: Filters,
  by: keyof typeof CELLS,
): Promise<TaskCell[]> {
  const { from, where } = taskCells(scope, span, q, by)
  const { rows } = await tx.query(
    `statistics.patrol${by}`,
    taskCell,
    `SELECT g.key, g.name, g.tasks, g.done, g.late, g.missed, g.waiting, g.excused
     FROM ${from}
     WHERE ${where.text}
     ORDER BY g.name, g.key`,
    where.values,
  )
  return rows
}

/** Sites `g` that plans wanted to be patrolled, and what came of it. */
function sitesOf(scope: Scope, span: Span, q: Filters): Source {
  const where = tasksIn(scope, span, q)
  const count = (state: keyof typeof TASK) => `count(*) FILTER (WHERE ${TASK[state]})::int AS ${state}`
  return {
    from: `(SELECT t.site_id, count(*)::int AS tasks, ${count('done')}, ${count('late')}, ${count('excused')},
        ${count('waiting')}, count(*) FILTER (WHERE t.outcome IS NULL AND NOT ${TASK.waiting})::int AS missed
      FROM patrol_tasks t
      WHERE ${where.text}
      GROUP BY t.site_id) g`,
    where: settled(where),
  }
}
const COVERED = 'g.done + g.late > 0'
/** A site of which all was excused was wanted by nobody. */
const UNCOVERED = 'g.tasks > g.excused AND g.done + g.late = 0'

export function sitePage(
  scope: Scope,
  span: Span,
  q: Filters & Pick<Sites, 'coverage' | 'pageNo' | 'pageSize' | 'sort'>,
): PageOf {
  const { covered, uncovered } = patrolCoverage.code
  const { from, where } = sitesOf(scope, span, q)
  return {
    name: 'statistics.patrolsites',
    columns: `g.site_id AS id, w.ws_name AS name, c.bc_name, g.tasks, g.done, g.late, g.missed, g.waiting, g.excused`,
    base: from,
    alias: 'g',
    joins: `JOIN sites w ON w.tenant_id = $1 AND w.id = g.site_id
     JOIN companies c ON c.tenant_id = $1 AND c.bc_id = w.bc_id`,
    where: where.plain(q.coverage === covered && COVERED).plain(q.coverage === uncovered && UNCOVERED),
    otherwise: 'g.missed DESC, g.late DESC',
    tie: 'g.site_id',
    sortable: { tasks: 'g.tasks', missed: 'g.missed', late: 'g.late' },
    filled: ['tasks', 'missed', 'late'],
    sort: q.sort,
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

/** The covered part of the sites that plans wanted. */
export async function coverageOf(tx: Tx, scope: Scope, span: Span, q: Filters) {
  const { from, where } = sitesOf(scope, span, q)
  const { rows } = await tx.query(
    'statistics.patrolcoverage',
    row({ due: int4, covered: int4 }),
    `SELECT count(*) FILTER (WHERE ${COVERED} OR ${UNCOVERED})::int AS due,
       count(*) FILTER (WHERE ${COVERED})::int AS covered
     FROM ${from}
     WHERE ${where.text}`,
    where.values,
  )
  return rows[0]!
}
/** By how much what was done late came after the end of its window. */
export async function latenessOf(tx: Tx, scope: Scope, span: Span, q: Filters) {
  const where = tasksIn(scope, span, q).plain(`t.outcome = ${late}`)
  const { rows } = await tx.query(
    'statistics.patrollate',
    row({ n: int4, p50: float8.null, p90: float8.null }),
    `SELECT ${TIMES('greatest(0, floor(extract(epoch FROM coalesce(p.submitted_at, a.submitted_at) - t.closes_at)))')}
     FROM patrol_tasks t
     LEFT JOIN patrols p ON p.tenant_id = $1 AND p.task_id = t.id AND p.status = ${submitted}
     LEFT JOIN patrols a ON a.tenant_id = $1 AND a.id = t.done_in
     WHERE ${where.text} AND coalesce(p.id, a.id) IS NOT NULL`,
    where.values,
  )
  return rows[0]!
}
