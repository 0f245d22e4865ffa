import { patrolStatus } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import type { supervisionApi } from '@zhuguan/contract/features/supervision/supervision.api.ts'
import { visitResult } from '@zhuguan/contract/features/supervision/supervision.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope } from '../../database/connect.ts'
import { scoped } from '../../kit/scoped.ts'
import { dayBegins, epoch, type PageOf } from '../../kit/statement.ts'
import { reaches } from './supervision.queries.ts'

const { abandoned, begun } = patrolStatus.code
const code = visitResult.code
const RESULT = `CASE p.status WHEN ${begun} THEN '${code.begun}' WHEN ${abandoned} THEN '${code.abandoned}'
     ELSE CASE WHEN p.problems > 0 THEN '${code.problems}' ELSE '${code.clear}' END END`
/** Who leads sites, or has led some. */
const IS_MANAGER = `EXISTS (SELECT FROM users m WHERE m.tenant_id = $1 AND m.id = p.inspector_id
     AND (m.post IS NOT NULL OR EXISTS (SELECT FROM site_leads l WHERE l.tenant_id = $1 AND l.user_id = m.id)))`

/** Every visit of a manager or steward that is in reach, by its beginning; `person`: of this one alone. */
export function visitPage(
  scope: Scope,
  q: QueryOf<(typeof supervisionApi)['visits']>,
  { person, own }: { person: string | undefined; own: Scope },
): PageOf {
  const where = scoped(scope, 'p')
    .plain(IS_MANAGER)
    .when(person, (p) => `p.inspector_id = ${p}::uuid`)
    .when(q.bc_id, (p) => `p.bc_id = ANY(${p}::uuid[])`)
    .when(q.kind, (p) => `p.kind = ANY(${p}::text[])`)
    .when(q.result, (p) => `(${RESULT}) = ANY(${p}::text[])`)
    .when(q.from, (p) => `p.begun_at >= ${dayBegins(p)}`)
    .when(q.to, (p) => `p.begun_at < ${dayBegins(`(${p}::date + 1)`)}`)
  const reached = reaches(where, own)
  return {
    name: 'supervision.visits',
    base: 'patrols p',
    columns: `p.id, p.number, p.inspector_id, u.nickname AS "inspectorName", p.site_id, w.ws_name AS "siteName",
      p.bc_id, c.bc_name, ${epoch('p.begun_at')} AS at, p.kind, ${RESULT} AS result, p.score, p.problems,
      ${reached} AS "isReached"`,
    joins: `JOIN sites w ON w.tenant_id = $1 AND w.id = p.site_id
      JOIN companies c ON c.tenant_id = $1 AND c.bc_id = p.bc_id
      JOIN users u ON u.tenant_id = $1 AND u.id = p.inspector_id`,
    where,
    sort: q.sort,
    otherwise: 'p.begun_at DESC',
    tie: 'p.id DESC',
    sortable: { at: 'p.begun_at', problems: 'p.problems' },
    filled: ['at', 'problems'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}
