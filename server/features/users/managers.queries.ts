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
 * Of each correction that somebody had: whether its time ran out in their turn, and whether they handed it in in time.
 * Handing on after the time moves nothing, and the reviewer's days are nobody's turn (docs/decisions/0373).
 */
const TURNS = `(SELECT bool_or(t.due_at >= t.from_at AND t.due_at < coalesce(t.to_at, :now)) AS late,
       bool_or(t.ended = 'submitted' AND t.to_at <= t.due_at) AND max(a.correction_status) = 3 AS prompt
     FROM correction_turns t
     JOIN corrections a ON a.tenant_id = $1 AND a.id = t.correction_id AND a.correction_status <> 4
     WHERE t.tenant_id = $1 AND t.user_id = u.id
       AND coalesce(t.to_at, :now) > :now - interval '${ON_TIME_DAYS} days'
     GROUP BY t.correction_id) x`
const COUNTED = `FROM ${TURNS} WHERE x.late OR x.prompt`
const ON_TIME = `(SELECT avg((NOT coalesce(x.late, false))::int)::float8 ${COUNTED})`
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
