import type { Tx } from '../../database/connect.ts'

const DAY_OF = (moment: string) => `(${moment} AT TIME ZONE 'Asia/Shanghai')::date`

/**
 * The kept days of occurrences and of patrols against these since a day: what differs is put right by its difference,
 * so that what others write meanwhile stands. Answers how many rows differed.
 */
export async function recountPatrolDays(tx: Tx, tenant: string, since: string): Promise<number> {
  const tasks = await tx.run(
    'patrols.recounttasks',
    `WITH counted AS (
       SELECT ${DAY_OF('t.closes_at')} AS day, t.bc_id, t.plan_id, count(*) AS tasks,
         count(*) FILTER (WHERE t.outcome = 3) AS done, count(*) FILTER (WHERE t.outcome = 4) AS late,
         count(*) FILTER (WHERE t.outcome = 6) AS excused
       FROM patrol_tasks t
       WHERE t.tenant_id = $1 AND t.closes_at >= $2::date::timestamp AT TIME ZONE 'Asia/Shanghai'
       GROUP BY 1, 2, 3),
     kept AS (
       SELECT k.day, k.bc_id, k.plan_id, k.tasks, k.done, k.late, k.excused
       FROM patrol_task_days k
       WHERE k.tenant_id = $1 AND k.day >= $2::date),
     differing AS (
       SELECT day, bc_id, plan_id, coalesce(c.tasks, 0) - coalesce(k.tasks, 0) AS tasks,
         coalesce(c.done, 0) - coalesce(k.done, 0) AS done, coalesce(c.late, 0) - coalesce(k.late, 0) AS late,
         coalesce(c.excused, 0) - coalesce(k.excused, 0) AS excused
       FROM counted c
       FULL JOIN kept k USING (day, bc_id, plan_id))
     INSERT INTO patrol_task_days AS k (tenant_id, day, bc_id, plan_id, tasks, done, late, excused)
     SELECT $1::uuid, d.day, d.bc_id, d.plan_id, d.tasks, d.done, d.late, d.excused
     FROM differing d
     WHERE (d.tasks, d.done, d.late, d.excused) <> (0, 0, 0, 0)
     ORDER BY 2, 3, 4
     ON CONFLICT (tenant_id, day, bc_id, plan_id) DO UPDATE SET
       tasks = k.tasks + excluded.tasks,
       done = k.done + excluded.done,
       late = k.late + excluded.late,
       excused = k.excused + excluded.excused`,
    [tenant, since],
  )
  const patrols = await tx.run(
    'patrols.recountdays',
    `WITH counted AS (
       SELECT ${DAY_OF('p.submitted_at')} AS day, p.bc_id, p.kind, p.inspector_id, count(*) AS made,
         count(*) FILTER (WHERE p.problems > 0 OR p.tidiness = 3) AS found, sum(p.problems) AS problems
       FROM patrols p
       WHERE p.tenant_id = $1 AND p.status = 2
         AND p.submitted_at >= $2::date::timestamp AT TIME ZONE 'Asia/Shanghai'
       GROUP BY 1, 2, 3, 4),
     kept AS (
       SELECT k.day, k.bc_id, k.kind, k.inspector_id, k.made, k.found, k.problems
       FROM patrol_days k
       WHERE k.tenant_id = $1 AND k.day >= $2::date),
     differing AS (
       SELECT day, bc_id, kind, inspector_id, coalesce(c.made, 0) - coalesce(k.made, 0) AS made,
         coalesce(c.found, 0) - coalesce(k.found, 0) AS found,
         coalesce(c.problems, 0) - coalesce(k.problems, 0) AS problems
       FROM counted c
       FULL JOIN kept k USING (day, bc_id, kind, inspector_id))
     INSERT INTO patrol_days AS k (tenant_id, day, bc_id, kind, inspector_id, made, found, problems)
     SELECT $1::uuid, d.day, d.bc_id, d.kind, d.inspector_id, d.made, d.found, d.problems
     FROM differing d
     WHERE (d.made, d.found, d.problems) <> (0, 0, 0)
     ORDER BY 2, 3, 4, 5
     ON CONFLICT (tenant_id, day, bc_id, kind, inspector_id) DO UPDATE SET
       made = k.made + excluded.made,
       found = k.found + excluded.found,
       problems = k.problems + excluded.problems`,
    [tenant, since],
  )
  return (tasks.rowCount ?? 0) + (patrols.rowCount ?? 0)
}
