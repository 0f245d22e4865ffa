import { logisticsProgress, logisticsType } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import { goodsActions } from '@zhuguan/contract/features/goods/goods.actions.ts'
import { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import {
  type GoodsChangeDetail,
  type GoodsChangeRow,
  goodsGrade,
} from '@zhuguan/contract/features/goods/goods.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import { actionsOf } from '../../kit/actionsOf.ts'
import { call } from '../../kit/api.ts'
import type { RowAction } from '../../kit/RowActions.tsx'
import { useActor } from '../../parts/session.ts'

export type Step = GoodsChangeDetail['steps'][number]
export type OpenedChange = { kind: 'answer'; change: GoodsChangeRow } | { kind: 'grade'; step: Step }

/** What this person may do to a change. */
export function useGoodsActions(open: (o: OpenedChange) => void): (g: GoodsChangeRow) => RowAction[] {
  const actor = useActor()
  return (change) => {
    const one = { id: change.id, version: change.version }
    return actionsOf(goodsActions, change, actor, {
      answer: { open: () => open({ kind: 'answer', change }) },
      withdraw: {
        confirm: `撤回 ${change.code}（${change.name} ${change.quantity} ${change.unit}）？撤回后回到待验收，请写明原因`,
        run: (reason) => call(goodsApi.withdraw, { body: { ...one, reason } }),
      },
      send: {
        confirm: `为 ${change.code} 重新开一张发货单？原来的发货单取消以后才需要。`,
        run: () => call(goodsApi.send, { body: one }),
      },
    })
  }
}

const { exchangeBack, back } = logisticsType.code
const { delivered, underWay, waiting } = logisticsProgress.code
/** What this person may do to goods on their way back. */
export function useStepActions(
  open: (o: OpenedChange) => void,
): (g: GoodsChangeDetail, s: Step) => RowAction[] {
  const actor = useActor()
  const may = (label: string) => hasPermission(actor, label)
  return (g, step) => {
    const { grade, id, progress, type, version } = step
    if (type !== exchangeBack && type !== back) return []
    const collect = () => call(goodsApi.collect, { body: { id, version } })
    const receives = g.receiver && may('order:receive')
    const actions: (RowAction & { when: boolean })[] = [
      {
        key: 'fetch',
        label: '取回',
        confirm: '退货已从工地取走？',
        run: collect,
        when: progress === waiting && (receives || (g.buyer && may('change:add'))),
      },
      {
        key: 'sign',
        label: '签收退货',
        confirm: '退货已经送到？签收以后请验货。',
        run: collect,
        when: progress === underWay && receives,
      },
      {
        key: 'grade',
        label: '验货',
        open: () => open({ kind: 'grade', step }),
        when: progress === delivered && receives,
      },
      {
        key: 'dispute',
        label: '提出异议',
        confirm: '对“损坏”有异议？只能提一次，请写明理由',
        reason: true,
        run: (reason) => call(goodsApi.disputeGrade, { body: { id, version, reason } }),
        when: grade === goodsGrade.code.damaged && step.disputed === '' && g.buyer && may('change:add'),
      },
    ]
    return actions.filter((a) => a.when)
  }
}
