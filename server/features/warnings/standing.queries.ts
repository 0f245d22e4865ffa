import { correctionStatus } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { correctionActions } from '@zhuguan/contract/features/corrections/corrections.actions.ts'
import { patrolStatus } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { siteStatus, tidinessLevel } from '@zhuguan/contract/features/sites/sites.record.ts'
import { warningEnd, warningRule, warningState } from '@zhuguan/contract/features/warnings/warnings.record.ts'
import type { Code } from '@zhuguan/contract/kit/codes.ts'
import { EVERY_PERMISSION } from '@zhuguan/contract/kit/permits.ts'

import type { Tx } from '../../database/connect.ts'
import { bool, int2, int4, row, type RowOf, text, timestamptz, uuid } from '../../kit/row.ts'
import { isAway } from '../../kit/standing-in.ts'
import type { Found } from './rules.queries.ts'
import { UNCLOSED } from './warnings.reads.ts'

export type Ended = Code<typeof warningEnd>
const { done, lifted, over, replanned } = warningEnd.code
const { building, notStarted } = siteStatus.code
const { closed, handling, open } = warningState.code

const standingRow = row({
  id: uuid,
  site_id: uuid,
  rule: text.of(warningRule),
  cause: text,
  level: int2,
  toldLevel: int2,
  deviation: int4,
  baseline: int4.null,
  planned: text.null,
  correction_id: uuid.null,
  ball: text,
  waitsFor: text,
  silent: bool,
})
export type Standing = RowOf<typeof standingRow>

/** The warnings of these sites: not closed, or closed by a person while their cause went on. Held until the end. */
export async function lockStanding(
  tx: Tx,
  tenant: string,
  sites: readonly string[] | null,
): Promise<Standing[]> {
  const { rows } = await tx.query(
    'warnings.standing',
    standingRow,
    `SELECT v.id, v.site_id, v.rule, v.cause, v.level, v.told_level AS "toldLevel", v.deviation,
       v.baseline_deviation AS baseline, v.planned::text AS planned, v.correction_id, v.ball,
       v.ball_about AS "waitsFor", v.silent
     FROM warnings v
     WHERE v.tenant_id = $1 AND (${UNCLOSED} OR v.silent) AND ($2::uuid[] IS NULL OR v.site_id = ANY ($2))
     ORDER BY v.id
     FOR UPDATE OF v`,
    [tenant, sites],
  )
  return rows
}

export interface Opening extends Found {
  id: string
}
/** Answers those that nobody else has opened meanwhile. */
export async function openWarnings(
  tx: Tx,
  tenant: string,
  all: readonly Opening[],
  by: string,
): Promise<string[]> {
  const { rows } = await tx.query(
    'warnings.open',
    row({ id: uuid }),
    `INSERT INTO warnings (tenant_id, id, bc_id, site_id, rule, cause, stage, correction_id, about, planned, deviation,
       baseline_deviation, level, told_level, ball, ball_about, opened_at, changed_by, changed_at)
     SELECT $1, x.id, x.bc_id, x.site_id, x.rule, x.cause, x.stage, x.correction_id, x.about, x.planned, x.deviation,
       x.baseline, x.level, x.level, x.ball, x."waitsFor", :now, $3, :now
     FROM json_to_recordset($2::json) AS x(id uuid, bc_id uuid, site_id uuid, rule text, cause text, stage text,
       correction_id uuid, about text, planned date, deviation int, baseline int, level smallint, ball text,
       "waitsFor" text)
     ON CONFLICT (tenant_id, site_id, rule, cause) WHERE state <> 'closed' DO NOTHING
     RETURNING id`,
    [tenant, JSON.stringify(all), by],
  )
  return rows.map((r) => r.id)
}

export interface Changed extends Pick<
  Found,
  'ball' | 'baseline' | 'correction_id' | 'deviation' | 'level' | 'planned' | 'waitsFor'
> {
  id: string
}
export const keepWarnings = (tx: Tx, tenant: string, all: readonly Changed[], by: string) =>
  tx.run(
    'warnings.keep',
    `UPDATE warnings v
     SET deviation = x.deviation, baseline_deviation = x.baseline, level = x.level, planned = x.planned,
       told_level = greatest(v.told_level, x.level), correction_id = x.correction_id, ball = x.ball,
       ball_about = x."waitsFor", changed_by = $3, changed_at = :now, version = v.version + 1
     FROM json_to_recordset($2::json) AS x(id uuid, deviation int, baseline int, level smallint, planned date,
       correction_id uuid, ball text, "waitsFor" text)
     WHERE v.tenant_id = $1 AND v.id = x.id`,
    [tenant, JSON.stringify(all), by],
  )

/** Their cause was gone once: what comes again is a new one. */
export const hearAgain = (tx: Tx, tenant: string, ids: readonly string[]) =>
  tx.run('warnings.hear', 'UPDATE warnings SET silent = false WHERE tenant_id = $1 AND id = ANY ($2)', [
    tenant,
    ids,
  ])

const JUDGED = `SELECT i.verdict
         FROM patrols p
         JOIN patrol_items i ON i.tenant_id = $1 AND i.patrol_id = p.id AND i.title = v.cause
         WHERE p.tenant_id = $1 AND p.site_id = v.site_id AND p.status = ${patrolStatus.code.submitted}
           AND i.verdict IN ('passed', 'failed')
         ORDER BY p.submitted_at DESC
         LIMIT 1`
const TIDY = `SELECT t.result
         FROM tidiness_checks t
         WHERE t.tenant_id = $1 AND t.site_id = v.site_id AND NOT t.replaced
           AND t.result IN (${tidinessLevel.values.join(', ')})
         ORDER BY t.at DESC, t.id DESC
         LIMIT 1`
/** What became of the cause: work was done, the plan was moved, the site has ended, or it is no cause any more. */
const FATE = `CASE WHEN w.deleted_at IS NOT NULL OR w.status NOT IN (${building}, ${notStarted}) THEN '${over}'
       WHEN v.rule = 'lateStart' AND g.actual_start IS NOT NULL THEN '${done}'
       WHEN v.rule IN ('lateFinish', 'unaccepted', 'nobody') AND g.actual_finish IS NOT NULL THEN '${done}'
       WHEN v.rule = 'lateStart' AND g.planned_start > v.planned THEN '${replanned}'
       WHEN v.rule IN ('lateFinish', 'unaccepted') AND g.planned_finish > v.planned THEN '${replanned}'
       WHEN v.rule = 'nobody' AND EXISTS (SELECT FROM site_days d
         WHERE d.tenant_id = $1 AND d.site_id = v.site_id AND d.present > 0
           AND d.day >= (v.opened_at AT TIME ZONE 'Asia/Shanghai')::date - v.deviation) THEN '${done}'
       WHEN v.rule = 'overdue' AND k.correction_status = ${correctionStatus.code.corrected} THEN '${done}'
       WHEN v.rule = 'overdue' AND k.correction_status IN (1, 2)
         AND (k.due_at AT TIME ZONE 'Asia/Shanghai')::date > v.planned THEN '${replanned}'
       WHEN v.rule = 'failed' AND (${JUDGED}) = 'passed' THEN '${done}'
       WHEN v.rule = 'untidy' AND (${TIDY}) < ${tidinessLevel.code.poor} THEN '${done}'
       ELSE '${lifted}' END`
/** What became of each, as its site stands now. */
export async function fatesOf(tx: Tx, tenant: string, ids: readonly string[]): Promise<Map<string, Ended>> {
  const { rows } = await tx.query(
    'warnings.fates',
    row({ id: uuid, ended: text.of(warningEnd) }),
    `SELECT v.id, ${FATE} AS ended
     FROM warnings v
     JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
     LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = v.site_id AND g.stage = v.stage
     LEFT JOIN corrections k ON k.tenant_id = $1 AND k.id = v.correction_id
     WHERE v.tenant_id = $1 AND v.id = ANY ($2)`,
    [tenant, ids],
  )
  return new Map(rows.map((r) => [r.id, r.ended]))
}

const { assign, reopen } = correctionActions.table
/** The one of a stage's planned days that a rule goes by. */
const goesBy = (of: string) =>
  `CASE WHEN v.rule = 'lateStart' THEN ${of}."plannedStart" ELSE ${of}."plannedFinish" END`
const PLANNED = `AS x(stage text, "plannedStart" date, "plannedFinish" date)`
/**
 * The person who gave the stage the day that stands now: by a plan, or with the start of the site, which plans all
 * anew.
 */
const PLANNER = `SELECT coalesce(nullif(u.nickname, ''), l.user_name) AS name, l.at
       FROM user_logs l
       LEFT JOIN users u ON u.tenant_id = $1 AND u.id = l.user_id
       WHERE l.tenant_id = $1 AND l.object = 'site' AND l.object_id = v.site_id::text AND l.outcome = 'done'
         AND v.stage IS NOT NULL AND (l.after ? 'startDate' OR EXISTS (
           SELECT FROM jsonb_to_recordset(l.after -> 'stages') ${PLANNED}
           JOIN jsonb_to_recordset(l.before -> 'stages')
             AS b(stage text, "plannedStart" date, "plannedFinish" date) ON b.stage = x.stage
           WHERE x.stage = v.stage AND ${goesBy('x')} IS DISTINCT FROM ${goesBy('b')}))
       ORDER BY l.at DESC, l.id DESC
       LIMIT 1`
/** The person who gave the correction more time. */
const GIVER = `SELECT l.actor AS name, l.at
       FROM correction_logs l
       WHERE l.tenant_id = $1 AND l.correction_id = v.correction_id
         AND l.action IN ('${assign.label}', '${reopen.label}')
       ORDER BY l.at DESC, l.id DESC
       LIMIT 1`
const movedRow = row({ id: uuid, name: text, at: timestamptz, was: text, is: text })
/**
 * The person who moved the day that each of these was late by, and the time. What was moved by nobody is not among
 * them.
 */
export async function moversOf(
  tx: Tx,
  tenant: string,
  ids: readonly string[],
): Promise<RowOf<typeof movedRow>[]> {
  const { rows } = await tx.query(
    'warnings.movers',
    movedRow,
    `SELECT v.id, m.name, m.at, v.planned::text AS was,
       coalesce(CASE WHEN v.rule = 'lateStart' THEN g.planned_start ELSE g.planned_finish END,
         (k.due_at AT TIME ZONE 'Asia/Shanghai')::date)::text AS is
     FROM warnings v
     LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = v.site_id AND g.stage = v.stage
     LEFT JOIN corrections k ON k.tenant_id = $1 AND k.id = v.correction_id
     CROSS JOIN LATERAL ((${PLANNER}) UNION ALL (${GIVER})) m
     WHERE v.tenant_id = $1 AND v.id = ANY ($2) AND m.at >= v.opened_at`,
    [tenant, ids],
  )
  return rows
}

export interface Closing {
  id: string
  ended: Ended
}
/** Closes them, each in its own way; `silent`: their cause goes on. */
export const endWarnings = (tx: Tx, tenant: string, all: readonly Closing[], by: string, silent = false) =>
  tx.run(
    'warnings.end',
    `UPDATE warnings v
     SET state = '${closed}', ended = x.ended, closed_at = :now, closed_manager_id = w.manager_id, silent = $4,
       changed_by = $3, changed_at = :now, version = v.version + 1
     FROM json_to_recordset($2::json) AS x(id uuid, ended text), sites w
     WHERE v.tenant_id = $1 AND v.id = x.id AND ${UNCLOSED} AND w.tenant_id = $1 AND w.id = v.site_id`,
    [tenant, JSON.stringify(all), by, silent],
  )

export interface Entry {
  id: string
  warning: string
  act: string
  text: string
}
/** Lines of the ledger, with level and deviation as they stand. */
export const addEntries = (tx: Tx, tenant: string, entries: readonly Entry[], by: string) =>
  tx.run(
    'warnings.entries',
    `INSERT INTO warning_events (tenant_id, id, warning_id, act, level, deviation, actor, text, at)
     SELECT $1, x.id, x.warning, x.act, v.level, v.deviation, $3, x.text, :now
     FROM json_to_recordset($2::json) AS x(id uuid, warning uuid, act text, text text)
     JOIN warnings v ON v.tenant_id = $1 AND v.id = x.warning`,
    [tenant, JSON.stringify(entries), by],
  )

/**
 * What was taken by somebody who cannot do it any more: the account is closed, or it is none of those whom the warning
 * names, who stands in for them today, supervises or orders. It waits again; answers which.
 */
export async function takeBack(
  tx: Tx,
  tenant: string,
  sites: readonly string[] | null,
  by: string,
): Promise<string[]> {
  const { rows } = await tx.query(
    'warnings.back',
    row({ id: uuid }),
    `UPDATE warnings v
     SET state = '${open}', until = NULL, taken_by = NULL, changed_by = $3, changed_at = :now, version = v.version + 1
     FROM sites w
     WHERE v.tenant_id = $1 AND w.tenant_id = $1 AND w.id = v.site_id AND v.state = '${handling}'
       AND ($2::uuid[] IS NULL OR v.site_id = ANY ($2))
       AND NOT EXISTS (
         SELECT FROM users u
         CROSS JOIN LATERAL (SELECT ARRAY[w.manager_id, w.steward_id, (SELECT k.assignee_id FROM corrections k
           WHERE k.tenant_id = $1 AND k.id = v.correction_id)] AS named) n
         WHERE u.tenant_id = $1 AND u.id = v.taken_by AND u.status = 1 AND u.deleted_at IS NULL
           AND (u.id = ANY (n.named)
             OR EXISTS (SELECT FROM unnest(n.named) AS person JOIN absences a ON ${isAway('$1', 'person', 'a')}
               WHERE a.deputy_id = u.id)
             OR EXISTS (
               SELECT FROM user_roles ur
               JOIN role_powers rp ON rp.tenant_id = $1 AND rp.role_id = ur.role_id
                 AND rp.label IN ('warning:supervise', 'order:place', '${EVERY_PERMISSION}')
               WHERE ur.tenant_id = $1 AND ur.user_id = u.id)))
     RETURNING v.id`,
    [tenant, sites, by],
  )
  return rows.map((r) => r.id)
}

/** Sites of which something has changed since the last look; they are looked at now. */
export async function takeChanged(tx: Tx, tenant: string): Promise<string[]> {
  const { rows } = await tx.query(
    'warnings.changed',
    row({ of_site: uuid }),
    'DELETE FROM sites_to_weigh x WHERE x.tenant_id = $1 RETURNING x.of_site',
    [tenant],
  )
  return [...new Set(rows.map((r) => r.of_site))]
}
