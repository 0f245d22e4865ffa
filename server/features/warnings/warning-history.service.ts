import {
  warningAct,
  warningBall,
  warningEnd,
  warningRule,
} from '@zhuguan/contract/features/warnings/warnings.record.ts'

import type { Tx } from '../../database/connect.ts'
import { SYSTEM_NAME } from './warning-words.ts'
import { weighAll } from './weighing.service.ts'

const DAYS = 90
/** So many days late a stage of the demo was warned of. */
const LATE = 3
const { close, open } = warningAct.code
const late = (rule: string, planned: string, actual: string) =>
  `SELECT g.tenant_id, g.site_id, g.stage, '${rule}' AS rule, g.planned_${planned} AS planned,
         g.actual_${actual} AS ended, g.actual_${actual} - g.planned_${planned} AS days,
         g.actual_${actual} - g.baseline_${planned} AS first
       FROM site_stages g
       WHERE g.tenant_id = $1 AND g.actual_${actual} - g.planned_${planned} >= ${LATE}
         AND g.actual_${actual} > (:now AT TIME ZONE 'Asia/Shanghai')::date - ${DAYS}`
const at = (day: string, hour: number) =>
  `((${day})::timestamp + interval '${hour} hours') AT TIME ZONE 'Asia/Shanghai'`

/** What the demo was warned of in its past: stages that began and were accepted late. Then what is wrong today. */
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
  await weighAll(tx, tenant)
}
