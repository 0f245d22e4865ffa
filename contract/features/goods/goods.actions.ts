import { defineActions } from '../../kit/actions.ts'
import { examineState } from '../examine/examine.record.ts'
import { finding, goodsChangeState, type GoodsChangeRow } from './goods.record.ts'

const { open, withdrawn } = goodsChangeState.code
const { return: goodsReturn } = finding.code
export type GoodsStanding = Pick<
  GoodsChangeRow,
  | 'state'
  | 'examineState'
  | 'answer'
  | 'buyer'
  | 'receiver'
  | 'made_by'
  | 'sent'
  | 'loose'
  | 'late'
  | 'surplus'
  | 'result'
>
const byReceiver = (g: GoodsStanding) => (g.receiver ? undefined : '这是商家办理的')
const isJudged = (g: GoodsStanding) =>
  g.examineState === examineState.code.waiting ? undefined : '已经审核，不能再答复'

/** docs/states.md, goodsActions; the examine centre approves or refuses. */
export const goodsActions = defineActions<GoodsStanding>()('state', goodsChangeState, {
  answer: {
    label: '答复',
    from: [open],
    to: open,
    permission: 'order:receive',
    asks: true,
    absent: (g) => byReceiver(g) ?? isJudged(g) ?? (g.answer === '' ? undefined : '已经答复过'),
  },
  withdraw: {
    label: '撤回',
    from: [open],
    to: withdrawn,
    permission: 'change:add',
    reason: true,
    absent: (g) => (g.buyer ? undefined : '这是下单方办理的'),
    unless: (g, actor) => {
      if (g.made_by !== actor.id) return '只有申请人可以撤回'
      return g.examineState === examineState.code.waiting ? undefined : '已经审核，不能撤回'
    },
  },
  send: {
    label: '发起物流',
    from: [open],
    to: open,
    permission: 'dispatch:add',
    absent(g) {
      if (g.examineState !== examineState.code.approved) return '审核通过以后才能发起物流'
      if (g.loose) return undefined
      return g.result === goodsReturn || g.surplus
        ? '退货不用再发货；等取回、签收和验货'
        : '补货和换货都已经有发货单'
    },
  },
})
