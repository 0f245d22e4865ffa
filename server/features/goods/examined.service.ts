import { logisticsType } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import { examineState } from '@zhuguan/contract/features/examine/examine.record.ts'
import { goodsActions } from '@zhuguan/contract/features/goods/goods.actions.ts'
import type { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import { acceptanceResult } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import type { ExamineSource } from '../../kit/examined.ts'
import type { AtParties } from '../../kit/parties.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, refuse, unlessSeen } from '../../kit/refuse.ts'
import { row, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiTime } from '../../kit/shanghai.ts'
import { recheck } from '../dispatch/checking.service.ts'
import { openLeg } from '../dispatch/logistics.service.ts'
import { lockOrderOf } from '../dispatch/notes.reads.ts'
import { openNote } from '../dispatch/notes.service.ts'
import { withdrawExamine } from '../examine/examine.service.ts'
import {
  lockPieces,
  movePieces,
  openPieces,
  type Piece,
  tellMoves,
  tickCarried,
} from '../pieces/pieces.service.ts'
import { refuseAtHome } from './at-home.ts'
import { closeIfDone, hashOfChange, passChange, setChange, tellGoods } from './changing.service.ts'
import { lockChange, type LockedChange, piecesOf } from './goods.queries.ts'

const { exchange, return: returned, short } = acceptanceResult.code
const { exchangeBack, back, unsent } = logisticsType.code

/** A change; its order is locked first. */
const lockAll = async (tx: Tx, call: Pick<Call, 'user'>, id: string): Promise<LockedChange> =>
  found(await lockChange(tx, call.user.tenant, id))
const pieceList = async (tx: Tx, tenant: string, g: LockedChange): Promise<Piece[]> => {
  const ids = await piecesOf(tx, tenant, g.id)
  return ids.length ? (await lockPieces(tx, tenant, { ids })).filter((p) => p.change_id === g.id) : []
}

/** What is complained of later moves only now: it was accepted until it was approved. */
async function moveLate(tx: Tx, call: Call, g: LockedChange, pieces: readonly Piece[]): Promise<Piece[]> {
  if (!g.late || g.result === null) return [...pieces]
  const { result } = g
  if (result === short) await tellMoves(tx, call, 'short', pieces, { note: g.note_id })
  return movePieces(tx, call, pieces, (p) => ({
    place: 'change',
    result,
    round: p.round + 1,
    faulty: result === short ? p.faulty : p.faulty + 1,
  }))
}
/** Goods that go back: a way to the supplier, or none where they stay on the site as scrap. */
async function sendBack(tx: Tx, call: Call, g: LockedChange, pieces: readonly Piece[]): Promise<Piece[]> {
  const leg = {
    order: g.order_id,
    bc: g.bc_id,
    note: null,
    change: g.id,
    parentNote: g.note_id,
  }
  if (g.scrap) {
    await openLeg(tx, call, { ...leg, type: unsent, progress: 3 }, '现场报废，不退回')
    await tellMoves(tx, call, 'scrapped', pieces, { note: g.note_id })
    return movePieces(tx, call, pieces, (p) => ({ faulty: p.faulty - 1 }))
  }
  const type = g.result === exchange ? exchangeBack : back
  await openLeg(tx, call, { ...leg, type, progress: 0 }, '等待取回')
  return movePieces(tx, call, pieces, (p) => ({ legs: p.legs + 1 }))
}

/** A return is settled: it is accepted no more, and what takes its place is decided. */
export async function settleReturn(
  tx: Tx,
  call: Call,
  g: LockedChange,
  pieces: readonly Piece[],
): Promise<void> {
  await movePieces(tx, call, pieces, () => ({
    place: 'back',
    change_id: null,
    free: g.outcome === 'reduce',
  }))
}

async function approve(tx: Tx, call: Call, g: LockedChange): Promise<void> {
  const { tenant } = call.user
  await refuseAtHome(tx, call, { order: g.order_id, site: g.place_id }, [g], { begun: true })
  await setChange(tx, tenant, g.id, { examineState: examineState.code.approved })
  if (g.surplus) {
    if (g.outcome === 'back')
      await openLeg(
        tx,
        call,
        { type: back, progress: 0, order: g.order_id, bc: g.bc_id, change: g.id, parentNote: g.note_id },
        '多件，等待取回',
      )
    else await setChange(tx, tenant, g.id, { state: 'closed' })
    return
  }
  let pieces = await moveLate(tx, call, g, await pieceList(tx, tenant, g))
  if (g.result !== short) pieces = await sendBack(tx, call, g, pieces)
  if (g.result === returned) {
    if (g.outcome === 'again') {
      const first = pieces[0]!
      await openPieces(
        tx,
        call,
        { bc: g.bc_id, site: g.place_id, store: first.store_id, contract: first.contract_id },
        pieces.map((p) => ({ id: p.item_id, quantity: p.quantity })),
      )
      pieces = await movePieces(tx, call, pieces, () => ({ counts: false }))
    }
    if (g.scrap) await settleReturn(tx, call, g, pieces)
  } else
    await openNote(
      tx,
      call,
      { order: g.order_id, kind: g.result === short ? 2 : 3, parent: g.note_id, change: g.id },
      pieces,
    )
  await recheck(
    tx,
    call,
    g.order_id,
    pieces.map((p) => p.id),
  )
  await closeIfDone(tx, tenant, g.id)
}
/** What was complained of is decided again; a late complaint leaves what was accepted as it is. */
async function undo(tx: Tx, call: Call, g: LockedChange, state: 'rejected' | 'withdrawn'): Promise<void> {
  const { tenant } = call.user
  const pieces = await pieceList(tx, tenant, g)
  if (g.late) await movePieces(tx, call, pieces, () => ({ change_id: null }))
  else {
    if (g.result === short) await tellMoves(tx, call, 'short', pieces, { note: g.note_id, takenBack: true })
    await movePieces(tx, call, pieces, (p) => ({
      place: 'waiting',
      result: acceptanceResult.code.waiting,
      change_id: null,
      replaced: '',
      faulty: g.result === short ? p.faulty : p.faulty - 1,
    }))
    const again = pieces.map((p) => p.id)
    await tickCarried(tx, tenant, g.note_id, again, false)
  }
  await setChange(tx, tenant, g.id, { state })
  await recheck(
    tx,
    call,
    g.order_id,
    pieces.map((p) => p.id),
  )
}

export const goodsSource: ExamineSource = {
  async hashOf(tx, call, r) {
    found(await lockOrderOf(tx, call.user.tenant, await orderOf(tx, call, r.object_id)))
    return hashOfChange(await lockAll(tx, call, r.object_id))
  },
  async unless(tx, call, r) {
    const g = await lockAll(tx, call, r.object_id)
    const isOver = g.answerDue * 1000 <= call.now().getTime()
    return g.answer === '' && !isOver
      ? `${g.receiverName} 还没有答复，答复期限到 ${shanghaiTime(new Date(g.answerDue * 1000))}；答复或过期以后再审核`
      : undefined
  },
  async judged(tx, call, r, { approved, reason }) {
    const g = await lockAll(tx, call, r.object_id)
    if (approved) await approve(tx, call, g)
    else {
      await setChange(tx, call.user.tenant, g.id, { examineState: examineState.code.rejected })
      await undo(tx, call, g, 'rejected')
    }
    const title = `退换补 ${g.code} ${approved ? '通过' : `驳回：${reason}`}`
    tellGoods(tx, call, g, g.id, title)
    const again = g.late ? '，仍算已验收' : '，请重新验收'
    const next = approved ? '，请商家按结论补换或取回' : again
    await passChange(
      tx,
      call,
      { ...g, site_id: g.place_id },
      approved ? 'approve' : 'reject',
      `${title}${next}`,
    )
  },
}
const orderRow = row({ id: uuid })
async function orderOf(tx: Tx, call: Pick<Call, 'user'>, id: string): Promise<string> {
  const { tenant } = call.user
  const { rows } = await tx.query(
    'goods.orderof',
    orderRow,
    'SELECT g.order_id AS id FROM goods_changes g WHERE g.tenant_id = $1 AND g.id = $2',
    [tenant, id],
  )
  return found(rows[0]).id
}

export async function withdrawChange(
  tx: Tx,
  { call, sides }: AtParties,
  order: string,
  body: BodyOf<(typeof goodsApi)['withdraw']>,
): Promise<void> {
  const { tenant } = call.user
  found(await lockOrderOf(tx, tenant, order))
  const g = { ...(await lockAll(tx, call, body.id)), ...sides }
  unlessSeen(g, body.version, '张退换补单')
  refuse(goodsActions.refusal('withdraw', g, actorAt(call.user, { ...g, site_id: g.place_id })))
  await withdrawExamine(tx, call, { kind: 'goods', object_id: g.id })
  await undo(tx, call, g, 'withdrawn')
  await call.log(tx, {
    action: '撤回退换补',
    object: 'goods',
    objectId: g.id,
    after: { code: g.code, reason: body.reason },
  })
  tellGoods(tx, call, g, g.id, `退换补 ${g.code} 撤回：${body.reason}`)
  await passChange(tx, call, { ...g, site_id: g.place_id }, 'withdraw', '')
}
