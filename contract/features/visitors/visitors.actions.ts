import { defineActions } from '../../kit/actions.ts'
import { type VisitRow, visitState } from './visitors.record.ts'

const { marked, open } = visitState.code
export type VisitFacts = Pick<VisitRow, 'state' | 'steward_id' | 'stewardName' | 'toldAt' | 'toldName'>

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
})
/** What the steward reads, known before it is sent. */
export const tellTitle = (visit: Pick<VisitRow, 'minutes' | 'siteName'>): string =>
  `${visit.siteName} 有陌生人来访，停留 ${visit.minutes} 分钟，请确认身份`
