import type { Told } from './evidence.ts'
import { OPEN_TO_BOTH, within } from './supervision.sources.ts'

const DAY_OF = (moment: string) => `(${moment} AT TIME ZONE 'Asia/Shanghai')::date`
const told = (isTold: boolean, sql: string, name: string) => `${isTold ? sql : '0'} AS ${name}`
const ofCorrections = (t: Told, c: Record<'late' | 'inTime' | 'corrected' | 'responded', string>) =>
  `${told(t.corrections, c.late, 'late')}, ${told(t.corrections, c.inTime, 'in_time')},
       ${told(t.corrections, c.corrected, 'corrected')}, ${told(t.corrections, c.responded, 'responded')}`
const NOTHING = { late: '0', inTime: '0', corrected: '0', responded: '0' }
/** Corrections `s` of feedback, which no day has. */
const HIDING = `supervised_corrections s
     JOIN people p ON p.id = s.user_id
     WHERE s.tenant_id = $1 AND s.bc_id = $2 AND s.may_hide AND ${OPEN_TO_BOTH}`

const stageOn = (site: string, moment: string) => `stage_on($1, ${site}, ${DAY_OF(moment)})`

/**
 * Rows by person and the stage of the site on the day, from what is kept (docs/decisions/0667). What the clock has not
 * decided yet is taken off: a time that runs out later today, a patrol that may still be made.
 */
export const keptDays = (t: Told): string => `SELECT d.user_id AS person, d.stage,
       ${ofCorrections(t, { late: 'd.late', inTime: 'd.in_time', corrected: 'd.corrected', responded: 'd.responded' })},
       ${told(t.tasks, 'd.planned', 'planned')}, ${told(t.tasks, 'd.patrolled', 'patrolled')}
     FROM supervised_stages d
     JOIN people p ON p.id = d.user_id
     WHERE d.tenant_id = $1 AND d.bc_id = $2 AND d.day BETWEEN $3::date AND $4::date
   UNION ALL SELECT s.user_id, ${stageOn('s.of_site', 's.ran_out')},
       ${ofCorrections(t, { ...NOTHING, late: '-1' })}, 0, 0
     FROM people p
     JOIN supervised_corrections s ON s.tenant_id = $1 AND s.user_id = p.id AND s.bc_id = $2 AND NOT s.may_hide
       AND ${within('s.ran_out')} AND s.ran_out > :now
   UNION ALL SELECT s.user_id, ${stageOn('s.of_site', 'v.moment')}, ${ofCorrections(t, {
     late: 'v.late',
     inTime: 'v.in_time',
     corrected: 'v.corrected',
     responded: 'v.responded',
   })}, 0, 0
     FROM (SELECT s.* FROM ${HIDING}) s
     CROSS JOIN LATERAL (VALUES (s.ran_out, 1, 0, 0, 0), (s.handed, 0, (s.ran_out IS NULL)::int, 1, 0),
       (s.acted, 0, 0, 0, 1)) AS v(moment, late, in_time, corrected, responded)
     WHERE ${within('v.moment')} AND v.moment <= :now
   UNION ALL SELECT x.person, ${stageOn('t.site_id', 't.closes_at')}, 0, 0, 0, 0, ${told(t.tasks, '-1', 'planned')}, 0
     FROM patrol_tasks t
     CROSS JOIN LATERAL unnest(t.user_ids) AS x(person)
     JOIN people p ON p.id = x.person
     WHERE t.tenant_id = $1 AND t.bc_id = $2 AND t.outcome IS NULL AND t.lapses_at > :now AND ${within('t.closes_at')}`

/** How long those took that were handed in or begun in the span, by person: so many took `step` seconds or less. */
const keptTimes = (t: Told): string => `SELECT d.user_id AS person, d.what, d.step, d.n
     FROM supervised_times d
     JOIN people p ON p.id = d.user_id
     WHERE d.tenant_id = $1 AND d.bc_id = $2 AND d.day BETWEEN $3::date AND $4::date AND ${t.corrections}
   UNION ALL SELECT s.user_id, v.what, time_step(v.took), 1
     FROM (SELECT s.* FROM ${HIDING}) s
     CROSS JOIN LATERAL (VALUES ('corrected', s.handed, s.took), ('responded', s.acted, s.response))
       AS v(what, moment, took)
     WHERE ${within('v.moment')} AND ${t.corrections}`
const reached = (share: number, name: string) =>
  `min(x.step) FILTER (WHERE x.so_far >= ${share} * x.n) AS ${name}`
/** The step within which half of them were, and nine of ten, by person and what took so long. */
export const paces = (
  t: Told,
): string => `SELECT x.person, x.what, ${reached(0.5, 'p50')}, ${reached(0.9, 'p90')}
     FROM (SELECT y.person, y.what, y.step, sum(sum(y.n)) OVER upwards AS so_far, sum(sum(y.n)) OVER whole AS n
       FROM (${keptTimes(t)}) y
       GROUP BY y.person, y.what, y.step
       WINDOW whole AS (PARTITION BY y.person, y.what), upwards AS (whole ORDER BY y.step)) x
     GROUP BY x.person, x.what`
