import { logisticsType } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import {
  finding,
  goodsChangeState,
  goodsOutcome,
  goodsReason,
} from '@zhuguan/contract/features/goods/goods.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'
import type { TURNS } from '@zhuguan/contract/turns.ts'

import type { Tx } from '../../database/connect.ts'
import { hashOf } from '../../kit/hash.ts'
import type { Call } from '../../kit/serve.ts'
import { askExamine } from '../examine/examine.service.ts'
import { claimPicture, tieToOrder } from '../files/files.service.ts'
import { tell } from '../live/live.service.ts'
import { type Cause, settle } from '../notifications/notifications.service.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { nextNumberIn } from '../numbers/numbers.service.ts'
import { linkChange, type Piece } from '../pieces/pieces.service.ts'
import { dueAfter } from '../settings/business-time.reads.ts'
import { TO_REDUCE } from './goods.reads.ts'

export const causeOf = (id: string): Cause => ({ kind: 'goods', id })
export const linkOf = (id: string) => linkTo('ChangeGoods', { id })
/** The part that every message about a change has in common. */
export const noticeOf = (g: { id: string; bc_id: string; site_id: string; receiver_id: string }) => ({
  link: linkOf(g.id),
  cause: causeOf(g.id),
  place: { bc_id: g.bc_id, site_id: g.site_id, receiver_id: g.receiver_id },
})
/** A change of goods moved on: who must act next hears, and what was said of it before is done with. */
export const passChange = (
  tx: Tx,
  call: { user: { id: string; tenant: string } },
  g: { id: string; bc_id: string; site_id: string; receiver_id: string; made_by: string },
  change: keyof (typeof TURNS)['goods']['on'],
  title: string,
) =>
  passTurn(tx, 'goods', change, {
    ...noticeOf(g),
    tenant: call.user.tenant,
    actor: call.user.id,
    named: { author: g.made_by },
    title,
  })
export interface Place {
  bc_id: string
  place_id: string
  receiver_id: string
}
export const tellGoods = (tx: Tx, call: Call, at: Place, id: string, title?: string): void =>
  tell(tx, call, {
    topic: 'goods',
    bc: at.bc_id,
    site: at.place_id,
    receiver: at.receiver_id,
    id,
    ...(title ? { line: { kind: 'delivery' as const, title } } : {}),
  })

export interface NewChange {
  order: { id: string; code: string; bc_id: string; receiver_id: string; site_id: string }
  note: string
  line: { id: string; name: string; unit: string }
  /** Empty of goods beyond the order. */
  result: 3 | 4 | 5 | null
  quantity: string
  reasonCode: string
  reason: string
  photos: readonly string[]
  outcome: string
  outcomeReason: string
  scrap: boolean
  round: number
  late: boolean
  pieces: readonly Piece[]
}
/** The values that an examiner is asked to approve; the request is another one once anything of it is different. */
export const hashOfChange = (g: {
  id: string
  quantity: string
  result: number | null
  reason: string
  outcome: string
  outcomeReason: string
  scrap: boolean
  photos: readonly string[]
}): string =>
  hashOf([g.id, g.quantity, g.result, g.reason, g.outcome, g.outcomeReason, g.scrap, [...g.photos].sort()])

/** A request about goods: told to the receiver, put before the examiner. The pictures become its own. */
export async function openChange(tx: Tx, call: Call, g: NewChange): Promise<{ id: string; code: string }> {
  const { id: me, nickname, tenant } = call.user
  const { order } = g
  const code = await nextNumberIn(tx, { tenant, kind: 'goods', bc: order.bc_id })
  const id = call.newId()
  const due = await dueAfter(tx, tenant, order.bc_id, 'changeHours', call.now())
  await tx.run(
    'goods.add',
    `INSERT INTO goods_changes (tenant_id, id, code, bc_id, receiver_id, site_id, order_id, line_id, note_id, result,
       surplus, quantity, reason_code, reason, photos, round, late, answer_due, outcome, outcome_reason, scrap, made_by,
       made_name, made_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
       :now)`,
    [
      tenant,
      id,
      code,
      order.bc_id,
      order.receiver_id,
      order.site_id,
      order.id,
      g.line.id,
      g.note,
      g.result,
      g.result === null,
      g.quantity,
      g.reasonCode,
      g.reason,
      g.photos,
      g.round,
      g.late,
      due,
      g.outcome,
      g.outcomeReason,
      g.scrap,
      me,
      nickname,
    ],
  )
  await linkChange(tx, tenant, id, g.pieces)
  const what = g.result === null ? '多件' : finding.label(g.result)
  // Again, reduced or borne: the examiner decides on that too.
  const then = [g.outcome && goodsOutcome.label(g.outcome), g.scrap && '现场报废']
    .filter(Boolean)
    .map((w) => `（${w}）`)
  const why = [goodsReason.label(g.reasonCode), g.reason].filter(Boolean).join('：')
  await askExamine(tx, call, {
    kind: 'goods',
    object_id: id,
    of_id: order.id,
    bc_id: order.bc_id,
    store_id: null,
    number: code,
    summary: `${order.code} ${g.line.name} ${g.quantity} ${g.line.unit} ${what}${then.join('')}，${why}`,
    amount: null,
    hash: hashOfChange({ ...g, id }),
    // The receiver answers first.
    later: true,
  })
  const title = `${what} ${code}：${g.line.name} ${g.quantity} ${g.line.unit}，${why}`
  tellGoods(
    tx,
    call,
    { bc_id: order.bc_id, place_id: order.site_id, receiver_id: order.receiver_id },
    id,
    title,
  )
  await passChange(tx, call, { ...order, id, made_by: me }, 'ask', `${title}，请答复`)
  return { id, code }
}

/** Pictures that this person has just taken prove this and nothing else. */
export async function claimAll(
  tx: Tx,
  call: Call,
  of: { bc_id: string; order_id: string },
  keys: readonly string[],
): Promise<void> {
  for (const key of new Set(keys)) await claimPicture(tx, call, key, 'goods', of.bc_id)
  if (keys.length) await tieToOrder(tx, call.user.tenant, keys, of.order_id)
}

/** A change is over when nothing of it is open: no piece that waits for it, no way, no reduction that it came to. */
export async function closeIfDone(tx: Tx, tenant: string, change: string): Promise<void> {
  const { rowCount } = await tx.run(
    'goods.close',
    `UPDATE goods_changes g SET state = '${goodsChangeState.code.closed}', closed_at = :now, version = g.version + 1
     WHERE g.tenant_id = $1 AND g.id = $2 AND g.state = '${goodsChangeState.code.open}' AND g.examine_state = 1
       AND NOT EXISTS (SELECT 1 FROM pieces p WHERE p.tenant_id = $1 AND p.change_id = g.id) AND NOT ${TO_REDUCE}
       AND NOT EXISTS (SELECT 1 FROM logistics v
         WHERE v.tenant_id = $1 AND v.change_id = g.id AND v.type IN (${logisticsType.code.unsent},
           ${logisticsType.code.exchangeBack}, ${logisticsType.code.back})
           AND (v.progress < 3 OR v.dispute = 'asked'))`,
    [tenant, change],
  )
  // Nobody has anything to do about it any more.
  if (rowCount) await settle(tx, tenant, { kind: 'goods', id: change })
}
export const setChange = (
  tx: Tx,
  tenant: string,
  id: string,
  to: { state?: string; examineState?: number },
) =>
  tx.run(
    'goods.set',
    `UPDATE goods_changes g
     SET state = coalesce($3, g.state), examine_state = coalesce($4, g.examine_state),
       closed_at = CASE WHEN coalesce($3, 'open') = 'open' THEN g.closed_at ELSE :now END, version = g.version + 1
     WHERE g.tenant_id = $1 AND g.id = $2`,
    [tenant, id, to.state ?? null, to.examineState ?? null],
  )
