import type { visitorsApi } from '@zhuguan/contract/features/visitors/visitors.api.ts'
import { visitColumns } from '@zhuguan/contract/features/visitors/visitors.columns.ts'
import {
  visitIdentity,
  type VisitRow,
  visitState,
} from '@zhuguan/contract/features/visitors/visitors.record.ts'

import { LinkTo } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { State } from '../../kit/State.tsx'
import { full, short } from '../../kit/time.ts'

export const captionOf = (v: VisitRow): string => `${v.siteName} ${v.deviceSn} ${full(v.at)}`
/** Open, told of, or marked and by whom. */
export const StateOf = ({ visit: v }: { visit: VisitRow }) => (
  <span title={v.handledAt === null ? undefined : `${v.handledBy} 于 ${full(v.handledAt)} 标记`}>
    <State tone={v.state === visitState.code.marked ? 'ok' : 'wait'}>
      {visitState.label(v.state) +
        (v.state === visitState.code.open && v.toldAt !== null
          ? ` · ${short(v.toldAt)} 已通知${v.toldName}`
          : '')}
    </State>
  </span>
)
export const identityOf = (v: VisitRow): string =>
  v.identity === null
    ? '--'
    : [visitIdentity.label(v.identity), v.w_name].filter(Boolean).join(' ') + (v.remark && `：${v.remark}`)

export const visitTable = columnsOf<typeof visitorsApi.list>()(visitColumns, {
  picture: (v) => <Picture picture={v.picture} caption={captionOf(v)} width={54} height={30} />,
  device: (v) => v.deviceSn || '--',
  identity: (v) =>
    v.worker_id === null ? (
      identityOf(v)
    ) : (
      <LinkTo page="WorkerInfo" query={{ id: v.worker_id }}>
        {identityOf(v)}
      </LinkTo>
    ),
  status: (v) => <StateOf visit={v} />,
  by: (v) => v.handledBy || '--',
})
