import { useQuery } from '@tanstack/react-query'
import { attendanceApi } from '@zhuguan/contract/features/attendance/attendance.api.ts'
import {
  type AttendanceRow,
  type Punch,
  punchDirection,
  punchSource,
} from '@zhuguan/contract/features/attendance/attendance.record.ts'
import { faceWhy } from '@zhuguan/contract/features/workers/faces.record.ts'
import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'
import { Drawer } from 'antd'
import { type ReactNode, useEffect } from 'react'

import { call } from '../../kit/api.ts'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { hrefOf, LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { RowActions } from '../../kit/RowActions.tsx'
import { State } from '../../kit/State.tsx'
import { full, short } from '../../kit/time.ts'
import { useActor } from '../../parts/session.ts'
import { clockOf } from './punchColumns.tsx'

import './attendance.css'

/** The raw punches behind a row, with their pictures; makeups say who and why, and can be taken back. */
export default function PunchPanel({
  row,
  mayWithdraw,
  actions,
  onDone,
  onClose,
}: {
  row: AttendanceRow
  mayWithdraw: boolean
  actions: ReactNode
  onDone: () => void
  onClose: () => void
}) {
  const { roles } = useActor()
  const query = { site_id: row.site_id, worker_id: row.worker_id, day: row.day }
  const { data, error, refetch } = useQuery({
    queryKey: [attendanceApi.punches.path, row.id],
    queryFn: ({ signal }) => call(attendanceApi.punches, { query }, signal),
  })
  useEffect(() => void refetch(), [row.count, row.makeups])
  const done = () => {
    void refetch()
    onDone()
  }
  return (
    <Drawer
      open
      title={`${row.w_name} · ${row.day}`}
      size="min(640px, 100vw)"
      onClose={onClose}
      extra={actions}
      mask={false}
    >
      <Facts className="lead">
        <Fact name="工地">
          <LinkTo page="SiteInfo" query={{ id: row.site_id }}>
            {row.siteName}
          </LinkTo>
        </Fact>
        <Fact name="工人">
          <a href={roles.includes('WorkerInfo') ? hrefOf('WorkerInfo', { id: row.worker_id }) : undefined}>
            {row.w_name} {row.w_id}
          </a>{' '}
          {workerType.label(row.w_type)}
        </Fact>
        <Fact name="首末打卡">{spanOf(row, data)}</Fact>
        <Fact name="工时">{row.hours !== null && `${row.hours.toFixed(1)} 小时`}</Fact>
      </Facts>
      {error ? (
        <Failed error={error} again={() => void refetch()} />
      ) : (
        <ol className="log" aria-busy={!data}>
          {data?.map((p) => (
            <Line key={p.id} punch={p} row={row} mayWithdraw={mayWithdraw} onDone={done} />
          ))}
        </ol>
      )}
      {data?.length === 0 && <p className="quiet">这一天没有打卡记录。</p>}
    </Drawer>
  )
}

/** First and last; of a single punch which of the two it is, and that the other is missing. */
function spanOf(row: AttendanceRow, punches: readonly Punch[] | undefined): string {
  if (!row.count) return '没有打卡'
  const first = clockOf(row.day, row.firstAt)
  if (row.count > 1) return `${first} 至 ${clockOf(row.day, row.lastAt)}`
  const left = punches?.some((p) => !p.withdrawn && p.direction === punchDirection.code.out)
  return left ? `${first} 离场，没有进场打卡` : first
}

function Line({
  punch: p,
  row,
  mayWithdraw,
  onDone,
}: {
  punch: Punch
  row: AttendanceRow
  mayWithdraw: boolean
  onDone: () => void
}) {
  const makeup = p.source === punchSource.code.makeup
  return (
    <li className={p.withdrawn ? 'withdrawn' : ''}>
      <b>
        {clockOf(row.day, p.at)} {punchDirection.label(p.direction)}
      </b>{' '}
      {makeup ? (
        <State tone={p.withdrawn ? 'grey' : 'wait'}>{p.withdrawn ? '补卡已撤回' : '补卡'}</State>
      ) : (
        <small>
          {punchSource.label(p.source)} {p.deviceSn}
          {p.similarity !== null && ` · 相似度 ${Math.round(p.similarity * 100)}%`}
        </small>
      )}
      {p.faceWhy && <State tone="bad">{`${faceWhy.label(p.faceWhy)}后的打卡`}</State>}
      {makeup && (
        <p>
          {p.reason}{' '}
          <small>
            {p.actor} · {short(p.madeAt)}
          </small>
        </p>
      )}
      {p.withdrawn && (
        <p>
          撤回：{p.withdrawn.reason}{' '}
          <small>
            {p.withdrawn.actor} · {short(p.withdrawn.at)}
          </small>
        </p>
      )}
      {p.picture && (
        <p>
          <Picture
            picture={p.picture}
            caption={`${row.w_name} ${full(p.at)} ${p.deviceSn}`}
            width={160}
            height={100}
          />
        </p>
      )}
      {makeup && !p.withdrawn && mayWithdraw && (
        <RowActions
          actions={[
            {
              key: 'withdraw',
              label: '撤回补卡',
              reason: true,
              confirm: `撤回 ${row.w_name} ${short(p.at)} 的补卡：请写明原因`,
              run: (reason) => call(attendanceApi.withdraw, { body: { id: p.id, reason } }),
            },
          ]}
          onDone={onDone}
        />
      )}
    </li>
  )
}
