import { defineActions } from '../../kit/actions.ts'
import { logisticsProgress, logisticsStatus, logisticsType } from './dispatch.record.ts'
import type { LogisticsRow } from './logistics.record.ts'

export type LegStanding = Pick<LogisticsRow, 'progress' | 'receiver' | 'status' | 'type'>
const { delivered, underWay, waiting } = logisticsProgress.code
const { back, exchangeBack, unsent } = logisticsType.code
const isInbound = (l: LegStanding) => l.type === back || l.type === exchangeBack
const over: readonly number[] = [logisticsStatus.code.cancelled, logisticsStatus.code.back]

/** docs/states.md, logisticsActions; the way to a site is moved by its note. */
export const logisticsActions = defineActions<LegStanding>()('progress', logisticsProgress, {
  node: {
    label: '更新节点',
    from: [waiting, underWay],
    to: underWay,
    permission: 'logistics:node',
    asks: true,
    absent: (l) => {
      if (l.type === unsent) return '没有实物运输'
      return over.includes(l.status) ? `物流${logisticsStatus.label(l.status)}` : undefined
    },
    unless: (l) => (l.progress === waiting && !isInbound(l) ? '还没有发货，发货以后才有节点' : undefined),
  },
  sign: {
    label: '签收',
    from: [underWay],
    to: delivered,
    permission: 'logistics:sign',
    absent: (l) => {
      if (!isInbound(l))
        return '发往工地的由确认送达签收：要有交货照片、时间和地点，自提还要取货码；承运商说已送达不算'
      if (!l.receiver) return '由商家签收'
      return over.includes(l.status) ? `物流${logisticsStatus.label(l.status)}` : undefined
    },
  },
})
