import { logisticsProgress } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import { goodsActions } from '@zhuguan/contract/features/goods/goods.actions.ts'
import type { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import { goodsAnswer } from '@zhuguan/contract/features/goods/goods.record.ts'
import { acceptanceResult } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { type AtParties, onParties } from '../../kit/parties.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, refuse, Refused, unlessSeen } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { addNode, setLeg } from '../dispatch/logistics.service.ts'
import { lockOrderOf } from '../dispatch/notes.reads.ts'
import { openNote } from '../dispatch/notes.service.ts'
import { lockPieces } from '../pieces/pieces.service.ts'
import { claimAll, passChange, tellGoods } from './changing.service.ts'
import { withdrawChange } from './examined.service.ts'
import { lockChange, type LockedChange, partiesOf, piecesOf } from './goods.queries.ts'
import { onLeg } from './legs.ts'

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

/** The receiver's answer to it; the examiner reads both. */
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
    const words = `${goodsAnswer.label(body.answer)}${body.reason ? `：${body.reason}` : ''}`
    const said = `${g.receiverName} 对 ${g.code} ${words}`
    const of = { ...g, site_id: g.place_id }
    await passChange(tx, both, of, 'answer', `${said}，可以审核`)
    await passChange(tx, both, of, 'answered', `${said}，等待审核`)
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

const { delivered, underWay, waiting } = logisticsProgress.code

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
