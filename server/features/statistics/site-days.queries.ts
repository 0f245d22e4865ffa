import type { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope } from '../../database/connect.ts'
import { scoped } from '../../kit/scoped.ts'
import type { PageOf, Where } from '../../kit/statement.ts'
import { epoch } from '../../kit/statement.ts'
import { DAY_STATE } from '../attendance/attendance.reads.ts'
import type { Span } from './span.ts'

type Filters = QueryOf<(typeof statisticsApi)['siteDays']>

/** An Asia/Shanghai day as the instants it begins and ends at. */
export const DAY_BEGIN = `(d.day::timestamp AT TIME ZONE 'Asia/Shanghai')`
export const DAY_END = `((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai')`
/** The last verdict on the site that day; a skewed camera gives none. */
export const LAST_TIDINESS = `(SELECT t.result FROM tidiness_checks t WHERE t.tenant_id = d.tenant_id AND t.site_id = d.site_id
       AND t.at >= ${DAY_BEGIN} AND t.at < ${DAY_END} AND t.result IN (1, 2, 3) AND NOT t.replaced
       ORDER BY t.at DESC, t.id DESC LIMIT 1)`

export const siteDaysWhere = (
  scope: Scope,
  span: Span,
  q: Pick<Filters, 'bc_id' | 'site_id' | 'state' | 'tidiness'>,
): Where =>
  scoped(scope, 'd')
    .add((p) => `d.day >= ${p}::date`, span.from)
    .add((p) => `d.day <= ${p}::date`, span.to)
    .when(q.bc_id, (p) => `d.bc_id = ANY(${p}::uuid[])`)
    .when(q.site_id, (p) => `d.site_id = ${p}::uuid`)
    .when(q.state, (p) => `(${DAY_STATE}) = ANY(${p}::text[])`)
    .when(q.tidiness, (p) => `${LAST_TIDINESS} = ANY(${p}::smallint[])`)

export const SITE_DAY_JOINS = `JOIN sites w ON w.tenant_id = d.tenant_id AND w.id = d.site_id JOIN companies c ON c.tenant_id = d.tenant_id AND c.bc_id = d.bc_id LEFT JOIN users m ON m.tenant_id = w.tenant_id AND m.id = w.manager_id
  LEFT JOIN LATERAL (SELECT min(a.first_at) AS first_at, max(a.last_at) AS last_at FROM attendance_days a WHERE a.tenant_id = d.tenant_id AND a.day = d.day AND a.site_id = d.site_id) b ON true
  LEFT JOIN LATERAL (SELECT count(*)::int AS raised, count(*) FILTER (WHERE a.correction_status = 3)::int AS corrected FROM alarms a WHERE a.tenant_id = d.tenant_id AND a.site_id = d.site_id AND a.at >= ${DAY_BEGIN} AND a.at < ${DAY_END}) r ON true`

export const siteDaysPage = (scope: Scope, span: Span, q: Filters): PageOf => ({
  name: 'statistics.sitedays',
  base: 'site_days d',
  joins: SITE_DAY_JOINS,
  where: siteDaysWhere(scope, span, q),
  columns: `d.day || '.' || d.site_id AS id, d.day::text AS day, d.site_id, w.code, w.ws_name, d.bc_id, c.bc_name,
       coalesce(m.nickname, '') AS "managerName", d.expected, d.present,
       d.present - d.expected + d.absent AS guests, ${DAY_STATE} AS state,
       ${epoch('b.first_at')} AS "firstAt", ${epoch('b.last_at')} AS "lastAt", r.raised AS alarms,
       r.corrected, ${LAST_TIDINESS} AS tidiness`,
  sortable: { day: 'd.day', present: 'd.present', expected: 'd.expected', code: 'd.site_id' },
  filled: ['day', 'present', 'expected', 'code'],
  sort: q.sort,
  otherwise: 'd.day DESC, d.present',
  tie: 'd.site_id',
  pageNo: q.pageNo,
  pageSize: q.pageSize,
})
