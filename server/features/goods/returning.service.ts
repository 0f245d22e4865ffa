import { logisticsProgress } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import { goodsActions } from '@zhuguan/contract/features/goods/goods.actions.ts'
import type { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import { goodsAnswer, goodsGrade } from '@zhuguan/contract/features/goods/goods.record.ts'
import { acceptanceResult } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { type AtParties, onParties } from '../../kit/parties.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, refuse, Refused, unlessSeen } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { recheck } from '../dispatch/checking.service.ts'
import { addNode, setLeg } from '../dispatch/logistics.service.ts'
import { lockOrderOf } from '../dispatch/notes.reads.ts'
import { openNote } from '../dispatch/notes.service.ts'
import { lockPieces, movePieces, type Piece, tellMoves } from '../pieces/pieces.service.ts'
import { claimAll, closeIfDone, passChange, tellGoods } from './changing.service.ts'
import { settleReturn, withdrawChange } from './examined.service.ts'
import {
  lockChange,
  type LockedChange,
  lockLeg,
  type LockedLeg,
  partiesOf,
  piecesOf,
} from './goods.queries.ts'

type Body<K extends keyof typeof goodsApi> = BodyOf<(typeof goodsApi)[K]>
type Command = Parameters<typeof goodsActions.refusal>[0]
const { return: returned } = acceptanceResult.code

/** Finds a change in the caller's reach and works on it in the reach of both its parties, its order locked. */
async function onChange<T>(
  call: Call,
  body: { id: string; version: number },
  action: Command,
  work: (tx: Tx, call: Call, g: LockedChange) => Promise<T>,
): Promise<T> {
  const parties = found(await call.read((tx) => partiesOf(tx, call.user.scope, 'change', body.id)))
  return onParties(call, parties, async (tx, at) => {
    const { tenant } = at.call.user
    found(await lockOrderOf(tx, tenant, parties.order_id))
    const g = { ...found(await lockChange(tx, tenant, body.id)), ...at.sides }
    unlessSeen(g, body.version, '张退换补单')
    refuse(goodsActions.refusal(action, g, actorAt(call.user, { ...g, site_id: g.place_id })))
    return work(tx, at.call, g)
  })
}

/** What the receiver says to it; the examiner reads both. */
export const answerChange = (call: Call, body: Body<'answer'>): Promise<void> =>
  onChange(call, body, 'answer', async (tx, both, g) => {
    const { nickname, tenant } = both.user
    if (body.answer === goodsAnswer.code.none) throw invalid('answer', '请选择同意还是有异议')
    if (body.answer === goodsAnswer.code.dispute && body.reason.length < 2)
      throw invalid('reason', '有异议请写明理由（至少 2 个字）')
    await claimAll(tx, both, g, body.photos)
    await tx.run(
      'goods.answer',
      `UPDATE goods_changes g
       SET answer = $3, answer_reason = $4, answer_photos = $5, answer_name = $6, answer_at = :now,
         version = g.version + 1
       WHERE g.tenant_id = $1 AND g.id = $2`,
      [tenant, g.id, body.answer, body.reason, body.photos, nickname],
    )
    await both.log(tx, {
      action: '答复退换补',
      object: 'goods',
      objectId: g.id,
      after: { code: g.code, answer: body.answer, reason: body.reason },
    })
    tellGoods(tx, both, g, g.id)
    const said = `${goodsAnswer.label(body.answer)}${body.reason ? `：${body.reason}` : ''}`
    await passChange(
      tx,
      both,
      { ...g, site_id: g.place_id },
      'answer',
      `${g.receiverName} 对 ${g.code} ${said}，可以审核`,
    )
  })

export async function takeBackChange(call: Call, body: Body<'withdraw'>): Promise<void> {
  const parties = found(await call.read((tx) => partiesOf(tx, call.user.scope, 'change', body.id)))
  return onParties(call, parties, (tx, at: AtParties) => withdrawChange(tx, at, parties.order_id, body))
}

/** What comes instead gets a note once more, where the one that it had was cancelled. */
export const sendInstead = (call: Call, body: Body<'send'>): Promise<{ id: string; code: string }> =>
  onChange(call, body, 'send', async (tx, both, g) => {
    const { tenant } = both.user
    const ids = await piecesOf(tx, tenant, g.id)
    const loose = (await lockPieces(tx, tenant, { ids })).filter(
      (p) => p.change_id === g.id && p.place === 'change' && p.result !== returned && p.next_note_id === null,
    )
    const note = await openNote(
      tx,
      both,
      {
        order: g.order_id,
        kind: g.result === acceptanceResult.code.short ? 2 : 3,
        parent: g.note_id,
        change: g.id,
      },
      loose,
    )
    await both.log(tx, {
      action: '发起物流',
      object: 'goods',
      objectId: g.id,
      after: { code: g.code, note: note.code },
    })
    tellGoods(tx, both, g, g.id)
    return note
  })

/** Finds a way back in the caller's reach and works on it, its order locked. */
async function onLeg(
  call: Call,
  body: { id: string; version: number },
  work: (tx: Tx, at: AtParties, leg: LockedLeg) => Promise<void>,
): Promise<void> {
  const parties = found(await call.read((tx) => partiesOf(tx, call.user.scope, 'leg', body.id)))
  return onParties(call, parties, async (tx, at) => {
    const { tenant } = at.call.user
    found(await lockOrderOf(tx, tenant, parties.order_id))
    const leg = found(await lockLeg(tx, tenant, body.id))
    unlessSeen(leg, body.version, '条退货物流')
    return work(tx, at, leg)
  })
}
const { delivered, underWay, waiting, checked } = logisticsProgress.code

/** Goods on their way back: taken along, then arrived. */
export const collectLeg = (call: Call, body: Body<'collect'>): Promise<void> =>
  onLeg(call, body, async (tx, { call: both, sides }, leg) => {
    if (leg.progress >= delivered) throw new Refused('退货已经送到，请验货')
    if (leg.progress === underWay && !sides.receiver) throw new Refused('退货已在路上，由商家签收')
    const isGone = leg.progress === waiting
    await setLeg(tx, both.user.tenant, leg.id, { progress: isGone ? underWay : delivered })
    await addNode(tx, both, leg.id, { title: isGone ? '已取回，运回商家' : '商家已签收退货' })
    await both.log(tx, {
      action: '取回退货',
      object: 'goods',
      objectId: leg.change_id ?? leg.id,
      after: { progress: isGone ? underWay : delivered },
    })
  })

/** Graded, the way back is over: what went back counts, and a return is settled. */
export const gradeLeg = (call: Call, body: Body<'grade'>): Promise<void> =>
  onLeg(call, body, async (tx, { call: both, sides }, leg) => {
    const { tenant } = both.user
    refuse(sides.receiver ? undefined : '由商家验货')
    if (body.grade === goodsGrade.code.none) throw invalid('grade', '请选择完好还是损坏')
    if (body.grade === goodsGrade.code.damaged && body.reason.length < 2)
      throw invalid('reason', '损坏请写明情况（至少 2 个字）')
    if (leg.progress === checked) throw new Refused('这批退货已经验过货')
    if (leg.progress !== delivered) throw new Refused('退货还没有签收，签收以后再验货')
    await setLeg(tx, tenant, leg.id, { progress: checked, grade: body.grade, reason: body.reason })
    await addNode(tx, both, leg.id, { title: `退货验货：${goodsGrade.label(body.grade)}` })
    const pieces = leg.change_id ? await gradedOf(tx, both, leg.change_id) : []
    await recheck(
      tx,
      both,
      leg.order_id,
      pieces.map((p) => p.id),
    )
    if (leg.change_id) await closeIfDone(tx, tenant, leg.change_id)
    await both.log(tx, {
      action: '退货验货',
      object: 'goods',
      objectId: leg.change_id ?? leg.id,
      after: { grade: body.grade, reason: body.reason },
    })
  })
async function gradedOf(tx: Tx, both: Call, change: string): Promise<Piece[]> {
  const { tenant } = both.user
  const g = found(await lockChange(tx, tenant, change))
  const ids = await piecesOf(tx, tenant, change)
  if (ids.length === 0) {
    tellGoods(tx, both, g, g.id)
    return []
  }
  const all = await lockPieces(tx, tenant, { ids })
  await tellMoves(tx, both, 'back', all, { note: g.note_id })
  const after = await movePieces(tx, both, all, (p) => ({ faulty: p.faulty - 1, legs: p.legs - 1 }))
  if (g.result === returned) await settleReturn(tx, both, g, after)
  tellGoods(tx, both, g, g.id, `退换补 ${g.code} 退货已验`)
  return after
}

/** Once, whoever sent it back may say that it was not damaged when it left. */
export const disputeGrade = (call: Call, body: Body<'disputeGrade'>): Promise<void> =>
  onLeg(call, body, async (tx, { call: both, sides }, leg) => {
    refuse(sides.buyer ? undefined : '由下单方提出异议')
    if (leg.grade !== goodsGrade.code.damaged) throw new Refused('只有验为损坏的可以提出异议')
    if (leg.disputed) throw new Refused('已经提过一次异议')
    await setLeg(tx, both.user.tenant, leg.id, { disputed: body.reason })
    await addNode(tx, both, leg.id, { title: `对验货结果有异议：${body.reason}` })
    await both.log(tx, {
      action: '对验货结果提出异议',
      object: 'goods',
      objectId: leg.change_id ?? leg.id,
      after: { reason: body.reason },
    })
  })
