import type { visitorsApi } from '@zhuguan/contract/features/visitors/visitors.api.ts'
import {
  visitIdentity,
  type VisitRow,
  visitState,
} from '@zhuguan/contract/features/visitors/visitors.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { float8, int4, row, type RowOf, text, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { epoch, type PageOf } from '../../kit/statement.ts'

const { marked, open } = visitState.code
const COLUMNS = `v.id, v.picture, v.site_id, w.ws_name AS "siteName", v.bc_id, c.bc_name,
     coalesce(d.sn, '') AS "deviceSn", ${epoch('v.at')} AS at, v.seconds,
     greatest(1, round(v.seconds / 60.0))::int AS minutes, nullif(v.identity, '') AS identity, v.worker_id,
     coalesce(k.w_name, '') AS w_name, v.remark,
     CASE WHEN v.handled THEN ${marked} ELSE ${open} END AS state, v.handled_by AS "handledBy",
     ${epoch('v.handled_at')} AS "handledAt", w.steward_id, coalesce(s.nickname, '') AS "stewardName",
     coalesce(t.nickname, '') AS "toldName", ${epoch('v.told_at')} AS "toldAt", v.version`
const JOINS = `JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
   JOIN companies c ON c.tenant_id = $1 AND c.bc_id = v.bc_id
   LEFT JOIN devices d ON d.tenant_id = $1 AND d.id = v.device_id
   LEFT JOIN workers k ON k.tenant_id = $1 AND k.id = v.worker_id
   LEFT JOIN users s ON s.tenant_id = $1 AND s.id = w.steward_id
   LEFT JOIN users t ON t.tenant_id = $1 AND t.id = v.told_id`

export function visitPage(scope: Scope, q: QueryOf<(typeof visitorsApi)['list']>): PageOf {
  return {
    name: 'visits.page',
    columns: COLUMNS,
    base: 'visits v',
    joins: JOINS,
    where: scoped(scope, 'v')
      .when(q.id, (p) => `v.id = ${p}::uuid`)
      .when(q.ids, (p) => `v.id = ANY(${p}::uuid[])`)
      .when(q.bc_id, (p) => `v.bc_id = ANY(${p}::uuid[])`)
      .when(q.site_id, (p) => `v.site_id = ${p}::uuid`)
      .plain(q.state === open && 'NOT v.handled')
      .plain(q.state === marked && 'v.handled')
      .when(q.from, (p) => `v.at >= to_timestamp(${p})`)
      .when(q.to, (p) => `v.at < to_timestamp(${p})`)
      // Of the same site: a visit outside the reach has no neighbours inside.
      .when(
        q.near,
        (p) =>
          `EXISTS (SELECT 1 FROM visits n
             WHERE n.tenant_id = $1 AND n.id = ${p}::uuid AND n.site_id = v.site_id
               AND v.at BETWEEN n.at - interval '7 days' AND n.at + interval '7 days')`,
      ),
    sort: q.sort,
    otherwise: 'v.at DESC',
    tie: 'v.id DESC',
    sortable: { at: 'v.at', seconds: 'v.seconds' },
    filled: ['at', 'seconds'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

const visitRow = row<VisitRow>({
  id: uuid,
  picture: text.null,
  site_id: uuid,
  siteName: text,
  bc_id: uuid,
  bc_name: text,
  deviceSn: text,
  at: float8,
  seconds: int4,
  minutes: int4,
  identity: text.of(visitIdentity).null,
  worker_id: uuid.null,
  w_name: text,
  remark: text,
  state: int4.of(visitState),
  handledBy: text,
  handledAt: float8.null,
  steward_id: uuid.null,
  stewardName: text,
  toldName: text,
  toldAt: float8.null,
  version: int4,
})
const lockedVisit = row({ ...visitRow, told_id: uuid.null })
export type LockedVisit = RowOf<typeof lockedVisit>
/** One visit inside the scope, its row locked until the transaction ends. */
export async function lockVisit(tx: Tx, scope: Scope, id: string): Promise<LockedVisit | undefined> {
  const where = scoped(scope, 'v').add((p) => `v.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'visits.lock',
    lockedVisit,
    `SELECT ${COLUMNS}, v.told_id FROM visits v ${JOINS} WHERE ${where.text} FOR UPDATE OF v`,
    where.values,
  )
  return rows[0]
}
