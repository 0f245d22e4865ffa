import { dispatchState, logisticsProgress } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import { examineState } from '@zhuguan/contract/features/examine/examine.record.ts'
import type { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import {
  finding,
  goodsAnswer,
  type GoodsChangeDetail,
  goodsChangeState,
  goodsOutcome,
  goodsReason,
  type SheetDetail,
} from '@zhuguan/contract/features/goods/goods.record.ts'
import { checkState } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import type { TwoParties } from '../../kit/parties.ts'
import { bool, float8, int2, int4, json, row, type RowOf, text, uuid } from '../../kit/row.ts'
import { type Parties, scopedParties } from '../../kit/scoped.ts'
import { contains, dayBegins, epoch, listOf, type PageOf, type Where } from '../../kit/statement.ts'
import { settingSql } from '../settings/settings.reads.ts'
import { WARRANTY_UNTIL } from '../sites/sites.reads.ts'
import { named } from './goods-named.ts'
import { TO_JUDGE, TO_REDUCE, UNANSWERED } from './goods.reads.ts'

type SheetFilters = QueryOf<(typeof goodsApi)['sheets']>
type ChangeFilters = QueryOf<(typeof goodsApi)['list']>

const sheetColumnsOf = ({ buyer }: Pick<Parties, 'buyer'>) =>
  `d.id, d.sheet_code AS "sheetCode", d.code, d.order_id, o.code AS "orderCode", d.bc_id,
       coalesce(b.bc_name, o.bc_name) AS bc_name, CASE WHEN ${buyer} THEN d.site_id::text ELSE '' END AS site_id,
       CASE WHEN ${buyer} THEN coalesce(w.ws_name, o.community) ELSE o.community END AS ws_name,
       o.receiver_name AS "receiverName", d.state, d.lines, d.lines_checked AS "linesChecked",
       d.check_state AS "checkState", d.checked_by AS "checkedBy", ${epoch('d.checked_at')} AS "checkedAt",
       ${epoch('d.delivered_at')} AS "deliveredAt", ${buyer} AS buyer, d.version`
const SHEET_JOINS = `JOIN orders o ON o.tenant_id = $1 AND o.id = d.order_id
     LEFT JOIN companies b ON b.tenant_id = $1 AND b.bc_id = d.bc_id
     LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id`
/** Filters that sheets and changes share; `at` is the moment that the days are of. */
const placed = (where: Where, q: SheetFilters | ChangeFilters, a: string, at: string): Where =>
  where
    .when(q.bc_id, (p) => `${a}.bc_id = ${p}::uuid`)
    .when(q.site_id, (p) => `${a}.site_id = ${p}::uuid`)
    .when(q.receiver_id, (p) => `${a}.receiver_id = ${p}::uuid`)
    .when(q.order_id, (p) => `${a}.order_id = ${p}::uuid`)
    .when(q.ids, (p) => `${a}.id = ANY(${p}::uuid[])`)
    .when(q.from, (p) => `${at} >= ${dayBegins(p)}`)
    .when(q.to, (p) => `${at} < ${dayBegins(`(${p}::date + 1)`)}`)
/** Notes that have arrived. */
export function sheetPage(scope: Scope, q: SheetFilters): PageOf {
  const parties = scopedParties(scope, 'd')
  const where = parties.where.plain('d.check_state IS NOT NULL')
  return {
    name: 'goods.sheets',
    base: 'dispatches d',
    columns: sheetColumnsOf(parties),
    joins: SHEET_JOINS,
    where: placed(where, q, 'd', 'd.delivered_at')
      .when(
        q.keyword || undefined,
        named('d', '(lower(d.sheet_code) LIKE $k OR lower(d.code) LIKE $k)', parties.where, scope),
        contains,
      )
      .when(q.checkState, (p) => `d.check_state = ANY(${p}::smallint[])`)
      .plain(q.waiting === true && `${TO_JUDGE} AND ${parties.buyer}`)
      .plain(q.waiting === false && `NOT (${TO_JUDGE} AND ${parties.buyer})`),
    sort: q.sort,
    otherwise: ['d.check_state ASC', 'd.delivered_at DESC'],
    tie: 'd.id DESC',
    sortable: { sheetCode: 'd.sheet_code', deliveredAt: 'd.delivered_at', checkedAt: 'd.checked_at' },
    filled: ['sheetCode', 'deliveredAt'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

const sumOf = (condition: string) =>
  `trim_scale(coalesce((SELECT sum(p.quantity)
           FROM carried x
           JOIN pieces p ON p.tenant_id = $1 AND p.id = x.piece_id
           WHERE x.tenant_id = $1 AND x.note_id = d.id AND x.line_id = k.line_id AND p.note_id = d.id
             AND ${condition}), 0))::text`
const JUDGEMENTS = listOf(
  `'id', j.id, 'result', j.result, 'quantity', trim_scale(j.quantity)::text, 'reasonCode', j.reason_code,
           'reason', j.reason, 'photos', to_json(j.photos), 'changeCode', coalesce(g.code, ''), 'who', j.user_name,
           'at', ${epoch('j.at')}`,
  `judgements j
           LEFT JOIN goods_changes g ON g.tenant_id = $1 AND g.id = j.change_id
           WHERE j.tenant_id = $1 AND j.note_id = d.id AND j.line_id = k.line_id`,
  'j.at, j.id',
)
const SHEET_LINES = `coalesce((SELECT json_agg(json_build_object('line_id', l.id, 'code', l.code, 'name', l.name,
         'detail', l.detail, 'unit', l.unit, 'quantity', trim_scale(k.quantity)::text,
         'waiting', ${sumOf(`p.place = 'waiting'`)},
         'accepted', ${sumOf(`p.place = 'accepted' AND p.change_id IS NULL`)},
         'judgements', ${JUDGEMENTS}) ORDER BY l.sort, l.id)
       FROM (SELECT c.line_id, sum(c.quantity) AS quantity FROM carried c
         WHERE c.tenant_id = $1 AND c.note_id = d.id GROUP BY c.line_id) k
       JOIN order_lines l ON l.tenant_id = $1 AND l.id = k.line_id), '[]')`
const COMPLAIN_DAYS = `(${settingSql('complaintDays', '$1', 'd.bc_id')})::int`
/** The last day on which what was accepted of a note `d` can be complained of; of a finished home in its warranty. */
export const COMPLAIN_UNTIL = `greatest((d.checked_at AT TIME ZONE 'Asia/Shanghai')::date + ${COMPLAIN_DAYS},
         (SELECT ${WARRANTY_UNTIL} FROM sites w WHERE w.tenant_id = $1 AND w.id = d.site_id))`
export async function sheetDetail(tx: Tx, scope: Scope, id: string): Promise<SheetDetail | undefined> {
  const parties = scopedParties(scope, 'd')
  parties.where.add((p) => `d.id = ${p}::uuid`, id).plain('d.check_state IS NOT NULL')
  const { rows } = await tx.query(
    'goods.sheet',
    row<SheetDetail>({
      id: uuid,
      sheetCode: text,
      code: text,
      order_id: uuid,
      orderCode: text,
      bc_id: uuid,
      bc_name: text,
      site_id: text,
      ws_name: text,
      receiverName: text,
      state: int2.of(dispatchState),
      lines: int4,
      linesChecked: int4,
      checkState: int2.of(checkState),
      checkedBy: text,
      checkedAt: float8.null,
      deliveredAt: float8,
      buyer: bool,
      version: int4,
      deliveredBy: text,
      deliveredPlace: text,
      photo: text.null,
      signature: text.null,
      damage: text,
      damagePhoto: text.null,
      complainUntil: text.null,
      lineList: json<SheetDetail['lineList']>(),
    }),
    `SELECT ${sheetColumnsOf(parties)}, d.delivered_name AS "deliveredBy", d.delivered_place AS "deliveredPlace",
       d.photo, d.signature, d.damage, d.damage_photo AS "damagePhoto",
       ${COMPLAIN_UNTIL}::text AS "complainUntil", ${SHEET_LINES} AS "lineList"
     FROM dispatches d
     ${SHEET_JOINS}
     WHERE ${parties.where.text}`,
    parties.where.values,
  )
  return rows[0]
}

const SENT = `EXISTS (SELECT 1 FROM dispatches n
         WHERE n.tenant_id = $1 AND n.change_id = g.id AND n.state NOT IN (0, 1))`
const LOOSE = `EXISTS (SELECT 1 FROM change_pieces x
         JOIN pieces p ON p.tenant_id = $1 AND p.id = x.piece_id AND p.change_id = g.id
         WHERE x.tenant_id = $1 AND x.change_id = g.id AND p.place = 'change' AND p.result <> 5
           AND p.next_note_id IS NULL)`
/** Who bears what is not wanted, and why, is said inside: the merchant reads that it comes back, no more. */
const inside = (column: string, buyer: string) =>
  `CASE WHEN ${buyer} OR g.outcome NOT IN ('reduce', 'borne') THEN ${column} ELSE '' END`
const changeColumnsOf = ({ buyer, receiver }: Pick<Parties, 'buyer' | 'receiver'>) =>
  `g.id, g.code, g.bc_id, coalesce(b.bc_name, o.bc_name) AS bc_name, g.order_id, o.code AS "orderCode", g.receiver_id,
       o.receiver_name AS "receiverName", CASE WHEN ${buyer} THEN g.site_id::text ELSE '' END AS site_id,
       CASE WHEN ${buyer} THEN coalesce(w.ws_name, o.community) ELSE o.community END AS ws_name, g.note_id,
       d.code AS "noteCode", l.name, l.unit, g.result, g.surplus, trim_scale(g.quantity)::text AS quantity,
       g.reason_code AS "reasonCode", g.reason, to_json(g.photos) AS photos, g.round, g.late,
       g.examine_state AS "examineState", g.state, g.answer, ${epoch('g.answer_due')} AS "answerDue",
       ${inside('g.outcome', buyer)} AS outcome, g.scrap,
       (SELECT min(v.progress) FROM logistics v WHERE v.tenant_id = $1 AND v.change_id = g.id) AS progress,
       g.made_name AS "madeBy", g.made_by, ${epoch('g.made_at')} AS "madeAt", ${SENT} AS sent, ${LOOSE} AS loose,
       ${TO_REDUCE} AS "toReduce",
       ${buyer} AS buyer,
       ${receiver} AS receiver, g.version`
const CHANGE_JOINS = `JOIN orders o ON o.tenant_id = $1 AND o.id = g.order_id
     JOIN order_lines l ON l.tenant_id = $1 AND l.id = g.line_id
     JOIN dispatches d ON d.tenant_id = $1 AND d.id = g.note_id
     LEFT JOIN companies b ON b.tenant_id = $1 AND b.bc_id = g.bc_id
     LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = g.site_id`
/** Changes of goods of either party in reach. */
export function changePage(scope: Scope, q: ChangeFilters): PageOf {
  const parties = scopedParties(scope, 'g')
  return {
    name: 'goods.page',
    base: 'goods_changes g',
    columns: changeColumnsOf(parties),
    joins: CHANGE_JOINS,
    where: placed(parties.where, q, 'g', 'g.made_at')
      .when(q.keyword || undefined, named('g', 'lower(g.code) LIKE $k', parties.where, scope), contains)
      .when(q.result, (p) => `g.result = ANY(${p}::smallint[])`)
      .when(q.examineState, (p) => `g.examine_state = ANY(${p}::smallint[])`)
      .when(q.state, (p) => `g.state = ANY(${p}::text[])`)
      .when(q.reasonCode, (p) => `g.reason_code = ANY(${p}::text[])`)
      .plain(q.overdue === true && UNANSWERED)
      .plain(q.overdue === false && `NOT ${UNANSWERED}`)
      .plain(q.side !== undefined && parties[q.side]),
    sort: q.sort,
    otherwise: 'g.made_at DESC',
    tie: 'g.id DESC',
    sortable: { code: 'g.code', madeAt: 'g.made_at' },
    filled: ['code', 'madeAt'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}
const changeColumns = {
  id: uuid,
  code: text,
  bc_id: uuid,
  bc_name: text,
  order_id: uuid,
  orderCode: text,
  receiver_id: uuid,
  receiverName: text,
  site_id: text,
  ws_name: text,
  note_id: uuid,
  noteCode: text,
  name: text,
  unit: text,
  result: int2.of(finding).null,
  surplus: bool,
  quantity: text,
  reasonCode: text.of(goodsReason),
  reason: text,
  photos: json<string[]>(),
  round: int4,
  late: bool,
  examineState: int2.of(examineState),
  state: text.of(goodsChangeState),
  answer: text.of(goodsAnswer),
  answerDue: float8,
  outcome: text.of(goodsOutcome),
  scrap: bool,
  progress: int2.of(logisticsProgress).null,
  madeBy: text,
  made_by: uuid,
  madeAt: float8,
  sent: bool,
  loose: bool,
  toReduce: bool,
  buyer: bool,
  receiver: bool,
  version: int4,
}
const STEPS = listOf(
  `'id', v.id, 'code', v.code, 'type', v.type,
         'changeDetailType', CASE v.type WHEN 2 THEN 1 WHEN 3 THEN 2 WHEN 1 THEN 0 ELSE 3 END,
         'progress', v.progress, 'status', v.status, 'noteCode', coalesce(n.code, ''), 'grade', v.grade,
         'gradeReason', v.grade_reason, 'disputed', v.disputed,
         'damage', v.damage::text, 'deciding', v.dispute = 'asked', 'version', v.version`,
  `logistics v
         LEFT JOIN dispatches n ON n.tenant_id = $1 AND n.id = v.note_id
         WHERE v.tenant_id = $1 AND v.change_id = g.id`,
  'v.made_at, v.code',
)
const ROUNDS = listOf(
  `'id', r.id, 'code', r.code, 'round', r.round`,
  `goods_changes r
         WHERE r.tenant_id = $1 AND r.id IN (SELECT c.change_id FROM change_pieces c
           JOIN change_pieces m ON m.tenant_id = $1 AND m.piece_id = c.piece_id AND m.change_id = g.id
           WHERE c.tenant_id = $1)`,
  'r.round',
)
/** The newest picture of the site before the goods came; one of another day says nothing of them. */
const STILL = `(SELECT json_build_object('picture', t.picture, 'at', ${epoch('t.at')})
         FROM tidiness_checks t
         WHERE t.tenant_id = $1 AND t.site_id = g.site_id AND t.picture IS NOT NULL AND t.source = 'camera'
           AND t.at <= d.delivered_at AND t.at > d.delivered_at - interval '1 day'
         ORDER BY t.at DESC
         LIMIT 1)`
const CLIPS = listOf(
  `'device_id', h.device_id, 'deviceSn', coalesce(c.sn, '已调走的摄像头'), 'from', ${epoch('h.from_at')},
         'to', ${epoch('h.to_at')}, 'recorded', EXISTS (SELECT 1 FROM recordings r
           WHERE r.tenant_id = $1 AND r.device_id = h.device_id AND r.from_at > h.from_at - interval '1 day'
             AND r.from_at < h.to_at AND r.to_at > h.from_at)`,
  `note_holds x
         JOIN recording_holds h ON h.tenant_id = $1 AND h.id = x.hold_id AND h.released_at IS NULL
         LEFT JOIN devices c ON c.tenant_id = $1 AND c.id = h.device_id
         WHERE x.tenant_id = $1 AND x.note_id = g.note_id`,
  'c.sn',
)
export async function changeDetail(tx: Tx, scope: Scope, id: string): Promise<GoodsChangeDetail | undefined> {
  const parties = scopedParties(scope, 'g')
  parties.where.add((p) => `g.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'goods.detail',
    row<GoodsChangeDetail>({
      ...changeColumns,
      deliveredBy: text,
      deliveredAt: float8.null,
      deliveredPlace: text,
      deliveryPhoto: text.null,
      signature: text.null,
      still: json<NonNullable<GoodsChangeDetail['still']>>().null,
      clips: json<GoodsChangeDetail['clips']>(),
      answerReason: text,
      answerPhotos: json<string[]>(),
      answerName: text,
      answerAt: float8.null,
      outcomeReason: text,
      steps: json<GoodsChangeDetail['steps']>(),
      rounds: json<GoodsChangeDetail['rounds']>(),
    }),
    `SELECT ${changeColumnsOf(parties)}, d.delivered_name AS "deliveredBy", ${epoch('d.delivered_at')} AS "deliveredAt",
       d.delivered_place AS "deliveredPlace", d.photo AS "deliveryPhoto", d.signature,
       CASE WHEN ${parties.buyer} THEN ${STILL} END AS still,
       CASE WHEN ${parties.buyer} THEN ${CLIPS} ELSE '[]' END AS clips,
       g.answer_reason AS "answerReason", to_json(g.answer_photos) AS "answerPhotos",
       g.answer_name AS "answerName", ${epoch('g.answer_at')} AS "answerAt",
       ${inside('g.outcome_reason', parties.buyer)} AS "outcomeReason",
       ${STEPS} AS steps, ${ROUNDS} AS rounds
     FROM goods_changes g
     ${CHANGE_JOINS}
     WHERE ${parties.where.text}`,
    parties.where.values,
  )
  return rows[0]
}

const whereabouts = row<TwoParties & { order_id: string; note_id: string }>({
  bc_id: uuid,
  receiver_id: uuid,
  order_id: uuid,
  note_id: uuid,
  buyer: bool,
  receiver: bool,
})
const PARTIES_OF = {
  sheet: {
    name: 'goods.sheetparties',
    from: 'dispatches g',
    note: 'g.id',
    plain: 'g.check_state IS NOT NULL',
  },
  change: { name: 'goods.parties', from: 'goods_changes g', note: 'g.note_id', plain: 'true' },
  leg: {
    name: 'goods.legparties',
    from: 'logistics g',
    note: 'coalesce(g.note_id, g.id)',
    plain: 'g.type IN (4, 5)',
  },
} as const
/** The two parties of a sheet, a change or a way back in reach, and on which sides the caller stands. */
export async function partiesOf(tx: Tx, scope: Scope, kind: keyof typeof PARTIES_OF, id: string) {
  const { from, name, note, plain } = PARTIES_OF[kind]
  const { where, buyer, receiver } = scopedParties(scope, 'g')
  where.add((p) => `g.id = ${p}::uuid`, id).plain(plain)
  const { rows } = await tx.query(
    name,
    whereabouts,
    `SELECT g.bc_id, g.receiver_id, g.order_id, ${note} AS note_id, ${buyer} AS buyer, ${receiver} AS receiver
     FROM ${from}
     WHERE ${where.text}`,
    where.values,
  )
  return rows[0]
}

const locked = row({ ...changeColumns, place_id: uuid, line_id: uuid, item_id: uuid, outcomeReason: text })
export type LockedChange = RowOf<typeof locked>
/** A change with all that is known of it; its order is locked already. */
export async function lockChange(tx: Tx, tenant: string, id: string): Promise<LockedChange | undefined> {
  const { rows } = await tx.query(
    'goods.lock',
    locked,
    `SELECT ${changeColumnsOf({ buyer: 'true', receiver: 'true' })}, g.site_id AS place_id, g.line_id, l.item_id,
       g.outcome_reason AS "outcomeReason"
     FROM goods_changes g
     ${CHANGE_JOINS}
     WHERE g.tenant_id = $1 AND g.id = $2
     FOR UPDATE OF g`,
    [tenant, id],
  )
  return rows[0]
}
const leg = row({
  id: uuid,
  type: int2,
  order_id: uuid,
  change_id: uuid.null,
  note_id: uuid.null,
  progress: int2,
  status: int2,
  grade: text,
  gradeReason: text,
  disputed: text,
  damage: text,
  version: int4,
})
export type LockedLeg = RowOf<typeof leg>
export async function lockLeg(tx: Tx, tenant: string, id: string): Promise<LockedLeg | undefined> {
  const { rows } = await tx.query(
    'goods.lockleg',
    leg,
    `SELECT v.id, v.type, v.order_id, v.change_id, v.note_id, v.progress, v.status, v.grade,
       v.grade_reason AS "gradeReason", v.disputed, v.damage::text AS damage, v.version
     FROM logistics v
     WHERE v.tenant_id = $1 AND v.id = $2
     FOR UPDATE OF v`,
    [tenant, id],
  )
  return rows[0]
}
/** The pieces of a change, by their numbers. */
export async function piecesOf(tx: Tx, tenant: string, change: string): Promise<string[]> {
  const { rows } = await tx.query(
    'goods.pieces',
    row({ id: uuid }),
    'SELECT c.piece_id AS id FROM change_pieces c WHERE c.tenant_id = $1 AND c.change_id = $2',
    [tenant, change],
  )
  return rows.map((r) => r.id)
}
