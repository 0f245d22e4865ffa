import type { managersApi } from '@zhuguan/contract/features/managers/managers.api.ts'
import { COMPLAINT_DAYS, ON_TIME_DAYS } from '@zhuguan/contract/features/managers/managers.record.ts'
import { patrolStatus } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope } from '../../database/connect.ts'
import { phoneText } from '../../kit/masked.ts'
import { reaching } from '../../kit/scoped.ts'
import { contains, dayBegins, type PageOf, TODAY, type Where } from '../../kit/statement.ts'
import { complaintsAbout } from '../feedback/complaints.reads.ts'
import { knownFeedback } from '../feedback/feedback.reads.ts'

const NOTHING = 'NULL::int'
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
       AND coalesce(t.to_at, :now) >= ${dayBegins(`(${TODAY} - ${ON_TIME_DAYS - 1})`)}
     GROUP BY t.correction_id) x`
const COUNTED = `FROM ${TURNS} WHERE x.late OR x.prompt`
const ON_TIME = `(SELECT avg((NOT coalesce(x.late, false))::int)::float8 ${COUNTED})`
/** Patrols that somebody handed in, as their list has them (docs/decisions/0594). */
const patrols = (known: Where, since: string): string =>
  `(SELECT count(*)::int FROM patrols p
     WHERE ${known.text} AND p.inspector_id = u.id AND p.status = ${patrolStatus.code.submitted}
       AND p.submitted_at >= ${dayBegins(since)})`
const OPEN = `FROM corrections a WHERE a.tenant_id = $1 AND a.assignee_id = u.id AND a.correction_status = 2`

/**
 * Stewards and managers of the caller's branches; of single sites, those who are in charge of them. Complaints and
 * patrols are counted where the caller may read them, and nowhere for who may not.
 */
export function managerPage(
  scope: Scope,
  query: QueryOf<(typeof managersApi)['list']>,
  reads: { feedback: Scope | undefined; patrols: Scope | undefined },
): PageOf {
  const known = reads.feedback && knownFeedback(reads.feedback)
  const complaints = known ? complaintsAbout(known, 'u.id', COMPLAINT_DAYS) : NOTHING
  const patrolled =
    reads.patrols &&
    reaching(reads.patrols, 'p', {
      after: known,
      branch: (p) => `p.bc_id = ANY(${p}::uuid[])`,
      site: (p) => `p.site_id = ANY(${p}::uuid[])`,
    })
  const today = patrolled ? patrols(patrolled, TODAY) : NOTHING
  const month = patrolled ? patrols(patrolled, `date_trunc('month', ${TODAY})`) : NOTHING
  const where = reaching(scope, 'u', {
    after: patrolled ?? known,
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
      u.post, ${SITES} AS sites, ${today} AS "patrolsToday", ${month} AS "patrolsMonth",
      ${ON_TIME} AS "onTime", (SELECT count(*)::int ${COUNTED}) AS corrections,
      (SELECT count(*)::int ${OPEN}) AS open, (SELECT count(*)::int ${OPEN} AND a.due_at < :now) AS late,
      ${complaints} AS complaints`,
    base: 'users u',
    joins: 'LEFT JOIN companies c ON c.tenant_id = $1 AND c.bc_id = u.bc_id',
    where,
    sort: query.sort,
    otherwise: 'u.post, u.nickname',
    tie: 'u.id',
    sortable: {
      nickname: 'u.nickname COLLATE "zh-x-icu"',
      sites: SITES,
      patrolsToday: today,
      patrolsMonth: month,
      onTime: ON_TIME,
      complaints,
    },
    filled: ['nickname', 'sites'],
    pageNo: query.pageNo,
    pageSize: query.pageSize,
  }
}
