import type { Tx } from '../../database/connect.ts'

/**
 * The kept hours against the alarms since a day: what differs is put right by its difference, so that what others write
 * meanwhile stands. Answers how many hours differed.
 */
export async function recountAlarmHours(tx: Pick<Tx, 'run'>, tenant: string, since: string): Promise<number> {
  const { rowCount } = await tx.run(
    'alarms.recount',
    `WITH counted AS (
       SELECT m.moment::date AS day, a.bc_id, extract(hour FROM m.moment)::smallint AS hour, a.type, count(*) AS raised,
         count(*) FILTER (WHERE a.verdict = 'real') AS "real", count(*) FILTER (WHERE a.verdict = 'wrong') AS wrong,
         count(*) FILTER (WHERE a.correction_status = 3) AS corrected,
         count(*) FILTER (WHERE a.correction_status = 4) AS cancelled
       FROM alarms a
       CROSS JOIN LATERAL (SELECT a.at AT TIME ZONE 'Asia/Shanghai' AS moment) m
       WHERE a.tenant_id = $1 AND a.at >= $2::date::timestamp AT TIME ZONE 'Asia/Shanghai'
       GROUP BY 1, 2, 3, 4),
     kept AS (
       SELECT k.day, k.bc_id, k.hour, k.type, k.raised, k."real", k.wrong, k.corrected, k.cancelled
       FROM alarm_hours k
       WHERE k.tenant_id = $1 AND k.day >= $2::date),
     differing AS (
       SELECT day, bc_id, hour, type, coalesce(c.raised, 0) - coalesce(k.raised, 0) AS raised,
         coalesce(c."real", 0) - coalesce(k."real", 0) AS "real", coalesce(c.wrong, 0) - coalesce(k.wrong, 0) AS wrong,
         coalesce(c.corrected, 0) - coalesce(k.corrected, 0) AS corrected,
         coalesce(c.cancelled, 0) - coalesce(k.cancelled, 0) AS cancelled
       FROM counted c
       FULL JOIN kept k USING (day, bc_id, hour, type))
     INSERT INTO alarm_hours AS k (tenant_id, day, bc_id, hour, type, raised, "real", wrong, corrected, cancelled)
     SELECT $1::uuid, d.day, d.bc_id, d.hour, d.type, d.raised, d."real", d.wrong, d.corrected, d.cancelled
     FROM differing d
     WHERE (d.raised, d."real", d.wrong, d.corrected, d.cancelled) <> (0, 0, 0, 0, 0)
     ORDER BY 2, 3, 4, 5
     ON CONFLICT (tenant_id, day, bc_id, hour, type) DO UPDATE SET
       raised = k.raised + excluded.raised,
       "real" = k."real" + excluded."real",
       wrong = k.wrong + excluded.wrong,
       corrected = k.corrected + excluded.corrected,
       cancelled = k.cancelled + excluded.cancelled`,
    [tenant, since],
  )
  return rowCount ?? 0
}
