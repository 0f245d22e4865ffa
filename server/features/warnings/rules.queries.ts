import { patrolStatus } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { THRESHOLD_OF } from '@zhuguan/contract/features/settings/warning-settings.ts'
import { siteStatus, tidinessLevel } from '@zhuguan/contract/features/sites/sites.record.ts'
import {
  warningBall,
  type WarningRule,
  warningRule,
} from '@zhuguan/contract/features/warnings/warnings.record.ts'

import type { Tx } from '../../database/connect.ts'
import { correctionHidden } from '../../kit/kept-from.ts'
import { int4, row, type RowOf, text, uuid } from '../../kit/row.ts'
import { TODAY } from '../../kit/statement.ts'
import { overdue, PROBLEM } from '../corrections/corrections.reads.ts'
import { missingGoods, missingWords } from '../no-work/missing-goods.reads.ts'
import { reasonHolds } from '../no-work/silent-sites.reads.ts'
import { OPEN } from '../questions/undecided.reads.ts'
import { restDaySql, settingSql } from '../settings/settings.reads.ts'

/** What is longer ago counts as so long ago: two years. */
const FAR = 730
const FIRST_DAY = `(${TODAY} - ${FAR})`
/** Patrols of before say nothing of how the work is done now. */
const PATROLS_DAYS = 180
const { building, notStarted } = siteStatus.code
const { assignee, goods, manager, owner } = warningBall.code
const { poor } = tidinessLevel.code

/** Sites `w` of which something may be wrong, each with the working days that its branch has had, day by day. */
const PLACES = `worked AS MATERIALIZED (
    SELECT d.bc_id, array_agg(d.n ORDER BY d.day) AS days
    FROM (SELECT c.bc_id, x.day,
        (count(*) FILTER (WHERE NOT ${restDaySql('$1', 'c.bc_id', 'x.day::date')})
          OVER (PARTITION BY c.bc_id ORDER BY x.day))::int AS n
      FROM companies c
      CROSS JOIN generate_series(${FIRST_DAY}, ${TODAY}, interval '1 day') AS x(day)
      WHERE c.tenant_id = $1 AND EXISTS (
        SELECT FROM sites b
        WHERE b.tenant_id = $1 AND b.bc_id = c.bc_id AND ($2::uuid[] IS NULL OR b.id = ANY ($2)))) d
    GROUP BY d.bc_id),
  places AS MATERIALIZED (
    SELECT s.id, s.bc_id, s.status, CASE WHEN ${reasonHolds('s')} THEN s.stop_reason END AS stop_reason, k.days
    FROM sites s
    JOIN worked k ON k.bc_id = s.bc_id
    WHERE s.tenant_id = $1 AND s.deleted_at IS NULL AND s.status IN (${building}, ${notStarted})
      AND ($2::uuid[] IS NULL OR s.id = ANY ($2)))`
/**
 * The number of working days of a site's branch after `day` up to today; empty for no day and for one still to
 * come.
 */
const workedSince = (days: string, day: string): string =>
  `${days}[${FAR + 1}] - ${days}[CASE WHEN ${day} < ${FIRST_DAY} THEN 1 ELSE ${day} - ${FIRST_DAY} + 1 END]`

/** Stages with what became of those before and after them. */
const STAGES = `stages AS MATERIALIZED (
    SELECT w.id AS site_id, w.bc_id, w.status, w.stop_reason, w.days, g.stage, g.planned_start, g.planned_finish,
      g.actual_start, g.actual_finish, g.baseline_start, g.baseline_finish,
      min(g.actual_start) OVER later AS next_begun,
      min(g.planned_start) FILTER (WHERE g.actual_start IS NOT NULL) OVER later AS next_planned,
      coalesce(bool_or(g.actual_finish IS NULL AND (g.actual_start IS NULL OR g.planned_finish < ${TODAY}))
        OVER earlier, false) AS held_up
    FROM places w
    JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = w.id
    WINDOW later AS (PARTITION BY g.site_id ORDER BY g.sort ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING),
      earlier AS (PARTITION BY g.site_id ORDER BY g.sort ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))`
const BEGUN = `g.status = ${building} AND g.actual_start IS NOT NULL AND g.actual_finish IS NULL`

interface Of {
  cause: string
  stage?: string
  correction?: string
  about?: string
  planned?: string
  deviation: string
  baseline?: string
  /** Whether goods and the owner may hold it up. */
  waits?: true
  ball?: string
  site: string
  from: string
}
/** The finds of a rule, in columns that are the same for all. */
const finds = (rule: WarningRule, f: Of): string =>
  `SELECT ${f.site} AS site_id, '${rule}' AS rule, ${f.cause} AS cause, ${f.stage ?? 'NULL'}::text AS stage,
      ${f.correction ?? 'NULL'}::uuid AS correction_id, ${f.about ?? `''`} AS about,
      ${f.planned ?? 'NULL'}::date AS planned,
      (${f.deviation})::int AS deviation, (${f.baseline ?? 'NULL'})::int AS baseline_deviation,
      ${f.waits ?? false} AS waits, '${f.ball ?? manager}' AS ball
    ${f.from}`
const ofStage = (where: string) => ({
  cause: 'g.stage',
  stage: 'g.stage',
  site: 'g.site_id',
  from: `FROM stages g WHERE ${where}`,
})

/** Each rule once. Of stages that follow each other only the first is late to begin: the others wait for it. */
const RULES: Readonly<Record<WarningRule, string>> = {
  lateStart: finds('lateStart', {
    ...ofStage(
      'g.actual_start IS NULL AND g.actual_finish IS NULL AND g.next_begun IS NULL AND NOT g.held_up',
    ),
    planned: 'g.planned_start',
    deviation: workedSince('g.days', 'g.planned_start'),
    baseline: workedSince('g.days', 'g.baseline_start'),
    waits: true,
  }),
  lateFinish: finds('lateFinish', {
    ...ofStage(`${BEGUN} AND g.next_begun IS NULL`),
    planned: 'g.planned_finish',
    deviation: workedSince('g.days', 'g.planned_finish'),
    baseline: workedSince('g.days', 'g.baseline_finish'),
    waits: true,
  }),
  /** Whole days of the site with nobody there, by its own days: rest days and blind ones are none. */
  nobody: finds('nobody', {
    ...ofStage(`${BEGUN} AND g.next_begun IS NULL AND g.stop_reason IS NULL`),
    deviation: `SELECT count(*) FROM site_days d
      WHERE d.tenant_id = $1 AND d.site_id = g.site_id AND d.no_work AND d.day >= g.actual_start AND d.day < ${TODAY}
        AND NOT EXISTS (SELECT FROM site_days l
          WHERE l.tenant_id = $1 AND l.site_id = d.site_id AND l.day > d.day AND l.present > 0)`,
    waits: true,
  }),
  /** Stages that the plan lets overlap may; then it is asked for after its own end. */
  unaccepted: finds('unaccepted', {
    ...ofStage(`${BEGUN} AND g.next_begun IS NOT NULL`),
    planned: 'g.planned_finish',
    deviation: workedSince(
      'g.days',
      `CASE WHEN g.next_planned <= g.planned_finish THEN greatest(g.next_begun, g.planned_finish)
        ELSE g.next_begun END`,
    ),
    baseline: workedSince('g.days', 'g.baseline_finish'),
  }),
  failed: finds('failed', {
    site: 'j.site_id',
    cause: 'j.title',
    about: 'j.title',
    correction:
      '(array_agg(j.correction_id ORDER BY j.at DESC) FILTER (WHERE j.correction_id IS NOT NULL))[1]',
    deviation: 'count(*)',
    ball: assignee,
    from: `FROM (
        SELECT p.site_id, i.title, i.verdict, i.correction_id, p.submitted_at AS at,
          max(p.submitted_at) FILTER (WHERE i.verdict = 'passed') OVER (PARTITION BY p.site_id, i.title) AS passed_at
        FROM places w
        JOIN patrols p ON p.tenant_id = $1 AND p.site_id = w.id AND p.status = ${patrolStatus.code.submitted}
          AND p.submitted_at > :now - interval '${PATROLS_DAYS} days'
        JOIN patrol_items i ON i.tenant_id = $1 AND i.patrol_id = p.id
        WHERE w.status = ${building}) j
      WHERE j.verdict = 'failed' AND j.at > coalesce(j.passed_at, '-infinity')
      GROUP BY j.site_id, j.title`,
  }),
  overdue: finds('overdue', {
    site: 'w.id',
    cause: 'k.id::text',
    correction: 'k.id',
    about: PROBLEM,
    planned: `(k.due_at AT TIME ZONE 'Asia/Shanghai')`,
    deviation: workedSince('w.days', `(k.due_at AT TIME ZONE 'Asia/Shanghai')::date`),
    ball: assignee,
    from: `FROM places w
      JOIN corrections k ON k.tenant_id = $1 AND k.site_id = w.id AND ${overdue('k')}
        AND NOT ${correctionHidden('k')}
      LEFT JOIN alarms a ON a.tenant_id = $1 AND a.id = k.id`,
  }),
  untidy: finds('untidy', {
    site: 't.site_id',
    cause: `''`,
    correction: `(SELECT k.id FROM corrections k
        WHERE k.tenant_id = $1 AND k.site_id = t.site_id AND k.source = 'tidiness'
        ORDER BY k.at DESC, k.id DESC LIMIT 1)`,
    deviation: 'count(*)',
    from: `FROM (
        SELECT c.site_id, c.result, c.at,
          max(c.at) FILTER (WHERE c.result <> ${poor}) OVER (PARTITION BY c.site_id) AS tidy_at
        FROM places w
        JOIN tidiness_checks c ON c.tenant_id = $1 AND c.site_id = w.id AND NOT c.replaced
          AND c.result IN (${tidinessLevel.values.join(', ')}) AND c.at > :now - interval '${PATROLS_DAYS} days'
        WHERE w.status = ${building}) t
      WHERE t.result = ${poor} AND t.at > coalesce(t.tidy_at, '-infinity')
      GROUP BY t.site_id`,
  }),
}

/** What holds the stage of what was found `f` up: the owner who has something to decide, else its goods. */
const LACKS = { tenant: '$1', site: 'f.site_id', stage: 'f.stage' }
const ASKED = `FROM questions q WHERE q.tenant_id = $1 AND q.site_id = f.site_id AND q.stage = f.stage AND ${OPEN}`
const thresholdSql = (rule: WarningRule, bc: string) =>
  `(${settingSql(THRESHOLD_OF[rule], '$1', bc)})::text::int`

const foundRow = row({
  site_id: uuid,
  bc_id: uuid,
  rule: text.of(warningRule),
  cause: text,
  stage: text.null,
  correction_id: uuid.null,
  about: text,
  planned: text.null,
  deviation: int4,
  baseline: int4.null,
  level: int4,
  ball: text.of(warningBall),
  waitsFor: text,
})
export type Found = RowOf<typeof foundRow>

/** Everything that is wrong now with these sites, or with all, by the thresholds of their branches. */
export async function findWarnings(
  tx: Tx,
  tenant: string,
  sites: readonly string[] | null,
): Promise<Found[]> {
  const threshold = warningRule.values
    .map((r) => `WHEN '${r}' THEN ${thresholdSql(r, 'w.bc_id')}`)
    .join('\n      ')
  const { rows } = await tx.query(
    'warnings.find',
    foundRow,
    `WITH ${PLACES}, ${STAGES}, found AS (${warningRule.values.map((r) => RULES[r]).join('\n  UNION ALL ')})
   SELECT f.site_id, w.bc_id, f.rule, f.cause, f.stage, f.correction_id, f.about,
     f.planned::text AS planned, f.deviation,
     CASE WHEN f.baseline_deviation IS NOT NULL THEN greatest(f.baseline_deviation, 0) END AS baseline,
     least(f.deviation / t.most, 3) AS level,
     CASE WHEN NOT f.waits THEN f.ball WHEN h.asked <> '' THEN '${owner}' WHEN h.missing <> '' THEN '${goods}'
       ELSE f.ball END AS ball,
     CASE WHEN h.asked <> '' THEN h.asked ELSE coalesce(h.missing, '') END AS "waitsFor"
   FROM found f
   JOIN places w ON w.id = f.site_id
   CROSS JOIN LATERAL (SELECT CASE f.rule ${threshold} END AS most) t
   LEFT JOIN LATERAL (SELECT
     coalesce((SELECT string_agg(q.words, '、' ORDER BY q.needed_by, q.id) ${ASKED}), '') AS asked,
     CASE WHEN EXISTS (SELECT ${missingGoods(LACKS)}) THEN ${missingWords(LACKS)} ELSE '' END AS missing) h ON f.waits
   WHERE f.deviation >= t.most`,
    [tenant, sites],
  )
  return rows
}

/** The number of a rule's finds with another threshold: of one branch, or of all that have none of their own. */
export async function wouldFind(
  tx: Tx,
  q: { tenant: string; bc: string | undefined; rule: WarningRule; threshold: number },
): Promise<number> {
  const { rows } = await tx.query(
    `warnings.would${q.rule.toLowerCase()}`,
    row({ n: int4 }),
    `WITH ${PLACES}, ${STAGES}, found AS (${RULES[q.rule]})
   SELECT count(*)::int AS n
   FROM found f
   JOIN places w ON w.id = f.site_id
   WHERE f.deviation >= $3 AND CASE WHEN $4::uuid IS NOT NULL THEN w.bc_id = $4
     ELSE NOT EXISTS (SELECT FROM settings s
       WHERE s.tenant_id = $1 AND s.bc_id = w.bc_id AND s.key = '${THRESHOLD_OF[q.rule]}') END`,
    [q.tenant, null, q.threshold, q.bc ?? null],
  )
  return rows[0]!.n
}
