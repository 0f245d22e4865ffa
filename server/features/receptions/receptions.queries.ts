import type { receptionsApi } from '@zhuguan/contract/features/receptions/receptions.api.ts'
import {
  FORGOTTEN_HOURS,
  RATED_DAYS,
  receptionPurpose,
  type ReceptionRow,
  receptionState,
} from '@zhuguan/contract/features/receptions/receptions.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'
import { GOOD_SCORE } from '@zhuguan/contract/kit/score.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { carriedPictures } from '../../kit/carried-pictures.ts'
import { homeSince, ownerThen } from '../../kit/home-time.ts'
import { bool, float8, int2, int4, row, type RowOf, text, texts, uuid } from '../../kit/row.ts'
import { scoped, siteScope } from '../../kit/scoped.ts'
import { epoch, type PageOf } from '../../kit/statement.ts'

const { arrived, planned } = receptionState.code
export const OPEN = `r.state IN ('${planned}', '${arrived}')`
const OVERDUE = `(r.state = '${planned}' AND r.at < :now
     OR r.state = '${arrived}' AND r.arrived_at < :now - interval '${FORGOTTEN_HOURS} hours')`
const COLUMNS = `r.id, r.site_id, w.ws_name AS "siteName", coalesce(o.name, '') AS "ownerName", r.bc_id, c.bc_name,
     ${epoch('r.at')} AS at, r.planned, ${epoch('r.arrived_at')} AS "arrivedAt", ${epoch('r.ended_at')} AS "endedAt",
     r.host_id, coalesce(u.nickname, '') AS "hostName", r.purpose, r.remark, r.record,
     ${carriedPictures('reception', 'r.id')} AS pictures,
     r.state, r.score, r.score_words AS "scoreWords", r.scored_by AS "scoredBy", r.called_back AS "calledBack",
     ${OVERDUE} AS overdue, r.entered_id, r.entered_by AS "enteredBy", r.version`
const JOINS = `JOIN sites w ON w.tenant_id = $1 AND w.id = r.site_id
   ${ownerThen('r.site_id', 'r.entered_at')}
   JOIN companies c ON c.tenant_id = $1 AND c.bc_id = r.bc_id
   LEFT JOIN users u ON u.tenant_id = $1 AND u.id = r.host_id`

export const receptionPage = (scope: Scope, q: QueryOf<(typeof receptionsApi)['list']>): PageOf => ({
  name: 'receptions.page',
  columns: COLUMNS,
  base: 'receptions r',
  joins: JOINS,
  where: scoped(scope, 'r')
    .add((p) => `r.site_id = ${p}::uuid`, q.site_id)
    .when(q.state, (p) => `r.state = ANY(${p}::text[])`),
  sort: q.sort,
  otherwise: 'r.at DESC',
  tie: 'r.id DESC',
  sortable: { at: 'r.at', state: 'r.state' },
  filled: ['at', 'state'],
  pageNo: q.pageNo,
  pageSize: q.pageSize,
})

const receptionRow = row<ReceptionRow>({
  id: uuid,
  site_id: uuid,
  siteName: text,
  ownerName: text,
  bc_id: uuid,
  bc_name: text,
  at: float8,
  planned: bool,
  arrivedAt: float8.null,
  endedAt: float8.null,
  host_id: uuid.null,
  hostName: text,
  purpose: text.of(receptionPurpose),
  remark: text,
  record: text,
  pictures: texts,
  state: text.of(receptionState),
  score: int2.null,
  scoreWords: text,
  scoredBy: text,
  calledBack: bool,
  overdue: bool,
  entered_id: uuid.null,
  enteredBy: text,
  version: int4,
})
const lockedReception = row({ ...receptionRow, changedBy: text, changedAt: float8.null })
export type LockedReception = RowOf<typeof lockedReception>
const LOCKED = `SELECT ${COLUMNS}, r.changed_by AS "changedBy", ${epoch('r.changed_at')} AS "changedAt"
     FROM receptions r ${JOINS}`
/** One inside the scope, its row locked until the transaction ends. */
export async function lockReception(tx: Tx, scope: Scope, id: string) {
  const where = scoped(scope, 'r').add((p) => `r.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'receptions.lock',
    lockedReception,
    `${LOCKED}
     WHERE ${where.text}
     FOR UPDATE OF r`,
    where.values,
  )
  return rows[0]
}

/** The visits of one site, or of one host, that are not over, locked likewise unless it is only looked at. */
export async function lockOpen(
  tx: Tx,
  tenant: string,
  of: { site: string } | { host: string },
  lock = true,
): Promise<LockedReception[]> {
  const isSite = 'site' in of
  const [whose, how] = [isSite ? 'site' : 'host', lock ? '' : 'read']
  const { rows } = await tx.query(
    `receptions.of${whose}${how}`,
    lockedReception,
    `${LOCKED}
     WHERE r.tenant_id = $1 AND r.${isSite ? 'site_id' : 'host_id'} = $2 AND ${OPEN}
     ORDER BY r.id
     ${lock ? 'FOR UPDATE OF r' : ''}`,
    [tenant, isSite ? of.site : of.host],
  )
  return rows
}
/** The steward of a site as it stands now. */
export async function leaderOf(tx: Tx, tenant: string, site: string): Promise<string | null> {
  const { rows } = await tx.query(
    'receptions.steward',
    row({ id: uuid.null }),
    'SELECT w.steward_id AS id FROM sites w WHERE w.tenant_id = $1 AND w.id = $2',
    [tenant, site],
  )
  return rows[0]!.id
}
/** The facts of a site that a reception asks: that it is there, and what stands of it. */
export async function homeFor(tx: Tx, scope: Scope, site: string) {
  const where = siteScope(scope).add((p) => `w.id = ${p}::uuid`, site)
  const { rows } = await tx.query(
    'receptions.site',
    row({ id: uuid, ws_name: text, bc_id: uuid, status: int2.of(siteStatus), hasOwner: bool }),
    `SELECT w.id, w.ws_name, w.bc_id, w.status, w.owner_id IS NOT NULL AS "hasOwner"
     FROM sites w
     WHERE ${where.text}
     FOR SHARE OF w`,
    where.values,
  )
  return rows[0]
}

/** What is planned within an hour of a time, on this site or for this host, as far as the caller sees. */
export async function receptionsBeside(
  tx: Tx,
  scope: Scope,
  of: { site: string; host: string | undefined; at: Date },
) {
  const where = scoped(scope, 'r')
    .plain(OPEN)
    .add((p) => `r.at > ${p}::timestamptz - interval '1 hour'`, of.at)
    .add((p) => `r.at < ${p}::timestamptz + interval '1 hour'`, of.at)
    .either([
      [(p) => `r.site_id = ${p}::uuid`, of.site],
      ...(of.host ? [[(p: string) => `r.host_id = ${p}::uuid`, of.host] as const] : []),
    ])
  const { rows } = await tx.query(
    'receptions.beside',
    row({ id: uuid, at: float8, siteName: text, hostName: text }),
    `SELECT r.id, ${epoch('r.at')} AS at, w.ws_name AS "siteName", coalesce(u.nickname, '') AS "hostName"
     FROM receptions r
     JOIN sites w ON w.tenant_id = $1 AND w.id = r.site_id
     LEFT JOIN users u ON u.tenant_id = $1 AND u.id = r.host_id
     WHERE ${where.text}
     ORDER BY r.at, r.id
     LIMIT 5`,
    where.values,
  )
  return rows
}

/** Own scores of a home in its present owner's time, and of the homes of its branch that the caller sees. */
export async function scoreRates(tx: Tx, scope: Scope, of: string) {
  const where = scoped(scope, 'r').plain(`r.score IS NOT NULL AND r.scored_by = ''`)
  const site = `$${where.values.push(of)}::uuid`
  where.plain(`r.bc_id = (SELECT w.bc_id FROM sites w WHERE w.tenant_id = $1 AND w.id = ${site})`)
  const home = `r.site_id = ${site} AND r.entered_at >= ${homeSince(site)}`
  const lately = `r.ended_at > :now - interval '${RATED_DAYS} days'`
  const { rows } = await tx.query(
    'receptions.rates',
    row({ n: int4, good: int4, homeN: int4, homeGood: int4 }),
    `SELECT count(*) FILTER (WHERE ${lately})::int AS n,
       count(*) FILTER (WHERE ${lately} AND r.score >= ${GOOD_SCORE})::int AS good,
       count(*) FILTER (WHERE ${home})::int AS "homeN",
       count(*) FILTER (WHERE ${home} AND r.score >= ${GOOD_SCORE})::int AS "homeGood"
     FROM receptions r
     WHERE ${where.text}`,
    where.values,
  )
  const { good, homeGood, homeN, n } = rows[0]!
  return { home: { n: homeN, good: homeGood }, branch: { n, good } }
}
