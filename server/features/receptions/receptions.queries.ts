import type { receptionsApi } from '@zhuguan/contract/features/receptions/receptions.api.ts'
import {
  receptionPurpose,
  type ReceptionRow,
  receptionState,
} from '@zhuguan/contract/features/receptions/receptions.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { bool, float8, int2, int4, row, text, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { epoch, type PageOf } from '../../kit/statement.ts'
import { siteScope } from '../sites/sites.reads.ts'

const COLUMNS = `r.id, r.site_id, w.ws_name AS "siteName", coalesce(o.name, '') AS "ownerName", r.bc_id, c.bc_name,
     ${epoch('r.at')} AS at, r.planned, ${epoch('r.arrived_at')} AS "arrivedAt", ${epoch('r.ended_at')} AS "endedAt",
     r.host_id, u.nickname AS "hostName", r.purpose, r.remark, r.record, r.state,
     r.entered_by AS "enteredBy", r.version`
const JOINS = `JOIN sites w ON w.tenant_id = $1 AND w.id = r.site_id
   LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = w.owner_id
   JOIN companies c ON c.tenant_id = $1 AND c.bc_id = r.bc_id
   JOIN users u ON u.tenant_id = $1 AND u.id = r.host_id`

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
  host_id: uuid,
  hostName: text,
  purpose: text.of(receptionPurpose),
  remark: text,
  record: text,
  state: text.of(receptionState),
  enteredBy: text,
  version: int4,
})
/** One inside the scope, its row locked until the transaction ends. */
export async function lockReception(tx: Tx, scope: Scope, id: string) {
  const where = scoped(scope, 'r').add((p) => `r.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'receptions.lock',
    row({ ...receptionRow, changedBy: text, changedAt: float8.null }),
    `SELECT ${COLUMNS}, r.changed_by AS "changedBy", ${epoch('r.changed_at')} AS "changedAt"
     FROM receptions r ${JOINS}
     WHERE ${where.text}
     FOR UPDATE OF r`,
    where.values,
  )
  return rows[0]
}

/** What a reception asks of a site: that it is there, and what stands of it. */
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
    .plain(`r.state IN ('${receptionState.code.planned}', '${receptionState.code.arrived}')`)
    .add((p) => `r.at > ${p}::timestamptz - interval '1 hour'`, of.at)
    .add((p) => `r.at < ${p}::timestamptz + interval '1 hour'`, of.at)
    .either([
      [(p) => `r.site_id = ${p}::uuid`, of.site],
      ...(of.host ? [[(p: string) => `r.host_id = ${p}::uuid`, of.host] as const] : []),
    ])
  const { rows } = await tx.query(
    'receptions.beside',
    row({ id: uuid, at: float8, siteName: text, hostName: text }),
    `SELECT r.id, ${epoch('r.at')} AS at, w.ws_name AS "siteName", u.nickname AS "hostName"
     FROM receptions r
     JOIN sites w ON w.tenant_id = $1 AND w.id = r.site_id
     JOIN users u ON u.tenant_id = $1 AND u.id = r.host_id
     WHERE ${where.text}
     ORDER BY r.at, r.id
     LIMIT 5`,
    where.values,
  )
  return rows
}
