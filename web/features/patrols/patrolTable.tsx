import type { patrolsApi } from '@zhuguan/contract/features/patrols/patrols.api.ts'
import { patrolColumns } from '@zhuguan/contract/features/patrols/patrols.columns.ts'
import {
  type PatrolRow,
  patrolPlace,
  patrolStatus,
} from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { distanceText } from '@zhuguan/contract/kit/places.ts'

import { LinkTo } from '../../kit/LinkTo.tsx'
import { columnsOf, NOTHING } from '../../kit/list/columnsOf.tsx'
import { State, type Tone } from '../../kit/State.tsx'
import { full, short } from '../../kit/time.ts'
import { Tidy } from '../../parts/Tidy.tsx'

const TONE: Record<number, Tone> = { 1: 'wait', 2: 'ok', 3: 'grey' }
export const StatusOf = ({ of: p }: { of: Pick<PatrolRow, 'status' | 'planStopped'> }) => (
  <>
    <State tone={TONE[p.status] ?? 'grey'}>{patrolStatus.label(p.status)}</State>
    {p.planStopped && <small className="after">计划已停用</small>}
  </>
)
/** The distance from the site at its beginning; too far is marked. A camera stands nowhere else. */
export function distanceOf(p: Pick<PatrolRow, 'kind' | 'place' | 'distance'>) {
  if (p.kind === 'remote') return NOTHING
  if (p.place === patrolPlace.code.unknown) return <span className="quiet">{patrolPlace.label(p.place)}</span>
  const far = p.place === patrolPlace.code.far
  const text = distanceText(p.distance ?? 0).trim()
  return <span className={far ? 'late' : undefined}>{far ? `${text} 偏离` : text}</span>
}
const LOW = 80
export const scoreText = (score: number | null) =>
  score === null ? NOTHING : <span className={score < LOW ? 'late' : undefined}>{score}</span>
export const patrolTable = columnsOf<typeof patrolsApi.list>()(patrolColumns, {
  site: (p) => (
    <LinkTo page="SiteInfo" query={{ id: p.site_id }}>
      {p.siteName}
    </LinkTo>
  ),
  at: (p) => {
    const at = p.submittedAt ?? p.begunAt
    return <span title={p.submittedAt ? full(at) : `${full(at)} 开始`}>{short(at)}</span>
  },
  distance: distanceOf,
  score: (p) => scoreText(p.score),
  problems: (p) => p.problems || '0',
  unfixed: (p) => (p.unfixed ? <span className="late">{p.unfixed}</span> : '0'),
  tidiness: (p) => <Tidy result={p.tidiness} />,
  device: (p) => p.deviceSn || NOTHING,
  status: (p) => <StatusOf of={p} />,
})
