import { FEW_JUDGED, PER_SITES } from '@zhuguan/contract/features/supervision/supervision.record.ts'

import { epoch } from '../../kit/statement.ts'
import type { Told } from './evidence.ts'
import { keptDays, paces } from './kept-days.ts'
import { sources } from './supervision.sources.ts'

/** The stage that a site was in at a moment: the last one that had begun. */
export const stageThen = (site: string, at: string): string => `LEFT JOIN LATERAL (SELECT g.stage
       FROM site_stages g
       WHERE g.tenant_id = $1 AND g.site_id = ${site} AND g.actual_start <= (${at} AT TIME ZONE 'Asia/Shanghai')::date
       ORDER BY g.actual_start DESC, g.sort DESC
       LIMIT 1) g ON true`
/** The stages of a site as spans of days: each runs until the next one begins. */
const STAGES = `SELECT g.site_id, g.stage, g.actual_start AS from_day,
       coalesce(lead(g.actual_start) OVER (PARTITION BY g.site_id ORDER BY g.actual_start, g.sort),
         'infinity') AS to_day
     FROM site_stages g
     JOIN sites w ON w.tenant_id = $1 AND w.id = g.site_id AND w.bc_id = $2
     WHERE g.tenant_id = $1 AND g.actual_start IS NOT NULL`
const judgedBy = (what: string, table: string) => `SELECT '${what}' AS what, x.person, x.site_id,
       (x.at AT TIME ZONE 'Asia/Shanghai')::date AS day, x.bad FROM ${table} x`
/** A home is judged by how many complaints came of it. */
const HOMES = `SELECT 'home', coalesce(h.person, c.person), coalesce(h.site_id, c.site_id),
       (coalesce(h.at, c.at) AT TIME ZONE 'Asia/Shanghai')::date, coalesce(c.n, 0)::int
     FROM homes h
     FULL JOIN (SELECT x.person, x.site_id, max(x.at) AS at, count(*) AS n FROM s_complaint x GROUP BY 1, 2) c
       ON c.person = h.person AND c.site_id = h.site_id`
const ofDays = (what: string, n: string, bad: string) =>
  `SELECT '${what}', x.person, NULL::uuid, x.stage, ${n}, ${bad} FROM days x WHERE (${n}, ${bad}) <> (0, 0)`
/**
 * Like is compared with like: of judged records the branch's mean for their kind, the stage of their site then and the
 * post of whose they were is what was to be expected (docs/decisions/0602). Homes stay apart, by their complaints. A
 * correction is judged once: on the day on which its time ran out, else on that on which it was handed in.
 */
const judged = (told: Told) => `stages AS (${STAGES}),
   judged AS (SELECT u.what, u.person, u.site_id, p.post, u.stage,
       sum(u.n) AS n, sum(u.bad) AS bad, sum(sum(u.bad)) OVER cell / nullif(sum(sum(u.n)) OVER cell, 0)::numeric AS mean
     FROM (SELECT r.what, r.person, CASE WHEN r.what = 'home' THEN r.site_id END AS site_id,
           coalesce(g.stage, '') AS stage, 1 AS n, r.bad
         FROM (${[
           judgedBy('promise', 's_first'),
           judgedBy('warning', 's_warning'),
           ...(told.feedback ? [HOMES] : []),
         ].join(' UNION ALL ')}) r
         LEFT JOIN stages g ON g.site_id = r.site_id AND g.from_day <= r.day AND g.to_day > r.day
       UNION ALL ${ofDays('task', 'x.planned', 'x.planned - x.patrolled')}
       UNION ALL ${ofDays('correction', 'x.late + x.in_time', 'x.late')}) u
     JOIN people p ON p.id = u.person
     GROUP BY u.what, u.person, u.site_id, p.post, u.stage
     WINDOW cell AS (PARTITION BY u.what, u.stage, p.post))`
const RANKS = `SELECT s.person, rank() OVER same AS rank, count(*) OVER (PARTITION BY s.post) AS ranked
     FROM scored s
     WHERE s.n >= ${FEW_JUDGED}
     WINDOW same AS (PARTITION BY s.post ORDER BY round((s.bad - s.expected) / s.n, 6))`

const half = (share: number) => `percentile_disc(${share}) WITHIN GROUP (ORDER BY x.took)`
const counted = (table: string, bad: string, all: string) =>
  `(SELECT x.person, count(*)::int AS ${all}, sum(x.bad)::int AS ${bad} FROM ${table} x GROUP BY x.person)`
const paced = (
  table: string,
) => `(SELECT x.person, count(*)::int AS n, ${half(0.5)} AS p50, ${half(0.9)} AS p90
     FROM ${table} x WHERE x.took IS NOT NULL GROUP BY x.person)`
/** Where the reader is told nothing there is no figure, and not a 0. */
const shown = (told: boolean, sql: string, name: string, type = 'int') =>
  `${told ? `coalesce(${sql}, 0)` : 'NULL'}::${type} AS "${name}"`
const PER_TEN = `round(coalesce(f.n, 0) * ${PER_SITES}::numeric / nullif(h.n, 0), 1)`
const OF_DAYS = `SELECT x.person, ${['late', 'corrected', 'responded', 'planned', 'patrolled']
  .map((name) => `sum(x.${name})::int AS ${name}`)
  .join(', ')} FROM days x GROUP BY x.person`
const orNothing = (sql: string, name: string) => `${sql}::int AS "${name}"`

/** Everybody of the branch with all figures of the span, as rows `r`. */
export const overview = (told: Told): string => `${sources(told)},
   days AS MATERIALIZED (${keptDays(told)}),
   of_days AS (${OF_DAYS}),
   paces AS (${paces(told)}),
   ${judged(told)},
   scored AS (SELECT x.person, x.post, sum(x.n) AS n, sum(x.bad) AS bad, sum(x.n * x.mean) AS expected
     FROM judged x GROUP BY x.person, x.post),
   ranks AS (${RANKS})
   SELECT p.id, p.nickname, p.post, c.bc_id, c.bc_name, p.stopped AS "isStopped",
     ${epoch('o.oldest')} AS "oldestAt", coalesce(o.n, 0)::int AS open,
     coalesce(w.n, 0)::int AS sites, coalesce(h.n, 0)::int AS homes,
     ${shown(told.tasks, 't.planned', 'planned')}, ${shown(told.tasks, 't.patrolled', 'patrolled')},
     ${shown(told.tasks, 't.planned - t.patrolled', 'missed')},
     ${shown(told.words || told.feedback, 'a.n', 'answered')},
     ${orNothing('a.p50', 'answerP50')}, ${orNothing('a.p90', 'answerP90')},
     ${shown(told.corrections, 't.responded', 'responded')},
     ${orNothing('b.p50', 'responseP50')}, ${orNothing('b.p90', 'responseP90')},
     ${shown(told.corrections, 't.corrected', 'corrected')},
     ${orNothing('k.p50', 'correctionP50')}, ${orNothing('k.p90', 'correctionP90')},
     ${shown(told.corrections, 't.late', 'late')},
     ${shown(told.feedback, 'f.n', 'complaints')},
     ${told.feedback ? PER_TEN : 'NULL'}::float8 AS "perTen",
     ${shown(told.promises, 'q.due', 'firstDue')}, ${shown(told.promises, 'q.broken', 'firstBroken')},
     ${shown(told.promises, 'm.due', 'presentDue')}, ${shown(told.promises, 'm.broken', 'presentBroken')},
     ${shown(told.warnings, 'v.closed - v.moved', 'done')}, ${shown(told.warnings, 'v.moved', 'replanned')},
     ${shown(told.warnings, 'z.n', 'byHand')},
     coalesce(s.n, 0)::int AS judged, coalesce(s.bad, 0)::int AS bad,
     round(coalesce(s.expected, 0), 1)::float8 AS expected, n.rank::int AS rank,
     (SELECT count(*)::int FROM scored d WHERE d.post = p.post AND d.n >= ${FEW_JUDGED}) AS ranked
   FROM people p
   JOIN companies c ON c.tenant_id = $1 AND c.bc_id = $2
   LEFT JOIN (SELECT x.person, count(*) AS n, min(x.since) AS oldest FROM s_waiting x GROUP BY x.person) o
     ON o.person = p.id
   LEFT JOIN (SELECT x.person, count(*) AS n FROM s_site x GROUP BY x.person) w ON w.person = p.id
   LEFT JOIN (SELECT x.person, count(*) AS n FROM homes x GROUP BY x.person) h ON h.person = p.id
   LEFT JOIN of_days t ON t.person = p.id
   LEFT JOIN ${paced('s_answer')} a ON a.person = p.id
   LEFT JOIN paces b ON b.person = p.id AND b.what = 'responded'
   LEFT JOIN paces k ON k.person = p.id AND k.what = 'corrected'
   LEFT JOIN (SELECT x.person, count(*) AS n FROM s_complaint x GROUP BY x.person) f ON f.person = p.id
   LEFT JOIN ${counted('s_first', 'broken', 'due')} q ON q.person = p.id
   LEFT JOIN ${counted('s_present', 'broken', 'due')} m ON m.person = p.id
   LEFT JOIN ${counted('s_warning', 'moved', 'closed')} v ON v.person = p.id
   LEFT JOIN (SELECT x.person, count(*) AS n FROM s_hand x GROUP BY x.person) z ON z.person = p.id
   LEFT JOIN scored s ON s.person = p.id
   LEFT JOIN ranks n ON n.person = p.id`

const badOf = (what: string, table: string) => `SELECT '${what}' AS what, x.* FROM ${table} x
       WHERE x.person = $6 AND x.bad = 1`
/**
 * The bad records of the person $6 and how far each moved them from what was expected: of a home its complaints stand
 * for it, and share what it was expected to have.
 */
export const moversOf = (told: Told): string => `${sources(told)},
   days AS MATERIALIZED (${keptDays(told)}),
   ${judged(told)},
   means AS (SELECT DISTINCT x.what, x.stage, x.post, x.mean FROM judged x)
   SELECT y.kind, y.id, y.person, y.site_id, y.since, y.at, y.took, y.bad, y.weight
   FROM (SELECT x.kind, x.id, x.person, x.site_id, x.since, x.at, x.took, x.bad, x.bad - m.mean AS weight
       FROM (${[
         badOf('task', 's_task'),
         badOf('correction', 's_late'),
         badOf('promise', 's_first'),
         badOf('warning', 's_warning'),
       ].join(' UNION ALL ')}) x
       JOIN people p ON p.id = x.person
       LEFT JOIN stages g ON g.site_id = x.site_id
         AND g.from_day <= (x.at AT TIME ZONE 'Asia/Shanghai')::date
         AND g.to_day > (x.at AT TIME ZONE 'Asia/Shanghai')::date
       JOIN means m ON m.what = x.what AND m.stage = coalesce(g.stage, '') AND m.post = p.post
     UNION ALL SELECT c.kind, c.id, c.person, c.site_id, c.since, c.at, c.took, c.bad, 1 - x.mean / x.bad
       FROM judged x
       JOIN s_complaint c ON c.person = x.person AND c.site_id = x.site_id
       WHERE x.what = 'home' AND x.person = $6 AND x.bad > 0) y
   WHERE y.weight > 0
   ORDER BY y.weight DESC, y.at DESC, y.id`
