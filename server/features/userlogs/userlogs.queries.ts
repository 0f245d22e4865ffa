import { correctionSource } from '@zhuguan/contract/features/corrections/corrections.record.ts'
import type { userlogsApi as Api } from '@zhuguan/contract/features/userlogs/userlogs.api.ts'
import { logAbout, logOutcome, UNMASKINGS } from '@zhuguan/contract/features/userlogs/userlogs.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { correctionKept } from '../../kit/kept-from.ts'
import { withoutPhones } from '../../kit/masked.ts'
import { row, text } from '../../kit/row.ts'
import { saidObject } from '../../kit/said-sites.ts'
import { reaching } from '../../kit/scoped.ts'
import type { SessionUser } from '../../kit/serve.ts'
import { epoch, contains, dayBegins, type PageOf, type Where } from '../../kit/statement.ts'

// Lines from before the log kept no numbers stand in the chain as they are: they are hidden when they are read.
export const BEFORE = withoutPhones('l.before')
export const AFTER = withoutPhones('l.after')
type Filters = QueryOf<(typeof Api)['list']>

/** A line about a feedback that is kept from `me`, who asks, or about a correction of one (docs/decisions/0485). */
const KEPT = (me: string): string =>
  `(l.object = 'feedback' AND l.object_id IN (SELECT f.id::text FROM feedback f
       WHERE f.tenant_id = $1 AND f.hidden_from = ${me}::uuid)
     OR l.object = 'correction' AND l.object_id IN (SELECT k.id::text FROM corrections k
       WHERE k.tenant_id = $1 AND k.source = '${correctionSource.code.feedback}' AND ${correctionKept('k', me)}))`

/** What somebody really read or took away: a refused call has the same words and gave nothing. */
export const ABOUT = {
  unmask: `l.action IN (${UNMASKINGS.map((a) => `'${a}'`).join(', ')})`,
  export: `l.action LIKE '导出%'`,
  offHours: `l.after ->> 'offHours' = 'true'`,
} as const satisfies Record<(typeof logAbout.values)[number], string>
export const DONE = `l.user_id IS NOT NULL AND l.outcome = '${logOutcome.code.done}'`

/** Lines of people of the caller's branches; of single sites, one's own. Lines without a person belong to the group. */
export function logWhere({ scope, id }: SessionUser, q: Partial<Filters>): Where {
  const where = reaching(scope, 'l', {
    branch: (p) =>
      `l.user_id IN (SELECT k.id FROM users k WHERE k.tenant_id = $1 AND k.bc_id = ANY(${p}::uuid[]))`,
    site: (p) => `l.user_id = ${p}::uuid`,
    own: id,
  })
  const about = q.keyword ? saidObject(where, scope) : () => 'false'
  return where
    .add((p) => `NOT ${KEPT(p)}`, id || null)
    .when(
      q.keyword || undefined,
      (p) => `(l.action ILIKE ${p} OR l.user_name ILIKE ${p} OR l.ip ILIKE ${p} OR l.object ILIKE ${p}
         OR ${about(p)})`,
      contains,
    )
    .when(q.user_id, (p) => `l.user_id = ${p}::uuid`)
    .when(q.object, (p) => `l.object = ANY(${p}::text[])`)
    .when(q.action, (p) => `l.action = ANY(${p}::text[])`)
    .when(q.object_id || undefined, (p) => `l.object_id = ${p}`)
    .when(q.outcome, (p) => `l.outcome = ${p}`)
    .plain(q.about && `${DONE} AND ${ABOUT[q.about]}`)
    .when(q.system, (p) => `l.system = ${p}`)
    .when(q.from, (p) => `l.at >= ${dayBegins(p)}`)
    .when(q.to, (p) => `l.at < ${dayBegins(p)} + interval '1 day'`)
}

/** The number of newest lines that say what is being done these days. */
const LATELY = 5_000
export async function recentActions(tx: Tx, user: SessionUser): Promise<string[]> {
  const { text: where, values } = logWhere(user, {})
  const { rows } = await tx.query(
    'userlogs.actions',
    row({ action: text }),
    `SELECT DISTINCT k.action
     FROM (SELECT l.action FROM user_logs l WHERE ${where} ORDER BY l.at DESC LIMIT ${LATELY}) k
     ORDER BY k.action`,
    values,
  )
  return rows.map((r) => r.action)
}

/** All of a group's lines: the sealed ones are numbered without a gap, the others are those of the last second. */
const LINES = `SELECT coalesce((SELECT max(k.seq) FROM user_logs k WHERE k.tenant_id = $1), 0)
  + (SELECT count(*) FROM user_logs k WHERE k.tenant_id = $1 AND k.seq IS NULL)`
/** The question where nothing is asked: no filter, and the reach of the whole group. */
const OF_GROUP = `l.tenant_id = $1::uuid AND NOT ${KEPT('$2')}`
const TOLD_LINES = `${LINES}
  - (SELECT count(*) FROM user_logs l WHERE l.tenant_id = $1 AND ${KEPT('$2')})`
/** One page of the log, newest first. */
export function logPage(user: SessionUser, query: Filters): PageOf {
  const where = logWhere(user, query)
  return {
    name: 'userlogs.page',
    base: 'user_logs l',
    joins: 'LEFT JOIN users u ON u.tenant_id = $1 AND u.id = l.user_id',
    where,
    known: where.text === OF_GROUP ? TOLD_LINES : undefined,
    sort: query.sort,
    otherwise: 'l.at DESC',
    tie: 'l.id DESC',
    sortable: { at: 'l.at' },
    filled: ['at'],
    pageNo: query.pageNo,
    pageSize: query.pageSize,
    columns: `l.id, ${epoch('l.at')} AS at, l.user_id, l.user_name AS "userName",
      coalesce(u.nickname, '') AS nickname, l.system, l.action, l.object, l.object_id AS "objectId", l.outcome, l.ip,
      l.agent, ${BEFORE} AS before, ${AFTER} AS after, l.beside, l.seq`,
  }
}
