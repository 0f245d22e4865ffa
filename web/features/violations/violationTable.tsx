import type { violationsApi } from '@zhuguan/contract/features/violations/violations.api.ts'
import { violationColumns } from '@zhuguan/contract/features/violations/violations.columns.ts'
import {
  type ViolationRow,
  violationStatus,
  violationType,
} from '@zhuguan/contract/features/violations/violations.record.ts'

import { LinkTo } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { State, type Tone } from '../../kit/State.tsx'
import { full } from '../../kit/time.ts'

export const captionOf = (v: ViolationRow): string =>
  `${v.siteName} ${v.w_name} ${violationType.label(v.type)} ${full(v.at)}`
const TONE: Record<number, Tone> = { 1: 'wait', 2: 'ok', 3: 'bad', 4: 'ok', 5: 'grey' }
export const StatusOf = ({ status }: Pick<ViolationRow, 'status'>) => (
  <State tone={TONE[status] ?? 'grey'}>{violationStatus.label(status)}</State>
)
/** A violation that was taken back costs nothing. */
export const pointsOf = (v: ViolationRow) =>
  v.status === violationStatus.code.withdrawn ? <s className="quiet">{v.points}</s> : v.points

export const violationTable = columnsOf<typeof violationsApi.list>()(violationColumns, {
  site: (v) => (
    <LinkTo page="SiteInfo" query={{ id: v.site_id }}>
      {v.siteName}
    </LinkTo>
  ),
  picture: (v) => <Picture picture={v.picture} caption={captionOf(v)} width={54} height={30} />,
  by: (v) => v.enteredBy || '报警',
  points: pointsOf,
  status: (v) => <StatusOf status={v.status} />,
})
