import type { followUpsApi } from '@zhuguan/contract/features/customers/follow-ups.api.ts'
import { MOST_PLANNED } from '@zhuguan/contract/features/customers/follow-ups.api.ts'
import {
  followKind,
  type FollowRow,
  followState,
} from '@zhuguan/contract/features/customers/follow-ups.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { bool, float8, int4, row, text, timestamptz, uuid } from '../../kit/row.ts'
import { scopedStores } from '../../kit/scoped.ts'
import { contains, dayBegins, epoch, type PageOf, TODAY } from '../../kit/statement.ts'
import { restDaySql } from '../settings/settings.reads.ts'

const { planned } = followState.code
const PLANNED = `f.state = '${planned}'`
/** Planned, and its day is over. */
const OVERDUE = `(${PLANNED} AND f.at < ${dayBegins(TODAY)})`
const follow = row<FollowRow>({
  id: uuid,
  customer_id: uuid,
  customerName: text,
  community: text,
  bc_id: uuid,
  kind: text.of(followKind),
  state: text.of(followState),
  at: float8,
  content: text,
  result: text,
  user_id: uuid,
  userName: text,
  madeBy: text,
  closedAt: float8.null,
  closedBy: text,
  late: bool,
  moved: int4,
  overdue: bool,
  nextAt: float8.null,
  version: int4,
})
const COLUMNS = `f.id, f.customer_id, k.name AS "customerName", k.community, k.bc_id, f.kind, f.state,
     ${epoch('f.at')} AS at, f.content, f.result, f.user_id, u.nickname AS "userName", f.made_by AS "madeBy",
     ${epoch('f.closed_at')} AS "closedAt", f.closed_by AS "closedBy", f.late, f.moved, ${OVERDUE} AS overdue,
     ${epoch(`CASE WHEN f.state = 'done' AND k.next_at > f.at THEN k.next_at END`)} AS "nextAt", f.version`
const JOINS = `JOIN customers k ON k.tenant_id = $1 AND k.id = f.customer_id
   JOIN users u ON u.tenant_id = $1 AND u.id = f.user_id`

type Narrowing = Partial<
  Pick<
    QueryOf<(typeof followUpsApi)['list']>,
    'bc_id' | 'from' | 'keyword' | 'kind' | 'overdue' | 'state' | 'to' | 'user_id' | 'customer_id'
  >
>
/** Follow-ups of customers in reach. */
const narrowed = (scope: Scope, q: Narrowing) => {
  const of = scopedStores(scope, 'o')
  return of
    .when(q.bc_id, (p) => `o.bc_id = ANY(${p}::uuid[])`)
    .when(
      q.keyword && contains(q.keyword),
      (p) => `(o.name ILIKE ${p} OR f.content ILIKE ${p} OR f.result ILIKE ${p})`,
    )
    .when(q.customer_id, (p) => `f.customer_id = ${p}::uuid`)
    .when(q.user_id, (p) => `f.user_id = ${p}::uuid`)
    .when(q.kind, (p) => `f.kind = ANY(${p}::text[])`)
    .when(q.state, (p) => `f.state = ANY(${p}::text[])`)
    .when(q.from, (p) => `f.at >= ${dayBegins(p)}`)
    .when(q.to, (p) => `f.at < ${dayBegins(`(${p}::date + 1)`)}`)
    .when(q.overdue, (p) => `${OVERDUE} = ${p}::boolean`)
    .plain('f.tenant_id = $1')
}
const BASE = 'follow_ups f JOIN customers o ON o.tenant_id = f.tenant_id AND o.id = f.customer_id'

export function followPage(scope: Scope, q: QueryOf<(typeof followUpsApi)['list']>): PageOf {
  return {
    name: 'followups.page',
    columns: COLUMNS,
    base: BASE,
    alias: 'f',
    joins: JOINS,
    where: narrowed(scope, q),
    sort: q.sort,
    // What waits comes first, the oldest of it first; then what is over, the newest first.
    otherwise: [`(f.state = '${planned}') DESC`, `CASE WHEN ${PLANNED} THEN f.at END ASC`, 'f.at DESC'],
    tie: 'f.id',
    sortable: { at: 'f.at', closedAt: 'f.closed_at' },
    filled: ['at'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

export async function calendarOf(tx: Tx, scope: Scope, q: QueryOf<(typeof followUpsApi)['calendar']>) {
  const where = narrowed(scope, q)
  const { rows } = await tx.query(
    'followups.calendar',
    follow,
    `SELECT ${COLUMNS}
     FROM ${BASE}
     ${JOINS}
     WHERE ${where.text}
     ORDER BY f.at, f.id
     LIMIT ${MOST_PLANNED + 1}`,
    where.values,
  )
  return { list: rows.slice(0, MOST_PLANNED), more: rows.length > MOST_PLANNED }
}

const NEXT_WEEK = dayBegins(`(date_trunc('week', ${TODAY})::date + 7)`)
/** What is planned and overdue, left of today, left of the week that ends on Sunday. */
export async function countsOf(tx: Tx, scope: Scope, q: QueryOf<(typeof followUpsApi)['counts']>) {
  const where = narrowed(scope, q)
  const before = (days: number) => `f.at < ${dayBegins(`(${TODAY} + ${days})`)}`
  const { rows } = await tx.query(
    'followups.counts',
    row({ overdue: int4, today: int4, week: int4 }),
    `SELECT count(*) FILTER (WHERE ${OVERDUE})::int AS overdue,
       count(*) FILTER (WHERE NOT ${OVERDUE} AND ${before(1)})::int AS today,
       count(*) FILTER (WHERE NOT ${OVERDUE} AND f.at < ${NEXT_WEEK})::int AS week
     FROM ${BASE}
     WHERE ${where.text} AND ${PLANNED}`,
    where.values,
  )
  return rows[0]!
}

/** One of a customer in reach; `hold`: until the transaction ends. */
export async function followOf(
  tx: Tx,
  scope: Scope,
  id: string,
  hold: boolean,
): Promise<FollowRow | undefined> {
  const where = narrowed(scope, {}).add((p) => `f.id = ${p}::uuid`, id)
  const how = hold ? 'hold' : 'read'
  const { rows } = await tx.query(
    `followups.${how}`,
    follow,
    `SELECT ${COLUMNS} FROM ${BASE} ${JOINS} WHERE ${where.text} ${hold ? 'FOR UPDATE OF f' : ''}`,
    where.values,
  )
  return rows[0]
}

/** The other plans of this person within an hour of a moment, and whether nobody works that day. */
export async function clashesOf(
  tx: Tx,
  tenant: string,
  of: { user: string; bc: string; at: Date; but: string | null },
): Promise<string[]> {
  const { rows } = await tx.query(
    'followups.clashes',
    row({ name: text, at: timestamptz, clock: text }),
    `SELECT k.name, f.at, to_char(f.at AT TIME ZONE 'Asia/Shanghai', 'HH24:MI') AS clock
     FROM follow_ups f
     JOIN customers k ON k.tenant_id = $1 AND k.id = f.customer_id
     WHERE f.tenant_id = $1 AND f.user_id = $2 AND ${PLANNED} AND f.id IS DISTINCT FROM $4::uuid
       AND f.at > $3::timestamptz - interval '1 hour' AND f.at < $3::timestamptz + interval '1 hour'
     ORDER BY f.at, f.id
     LIMIT 3`,
    [tenant, of.user, of.at, of.but],
  )
  const day = await tx.query(
    'followups.restday',
    row({ rest: bool }),
    `SELECT ${restDaySql('$1', '$2::uuid', `($3::timestamptz AT TIME ZONE 'Asia/Shanghai')::date`)} AS rest`,
    [tenant, of.bc, of.at],
  )
  return [...rows.map((r) => `${r.clock} 还约了 ${r.name}`), ...(day.rows[0]!.rest ? ['这一天是休息日'] : [])]
}
