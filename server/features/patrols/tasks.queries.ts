import { GRACE_HOURS, patrolKind } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import type { patrolTasksApi } from '@zhuguan/contract/features/patrols/plans.api.ts'
import { taskColumns } from '@zhuguan/contract/features/patrols/plans.columns.ts'
import { OVER, type TaskRow, taskState } from '@zhuguan/contract/features/patrols/plans.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'
import { code } from '@zhuguan/contract/kit/columns.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { personReaches } from '../../kit/person-reach.ts'
import { bool, float8, int2, int4, row, text, uuid, uuids } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { dayBegins, epoch, type PageOf } from '../../kit/statement.ts'
import { accountOf } from '../workers/workers.reads.ts'
import { namesOf } from './plans.queries.ts'

const { due, excused, missed, planned } = taskState.code
const { plan: ofPlan } = patrolKind.code
/** What was patrolled goes along with its site; the plan stays with its branch, which the new one does not see into. */
const ELSEWHERE = '原分公司的计划'

/** What an occurrence is now: what somebody made of it, else what the clock says. */
export const TASK_STATE = `(CASE WHEN t.outcome IS NOT NULL THEN t.outcome WHEN t.opens_at > :now THEN ${planned}
     WHEN t.lapses_at > :now THEN ${due} ELSE ${missed} END)::smallint`
const COLUMNS = `t.id, t.plan_id, coalesce(l.name, '${ELSEWHERE}') AS "planName",
     coalesce(l.status = 2, true) AS "planStopped", coalesce(l.kind, p.kind, '${ofPlan}') AS kind,
     l.template_id, t.site_id, w.ws_name AS "siteName", t.bc_id, c.bc_name, ${epoch('t.opens_at')} AS "opensAt",
     ${epoch('t.closes_at')} AS "closesAt", ${TASK_STATE} AS state, t.user_ids,
     ${namesOf('t.user_ids')} AS "userNames", p.id AS patrol_id, p.inspector_id,
     coalesce(i.nickname, '') AS "inspectorName", ${epoch('p.begun_at')} AS "begunAt",
     ${epoch('p.submitted_at')} AS "submittedAt", p.score,
     CASE WHEN p.status = 2 THEN p.problems END AS problems, t.reason, t.excused_by AS "excusedBy", t.version`
const JOINS = `LEFT JOIN patrol_plans l ON l.tenant_id = $1 AND l.id = t.plan_id
   JOIN sites w ON w.tenant_id = $1 AND w.id = t.site_id
   JOIN companies c ON c.tenant_id = $1 AND c.bc_id = t.bc_id
   LEFT JOIN patrols p ON p.tenant_id = $1 AND (p.task_id = t.id AND p.status IN (1, 2) OR p.id = t.done_in)
   LEFT JOIN users i ON i.tenant_id = $1 AND i.id = p.inspector_id`

/** First what is due, soonest end first; then what is over, newest first; last what has not begun, soonest first. */
const URGENT = [
  `CASE ${TASK_STATE} WHEN ${due} THEN 1 WHEN ${planned} THEN 3 ELSE 2 END ASC`,
  `CASE ${TASK_STATE} WHEN ${due} THEN t.closes_at WHEN ${planned} THEN t.opens_at END ASC`,
  't.opens_at DESC',
]
export const taskPage = (scope: Scope, q: QueryOf<(typeof patrolTasksApi)['list']>): PageOf => ({
  name: 'patrols.tasks',
  columns: COLUMNS,
  base: 'patrol_tasks t',
  joins: JOINS,
  where: scoped(scope, 't')
    .when(q.id, (p) => `t.id = ${p}::uuid`)
    .when(
      q.kind,
      (p) =>
        `t.plan_id IN (SELECT k.id FROM patrol_plans k WHERE k.tenant_id = $1 AND k.kind = ANY(${p}::text[]))`,
    )
    .when(q.state, (p) => `${TASK_STATE} = ANY(${p}::smallint[])`)
    .when(q.bc_id, (p) => `t.bc_id = ANY(${p}::uuid[])`)
    .when(q.site_id, (p) => `t.site_id = ${p}::uuid`)
    .when(q.plan_id, (p) => `t.plan_id = ${p}::uuid`)
    .when(q.user_id, (p) => `t.user_ids @> ARRAY[${p}::uuid]`)
    .when(q.worker_id, (p) => `t.user_ids @> ARRAY[${accountOf(p)}]`)
    .when(q.closesFrom, (p) => `t.closes_at >= ${dayBegins(p)}`)
    .when(q.closesTo, (p) => `t.closes_at < ${dayBegins(`(${p}::date + 1)`)}`)
    .when(q.from, (p) => `t.closes_at >= to_timestamp(${p})`)
    .when(q.to, (p) => `t.opens_at < to_timestamp(${p})`),
  sort: q.sort,
  otherwise: URGENT,
  tie: 't.id DESC',
  sortable: { opensAt: 't.opens_at', closesAt: 't.closes_at' },
  filled: ['opensAt', 'closesAt'],
  pageNo: q.pageNo,
  pageSize: q.pageSize,
})

/** No run of days off is longer. */
const LONGEST_REST = 60
/** Of a window that begins on a day and lasts so many: somebody works on one of them. */
const isWorked = (bc: string, day: string, days: string) =>
  `EXISTS (SELECT 1 FROM generate_series(0, ${days} - 1) n WHERE NOT rest_day($1, ${bc}, ${day} + n))`
const OVER_CODE = 0
/** The list as a file, whose result says as the page does that a window is over. */
export const taskFile = (scope: Scope, q: QueryOf<(typeof patrolTasksApi)['export']>): PageOf => ({
  ...taskPage(scope, q),
  columns: `${COLUMNS},
     CASE WHEN ${TASK_STATE} = ${due} AND t.closes_at < :now THEN ${OVER_CODE} ELSE ${TASK_STATE} END AS result`,
})
export const fileColumns = {
  ...taskColumns,
  status: code('结果', 'result', {
    label: taskState.label,
    options: [...taskState.options, { value: OVER_CODE, label: OVER }],
  }),
}

const taskRow = row<TaskRow>({
  id: uuid,
  plan_id: uuid,
  planName: text,
  planStopped: bool,
  kind: text.of(patrolKind),
  template_id: uuid.null,
  site_id: uuid,
  siteName: text,
  bc_id: uuid,
  bc_name: text,
  opensAt: float8,
  closesAt: float8,
  state: int2.of(taskState),
  user_ids: uuids,
  userNames: text,
  patrol_id: uuid.null,
  inspector_id: uuid.null,
  inspectorName: text,
  begunAt: float8.null,
  submittedAt: float8.null,
  score: int2.null,
  problems: int4.null,
  reason: text,
  excusedBy: text,
  version: int4,
})
/** Which site an occurrence is of: it is locked before the occurrence is. */
export async function siteOfTask(tx: Tx, scope: Scope, id: string): Promise<string | undefined> {
  const where = scoped(scope, 't').add((p) => `t.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'patrols.tasksite',
    row({ site_id: uuid }),
    `SELECT t.site_id FROM patrol_tasks t WHERE ${where.text}`,
    where.values,
  )
  return rows[0]?.site_id
}
export async function lockTask(tx: Tx, scope: Scope, id: string): Promise<TaskRow | undefined> {
  const where = scoped(scope, 't').add((p) => `t.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'patrols.task',
    taskRow,
    `SELECT ${COLUMNS} FROM patrol_tasks t ${JOINS} WHERE ${where.text} FOR UPDATE OF t`,
    where.values,
  )
  return rows[0]
}
/** What a task becomes that is done now, by the end of its window in `closes`. */
const doneBy = (closes: string): string =>
  `CASE WHEN :now <= ${closes} THEN ${taskState.code.done} ELSE ${taskState.code.late} END`
/** Its patrol was handed in: on time or late, unless a superior excused it meanwhile. */
export const closeTask = (tx: Tx, tenant: string, id: string) =>
  tx.run(
    'patrols.taskdone',
    `UPDATE patrol_tasks
     SET outcome = ${doneBy('closes_at')},
       version = version + 1
     WHERE tenant_id = $1 AND id = $2 AND outcome IS NULL`,
    [tenant, id],
  )
/**
 * Every other remote task of the site that is open now and of this person is done by the same look; answers whose they
 * were. Whatever somebody has begun is theirs.
 */
export async function closeAlong(
  tx: Tx,
  tenant: string,
  look: { patrol: string; site: string; person: string },
): Promise<string[]> {
  const { rows } = await tx.query(
    'patrols.taskalong',
    row({ user_ids: uuids }),
    `UPDATE patrol_tasks t
     SET outcome = ${doneBy('t.closes_at')},
       done_in = $2, version = t.version + 1
     FROM patrol_plans l
     WHERE t.tenant_id = $1 AND t.site_id = $3 AND $4::uuid = ANY (t.user_ids) AND t.outcome IS NULL
       AND t.opens_at <= :now AND t.lapses_at > :now
       AND l.tenant_id = $1 AND l.id = t.plan_id AND l.kind = '${patrolKind.code.remote}'
       AND NOT EXISTS (SELECT 1 FROM patrols p
         WHERE p.tenant_id = $1 AND p.task_id = t.id AND p.status IN (1, 2))
     RETURNING t.user_ids`,
    [tenant, look.patrol, look.site, look.person],
  )
  return [...new Set(rows.flatMap((r) => r.user_ids))]
}
export const excuseTask = (tx: Tx, tenant: string, t: { id: string; reason: string; by: string }) =>
  tx.run(
    'patrols.taskexcused',
    `UPDATE patrol_tasks
     SET outcome = ${excused}, reason = $3, excused_by = $4, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [tenant, t.id, t.reason, t.by],
  )

const lastDay = `(closes_at AT TIME ZONE 'Asia/Shanghai')::date`
/** Rest days do not use up the time in which it may be made up for. */
const LAPSES = `closes_at + interval '${GRACE_HOURS} hours' * (1 + coalesce((
      SELECT min(n) FROM generate_series(0, ${LONGEST_REST}) n
      WHERE NOT rest_day($1, bc_id, ${lastDay} + 1 + n)), 0))`
/** Those who may do it there by one of their roles; where each does one of their own, one for everybody. */
const MADE = `able AS (
    SELECT d.*, u.id AS person
    FROM wanted d
    JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id
    JOIN users u ON u.tenant_id = $1 AND u.id = ANY (d.people) AND u.status = 1 AND u.deleted_at IS NULL
    WHERE EXISTS (
      SELECT 1
      FROM user_roles ur
      JOIN roles ro ON ro.tenant_id = $1 AND ro.id = ur.role_id AND ro.status = 1
      JOIN role_powers rp ON rp.tenant_id = $1 AND rp.role_id = ro.id
        AND rp.label IN ('*:*:*', CASE d.kind WHEN 'remote' THEN 'patrol:remote' ELSE 'patrol:do' END)
      WHERE ur.tenant_id = $1 AND ur.user_id = u.id AND ${personReaches('$1', 'u', 'ro', 'w')}))
  INSERT INTO patrol_tasks (tenant_id, id, bc_id, site_id, plan_id, day, user_id, user_ids, opens_at, closes_at,
    lapses_at)
  SELECT $1, gen_random_uuid(), bc_id, site_id, plan_id, day, CASE share WHEN 'each' THEN person END AS own,
    array_agg(person ORDER BY person), opens_at, closes_at, ${LAPSES}
  FROM able
  GROUP BY bc_id, site_id, plan_id, day, share, own, opens_at, closes_at
  ON CONFLICT DO NOTHING`
const PLACES = `patrol_plans p
    JOIN sites w ON w.tenant_id = $1 AND w.bc_id = p.bc_id AND w.status = 1 AND w.deleted_at IS NULL
      AND (p.site_ids IS NULL OR w.id = ANY (p.site_ids))`
const MOMENT = (day: string) => `(${day}) AT TIME ZONE 'Asia/Shanghai'`

/**
 * Occurrences of days, as often as it is asked: what is there stays as it is. `over`: also those whose window has
 * ended, because nobody was there to make them in time.
 */
export const makeDays = (
  tx: Tx,
  q: { tenant: string; days: readonly string[]; plan: string | null; over: boolean },
) =>
  tx.run(
    'patrols.make',
    `WITH wanted AS (
       SELECT p.id AS plan_id, p.kind, p.share, p.user_ids AS people, p.bc_id, w.id AS site_id, d.day,
         ${MOMENT('d.day + p.from_time::time')} AS opens_at,
         ${MOMENT('d.day + (p.days - 1) + p.to_time::time')} AS closes_at
       FROM unnest($2::date[]) AS d(day)
       CROSS JOIN ${PLACES}
       WHERE p.tenant_id = $1 AND p.status = 1 AND p.every IN ('day', 'week') AND d.day >= p.starts_on
         AND ${isWorked('p.bc_id', 'd.day', 'p.days')}
         AND extract(isodow FROM d.day)::smallint = ANY (p.weekdays) AND ($3::uuid IS NULL OR p.id = $3)
         AND ($4 OR ${MOMENT('d.day + (p.days - 1) + p.to_time::time')} > :now)),
     ${MADE}`,
    [q.tenant, q.days, q.plan, q.over],
  )
/** Occurrences of stages that have begun; their window opens on the day on which it is noticed. */
export const makeStages = (tx: Tx, q: { tenant: string; today: string; plan: string | null }) =>
  tx.run(
    'patrols.makestages',
    `WITH wanted AS (
       SELECT p.id AS plan_id, p.kind, p.share, p.user_ids AS people, p.bc_id, w.id AS site_id, g.actual_start AS day,
         ${MOMENT('$2::date + p.from_time::time')} AS opens_at,
         ${MOMENT('$2::date + (p.days - 1) + p.to_time::time')} AS closes_at
       FROM ${PLACES}
       JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = w.id AND g.stage = p.stage
         AND g.actual_start >= p.starts_on AND g.actual_finish IS NULL
       WHERE p.tenant_id = $1 AND p.status = 1 AND p.every = 'stage' AND ($3::uuid IS NULL OR p.id = $3)
         AND NOT rest_day($1, p.bc_id, $2::date)),
     ${MADE}`,
    [q.tenant, q.today, q.plan],
  )

/** Not begun, and not over: nothing has come of them yet. */
const FRESH = `t.outcome IS NULL AND t.closes_at > :now AND NOT EXISTS (
       SELECT 1 FROM patrols p WHERE p.tenant_id = $1 AND p.task_id = t.id)`
/** What nobody has begun of a plan or a site goes; answers how many there were and whose. */
export async function dropTasks(tx: Tx, tenant: string, of: { plan: string } | { site: string }) {
  const [column, id] = 'plan' in of ? ['plan_id', of.plan] : ['site_id', of.site]
  const { rows } = await tx.query(
    `patrols.drop.${column}`,
    row({ user_ids: uuids }),
    `DELETE FROM patrol_tasks t WHERE t.tenant_id = $1 AND t.${column} = $2 AND ${FRESH} RETURNING t.user_ids`,
    [tenant, id],
  )
  return { n: rows.length, people: [...new Set(rows.flatMap((r) => r.user_ids))] }
}
/**
 * What has not opened of windows in which nobody works any more; answers whose it was. What has been due since before
 * stays due: a figure of today is no better for a day off that was entered at noon.
 */
export async function dropRestTasks(tx: Tx, tenant: string, bcs: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query(
    'patrols.droprest',
    row({ user_ids: uuids }),
    `DELETE FROM patrol_tasks t USING patrol_plans l
     WHERE t.tenant_id = $1 AND t.bc_id = ANY ($2::uuid[]) AND l.tenant_id = $1 AND l.id = t.plan_id
       AND l.every <> 'stage' AND ${FRESH} AND t.opens_at > :now AND NOT ${isWorked('t.bc_id', 't.day', 'l.days')}
     RETURNING t.user_ids`,
    [tenant, bcs],
  )
  return [...new Set(rows.flatMap((r) => r.user_ids))]
}
/** Of a site: what nobody has begun, and what somebody is doing. */
export async function openOf(tx: Tx, tenant: string, site: string) {
  const { rows } = await tx.query(
    'patrols.open',
    row({ tasks: int4, begun: int4 }),
    `SELECT (SELECT count(*)::int FROM patrol_tasks t WHERE t.tenant_id = $1 AND t.site_id = $2 AND ${FRESH}) AS tasks,
       (SELECT count(*)::int FROM patrols b WHERE b.tenant_id = $1 AND b.site_id = $2 AND b.status = 1) AS begun`,
    [tenant, site],
  )
  return rows[0]!
}

/** On how many sites each person has something to do that opens before `until`; of these people, or of all. */
export async function waitingFor(
  tx: Tx,
  q: { tenant: string; until: Date; people: readonly string[] | null },
) {
  const { rows } = await tx.query(
    'patrols.waiting',
    row({ user_id: uuid, n: int4 }),
    `SELECT o.user_id, count(DISTINCT t.site_id)::int AS n
     FROM patrol_tasks t
     CROSS JOIN LATERAL unnest(t.user_ids) AS o(user_id)
     WHERE t.tenant_id = $1 AND t.outcome IS NULL AND t.opens_at < $2 AND t.lapses_at > :now
       AND ($3::uuid[] IS NULL OR o.user_id = ANY ($3))
     GROUP BY o.user_id
     ORDER BY o.user_id`,
    [q.tenant, q.until, q.people],
  )
  return rows
}
