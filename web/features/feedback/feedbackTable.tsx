import type { feedbackApi } from '@zhuguan/contract/features/feedback/feedback.api.ts'
import { feedbackColumns } from '@zhuguan/contract/features/feedback/feedback.columns.ts'
import {
  feedbackKind,
  feedbackLevel,
  type FeedbackRow,
  feedbackStatus,
} from '@zhuguan/contract/features/feedback/feedback.record.ts'

import { LinkTo } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { State, type Tone } from '../../kit/State.tsx'
import { full, short } from '../../kit/time.ts'
import { ScoreOf } from '../../parts/ScoreOf.tsx'

const LEVEL: Record<number, Tone> = { 1: 'grey', 2: 'wait', 3: 'bad' }
const STATUS: Record<number, Tone> = { 1: 'wait', 2: 'wait', 3: 'ok', 4: 'grey' }

export const LevelOf = ({ level }: Pick<FeedbackRow, 'level'>) => (
  <State tone={LEVEL[level] ?? 'grey'}>{feedbackLevel.label(level)}</State>
)
export const StatusOf = ({ of: f }: { of: FeedbackRow }) => (
  <>
    <State tone={STATUS[f.status] ?? 'grey'}>{feedbackStatus.label(f.status)}</State>
    {f.pausedAt !== null && <small className="quiet"> 已暂停</small>}
    {f.hidden && <small className="quiet"> 对{f.aboutName}回避</small>}
  </>
)
/** What runs now ends then: to be answered, to be closed. */
export const DueOf = ({ of: f }: { of: FeedbackRow }) => {
  if (f.dueAt === null) return f.pausedAt === null ? null : <span className="quiet">暂停中</span>
  const what = f.answeredAt === null && f.dueAt === f.answerDueAt ? '回复' : '结案'
  return (
    <span title={`${what}期限 ${full(f.dueAt)}`} className={f.overdue ? 'feedback-late' : undefined}>
      {f.overdue ? `超期 ${short(f.dueAt)}` : short(f.dueAt)} <small className="quiet">{what}</small>
    </span>
  )
}
export const nameOf = (f: Pick<FeedbackRow, 'kind' | 'no'>) => `${feedbackKind.label(f.kind)} ${f.no}`

/** The owner of then, marked where the home is somebody else's by now. */
export const OwnerOf = ({ of: f }: { of: FeedbackRow }) => (
  <>
    {f.ownerName || '--'}
    {f.former && <small className="quiet"> 前业主</small>}
  </>
)

export const feedbackTable = columnsOf<typeof feedbackApi.list>()(feedbackColumns, {
  site: (f) => (
    <LinkTo page="SiteInfo" query={{ id: f.site_id }}>
      {f.siteName}
    </LinkTo>
  ),
  owner: (f) => <OwnerOf of={f} />,
  level: (f) => <LevelOf level={f.level} />,
  due: (f) => <DueOf of={f} />,
  status: (f) => <StatusOf of={f} />,
  score: (f) => <ScoreOf of={f} />,
})
