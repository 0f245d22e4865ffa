import { logisticsProgress } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import type { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import { goodsChangeState, goodsGrade } from '@zhuguan/contract/features/goods/goods.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { amountOf, compare, isZero } from '@zhuguan/contract/kit/money.ts'

import type { Tx } from '../../database/connect.ts'
import type { ExamineSource } from '../../kit/examined.ts'
import { hashOf } from '../../kit/hash.ts'
import { found, invalid, refuse, Refused } from '../../kit/refuse.ts'
import { row, text, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { recheck } from '../dispatch/checking.service.ts'
import { addNode, setLeg } from '../dispatch/logistics.service.ts'
import { lockOrderOf } from '../dispatch/notes.reads.ts'
import { askExamine } from '../examine/examine.service.ts'
import { lockPieces, movePieces, type Piece, tellMoves } from '../pieces/pieces.service.ts'
import { tellByHand } from '../statements/owed.service.ts'
import { claimAll, closeIfDone, passChange, setChange, tellGoods } from './changing.service.ts'
import { settleReturn } from './examined.service.ts'
import { lockChange, type LockedChange, lockLeg, type LockedLeg, piecesOf } from './goods.queries.ts'
import { onLeg } from './legs.ts'

type Body<K extends keyof typeof goodsApi> = BodyOf<(typeof goodsApi)[K]>
const { delivered, checked } = logisticsProgress.code

/** The cost of the goods of a change when they were ordered: no damage to them is dearer. */
async function valueOf(tx: Tx, tenant: string, g: LockedChange): Promise<string> {
  const { rows } = await tx.query(
    'goods.value',
    row({ price: text }),
    'SELECT trim_scale(l.price)::text AS price FROM order_lines l WHERE l.tenant_id = $1 AND l.id = $2',
    [tenant, g.line_id],
  )
  return amountOf(g.quantity, found(rows[0]).price)
}
const owe = (tx: Tx, call: Call, g: LockedChange, kind: 'damage' | 'undone', amount: string, words: string) =>
  isZero(amount)
    ? undefined
    : tellByHand(tx, call, {
        bc_id: g.bc_id,
        receiver_id: g.receiver_id,
        order_id: g.order_id,
        change_id: g.id,
        kind,
        amount: kind === 'damage' ? amount : `-${amount}`,
        words,
      })

/** Graded, the way back is over: what went back counts, a return is settled, and damage is asked for. */
export const gradeLeg = (call: Call, body: Body<'grade'>): Promise<void> =>
  onLeg(call, body, async (tx, { call: both, sides }, leg) => {
    const { tenant } = both.user
    refuse(sides.receiver ? undefined : '由商家验货')
    const { grade } = body
    if (grade === goodsGrade.code.none) throw invalid('grade', '请选择完好还是损坏')
    const isDamaged = grade === goodsGrade.code.damaged
    if (isDamaged && body.reason.length < 2) throw invalid('reason', '损坏请写明情况（至少 2 个字）')
    if (leg.progress === checked) throw new Refused('这批退货已经验过货')
    if (leg.progress !== delivered) throw new Refused('退货还没有签收，签收以后再验货')
    if (!isDamaged && !isZero(body.amount)) throw invalid('amount', '完好的退货没有赔付金额')
    const g = leg.change_id ? found(await lockChange(tx, tenant, leg.change_id)) : null
    if (!isZero(body.amount)) {
      if (!g) throw invalid('amount', '整单退回的货损，请和下单方商定，由下单方在对账单上加手工行')
      const most = await valueOf(tx, tenant, g)
      if (compare(body.amount, most) > 0)
        throw invalid('amount', `这批退货采购价共 ${grouped(most)} 元，赔付不能超过`)
    }
    await setLeg(tx, tenant, leg.id, { progress: checked, grade, reason: body.reason, damage: body.amount })
    const asked = isZero(body.amount) ? '' : `，请赔付 ${body.amount} 元`
    await addNode(tx, both, leg.id, { title: `退货验货：${goodsGrade.label(grade)}${asked}` })
    const pieces = g ? await gradedOf(tx, both, g) : []
    await recheck(
      tx,
      both,
      leg.order_id,
      pieces.map((p) => p.id),
    )
    if (g) {
      await owe(tx, both, g, 'damage', body.amount, `${g.code} 退货损坏：${body.reason}`)
      await closeIfDone(tx, tenant, g.id)
      if (isDamaged) {
        const said = `${g.receiverName} 验 ${g.code} 的退货为损坏${asked}：${body.reason}`
        await passChange(tx, both, { ...g, site_id: g.place_id }, 'damaged', `${said}；有异议请提出`)
      }
    }
    await both.log(tx, {
      action: '退货验货',
      object: 'goods',
      objectId: leg.change_id ?? leg.id,
      after: { ...(g ? { code: g.code } : {}), grade, amount: body.amount, reason: body.reason },
    })
  })
async function gradedOf(tx: Tx, both: Call, g: LockedChange): Promise<Piece[]> {
  const { tenant } = both.user
  const ids = await piecesOf(tx, tenant, g.id)
  if (ids.length === 0) {
    tellGoods(tx, both, g, g.id)
    return []
  }
  const all = await lockPieces(tx, tenant, { ids })
  await tellMoves(tx, both, 'back', all, { note: g.note_id })
  const after = await movePieces(tx, both, all, (p) => ({ faulty: p.faulty - 1, legs: p.legs - 1 }))
  if (g.result === 5) await settleReturn(tx, both, g, after)
  tellGoods(tx, both, g, g.id, `退换补 ${g.code} 退货已验`)
  return after
}

const contentOf = (leg: LockedLeg) => hashOf([leg.id, leg.grade, leg.damage, leg.disputed])
/**
 * Once, whoever sent it back may say that it was not damaged when it left: the sum is owed no more, the change is open
 * again, and an examiner decides.
 */
export const disputeGrade = (call: Call, body: Body<'disputeGrade'>): Promise<void> =>
  onLeg(call, body, async (tx, { call: both, sides }, leg) => {
    const { tenant } = both.user
    refuse(sides.buyer ? undefined : '由下单方提出异议')
    if (leg.grade !== goodsGrade.code.damaged) throw new Refused('只有验为损坏的可以提出异议')
    if (leg.disputed) throw new Refused('已经提过一次异议')
    if (!leg.change_id) throw new Refused('整单退回的验货没有赔付金额，不用提异议')
    const g = found(await lockChange(tx, tenant, leg.change_id))
    await claimAll(tx, both, g, body.photos)
    await setLeg(tx, tenant, leg.id, { disputed: body.reason, dispute: 'asked' })
    await owe(tx, both, g, 'undone', leg.damage, `${g.code} 对退货损坏有异议，待审核`)
    if (g.state === goodsChangeState.code.closed) await setChange(tx, tenant, g.id, { state: 'open' })
    await addNode(tx, both, leg.id, { title: `对验货结果有异议：${body.reason}` })
    const after = found(await lockLeg(tx, tenant, leg.id))
    await askExamine(tx, both, {
      kind: 'grade',
      object_id: leg.id,
      of_id: g.id,
      bc_id: g.bc_id,
      store_id: null,
      number: g.code,
      summary: [
        `${g.receiverName} 验为损坏（${leg.gradeReason}），请赔付 ${grouped(leg.damage)} 元`,
        `异议：${body.reason}`,
      ].join('；'),
      amount: leg.damage,
      hash: contentOf(after),
    })
    const said = `对 ${g.code} 的“损坏”有异议：${body.reason}，由审核员判定`
    await passChange(tx, both, { ...g, site_id: g.place_id }, 'disputed', said)
    tellGoods(tx, both, g, g.id)
    await both.log(tx, {
      action: '对验货结果提出异议',
      object: 'goods',
      objectId: g.id,
      after: { code: g.code, amount: leg.damage, reason: body.reason },
    })
  })

/** The leg of a dispute, its order locked first. */
async function lockDisputed(tx: Tx, call: Pick<Call, 'user'>, id: string): Promise<LockedLeg> {
  const { tenant } = call.user
  const { rows } = await tx.query(
    'goods.orderofleg',
    row({ id: uuid }),
    'SELECT v.order_id AS id FROM logistics v WHERE v.tenant_id = $1 AND v.id = $2',
    [tenant, id],
  )
  found(await lockOrderOf(tx, tenant, found(rows[0]).id))
  return found(await lockLeg(tx, tenant, id))
}
/**
 * Approved, the objection stands: undamaged, or damaged for the sum that the examiner says. Refused, the grade stands.
 */
export const gradeSource: ExamineSource = {
  hashOf: async (tx, call, r) => contentOf(await lockDisputed(tx, call, r.object_id)),
  async judged(tx, call, r, { approved, reason, amount }) {
    const { tenant } = call.user
    const leg = await lockDisputed(tx, call, r.object_id)
    const g = found(await lockChange(tx, tenant, found(leg.change_id)))
    const sum = approved ? (amount ?? '0') : leg.damage
    if (compare(sum, leg.damage) > 0)
      throw invalid('amount', `商家提出赔付 ${grouped(leg.damage)} 元，判定金额不能超过`)
    const grade = approved && isZero(sum) ? goodsGrade.code.good : goodsGrade.code.damaged
    await setLeg(tx, tenant, leg.id, { grade, damage: sum, dispute: 'decided' })
    await owe(tx, call, g, 'damage', sum, `${g.code} 退货损坏，审核判定`)
    const decided = `${g.code} 退货判为${goodsGrade.label(grade)}${isZero(sum) ? '' : `，赔付 ${sum} 元`}`
    await addNode(tx, call, leg.id, { title: `审核判定：${goodsGrade.label(grade)}，赔付 ${sum} 元` })
    await closeIfDone(tx, tenant, g.id)
    const said = `${decided}${reason && `：${reason}`}`
    await passChange(tx, call, { ...g, site_id: g.place_id }, 'decided', said)
    tellGoods(tx, call, g, g.id, decided)
  },
}
