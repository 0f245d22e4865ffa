import type { noWorkApi } from '@zhuguan/contract/features/no-work/no-work.api.ts'
import {
  likelyCause,
  NO_REASON,
  type NoWorkRow,
  stopReason,
} from '@zhuguan/contract/features/no-work/no-work.record.ts'
import { orderState } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import { noWork } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { float8, int2s, int4, json, row, text, uuid } from '../../kit/row.ts'
import { epoch, contains, type PageOf, type Where } from '../../kit/statement.ts'
import { STAGE_WAITS, STAGE_WAITS_WORDS } from '../questions/undecided.reads.ts'
import { siteScope } from '../sites/sites.reads.ts'

type Filters = QueryOf<(typeof noWorkApi)['list']>

const { ordered, shipped, toOrder, toShip } = orderState.code
/** Goods of the site's present stage that have not arrived. */
const MISSING = `FROM pieces p
       JOIN contract_items i ON i.tenant_id = w.tenant_id AND i.id = p.item_id AND i.stage = w.stage
       WHERE p.tenant_id = w.tenant_id AND p.site_id = w.id
         AND p.order_state IN (${[toOrder, ordered, toShip, shipped].join(', ')})`
const stateWords = (state: string) =>
  `CASE ${state} ${orderState.options.map((o) => `WHEN ${o.value} THEN '${o.label}'`).join(' ')} END`
const MISSING_WORDS = `coalesce((SELECT string_agg(x.name || '（' || x.state || '）', '、' ORDER BY x.name, x.state)
     FROM (SELECT DISTINCT i.name, ${stateWords('p.order_state')} AS state ${MISSING}
       ORDER BY i.name LIMIT 5) x), '')`
const MISSING_ORDERS = `coalesce((SELECT json_agg(json_build_object('id', o.id, 'code', o.code) ORDER BY o.code)
     FROM orders o WHERE o.tenant_id = w.tenant_id AND o.id IN (SELECT p.order_id ${MISSING})), '[]')`
/** Read off the site's own data, first match. */
export const LIKELY = `CASE WHEN w.devices_total > 0 AND w.devices_online = 0 THEN 'blind'
  WHEN EXISTS (SELECT 1 ${STAGE_WAITS}) THEN 'owner'
  WHEN NOT EXISTS (SELECT 1 FROM site_members sm WHERE sm.tenant_id = w.tenant_id AND sm.site_id = w.id AND sm.left_on IS NULL) THEN 'nobody'
  WHEN EXISTS (SELECT 1 ${MISSING}) THEN 'goods'
  WHEN g.actual_start IS NULL THEN 'waiting' WHEN g.actual_finish IS NULL AND g.planned_finish < (:now AT TIME ZONE 'Asia/Shanghai')::date THEN 'late' ELSE 'none' END`
export const LAST_AT = `(SELECT a.last_at FROM attendance_days a WHERE a.tenant_id = w.tenant_id AND a.site_id = w.id
       ORDER BY a.day DESC, a.last_at DESC LIMIT 1)`
export const NO_WORK_JOINS = `JOIN companies c ON c.tenant_id = w.tenant_id AND c.bc_id = w.bc_id
   LEFT JOIN users m ON m.tenant_id = w.tenant_id AND m.id = w.manager_id
   LEFT JOIN site_stages g ON g.tenant_id = w.tenant_id AND g.site_id = w.id AND g.stage = w.stage`
const COLUMNS = `w.id, w.code, w.ws_name, w.bc_id, c.bc_name, w.stage, w.manager_id,
     coalesce(m.nickname, '') AS "managerName", w.no_work AS "noWork", w.no_work_run AS "noWorkRun",
     w.no_work_sum AS "noWorkSum", ${epoch(LAST_AT)} AS "lastAt", w.stop_reason AS reason,
     w.stop_remark AS remark, w.stop_by AS "reasonBy", ${epoch('w.stop_at')} AS "reasonAt",
     ${LIKELY} AS likely, ${MISSING_WORDS} AS missing, ${MISSING_ORDERS} AS "missingOrders",
     ${STAGE_WAITS_WORDS} AS undecided,
     ${epoch('w.stop_told_at')} AS "toldAt", w.version`

export function noWorkWhere(scope: Scope, q: Filters): Where {
  const said = q.reason?.filter((r) => r !== NO_REASON)
  return siteScope(scope)
    .plain(`w.no_work <> '{}'`)
    .when(q.keyword || undefined, (p) => `w.search LIKE ${p}`, contains)
    .when(q.bc_id, (p) => `w.bc_id = ANY(${p}::uuid[])`)
    .when(q.noWork, (p) => `w.no_work && ${p}::smallint[]`)
    .when(q.manager_id, (p) => `w.manager_id = ${p}::uuid`)
    .when(
      said,
      (p) =>
        `(w.stop_reason = ANY(${p}::text[])${q.reason!.includes(NO_REASON) ? ' OR w.stop_reason IS NULL' : ''})`,
    )
}

export const noWorkPage = (scope: Scope, q: Filters): PageOf => ({
  name: 'nowork.page',
  columns: COLUMNS,
  base: 'sites w',
  joins: NO_WORK_JOINS,
  where: noWorkWhere(scope, q),
  sort: q.sort,
  otherwise: 'w.no_work_run DESC',
  tie: 'w.id DESC',
  sortable: {
    noWorkRun: 'w.no_work_run',
    noWorkSum: 'w.no_work_sum',
    code: 'w.code',
    ws_name: 'w.ws_name COLLATE "zh-x-icu"',
  },
  filled: ['noWorkRun', 'noWorkSum', 'code', 'ws_name'],
  pageNo: q.pageNo,
  pageSize: q.pageSize,
})

/** One site inside the scope, standing or not, its row locked. */
export async function lockStopped(tx: Tx, scope: Scope, id: string): Promise<NoWorkRow | undefined> {
  const where = siteScope(scope).add((p) => `w.id = ${p}::uuid`, id)
  return (
    await tx.query(
      'nowork.lock',
      row<NoWorkRow>({
        id: uuid,
        code: text,
        ws_name: text,
        bc_id: uuid,
        bc_name: text,
        stage: text.null,
        manager_id: uuid.null,
        managerName: text,
        noWork: int2s.of(noWork),
        noWorkRun: int4,
        noWorkSum: int4,
        lastAt: float8.null,
        reason: text.of(stopReason).null,
        remark: text,
        reasonBy: text,
        reasonAt: float8.null,
        likely: text.of(likelyCause),
        missing: text,
        missingOrders: json<NoWorkRow['missingOrders']>(),
        undecided: text,
        toldAt: float8.null,
        version: int4,
      }),
      `SELECT ${COLUMNS} FROM sites w ${NO_WORK_JOINS} WHERE ${where.text} FOR UPDATE OF w`,
      where.values,
    )
  ).rows[0]
}
