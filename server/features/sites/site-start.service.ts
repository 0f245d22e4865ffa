import type { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import type { SiteRow } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { invalid } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'

/** What is planned when the work begins is kept as the first plan; what is planned later does not change it. */
export const keepBaseline = (tx: Tx, tenant: string, site: string) =>
  tx.run(
    'sites.baseline',
    `UPDATE site_stages SET baseline_start = planned_start, baseline_finish = planned_finish
     WHERE tenant_id = $1 AND site_id = $2 AND baseline_start IS NULL
       AND planned_start IS NOT NULL AND planned_finish IS NOT NULL`,
    [tenant, site],
  )

/**
 * A start moves the plan to where it begins. Planned stages keep their shares of the time, without a plan they get
 * equal ones; without an end of its own the plan stays as long as it was. The first stage begins with the site.
 */
export async function startStages(
  tx: Tx,
  call: Call,
  id: string,
  start: string,
  finish: string | null,
): Promise<void> {
  await tx.run(
    'sites.replan',
    `UPDATE site_stages g SET
       planned_start = $3::date + p.before,
       planned_finish = $3::date + greatest(p.until - 1, p.before),
       actual_start = CASE WHEN p.place = 1 THEN $3::date ELSE g.actual_start END
     FROM (SELECT s.stage, s.place,
         (CASE WHEN s.whole THEN s.begins * s.days / s.length
           ELSE (s.place - 1) * s.days / s.stages END)::int AS before,
         (CASE WHEN s.whole THEN s.ends * s.days / s.length ELSE s.place * s.days / s.stages END)::int AS until
       FROM (SELECT t.stage, t.place, t.stages, t.whole, t.length, t.planned_start - t.first AS begins,
           t.planned_finish - t.first + 1 AS ends, coalesce($4::date - $3::date + 1, t.length) AS days
         FROM (SELECT r.stage, r.planned_start, r.planned_finish, row_number() OVER (ORDER BY r.sort) AS place,
             count(*) OVER () AS stages, min(r.planned_start) OVER () AS first,
             max(r.planned_finish) OVER () - min(r.planned_start) OVER () + 1 AS length,
             count(*) FILTER (WHERE r.planned_start IS NULL OR r.planned_finish IS NULL) OVER () = 0 AS whole
           FROM site_stages r WHERE r.tenant_id = $1 AND r.site_id = $2) t) s) p
     WHERE g.tenant_id = $1 AND g.site_id = $2 AND g.stage = p.stage`,
    [call.user.tenant, id, start, finish],
  )
  await keepBaseline(tx, call.user.tenant, id)
}

interface Start {
  day: string
  finish: string | null
  /** The reason why it begins outside of a contract. */
  reason: string | null
}
/** A site begins with its signed contract; one without says why it is outside of any (docs/states.md). */
export function startOf(call: Call, site: SiteRow, body: BodyOf<(typeof sitesApi)['state']>): Start {
  const today = shanghaiDay(call.now())
  const day = body.startDate ?? today
  const finish = body.plannedFinish ?? null
  if (!site.contract && body.reason.length < 2)
    throw invalid('reason', '没有签约合同的工地按“合同外”开工，请写明原因（至少 2 个字）')
  if (day > today) throw invalid('startDate', '开工日期不能晚于今天')
  if (finish && finish < day) throw invalid('plannedFinish', '计划完工不能早于开工日期')
  if (!finish && !site.plannedFinish) throw invalid('plannedFinish', '请填写计划完工日期')
  return { day, finish, reason: site.contract ? null : body.reason }
}
