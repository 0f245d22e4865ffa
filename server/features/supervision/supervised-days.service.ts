import type { Tx } from '../../database/connect.ts'

const DAY_OF = (moment: string) => `(${moment} AT TIME ZONE 'Asia/Shanghai')::date`
const SINCE = `$2::date::timestamp AT TIME ZONE 'Asia/Shanghai'`
const COUNTS = ['late', 'in_time', 'corrected', 'responded', 'planned', 'patrolled'] as const
const each = (said: (column: string) => string) => COUNTS.map(said).join(', ')

/**
 * Counts corrections and patrols since a day again by day, person and site, as the night does it
 * (docs/decisions/0667): what differs is put right by its difference, so that what others write meanwhile stands.
 * Answers how many rows differed.
 */
export async function recountSupervised(tx: Pick<Tx, 'run'>, tenant: string, since: string): Promise<number> {
  const values = [tenant, since]
  // Their days follow by the triggers.
  const gone = await tx.run(
    'supervision.recountgone',
    `DELETE FROM supervised_corrections s
     WHERE s.tenant_id = $1 AND s.since >= ${SINCE} AND NOT EXISTS (
       SELECT FROM supervised_correction($1, s.correction_id) n WHERE n.user_id = s.user_id)`,
    values,
  )
  const corrections = await tx.run(
    'supervision.recount',
    `INSERT INTO supervised_corrections AS s (tenant_id, correction_id, user_id, bc_id, of_site, may_hide, since,
       ran_out, handed, took, acted, response)
     SELECT n.tenant_id, n.correction_id, n.user_id, n.bc_id, n.of_site, n.may_hide, n.since, n.ran_out, n.handed,
       n.took, n.acted, n.response
     FROM corrections k
     CROSS JOIN LATERAL supervised_correction($1, k.id) n
     WHERE k.tenant_id = $1 AND n.since >= ${SINCE}
     ORDER BY n.correction_id, n.user_id
     ON CONFLICT (tenant_id, correction_id, user_id) DO UPDATE SET
       bc_id = excluded.bc_id, of_site = excluded.of_site, may_hide = excluded.may_hide, since = excluded.since,
       ran_out = excluded.ran_out, handed = excluded.handed, took = excluded.took, acted = excluded.acted,
       response = excluded.response
     WHERE s IS DISTINCT FROM excluded`,
    values,
  )
  const days = await tx.run(
    'supervision.recountdays',
    `WITH counted AS (
       SELECT x.bc_id, ${DAY_OF('x.moment')} AS day, x.user_id, x.of_site, ${each((c) => `sum(x.${c}) AS ${c}`)}
       FROM (SELECT s.bc_id, s.user_id, s.of_site, v.*
         FROM supervised_corrections s
         CROSS JOIN LATERAL (VALUES (s.ran_out, 1, 0, 0, 0, 0, 0),
           (s.handed, 0, (s.ran_out IS NULL)::int, 1, 0, 0, 0), (s.acted, 0, 0, 0, 1, 0, 0))
           AS v(moment, ${COUNTS.join(', ')})
         WHERE s.tenant_id = $1 AND NOT s.may_hide
         UNION ALL SELECT t.bc_id, p.user_id, t.site_id, t.closes_at, 0, 0, 0, 0, 1, (t.outcome IS NOT NULL)::int
         FROM patrol_tasks t
         CROSS JOIN LATERAL unnest(t.user_ids) AS p(user_id)
         WHERE t.tenant_id = $1 AND t.closes_at >= ${SINCE} AND t.outcome IS DISTINCT FROM 6) x
       WHERE x.moment >= ${SINCE}
       GROUP BY 1, 2, 3, 4),
     kept AS (SELECT k.bc_id, k.day, k.user_id, k.of_site, ${each((c) => `k.${c}`)}
       FROM supervised_days k
       WHERE k.tenant_id = $1 AND k.day >= $2::date),
     differing AS (SELECT bc_id, day, user_id, of_site,
         ${each((c) => `coalesce(c.${c}, 0) - coalesce(k.${c}, 0) AS ${c}`)}
       FROM counted c
       FULL JOIN kept k USING (bc_id, day, user_id, of_site))
     INSERT INTO supervised_days AS k (tenant_id, bc_id, day, user_id, of_site, ${COUNTS.join(', ')})
     SELECT $1::uuid, d.bc_id, d.day, d.user_id, d.of_site, ${each((c) => `d.${c}`)}
     FROM differing d
     WHERE (${each((c) => `d.${c}`)}) <> (0, 0, 0, 0, 0, 0)
     ORDER BY 2, 3, 4, 5
     ON CONFLICT (tenant_id, bc_id, day, user_id, of_site) DO UPDATE SET
       ${each((c) => `${c} = k.${c} + excluded.${c}`)}`,
    values,
  )
  const times = await tx.run(
    'supervision.recounttimes',
    `WITH counted AS (
       SELECT s.bc_id, ${DAY_OF('v.moment')} AS day, s.user_id, v.what, time_step(v.took) AS step, count(*) AS n
       FROM supervised_corrections s
       CROSS JOIN LATERAL (VALUES ('corrected', s.handed, s.took), ('responded', s.acted, s.response))
         AS v(what, moment, took)
       WHERE s.tenant_id = $1 AND NOT s.may_hide AND v.moment >= ${SINCE}
       GROUP BY 1, 2, 3, 4, 5),
     kept AS (SELECT k.bc_id, k.day, k.user_id, k.what, k.step, k.n
       FROM supervised_times k
       WHERE k.tenant_id = $1 AND k.day >= $2::date),
     differing AS (SELECT bc_id, day, user_id, what, step, coalesce(c.n, 0) - coalesce(k.n, 0) AS n
       FROM counted c
       FULL JOIN kept k USING (bc_id, day, user_id, what, step))
     INSERT INTO supervised_times AS k (tenant_id, bc_id, day, user_id, what, step, n)
     SELECT $1::uuid, d.bc_id, d.day, d.user_id, d.what, d.step, d.n
     FROM differing d
     WHERE d.n <> 0
     ORDER BY 2, 3, 4, 5, 6
     ON CONFLICT (tenant_id, bc_id, day, user_id, what, step) DO UPDATE SET n = k.n + excluded.n`,
    values,
  )
  const staged = await tx.run(
    'supervision.restage',
    `UPDATE supervised_days d SET stage = n.stage
     FROM (SELECT k.bc_id, k.day, k.user_id, k.of_site, stage_on($1, k.of_site, k.day) AS stage
       FROM supervised_days k
       WHERE k.tenant_id = $1 AND k.day >= $2::date) n
     WHERE d.tenant_id = $1 AND (d.bc_id, d.day, d.user_id, d.of_site) = (n.bc_id, n.day, n.user_id, n.of_site)
       AND d.stage <> n.stage`,
    values,
  )
  const stages = await tx.run(
    'supervision.recountstages',
    `WITH counted AS (
       SELECT d.bc_id, d.day, d.user_id, d.stage, ${each((c) => `sum(d.${c}) AS ${c}`)}
       FROM supervised_days d
       WHERE d.tenant_id = $1 AND d.day >= $2::date
       GROUP BY 1, 2, 3, 4),
     kept AS (
       SELECT k.bc_id, k.day, k.user_id, k.stage, ${each((c) => `sum(k.${c}) AS ${c}`)}
       FROM supervised_stages k
       WHERE k.tenant_id = $1 AND k.day >= $2::date
       GROUP BY 1, 2, 3, 4)
     INSERT INTO supervised_stages (tenant_id, bc_id, day, user_id, stage, ${each((c) => c)})
     SELECT $1::uuid, d.bc_id, d.day, d.user_id, d.stage, ${each((c) => `d.${c}`)}
     FROM (SELECT bc_id, day, user_id, stage, ${each((c) => `coalesce(c.${c}, 0) - coalesce(k.${c}, 0) AS ${c}`)}
       FROM counted c
       FULL JOIN kept k USING (bc_id, day, user_id, stage)) d
     WHERE (${each((c) => `d.${c}`)}) <> (0, 0, 0, 0, 0, 0)`,
    values,
  )
  // Lines that the day wrote become one; a line that is written meanwhile is not seen and stands beside it.
  await tx.run(
    'supervision.foldstages',
    `WITH several AS (
       SELECT k.bc_id, k.day, k.user_id, k.stage
       FROM supervised_stages k
       WHERE k.tenant_id = $1 AND k.day >= $2::date
       GROUP BY 1, 2, 3, 4
       HAVING count(*) > 1),
     gone AS (
       DELETE FROM supervised_stages k
       USING several x
       WHERE k.tenant_id = $1 AND (k.bc_id, k.day, k.user_id, k.stage) = (x.bc_id, x.day, x.user_id, x.stage)
       RETURNING k.*)
     INSERT INTO supervised_stages (tenant_id, bc_id, day, user_id, stage, ${each((c) => c)})
     SELECT g.tenant_id, g.bc_id, g.day, g.user_id, g.stage, ${each((c) => `sum(g.${c})`)}
     FROM gone g
     GROUP BY 1, 2, 3, 4, 5
     HAVING (${each((c) => `sum(g.${c})`)}) <> (0, 0, 0, 0, 0, 0)`,
    values,
  )
  return [gone, corrections, days, times, staged, stages].reduce(
    (sum, { rowCount }) => sum + (rowCount ?? 0),
    0,
  )
}
