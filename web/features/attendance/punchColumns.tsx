import type { attendanceApi } from '@zhuguan/contract/features/attendance/attendance.api.ts'
import {
  attendance,
  type AttendanceRow,
  sourcesOf,
} from '@zhuguan/contract/features/attendance/attendance.record.ts'
import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'

import { LinkTo } from '../../kit/LinkTo.tsx'
import type { ColumnOf } from '../../kit/list/ListPage.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { State } from '../../kit/State.tsx'
import { dayOf, full, short } from '../../kit/time.ts'

/** The time of a punch of this day; the exit of a night is of the next morning. */
export const clockOf = (day: string, at: number | null): string =>
  (at !== null && dayOf(at) > day ? '次日 ' : '') + short(at).slice(6)
const clock = (day: string, at: number | null) =>
  at ? <span title={full(at)}>{clockOf(day, at)}</span> : '--'
export const StatusOf = ({ row }: { row: AttendanceRow }) => (
  <State tone={row.status === attendance.code.present ? 'ok' : 'wait'}>{attendance.label(row.status)}</State>
)
/** A person's day on a site, of one site or of all. */
export const punchColumns: ColumnOf<typeof attendanceApi.list>[] = [
  { key: 'worker', title: '工人', fixed: true, render: (a) => `${a.w_name} ${a.w_id}` },
  { key: 'type', title: '工种', render: (a) => workerType.label(a.w_type) },
  { key: 'bc', title: '分公司', render: (a) => a.bc_name },
  {
    key: 'site',
    title: '工地',
    render: (a) => (
      <LinkTo page="SiteInfo" query={{ id: a.site_id }}>
        {a.siteName}
      </LinkTo>
    ),
  },
  { key: 'day', title: '日期', sort: 'day', render: (a) => <span title={a.day}>{a.day.slice(5)}</span> },
  { key: 'status', title: '状态', render: (a) => <StatusOf row={a} /> },
  { key: 'first', title: '首次打卡', sort: 'firstAt', render: (a) => clock(a.day, a.firstAt) },
  {
    key: 'last',
    title: '末次打卡',
    sort: 'lastAt',
    render: (a) => (a.count > 1 ? clock(a.day, a.lastAt) : '--'),
  },
  {
    key: 'hours',
    title: '工时',
    right: true,
    sort: 'hours',
    render: (a) =>
      a.hours === null ? (
        '--'
      ) : (
        <>
          {a.hours.toFixed(1)} <small>小时</small>
        </>
      ),
  },
  { key: 'count', title: '打卡次数', right: true, sort: 'count', render: (a) => a.count },
  {
    key: 'picture',
    title: '抓拍',
    render: (a) =>
      a.picture ? (
        <Picture picture={a.picture} caption={`${a.w_name} ${full(a.firstAt)}`} width={54} height={30} />
      ) : (
        '--'
      ),
  },
  {
    key: 'source',
    title: '来源',
    render: (a) => (a.makeups ? <State tone="wait">{sourcesOf(a)}</State> : sourcesOf(a)),
  },
]
