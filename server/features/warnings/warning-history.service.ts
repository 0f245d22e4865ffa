import { correctionStatus } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import {
  warningAct,
  warningBall,
  warningEnd,
  warningLevel,
  warningRule,
  warningState,
} from '@zhuguan/contract/features/warnings/warnings.record.ts'

import type { Tx } from '../../database/connect.ts'
import { correctionHidden } from '../../kit/kept-from.ts'
import { SYSTEM_NAME } from '../../kit/nobody.ts'
import { PROBLEM } from '../corrections/corrections.reads.ts'
import { restDaySql } from '../settings/settings.reads.ts'
import { weighAll } from './weighing.service.ts'

const DAYS = 90
/** So many days late a stage of the demo was warned of. */
const LATE = 3
const { close, open, rise } = warningAct.code
const late = (rule: string, planned: string, actual: string) =>
  `SELECT g.tenant_id, g.site_id, g.stage, '${rule}' AS rule, g.planned_${planned} AS planned,
         g.actual_${actual} AS ended, g.actual_${actual} - g.planned_${planned} AS days,
         g.actual_${actual} - g.baseline_${planned} AS first
       FROM site_stages g
       WHERE g.tenant_id = $1 AND g.actual_${actual} - g.planned_${planned} >= ${LATE}
         AND g.actual_${actual} > (:now AT TIME ZONE 'Asia/Shanghai')::date - ${DAYS}`
const at = (day: string, hour: number) =>
  `((${day})::timestamp + interval '${hour} hours') AT TIME ZONE 'Asia/Shanghai'`

const { important, normal, urgent } = warningLevel.code
const step = (from: number, to: number) =>
  `WHEN ${to} THEN '${warningLevel.label(from)} → ${warningLevel.label(to)}'`
/**
 * Corrections that were closed when working days had passed since they were due: each such day that had begun at one
 * o'clock, when the night looks, was a level more.
 */
const LATE_CORRECTIONS = `WITH past AS (
       SELECT k.id, k.bc_id, k.site_id, w.manager_id, coalesce(${PROBLEM}, '') AS about, k.closed_at,
         (k.due_at AT TIME ZONE 'Asia/Shanghai')::date AS due, n.days
       FROM corrections k
       JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id AND w.deleted_at IS NULL
       LEFT JOIN alarms a ON a.tenant_id = $1 AND a.id = k.id
       CROSS JOIN LATERAL (SELECT array_agg(x.day::date ORDER BY x.day) AS days
         FROM generate_series((k.due_at AT TIME ZONE 'Asia/Shanghai')::date + 1,
           (k.closed_at - interval '1 hour') AT TIME ZONE 'Asia/Shanghai', interval '1 day') AS x(day)
         WHERE NOT ${restDaySql('$1', 'k.bc_id', 'x.day::date')}) n
       WHERE k.tenant_id = $1 AND k.correction_status = ${correctionStatus.code.corrected} AND k.closed_at > k.due_at
         AND k.closed_at > :now - interval '${DAYS} days' AND k.closed_at < :now AND n.days IS NOT NULL
         AND w.status = ${siteStatus.code.building} AND NOT ${correctionHidden('k')}
         AND NOT EXISTS (SELECT FROM warnings v
           WHERE v.tenant_id = $1 AND v.correction_id = k.id AND v.rule = '${warningRule.code.overdue}')),
     told AS (
       INSERT INTO warnings (tenant_id, id, bc_id, site_id, rule, cause, correction_id, about, planned, deviation,
         level, told_level, ball, state, opened_at, closed_at, ended, closed_manager_id, changed_by, changed_at)
       SELECT $1, gen_random_uuid(), p.bc_id, p.site_id, '${warningRule.code.overdue}', p.id::text, p.id, p.about,
         p.due, cardinality(p.days), least(cardinality(p.days), ${urgent}), least(cardinality(p.days), ${urgent}),
         '${warningBall.code.assignee}', 'closed', ${at('p.days[1]', 1)}, p.closed_at, '${warningEnd.code.done}',
         p.manager_id, $2, p.closed_at
       FROM past p
       RETURNING id, correction_id, deviation, level, closed_at),
     lines AS (
       SELECT t.id, CASE WHEN x.n = 1 THEN '${open}' ELSE '${rise}' END AS act, x.n AS level, x.n AS deviation,
         CASE x.n ${step(normal, important)} ${step(important, urgent)} ELSE '' END AS text,
         ${at('p.days[x.n]', 1)} AS at
       FROM told t
       JOIN past p ON p.id = t.correction_id
       CROSS JOIN LATERAL generate_series(1, t.level) AS x(n)
       UNION ALL
       SELECT t.id, '${close}', t.level, t.deviation, '${warningEnd.label(warningEnd.code.done)}', t.closed_at
       FROM told t)
     INSERT INTO warning_events (tenant_id, id, warning_id, act, level, deviation, actor, text, at)
     SELECT $1, gen_random_uuid(), l.id, l.act, l.level, l.deviation, $2, l.text, l.at
     FROM lines l`

const { lateFinish, lateStart, overdue } = warningRule.code
/**
 * A wrong that was found while the past was told, or now, began and rose on days of before, when as many working days
 * had passed as its rule asks for.
 */
const SINCE = `WITH begun AS (
       SELECT v.id, v.level, t.most, n.days
       FROM warnings v
       CROSS JOIN LATERAL (SELECT CASE v.rule WHEN '${overdue}' THEN 1 ELSE ${LATE} END AS most) t
       CROSS JOIN LATERAL (SELECT array_agg(x.day::date ORDER BY x.day) AS days
         FROM generate_series(v.planned + 1, :now AT TIME ZONE 'Asia/Shanghai', interval '1 day') AS x(day)
         WHERE NOT ${restDaySql('$1', 'v.bc_id', 'x.day::date')}) n
       WHERE v.tenant_id = $1 AND v.state = '${warningState.code.open}' AND v.opened_at > :now - interval '12 hours'
         AND NOT EXISTS (SELECT FROM warning_events e
           WHERE e.tenant_id = $1 AND e.warning_id = v.id AND e.act = '${rise}')
         AND v.rule IN ('${lateStart}', '${lateFinish}', '${overdue}') AND cardinality(n.days) >= t.most * v.level),
     moved AS (
       UPDATE warnings v SET opened_at = ${at('b.days[b.most]', 1)}
       FROM begun b
       WHERE v.tenant_id = $1 AND v.id = b.id),
     first AS (
       UPDATE warning_events e SET level = ${normal}, deviation = b.most, at = ${at('b.days[b.most]', 1)}
       FROM begun b
       WHERE e.tenant_id = $1 AND e.warning_id = b.id AND e.act = '${open}')
     INSERT INTO warning_events (tenant_id, id, warning_id, act, level, deviation, actor, text, at)
     SELECT $1, gen_random_uuid(), b.id, '${rise}', x.n, b.most * x.n, $2,
       CASE x.n ${step(normal, important)} ${step(important, urgent)} END, ${at('b.days[b.most * x.n]', 1)}
     FROM begun b
     CROSS JOIN LATERAL generate_series(${important}, b.level) AS x(n)`

/**
 * What the demo was warned of in its past: stages that began and were accepted late, corrections that were late. Then
 * what is wrong today.
 */
export async function tellWarnings(tx: Tx, tenant: string): Promise<void> {
  await tx.run(
    'warnings.history',
    `WITH past AS (${late(warningRule.code.lateStart, 'start', 'start')}
       UNION ALL ${late(warningRule.code.lateFinish, 'finish', 'finish')}),
     told AS (
       INSERT INTO warnings (tenant_id, id, bc_id, site_id, rule, cause, stage, planned, deviation, baseline_deviation,
         level, told_level, ball, state, opened_at, closed_at, ended, closed_manager_id, changed_by, changed_at)
       SELECT $1, gen_random_uuid(), w.bc_id, w.id, p.rule, p.stage, p.stage, p.planned, p.days,
         CASE WHEN p.first IS NOT NULL THEN greatest(p.first, 0) END,
         least(p.days / ${LATE}, 3), least(p.days / ${LATE}, 3), '${warningBall.code.manager}', 'closed',
         ${at(`p.planned + ${LATE}`, 1)}, ${at('p.ended', 17)}, '${warningEnd.code.done}', w.manager_id, $2,
         ${at('p.ended', 17)}
       FROM past p
       JOIN sites w ON w.tenant_id = $1 AND w.id = p.site_id
       WHERE p.ended < (:now AT TIME ZONE 'Asia/Shanghai')::date AND NOT EXISTS (
         SELECT FROM warnings v
         WHERE v.tenant_id = $1 AND v.site_id = w.id AND v.rule = p.rule AND v.cause = p.stage
           AND v.opened_at = ${at(`p.planned + ${LATE}`, 1)})
       RETURNING id, level, deviation, opened_at, closed_at)
     INSERT INTO warning_events (tenant_id, id, warning_id, act, level, deviation, actor, text, at)
     SELECT $1, gen_random_uuid(), t.id, x.act, t.level, t.deviation, $2, x.text, x.at
     FROM told t
     CROSS JOIN LATERAL (VALUES ('${open}', '', t.opened_at),
       ('${close}', '${warningEnd.label(warningEnd.code.done)}', t.closed_at)) AS x(act, text, at)`,
    [tenant, SYSTEM_NAME],
  )
  await tx.run('warnings.historyoverdue', LATE_CORRECTIONS, [tenant, SYSTEM_NAME])
  await weighAll(tx, tenant)
  await tx.run('warnings.historysince', SINCE, [tenant, SYSTEM_NAME])
}
