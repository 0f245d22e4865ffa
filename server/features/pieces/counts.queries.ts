import { dispatchState } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import type { countsApi } from '@zhuguan/contract/features/pieces/counts.api.ts'
import { acceptanceResult, orderState } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import type { DataOf, QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { float8, int4, json, row, text, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { epoch, TODAY, type Where } from '../../kit/statement.ts'
import { MOVING_HEADERS } from './pieces.reads.ts'
import { PROMISE } from './promises.reads.ts'

type Filters = QueryOf<(typeof countsApi)['dcountbc']>
type History = QueryOf<(typeof countsApi)['dcountbchistory']>
type Board = DataOf<(typeof countsApi)['board']>
export type States = Record<string, number>
const { accepted, ordered, shipped, toShip } = orderState.code
const STATES = orderState.values
const SUMS = `json_build_object(${STATES.map((s) => `'${s}', coalesce(sum(c.n${s}), 0)`).join(', ')})`
const inBranch = (where: Where, bc: string | undefined, alias: string): Where =>
  where.when(bc, (p) => `${alias}.bc_id = ${p}::uuid`)
/** Of orders with anything on its way, as the index `orders_late` has them, the pieces that are. */
const LATE_ONES = `o.tenant_id = $1 AND o.order_state IN (${MOVING_HEADERS})
         AND p.order_state IN (${ordered}, ${toShip}, ${shipped})`
/** Ordered pieces that were expected before today and have not arrived, by what `key` says of `p` and its site `w`. */
const lateBy = (key: string, conditions: string) => `(SELECT ${key} AS key, count(*)::int AS late
       FROM orders o
       JOIN pieces p ON p.tenant_id = $1 AND p.order_id = o.id
       JOIN sites w ON w.tenant_id = $1 AND w.id = p.site_id
       WHERE ${conditions} AND ${LATE_ONES} AND o.expected_on < ${TODAY}
       GROUP BY 1)`

/** How many pieces of each branch stand where: kept sums of its sites. */
export async function countByBranch(tx: Tx, scope: Scope, q: Filters) {
  const where = inBranch(scoped(scope, 'c'), q.bc_id, 'c')
  const late = where.text.replaceAll('c.', 'p.')
  const { rows } = await tx.query(
    'counts.bybranch',
    row({ bc_id: uuid, name: text, states: json<States>(), late: int4, at: float8 }),
    `SELECT c.bc_id, b.bc_name AS name, ${SUMS} AS states, coalesce(max(l.late), 0) AS late, ${epoch(':now')} AS at
     FROM piece_counts c
     JOIN companies b ON b.tenant_id = $1 AND b.bc_id = c.bc_id
     LEFT JOIN ${lateBy('p.bc_id', late)} l ON l.key = c.bc_id
     WHERE ${where.text}
     GROUP BY c.bc_id, b.bc_name, b.sort
     ORDER BY b.sort, b.bc_name`,
    where.values,
  )
  return rows
}
/** The same by whoever leads the sites; those without a manager stand last. */
export async function countByManager(tx: Tx, scope: Scope, q: Filters) {
  const where = inBranch(scoped(scope, 'c'), q.bc_id, 'c')
  const late = where.text.replaceAll('c.', 'p.')
  const { rows } = await tx.query(
    'counts.bymanager',
    row({ manager_id: uuid.null, name: text, states: json<States>(), late: int4, at: float8 }),
    `SELECT w.manager_id, coalesce(max(u.nickname), '未指定') AS name, ${SUMS} AS states,
       coalesce(max(l.late), 0) AS late, ${epoch(':now')} AS at
     FROM piece_counts c
     JOIN sites w ON w.tenant_id = $1 AND w.id = c.site_id
     LEFT JOIN users u ON u.tenant_id = $1 AND u.id = w.manager_id
     LEFT JOIN ${lateBy('w.manager_id', late)} l ON l.key IS NOT DISTINCT FROM w.manager_id
     WHERE ${where.text}
     GROUP BY w.manager_id
     ORDER BY w.manager_id IS NULL, name`,
    where.values,
  )
  return rows
}

const SPAN = 30
/** A branch's days for whoever sees branches; of single sites nothing is kept. */
const dayWhere = (scope: Scope, q: History) => {
  const where = inBranch(
    scoped({ ...scope, sites: null, bcs: scope.sites ? [] : scope.bcs }, 'd'),
    q.bc_id,
    'd',
  )
  return where
    .when(q.from, (p) => `d.day >= ${p}::date`)
    .when(q.to, (p) => `d.day <= ${p}::date`)
    .plain(!q.from && `d.day > ${TODAY} - ${SPAN}`)
}
const DAY_STATES = `json_object_agg(d.state::text, d.count)`
const DAY_AT = `floor(extract(epoch FROM (d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'))::float8`
export async function branchHistory(tx: Tx, scope: Scope, q: History) {
  const where = dayWhere(scope, q)
  const { rows } = await tx.query(
    'counts.branchdays',
    row({ day: text, bc_id: uuid, name: text, states: json<States>(), late: int4, at: float8 }),
    `SELECT d.day::text AS day, d.bc_id, b.bc_name AS name, ${DAY_STATES} AS states, sum(d.late)::int AS late,
       ${DAY_AT} AS at
     FROM (SELECT k.tenant_id, k.bc_id, k.day, k.state, sum(k.count)::int AS count, sum(k.late)::int AS late
       FROM piece_days k WHERE k.tenant_id = $1 GROUP BY 1, 2, 3, 4) d
     JOIN companies b ON b.tenant_id = $1 AND b.bc_id = d.bc_id
     WHERE ${where.text}
     GROUP BY d.day, d.bc_id, b.bc_name, b.sort
     ORDER BY d.day, b.sort, d.bc_id`,
    where.values,
  )
  return rows
}
export async function managerHistory(tx: Tx, scope: Scope, q: History) {
  const where = dayWhere(scope, q)
  const { rows } = await tx.query(
    'counts.managerdays',
    row({ day: text, manager_id: uuid.null, name: text, states: json<States>(), late: int4, at: float8 }),
    `SELECT d.day::text AS day, d.manager_id, coalesce(max(u.nickname), '未指定') AS name, ${DAY_STATES} AS states,
       sum(d.late)::int AS late, ${DAY_AT} AS at
     FROM (SELECT k.tenant_id, k.bc_id, k.day, k.manager_id, k.state, sum(k.count)::int AS count,
     sum(k.late)::int AS late
       FROM piece_days k WHERE k.tenant_id = $1 GROUP BY 1, 2, 3, 4, 5) d
     LEFT JOIN users u ON u.tenant_id = $1 AND u.id = d.manager_id
     WHERE ${where.text}
     GROUP BY d.day, d.manager_id
     ORDER BY d.day, d.manager_id`,
    where.values,
  )
  return rows
}

/** The evening of a day: what the kept sums say, and what is late then; told again it is the same. */
export async function keepDay(tx: Tx, tenant: string, day: string): Promise<number> {
  const kept = await tx.run(
    'counts.keepday',
    `INSERT INTO piece_days AS d (tenant_id, bc_id, manager_id, day, state, count, late)
     SELECT $1, c.bc_id, w.manager_id, $2::date, s.state, sum(s.count), coalesce(max(l.late), 0)
     FROM piece_counts c
     JOIN sites w ON w.tenant_id = $1 AND w.id = c.site_id
     CROSS JOIN LATERAL (VALUES ${STATES.map((s) => `(${s}, c.n${s})`).join(', ')}) AS s(state, count)
     LEFT JOIN (
       SELECT p.bc_id, k.manager_id, p.order_state, count(*)::int AS late
       FROM orders o
       JOIN pieces p ON p.tenant_id = $1 AND p.order_id = o.id
       JOIN sites k ON k.tenant_id = $1 AND k.id = p.site_id
       WHERE ${LATE_ONES} AND o.expected_on <= $2::date
       GROUP BY 1, 2, 3) l ON l.bc_id = c.bc_id AND l.manager_id IS NOT DISTINCT FROM w.manager_id
         AND l.order_state = s.state
     WHERE c.tenant_id = $1
     GROUP BY c.bc_id, w.manager_id, s.state
     ON CONFLICT (tenant_id, day, bc_id, manager_id, state) DO UPDATE
     SET count = excluded.count, late = excluded.late`,
    [tenant, day],
  )
  return kept.rowCount ?? 0
}

const NEAR = 3
const between = (from: string, to: string) => `extract(epoch FROM ${to} - ${from}) / 3600`
const step = (name: string, from: string, where: string) =>
  `SELECT '${name}' AS step, count(*)::int AS count, percentile_cont(0.5) WITHIN GROUP (ORDER BY h.hours) AS p50,
         percentile_cont(0.9) WITHIN GROUP (ORDER BY h.hours) AS p90
       FROM (SELECT ${from} WHERE ${where}) h`
/** What the board says beside the counts: how long steps take, what comes late and goes back, what holds a site up. */
export async function boardOf(tx: Tx, scope: Scope, q: Filters): Promise<Board> {
  const where = inBranch(scoped(scope, 'd'), q.bc_id, 'd')
  const of = (alias: string) => where.text.replaceAll('d.', `${alias}.`)
  const since = `:now - interval '${SPAN} days'`
  const { rows } = await tx.query(
    'counts.board',
    row({
      at: float8,
      steps: json<Board['steps']>(),
      arrived: int4,
      arrivedLate: int4,
      arrivedMoved: int4,
      sheets: int4,
      returnedPart: float8.null,
      blocks: json<Board['blocks']>(),
    }),
    `WITH steps AS (
       ${step(
         'answer',
         'o.worked_seconds / 3600.0 AS hours FROM order_answers o',
         `${of('o')}
       AND o.answered_at > ${since}`,
       )}
       UNION ALL
       ${step(
         'ship',
         `${between('d.made_at', 'd.shipped_at')} AS hours FROM dispatches d`,
         `${where.text}
       AND d.shipped_at > ${since}`,
       )}
       UNION ALL
       ${step(
         'carry',
         `${between('d.shipped_at', 'd.delivered_at')} AS hours FROM dispatches d`,
         `${where.text}
       AND d.delivered_at > ${since}`,
       )}
       UNION ALL
       ${step(
         'check',
         `${between('d.delivered_at', 'd.checked_at')} AS hours FROM dispatches d`,
         `${where.text}
       AND d.checked_at > ${since}`,
       )}
     ), notes AS (
       SELECT (count(*) FILTER (WHERE k.promised))::int AS arrived, (count(*) FILTER (WHERE k.late))::int AS late,
         (count(*) FILTER (WHERE k.moved))::int AS moved
       FROM dispatches d
       CROSS JOIN LATERAL ${PROMISE} k
       WHERE ${where.text} AND d.delivered_at > ${since}
     ), findings AS (
       SELECT count(*)::int AS sheets, (sum(b.returned) / nullif(sum(b.brought), 0))::float8 AS "returnedPart"
       FROM dispatches d
       CROSS JOIN LATERAL (SELECT
           (SELECT sum(k.quantity * l.price) FROM carried k
             JOIN order_lines l ON l.tenant_id = $1 AND l.id = k.line_id
             WHERE k.tenant_id = $1 AND k.note_id = d.id) AS brought,
           coalesce((SELECT sum(g.quantity * l.price) FROM goods_changes g
             JOIN order_lines l ON l.tenant_id = $1 AND l.id = g.line_id
             WHERE g.tenant_id = $1 AND g.note_id = d.id AND g.result = ${acceptanceResult.code.return}
               AND g.state IN ('open', 'closed')), 0) AS returned) b
       WHERE ${where.text} AND d.kind = 1 AND d.state = ${dispatchState.code.checked} AND d.checked_at > ${since}
     ), missing AS (
       SELECT p.site_id, w.ws_name, i.stage, min(g.planned_start) AS stage_on, p.order_state, count(*)::int AS pieces,
         string_agg(DISTINCT i.name, '、') AS names
       FROM pieces p
       JOIN contract_items i ON i.tenant_id = $1 AND i.id = p.item_id
       JOIN sites w ON w.tenant_id = $1 AND w.id = p.site_id
       JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = p.site_id AND g.stage = i.stage
       WHERE ${of('p')} AND p.order_state IS NOT NULL AND p.order_state <> ${accepted}
         AND w.status IN (1, 2) AND g.accepted_by = '' AND g.planned_start <= ${TODAY} + ${NEAR}
       GROUP BY p.site_id, w.ws_name, i.stage, p.order_state
       ORDER BY stage_on, w.ws_name, p.order_state
       LIMIT 30
     )
     SELECT ${epoch(':now')} AS at, (SELECT json_agg(s) FROM steps s) AS steps, n.arrived,
       n.late AS "arrivedLate", n.moved AS "arrivedMoved",
       f.sheets, f."returnedPart",
       coalesce((SELECT json_agg(json_build_object('site_id', m.site_id, 'ws_name', m.ws_name, 'stage', m.stage,
         'stageOn', m.stage_on::text, 'state', m.order_state, 'pieces', m.pieces, 'names', m.names)) FROM missing m),
         '[]') AS blocks
     FROM notes n, findings f`,
    where.values,
  )
  return { days: SPAN, ...rows[0]! }
}
