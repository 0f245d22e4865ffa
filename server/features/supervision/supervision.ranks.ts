import { FEW_JUDGED, PER_SITES } from '@zhuguan/contract/features/supervision/supervision.record.ts'

import { epoch } from '../../kit/statement.ts'
import type { Told } from './evidence.ts'
import { sources } from './supervision.sources.ts'

/** The stage that a site was in at a moment: the last one that had begun. */
export const stageThen = (site: string, at: string): string => `LEFT JOIN LATERAL (SELECT g.stage
       FROM site_stages g
       WHERE g.tenant_id = $1 AND g.site_id = ${site} AND g.actual_start <= (${at} AT TIME ZONE 'Asia/Shanghai')::date
       ORDER BY g.actual_start DESC, g.sort DESC
       LIMIT 1) g ON true`
const judgedBy = (what: string, table: string) => `SELECT '${what}' AS what, x.* FROM ${table} x`
/** A home is judged by how many complaints came of it. */
const HOMES = `SELECT 'home' AS what, 'site' AS kind, coalesce(h.site_id, c.site_id) AS id,
       coalesce(h.person, c.person) AS person, coalesce(h.site_id, c.site_id) AS site_id, h.since,
       coalesce(h.at, c.at) AS at, NULL::int AS took, coalesce(c.n, 0)::int AS bad
     FROM homes h
     FULL JOIN (SELECT x.person, x.site_id, max(x.at) AS at, count(*) AS n FROM s_complaint x GROUP BY 1, 2) c
       ON c.person = h.person AND c.site_id = h.site_id`
/**
 * Like is compared with like: of each judged record the branch's mean for its kind, the stage of its site then and the
 * post of whose it was is what was to be expected (docs/decisions/0602).
 */
const judged = (
  told: Told,
) => `SELECT u.what, u.kind, u.id, u.person, u.site_id, u.since, u.at, u.took, u.bad, p.post,
       avg(u.bad) OVER (PARTITION BY u.what, g.stage, p.post) AS expected
     FROM (${[
       judgedBy('task', 's_task'),
       judgedBy('correction', 's_correction'),
       judgedBy('promise', 's_first'),
       judgedBy('warning', 's_warning'),
       ...(told.feedback ? [HOMES] : []),
     ].join(' UNION ALL ')}) u
     JOIN people p ON p.id = u.person
     ${stageThen('u.site_id', 'u.at')}`
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
const orNothing = (sql: string, name: string) => `${sql}::int AS "${name}"`

/** Everybody of the branch with all figures of the span, as rows `r`. */
export const overview = (told: Told): string => `${sources(told)},
   judged AS (${judged(told)}),
   scored AS (SELECT x.person, x.post, count(*) AS n, sum(x.bad) AS bad, sum(x.expected) AS expected
     FROM judged x GROUP BY x.person, x.post),
   ranks AS (${RANKS})
   SELECT p.id, p.nickname, p.post, c.bc_id, c.bc_name, p.stopped AS "isStopped",
     ${epoch('o.oldest')} AS "oldestAt", coalesce(o.n, 0)::int AS open,
     coalesce(w.n, 0)::int AS sites, coalesce(h.n, 0)::int AS homes,
     ${shown(told.tasks, 't.planned', 'planned')}, ${shown(told.tasks, 't.planned - t.missed', 'patrolled')},
     ${shown(told.tasks, 't.missed', 'missed')},
     ${shown(told.words || told.feedback, 'a.n', 'answered')},
     ${orNothing('a.p50', 'answerP50')}, ${orNothing('a.p90', 'answerP90')},
     ${shown(told.corrections, 'b.n', 'responded')},
     ${orNothing('b.p50', 'responseP50')}, ${orNothing('b.p90', 'responseP90')},
     ${shown(told.corrections, 'k.n', 'corrected')},
     ${orNothing('k.p50', 'correctionP50')}, ${orNothing('k.p90', 'correctionP90')},
     ${shown(told.corrections, 'l.late', 'late')},
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
   LEFT JOIN ${counted('s_task', 'missed', 'planned')} t ON t.person = p.id
   LEFT JOIN ${paced('s_answer')} a ON a.person = p.id
   LEFT JOIN ${paced('s_response')} b ON b.person = p.id
   LEFT JOIN ${paced('s_correction')} k ON k.person = p.id
   LEFT JOIN ${counted('s_correction', 'late', 'ended')} l ON l.person = p.id
   LEFT JOIN (SELECT x.person, count(*) AS n FROM s_complaint x GROUP BY x.person) f ON f.person = p.id
   LEFT JOIN ${counted('s_first', 'broken', 'due')} q ON q.person = p.id
   LEFT JOIN ${counted('s_present', 'broken', 'due')} m ON m.person = p.id
   LEFT JOIN ${counted('s_warning', 'moved', 'closed')} v ON v.person = p.id
   LEFT JOIN (SELECT x.person, count(*) AS n FROM s_hand x GROUP BY x.person) z ON z.person = p.id
   LEFT JOIN scored s ON s.person = p.id
   LEFT JOIN ranks n ON n.person = p.id`

/**
 * The bad records of the person $6 and how far each moved them from what was expected: of a home its complaints stand
 * for it, and share what it was expected to have.
 */
export const moversOf = (told: Told): string => `${sources(told)},
   judged AS (${judged(told)})
   SELECT y.kind, y.id, y.person, y.site_id, y.since, y.at, y.took, y.bad, y.weight
   FROM (SELECT x.kind, x.id, x.person, x.site_id, x.since, x.at, x.took, x.bad, x.bad - x.expected AS weight
       FROM judged x WHERE x.what <> 'home'
     UNION ALL SELECT c.kind, c.id, c.person, c.site_id, c.since, c.at, c.took, c.bad, 1 - x.expected / x.bad
       FROM judged x
       JOIN s_complaint c ON c.person = x.person AND c.site_id = x.site_id
       WHERE x.what = 'home' AND x.bad > 0) y
   WHERE y.person = $6 AND y.bad > 0 AND y.weight > 0
   ORDER BY y.weight DESC, y.at DESC, y.id`
