import type { managersApi } from '@zhuguan/contract/features/users/managers.api.ts'
import { ON_TIME_DAYS } from '@zhuguan/contract/features/users/managers.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope } from '../../database/connect.ts'
import { phoneText } from '../../kit/masked.ts'
import { reaching } from '../../kit/scoped.ts'
import { contains, type PageOf } from '../../kit/statement.ts'

const SITES = `(SELECT count(*)::int FROM sites w WHERE w.tenant_id = $1
       AND (w.steward_id = u.id OR w.manager_id = u.id) AND w.deleted_at IS NULL AND w.status = 1)`
/**
 * What was theirs to correct and was verified in the last days, and what is late and still open: how many, and the
 * share in time. Whoever leaves the late ones lying is not faster for it.
 */
const COUNTED = `FROM corrections a WHERE a.tenant_id = $1 AND a.assignee_id = u.id AND a.due_at IS NOT NULL
       AND (a.correction_status = 3 AND a.closed_at > :now - interval '${ON_TIME_DAYS} days'
         OR a.correction_status = 2 AND a.due_at < :now)`
const ON_TIME = `(SELECT avg((a.correction_status = 3 AND a.closed_at <= a.due_at)::int)::float8 ${COUNTED})`
const OPEN = `FROM corrections a WHERE a.tenant_id = $1 AND a.assignee_id = u.id AND a.correction_status = 2`

/** Stewards and managers of the caller's branches; of single sites, those who are in charge of them. */
export function managerPage(scope: Scope, query: QueryOf<(typeof managersApi)['list']>): PageOf {
  const where = reaching(scope, 'u', {
    branch: (p) => `u.bc_id = ANY(${p}::uuid[])`,
    site: (p) =>
      `EXISTS (SELECT 1 FROM sites k WHERE k.tenant_id = $1 AND k.id = ANY(${p}::uuid[])
           AND (k.steward_id = u.id OR k.manager_id = u.id))`,
  })
    .plain('u.deleted_at IS NULL AND u.status = 1 AND u.post IS NOT NULL')
    .when(query.keyword || undefined, (p) => `u.nickname ILIKE ${p}`, contains)
    .when(query.bc_id, (p) => `u.bc_id = ANY(${p}::uuid[])`)
    .when(query.post, (p) => `u.post = ${p}::smallint`)
  return {
    name: 'managers.page',
    columns: `u.id, u.nickname, ${phoneText('u.phone', false)} AS phone, u.bc_id, coalesce(c.bc_name, '') AS bc_name,
      u.post, ${SITES} AS sites, ${ON_TIME} AS "onTime", (SELECT count(*)::int ${COUNTED}) AS corrections,
      (SELECT count(*)::int ${OPEN}) AS open, (SELECT count(*)::int ${OPEN} AND a.due_at < :now) AS late`,
    base: 'users u',
    joins: 'LEFT JOIN companies c ON c.tenant_id = $1 AND c.bc_id = u.bc_id',
    where,
    sort: query.sort,
    otherwise: 'u.post, u.nickname',
    tie: 'u.id',
    sortable: { nickname: 'u.nickname COLLATE "zh-x-icu"', sites: SITES, onTime: ON_TIME },
    filled: ['nickname', 'sites'],
    pageNo: query.pageNo,
    pageSize: query.pageSize,
  }
}
