import { defineActions } from '../../kit/actions.ts'
import { hasPermission } from '../../kit/permits.ts'
import { visitIdentity, type VisitRow, visitState } from './visitors.record.ts'

const { marked, open } = visitState.code
export type VisitFacts = Pick<
  VisitRow,
  'identity' | 'picture' | 'state' | 'steward_id' | 'stewardName' | 'toldAt' | 'toldName' | 'worker_id'
>

/** docs/states.md */
export const visitActions = defineActions<VisitFacts>()('state', visitState, {
  mark: { label: '标记身份', from: [open], to: marked, permission: 'visitor:mark', asks: true },
  tell: {
    label: '通知管家',
    from: [open],
    to: open,
    permission: 'visitor:mark',
    unless(visit, actor) {
      if (visit.toldAt !== null) return `已经通知过${visit.toldName}`
      if (visit.steward_id === null) return '这个工地没有管家，请先在工地上安排'
      return visit.steward_id === actor.id ? '您就是这个工地的管家' : undefined
    },
  },
  /** Somebody who works for us and is not among the workers yet, also where the mark did not say who. */
  enrol: {
    label: '加入工人',
    from: [open, marked],
    to: marked,
    permission: 'worker:add',
    asks: true,
    absent(visit, actor) {
      if (!hasPermission(actor, 'visitor:mark')) return '您没有“标记身份”的权限'
      if (visit.state === open) return undefined
      if (visit.identity !== visitIdentity.code.worker) return '这次来访没有标记为工人'
      return visit.worker_id === null ? undefined : '这次来访已经写明是哪位工人'
    },
  },
  face: {
    label: '采集人脸',
    from: [marked],
    to: marked,
    permission: 'worker:face',
    asks: true,
    absent: (visit) => (visit.worker_id === null ? '这次来访没有写明是哪位工人' : undefined),
    unless: (visit) => (visit.picture === null ? '这次来访没有抓拍' : undefined),
  },
})
/** What the steward reads, known before it is sent. */
export const tellTitle = (visit: Pick<VisitRow, 'minutes' | 'siteName'>): string =>
  `${visit.siteName} 有陌生人来访，停留 ${visit.minutes} 分钟，请确认身份`
