import type { noWorkApi } from '@zhuguan/contract/features/no-work/no-work.api.ts'
import {
  likelyCause,
  NO_REASON,
  type NoWorkRow,
  stopBall,
  stopReason,
} from '@zhuguan/contract/features/no-work/no-work.record.ts'
import { noWork } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { float8, int2s, int4, json, row, text, uuid } from '../../kit/row.ts'
import { saidSites } from '../../kit/said-sites.ts'
import { siteScope } from '../../kit/scoped.ts'
import { contains, epoch, type PageOf, TODAY, type Where } from '../../kit/statement.ts'
import { WAITS_WORDS } from '../questions/undecided.reads.ts'
import { restDaySql } from '../settings/settings.reads.ts'
import { missingOrders, missingWords } from './missing-goods.reads.ts'
import { MISSED, ORDER_NAMED, PRESENT, STANDING, WAITED_ORDERS } from './silent-sites.reads.ts'

type Filters = QueryOf<(typeof noWorkApi)['list']>

/** So far ahead a working day is looked for. */
const AHEAD_DAYS = 60
const LAST_AT = `(SELECT a.last_at FROM attendance_days a WHERE a.tenant_id = $1 AND a.site_id = w.id
       ORDER BY a.day DESC, a.last_at DESC LIMIT 1)`
const BACK_ON = `CASE WHEN h.likely = '${likelyCause.code.rest}' THEN (SELECT min(x.day)::date::text
       FROM generate_series(${TODAY} + 1, ${TODAY} + ${AHEAD_DAYS}, interval '1 day') AS x(day)
       WHERE NOT ${restDaySql('$1', 'w.bc_id', 'x.day::date')}) END`
const JOINS = `${STANDING}
   JOIN companies c ON c.tenant_id = $1 AND c.bc_id = w.bc_id
   LEFT JOIN users m ON m.tenant_id = $1 AND m.id = w.manager_id`
const COLUMNS = `w.id, w.code, w.ws_name, w.bc_id, c.bc_name, w.stage, w.manager_id,
     coalesce(m.nickname, '') AS "managerName", w.no_work AS "noWork", w.no_work_run AS "noWorkRun",
     w.no_work_sum AS "noWorkSum", ${epoch(LAST_AT)} AS "lastAt", h.reason,
     CASE WHEN h.reason IS NULL THEN w.stop_reason END AS lapsed,
     CASE WHEN w.stop_reason IS NOT NULL THEN w.stop_until::text END AS until,
     CASE WHEN h.reason IS NULL THEN '' ELSE w.stop_remark END AS remark,
     w.stop_by AS "reasonBy", ${epoch('w.stop_at')} AS "reasonAt",
     h.likely, b.ball, ${epoch('b.since')} AS since, ${ORDER_NAMED} AS "order", ${BACK_ON} AS "backOn",
     ${missingWords(PRESENT)} AS missing, ${missingOrders(PRESENT)} AS "missingOrders",
     ${WAITS_WORDS} AS undecided, ${epoch('w.stop_told_at')} AS "toldAt", w.version`

function noWorkWhere(scope: Scope, q: Filters): Where {
  const said = q.reason?.filter((r) => r !== NO_REASON)
  const where = siteScope(scope).plain(`w.no_work <> '{}'`)
  const named = saidSites(where, scope)
  return where
    .when(q.keyword || undefined, (p) => `w.id IN ${named(p)}`, contains)
    .when(q.bc_id, (p) => `w.bc_id = ANY(${p}::uuid[])`)
    .when(q.noWork, (p) => `w.no_work && ${p}::smallint[]`)
    .when(q.manager_id, (p) => `w.manager_id = ${p}::uuid`)
    .when(
      said,
      (p) => `(h.reason = ANY(${p}::text[])${q.reason!.includes(NO_REASON) ? ' OR h.reason IS NULL' : ''})`,
    )
    .when(q.ball, (p) => `b.ball = ANY(${p}::text[])`)
    .plain(q.missed === true && MISSED)
    .plain(q.missed === false && `NOT ${MISSED}`)
    .when(q.batch || undefined, (p) => `EXISTS (SELECT ${WAITED_ORDERS} AND o.batch = ${p})`)
}

export const noWorkPage = (scope: Scope, q: Filters): PageOf => ({
  name: 'nowork.page',
  columns: COLUMNS,
  base: `sites w ${STANDING}`,
  alias: 'w',
  joins: JOINS,
  where: noWorkWhere(scope, q),
  sort: q.sort,
  otherwise: 'w.no_work_run DESC',
  tie: 'w.id DESC',
  sortable: {
    noWorkRun: 'w.no_work_run',
    noWorkSum: 'w.no_work_sum',
    since: 'b.since',
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
        lapsed: text.of(stopReason).null,
        until: text.null,
        remark: text,
        reasonBy: text,
        reasonAt: float8.null,
        likely: text.of(likelyCause),
        ball: text.of(stopBall),
        since: float8.null,
        order: json<NoWorkRow['order']>().null,
        backOn: text.null,
        missing: text,
        missingOrders: json<NoWorkRow['missingOrders']>(),
        undecided: text,
        toldAt: float8.null,
        version: int4,
      }),
      `SELECT ${COLUMNS} FROM sites w ${JOINS} WHERE ${where.text} FOR UPDATE OF w`,
      where.values,
    )
  ).rows[0]
}
