import { useQuery } from '@tanstack/react-query'
import { violationsApi } from '@zhuguan/contract/features/violations/violations.api.ts'
import {
  type ViolationRow,
  violationStatus,
  violationType,
} from '@zhuguan/contract/features/violations/violations.record.ts'
import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'
import { Drawer } from 'antd'

import { call } from '../../kit/api.ts'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { type RowAction, RowActions } from '../../kit/RowActions.tsx'
import { full, short } from '../../kit/time.ts'
import { LogLink } from '../../parts/LogLink.tsx'
import { captionOf, pointsOf, StatusOf } from './violationTable.tsx'

import './violations.css'

/** One violation with its evidence and what became of it. */
export default function ViolationPanel({
  row: v,
  actions,
  onDone,
  onClose,
}: {
  row: ViolationRow
  actions: RowAction[]
  onDone: () => void
  onClose: () => void
}) {
  const { data, error, refetch } = useQuery({
    queryKey: [violationsApi.details.path, v.id, v.version],
    queryFn: ({ signal }) => call(violationsApi.details, { query: { id: v.id } }, signal),
  })
  return (
    <Drawer
      open
      title={`${v.w_name} · ${violationType.label(v.type)}`}
      size="min(640px, 100vw)"
      mask={false}
      onClose={onClose}
      footer={actions.length > 0 && <RowActions bar actions={actions} onDone={onDone} />}
    >
      <Picture picture={v.picture} caption={captionOf(v)} width="100%" size="full" />
      <Facts className="violation-facts">
        <Fact name="状态">
          <StatusOf status={v.status} />
        </Fact>
        {v.dueAt !== null && <Fact name="裁定期限">{full(v.dueAt)}</Fact>}
        <Fact name="扣分">{pointsOf(v)}</Fact>
        <Fact name="工人">
          <LinkTo page="WorkerInfo" query={{ id: v.worker_id }}>
            {v.w_name} {v.w_id}
          </LinkTo>{' '}
          {workerType.label(v.w_type)}
        </Fact>
        <Fact name="工地">
          <LinkTo page="SiteInfo" query={{ id: v.site_id }}>
            {v.siteName}
          </LinkTo>
        </Fact>
        <Fact name="时间">{full(v.at)}</Fact>
        <Fact name="来源">
          {v.alarm_id === null ? (
            `${v.enteredBy} 登记`
          ) : (
            <LinkTo page="AlarmEvent" query={{ id: v.alarm_id }}>
              报警属实
            </LinkTo>
          )}
        </Fact>
        {v.remark && <Fact name="说明">{v.remark}</Fact>}
      </Facts>
      <h3>
        处理记录 <LogLink object="violation" id={v.id} />
      </h3>
      {error && <Failed error={error} again={() => void refetch()} />}
      {data?.log.length === 0 && (
        <p className="quiet">
          {v.status === violationStatus.code.open
            ? '还没有人处理。'
            : '随报警的整改一并处理，没有另外的记录。'}
        </p>
      )}
      <ol className="log" aria-busy={!data && !error}>
        {data?.log.map((l, i) => (
          <li key={i}>
            <b>{l.action}</b>{' '}
            <small>
              {l.actor} · {short(l.at)}
            </small>
            {l.text && <p>{l.text}</p>}
          </li>
        ))}
      </ol>
    </Drawer>
  )
}
