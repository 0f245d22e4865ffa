import { patrolKind, patrolStatus } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { promiseState } from '@zhuguan/contract/features/promises/promises.record.ts'
import type { rankingsApi } from '@zhuguan/contract/features/rankings/rankings.api.ts'
import {
  COUNTS_DAYS,
  FIRST_WEIGHTS,
  type WeightedReason,
  weightedReason,
  YIELD_DAYS,
} from '@zhuguan/contract/features/rankings/rankings.record.ts'
import { siteStatus, tidinessResult } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { bool, date, float8, int4, row, text, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { addDays } from '../../kit/shanghai.ts'
import { contains, dayBegins, epoch, type PageOf } from '../../kit/statement.ts'
import { OPEN_COMPLAINT } from '../feedback/complaints.reads.ts'
import { OPEN as PROMISED } from '../promises/open-promises.reads.ts'
import { settingSql } from '../settings/settings.reads.ts'

/** Only on-site patrols count as a visit; remote ones do not. */
const { plan, scene } = patrolKind.code
const { submitted } = patrolStatus.code
const { poor, skewed } = tidinessResult.code
const { broken } = promiseState.code
const DAY_OF = (at: string) => `(${at} AT TIME ZONE 'Asia/Shanghai')::date`

export function rankPage(scope: Scope, q: QueryOf<(typeof rankingsApi)['list']>, today: string): PageOf {
  const where = scoped(scope, 'k')
    .add((p) => `k.day = ${p}::date`, q.day ?? today)
    .when(q.bc_id, (p) => `k.bc_id = ANY(${p}::uuid[])`)
    .when(q.site_id, (p) => `k.site_id = ${p}::uuid`)
    .when(
      q.reason,
      (p) =>
        `EXISTS (SELECT 1 FROM jsonb_to_recordset(k.reasons) AS e(code text) WHERE e.code = ANY(${p}::text[]))`,
    )
    .when(
      q.keyword || undefined,
      (p) => `EXISTS (SELECT 1 FROM sites x
        WHERE x.tenant_id = $1 AND x.id = k.site_id AND lower(x.ws_name) LIKE ${p})`,
      contains,
    )
  return {
    name: 'rankings.page',
    columns: `k.site_id AS id, w.ws_name AS "siteName", k.bc_id, c.bc_name, w.stage,
     coalesce(m.nickname, '') AS "managerName", k.rank, round(k.score::numeric, 2)::float8 AS score, k.reasons,
     ${epoch('v.last')} AS "lastAt", ${epoch('v.done')} AS "doneAt"`,
    base: 'site_ranks k',
    joins: `JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
     JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
     LEFT JOIN users m ON m.tenant_id = $1 AND m.id = w.manager_id
     CROSS JOIN LATERAL (
       SELECT max(p.submitted_at) AS last,
         min(p.submitted_at) FILTER (WHERE p.submitted_at >= ${dayBegins('k.day')}
           AND p.submitted_at < ${dayBegins('(k.day + 1)')}) AS done
       FROM patrols p
       WHERE p.tenant_id = $1 AND p.site_id = k.site_id AND p.status = ${submitted}) v`,
    where,
    sort: q.sort,
    otherwise: 'k.rank ASC',
    tie: 'k.site_id',
    sortable: { rank: 'k.rank' },
    filled: ['rank'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

/** A tenth of the list is picked by chance: what no reason names is looked at too. */
const CHANCE = 0.1
/** Fewer days say nothing of being left alone. */
const SILENT_FROM = 2
const UNVISITED_FROM = 3
/** At so much of it a reason counts in full. */
const FULL = { alarms: 5, untidy: 3, silence: 7, unvisited: 14, promises: 3, complaints: 2 }
const UNTIDY_DAYS = 7
/** A promise that was broken is spoken of for so long. */
const BROKEN_DAYS = 14
/** So soon a stage is covered, or so long overdue. */
const COVERING_DAYS = 3

/**
 * The lists of a day, of all branches of a tenant that have none yet: what each site says for itself, weighed as its
 * branch weighs it, the best of them and some by chance. `stages` are those after which nothing can be seen any more.
 */
export async function writeRanks(
  tx: Tx,
  tenant: string,
  { day, stages }: { day: string; stages: readonly string[] },
): Promise<number> {
  const morning = dayBegins('$2')
  const { rowCount } = await tx.run(
    'rankings.write',
    `WITH s AS (
       SELECT w.id, w.bc_id, w.open_alarms, w.no_work_run, w.start_date, b.size,
         greatest(1, round(b.size * ${CHANCE}))::int AS chance
       FROM (SELECT c.bc_id, ${settingSql('rankSize', '$1', 'c.bc_id')}::text::int AS size
         FROM companies c
         WHERE c.tenant_id = $1 AND NOT EXISTS (SELECT 1 FROM site_ranks x
           WHERE x.tenant_id = $1 AND x.bc_id = c.bc_id AND x.day = $2::date)) b
       JOIN sites w ON w.tenant_id = $1 AND w.bc_id = b.bc_id AND w.status = ${siteStatus.code.building}
         AND w.deleted_at IS NULL),
     untidy AS (
       SELECT t.site_id, count(*)::int AS n
       FROM tidiness_checks t
       WHERE t.tenant_id = $1 AND t.at >= ${morning} - interval '${UNTIDY_DAYS} days' AND t.at < ${morning}
         AND t.result = ${poor} AND NOT t.replaced
       GROUP BY 1),
     covering AS (
       SELECT DISTINCT ON (g.site_id) g.site_id, g.stage, g.planned_finish - $2::date AS n
       FROM site_stages g
       WHERE g.tenant_id = $1 AND g.stage = ANY ($3) AND g.actual_start IS NOT NULL AND g.actual_finish IS NULL
         AND g.planned_finish BETWEEN $2::date - ${COVERING_DAYS} AND $2::date + ${COVERING_DAYS}
       ORDER BY g.site_id, g.planned_finish),
     promised AS (
       SELECT p.site_id, count(*)::int AS n
       FROM promises p
       WHERE p.tenant_id = $1 AND (${PROMISED} AND p.due <= $2::date
         OR p.state = '${broken}' AND p.changed_at >= ${morning} - interval '${BROKEN_DAYS} days')
       GROUP BY 1),
     -- What is kept from anybody speaks to nobody: the list says the same to all who read it.
     complained AS (
       SELECT f.site_id, count(*)::int AS n
       FROM feedback f
       WHERE f.tenant_id = $1 AND ${OPEN_COMPLAINT} AND f.hidden_from IS NULL
       GROUP BY 1),
     given AS (
       SELECT s.id, r.code, r.n, r.stage, round(r.strength * coalesce(k.weight, r.first), 2) AS points
       FROM s
       CROSS JOIN LATERAL (
         SELECT max(${DAY_OF('p.submitted_at')}) AS day
         FROM patrols p
         WHERE p.tenant_id = $1 AND p.site_id = s.id AND p.kind IN ('${scene}', '${plan}')
           AND p.status = ${submitted} AND p.submitted_at < ${morning}) v
       LEFT JOIN untidy u ON u.site_id = s.id
       LEFT JOIN covering g ON g.site_id = s.id
       LEFT JOIN promised o ON o.site_id = s.id
       LEFT JOIN complained f ON f.site_id = s.id
       CROSS JOIN LATERAL (SELECT $2::date - coalesce(v.day, s.start_date) AS days) d
       CROSS JOIN LATERAL (VALUES
         ('alarms', s.open_alarms, NULL, least(s.open_alarms::numeric / ${FULL.alarms}, 1), ${FIRST_WEIGHTS.alarms}),
         ('untidy', u.n, NULL, least(coalesce(u.n, 0)::numeric / ${FULL.untidy}, 1), ${FIRST_WEIGHTS.untidy}),
         ('silence', s.no_work_run, NULL, CASE WHEN s.no_work_run >= ${SILENT_FROM}
           THEN least(s.no_work_run::numeric / ${FULL.silence}, 1) END, ${FIRST_WEIGHTS.silence}),
         ('unvisited', d.days, NULL, CASE WHEN d.days >= ${UNVISITED_FROM}
           THEN least(d.days::numeric / ${FULL.unvisited}, 1) END, ${FIRST_WEIGHTS.unvisited}),
         ('covering', g.n, g.stage, CASE WHEN g.n IS NOT NULL
           THEN 1 - greatest(g.n, 0)::numeric / ${COVERING_DAYS + 1} END, ${FIRST_WEIGHTS.covering}),
         ('promises', o.n, NULL, least(coalesce(o.n, 0)::numeric / ${FULL.promises}, 1), ${FIRST_WEIGHTS.promises}),
         ('complaints', f.n, NULL, least(coalesce(f.n, 0)::numeric / ${FULL.complaints}, 1),
           ${FIRST_WEIGHTS.complaints})
       ) r(code, n, stage, strength, first)
       LEFT JOIN rank_weights k ON k.tenant_id = $1 AND k.bc_id = s.bc_id AND k.reason = r.code
       WHERE r.strength > 0),
     scored AS (
       SELECT s.id, s.bc_id, s.size - s.chance AS best, s.chance, coalesce(sum(g.points), 0) AS score,
         coalesce(jsonb_agg(jsonb_build_object('code', g.code, 'n', g.n, 'stage', g.stage, 'points', g.points)
           ORDER BY g.points DESC, g.code) FILTER (WHERE g.code IS NOT NULL), '[]') AS reasons
       FROM s
       LEFT JOIN given g ON g.id = s.id
       GROUP BY 1, 2, 3, 4),
     placed AS (
       SELECT o.*, row_number() OVER (PARTITION BY o.bc_id ORDER BY o.score DESC, o.id) <= o.best
         AND o.score > 0 AS chosen
       FROM scored o),
     drawn AS (
       SELECT o.*, row_number() OVER (PARTITION BY o.bc_id, o.chosen ORDER BY md5(o.id::text || $2)) AS lot
       FROM placed o)
     INSERT INTO site_ranks (tenant_id, bc_id, site_id, day, rank, score, reasons)
     SELECT $1::uuid, o.bc_id, o.id, $2::date,
       row_number() OVER (PARTITION BY o.bc_id ORDER BY o.chosen DESC, o.score DESC, o.id), o.score,
       CASE WHEN o.chosen THEN o.reasons
       ELSE '[{"code": "random", "n": null, "stage": null, "points": 0}]'::jsonb || o.reasons END
     FROM drawn o
     WHERE o.chosen OR o.lot <= o.chance
     ON CONFLICT (tenant_id, site_id, day) DO NOTHING`,
    [tenant, day, stages],
  )
  return rowCount ?? 0
}

export interface Yield {
  bc: string
  /** Empty: all patrols. */
  code: string
  n: number
  found: number
}
/** Findings of patrols of the last days, by the reason for which their sites were listed; of a branch or of all. */
export async function yields(tx: Tx, tenant: string, day: string, bc: string | null): Promise<Yield[]> {
  const { rows } = await tx.query(
    'rankings.yields',
    row({ bc: uuid, code: text, n: int4, found: int4 }),
    `WITH made AS (
       SELECT p.id, p.bc_id, p.site_id, ${DAY_OF('p.submitted_at')} AS day,
         p.problems > 0 OR coalesce(p.tidiness, ${skewed}) = ${poor} AS found
       FROM patrols p
       WHERE p.tenant_id = $1 AND p.status = ${submitted} AND ($4::uuid IS NULL OR p.bc_id = $4)
         AND p.submitted_at >= ${dayBegins('$2')} AND p.submitted_at < ${dayBegins('$3')})
     SELECT m.bc_id AS bc, '' AS code, count(*)::int AS n, (count(*) FILTER (WHERE m.found))::int AS found
     FROM made m
     GROUP BY 1
     UNION ALL
     SELECT m.bc_id, m.code, count(*)::int, (count(*) FILTER (WHERE m.found))::int
     FROM (SELECT DISTINCT d.id, d.bc_id, e.code, d.found
       FROM site_ranks k
       JOIN made d ON d.site_id = k.site_id AND d.day BETWEEN k.day AND k.day + ${COUNTS_DAYS}
       CROSS JOIN LATERAL jsonb_to_recordset(k.reasons) AS e(code text)
       WHERE k.tenant_id = $1 AND k.day BETWEEN $2::date - ${COUNTS_DAYS} AND $3::date) m
     GROUP BY 1, 2`,
    [tenant, addDays(day, -YIELD_DAYS), addDays(day, 1), bc],
  )
  return rows
}

export interface Weight {
  bc: string
  reason: WeightedReason
  weight: number
  pinned: boolean
  learnedOn: string | null
  by: string
  at: number | null
  version: number
}
/** What each reason counts in each branch, or in one: as it was left, or as it began. */
export async function weights(tx: Tx, tenant: string, bc: string | null): Promise<Weight[]> {
  const { rows } = await tx.query(
    'rankings.weights',
    row<Weight>({
      bc: uuid,
      reason: text.of(weightedReason),
      weight: float8,
      pinned: bool,
      learnedOn: date.null,
      by: text,
      at: float8.null,
      version: int4,
    }),
    `SELECT c.bc_id AS bc, r.reason, coalesce(k.weight::float8, r.first) AS weight, coalesce(k.pinned, false) AS pinned,
       k.learned_on AS "learnedOn", coalesce(k.changed_by, '') AS by, ${epoch('k.changed_at')} AS at,
       coalesce(k.version, 0) AS version
     FROM companies c
     CROSS JOIN json_to_recordset($2::json) AS r(reason text, first float8)
     LEFT JOIN rank_weights k ON k.tenant_id = $1 AND k.bc_id = c.bc_id AND k.reason = r.reason
     WHERE c.tenant_id = $1 AND ($3::uuid IS NULL OR c.bc_id = $3)
     ORDER BY c.bc_id, r.reason`,
    [
      tenant,
      JSON.stringify(weightedReason.values.map((reason) => ({ reason, first: FIRST_WEIGHTS[reason] }))),
      bc,
    ],
  )
  return rows
}

export async function weightHistory(tx: Tx, tenant: string, bc: string) {
  const { rows } = await tx.query(
    'rankings.history',
    row({ at: float8, actor: text, reason: text.of(weightedReason), was: float8, weight: float8, text }),
    `SELECT ${epoch('l.at')} AS at, l.actor, l.reason, l.was::float8 AS was, l.weight::float8 AS weight, l.text
     FROM rank_weight_logs l
     WHERE l.tenant_id = $1 AND l.bc_id = $2
     ORDER BY l.at DESC, l.id DESC
     LIMIT 30`,
    [tenant, bc],
  )
  return rows
}
