import { logisticsProgress, logisticsStatus } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import type { LogisticsRow } from '@zhuguan/contract/features/dispatch/logistics.record.ts'

import { State, type Tone } from '../../kit/State.tsx'
import { NoteLink, OrderLink } from '../../parts/documentLinks.tsx'

const { checked, delivered, underWay } = logisticsProgress.code
const PROGRESS: Record<number, Tone> = { [underWay]: 'wait', [delivered]: 'ok', [checked]: 'ok' }
const { back, done, partBack } = logisticsStatus.code
const STATUS: Record<number, Tone> = { [done]: 'ok', [partBack]: 'bad', [back]: 'bad' }

export const LegProgress = ({ of: l }: { of: Pick<LogisticsRow, 'late' | 'progress'> }) => (
  <State tone={l.late ? 'bad' : (PROGRESS[l.progress] ?? 'grey')}>
    {logisticsProgress.label(l.progress) + (l.late ? ' · 逾期' : '')}
  </State>
)
export const LegStatus = ({ of: l }: { of: Pick<LogisticsRow, 'status' | 'statusText'> }) => (
  <State tone={STATUS[l.status] ?? 'grey'}>{l.statusText}</State>
)
/** The document that it is the way of: a note, else the order. */
export const RelatedLink = ({ of: l }: { of: Pick<LogisticsRow, 'note_id' | 'order_id' | 'related'> }) =>
  l.note_id === null ? (
    <OrderLink id={l.order_id} code={l.related} />
  ) : (
    <NoteLink id={l.note_id} code={l.related} />
  )
