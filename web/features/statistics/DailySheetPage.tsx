import {
  attendRate,
  correctionRate,
  type DailyFigures,
  type DailyRow,
  onlineRate,
} from '@zhuguan/contract/features/statistics/daily-sheet.record.ts'
import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import { type ReactNode, useState } from 'react'

import { lazyPart } from '../../kit/lazyPart.tsx'
import { DayRangeFilter } from '../../kit/list/filters.tsx'
import { type ColumnOf, ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { FIGURES_MS, useLive } from '../../kit/live.ts'
import { message } from '../../kit/notices.ts'
import { dayOf, nowSeconds } from '../../kit/time.ts'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter } from '../../parts/places.tsx'
import { DailyPrint, everyRow, type Printed } from './DailyPrint.tsx'
import { alarmsOf, attendOf, complaintsOf, patrolsOf } from './links.ts'
import { SubscribeButton } from './SubscribeButton.tsx'

import './statistics.css'

const SiteDaysDrawer = lazyPart(() => import('./SiteDaysDrawer.tsx'))
/** The sites of the day that are wanted: of a state, or of a verdict. */
export interface Wanted {
  row: Pick<DailyRow, 'day' | 'bc_name'> & { bc_id?: string | undefined }
  title: string
  filter: { state?: string; tidiness?: string }
}
const NOTHING = '--'
const percent = (v: number | null) => (v === null ? NOTHING : `${v}%`)
/** Alarms of the row's day and branch in this state, as a way to them. */
const counted = (r: DailyRow, n: number, correctionStatus: string): ReactNode =>
  n ? <a href={alarmsOf(r.day, r.day, { bc_id: r.bc_id, correctionStatus })}>{n}</a> : 0
const running = (r: DailyRow) => r.day === dayOf(nowSeconds())
/** A rate of the running day is apart from those of whole days, and says so. */
const Running = ({ row, begun, text }: { row: DailyRow; begun: boolean; text: string }) => {
  if (!running(row) || text === NOTHING) return text
  return begun ? (
    <i className="quiet" title="截至现在，今天还没有结束，不与整天比较">
      {text}*
    </i>
  ) : (
    NOTHING
  )
}
/** A day that is not over is not judged. */
const low = (r: DailyRow, v: number | null, under: number) =>
  v !== null && v < under && r.day < dayOf(nowSeconds()) ? 'low' : ''
const POOR_ATTENDANCE = 60
const POOR_ONLINE = 90

export default function DailySheetPage() {
  const list = useList(statisticsApi.dailySheet)
  const [wanted, setWanted] = useState<Wanted | null>(null)
  const [printed, setPrinted] = useState<Printed | null>(null)
  const [preparing, setPreparing] = useState(false)
  useLive(['attendance', 'alarm', 'tidiness', 'feedback'], () => list.refresh(), { every: FIGURES_MS })
  const open = (row: DailyRow, title: string, filter: Wanted['filter'], n: number): ReactNode =>
    n ? (
      <button
        className="name"
        onClick={(e) => {
          e.stopPropagation()
          setWanted({ row, title, filter })
        }}
      >
        {n}
      </button>
    ) : (
      0
    )
  const summed = list.data as Summed | undefined
  const begun = summed?.begun ?? true
  const came = (r: DailyRow, n: number, guest: string) =>
    n ? <a href={attendOf(r.day, r.day, { bc_id: r.bc_id, guest })}>{n}</a> : 0
  const columns: ColumnOf<typeof statisticsApi.dailySheet>[] = [
    { key: 'day', title: '日期', fixed: true, sort: 'day', render: (r) => <Day of={r} begun={begun} /> },
    { key: 'bc', title: '分公司', render: (r) => r.bc_name },
    { key: 'sites', title: '在建工地', right: true, render: (r) => open(r, '在建工地', {}, r.sites) },
    {
      key: 'worked',
      title: '有人施工',
      right: true,
      render: (r) => open(r, '有人施工', { state: 'worked' }, r.worked),
    },
    {
      key: 'noWork',
      title: '无人施工',
      right: true,
      render: (r) => open(r, '无人施工', { state: 'noWork' }, r.noWork),
    },
    {
      key: 'apart',
      title: '休息/不明',
      right: true,
      render: (r) => open(r, '休息或情况不明', { state: 'rest,unknown' }, r.apart),
    },
    {
      key: 'waiting',
      title: '暂无打卡',
      right: true,
      render: (r) => open(r, '暂无打卡', { state: 'waiting' }, waitingOf(r)),
    },
    {
      key: 'present',
      title: '出勤人次',
      right: true,
      render: (r) => (
        <>
          {came(r, r.present - r.guests, 'false')}
          {r.guests > 0 && <small className="quiet"> 外援 {came(r, r.guests, 'true')}</small>}
        </>
      ),
    },
    {
      key: 'rate',
      title: '出勤率',
      right: true,
      render: (r) => (
        <span
          className={low(r, attendRate(r), POOR_ATTENDANCE)}
          title={`应到 ${r.due} 人次，到了 ${r.attended}；外援、休息日和情况不明的工地不计`}
        >
          {running(r) && !begun ? NOTHING : percent(attendRate(r))}
        </span>
      ),
    },
    {
      key: 'alarms',
      title: '新增报警',
      right: true,
      render: (r) => (r.alarms ? <a href={alarmsOf(r.day, r.day, { bc_id: r.bc_id })}>{r.alarms}</a> : 0),
    },
    {
      key: 'corrected',
      title: '其中整改/取消',
      right: true,
      render: (r) => (
        <>
          {counted(r, r.corrected, '3')} / {counted(r, r.cancelled, '4')}
        </>
      ),
    },
    {
      key: 'correction',
      title: '整改率',
      right: true,
      render: (r) => (
        <span title={`当日新增的报警中已整改的；${r.cancelled} 条误报等已取消的不计`}>
          <Running row={r} begun={begun} text={percent(correctionRate(r))} />
        </span>
      ),
    },
    {
      key: 'patrols',
      title: '巡检数',
      right: true,
      render: (r) => (r.patrols ? <a href={patrolsOf(r.day, r.day, { bc_id: r.bc_id })}>{r.patrols}</a> : 0),
    },
    {
      key: 'tidy',
      title: '整洁优/良/差',
      right: true,
      render: (r) => (
        <>
          {open(r, '整洁度为优', { tidiness: '1' }, r.excellent)} /{' '}
          {open(r, '整洁度为良', { tidiness: '2' }, r.good)} /{' '}
          {open(r, '整洁度为差', { tidiness: '3' }, r.poor)}
        </>
      ),
    },
    {
      key: 'online',
      title: '设备在线率',
      right: true,
      render: (r) => (
        <span className={low(r, onlineRate(r), POOR_ONLINE)}>
          <Running row={r} begun={begun} text={percent(onlineRate(r))} />
        </span>
      ),
    },
    {
      key: 'complaints',
      title: '新增投诉',
      right: true,
      render: (r) =>
        r.complaints ? <a href={complaintsOf(r.day, r.day, { bc_id: r.bc_id })}>{r.complaints}</a> : 0,
    },
  ]
  async function toPaper() {
    setPrinted(null)
    setPreparing(true)
    try {
      setPrinted(await everyRow(list.query))
    } catch (e) {
      message.error((e as Error).message)
    } finally {
      setPreparing(false)
    }
  }
  return (
    <div className={printed ? 'daily-sheet printing' : 'daily-sheet'}>
      <ListPage
        name="日报"
        list={list}
        columns={columns}
        onOpen={(r) => setWanted({ row: r, title: '在建工地', filter: {} })}
        empty="这几天没有在建工地。"
        filters={
          <>
            <DayRangeFilter list={list} from="from" to="to" label="日期（默认近 7 天）" />
            <BranchFilter list={list} />
          </>
        }
        actions={
          <>
            <Total of={summed} />
            <SubscribeButton />
            <button
              className="button"
              disabled={preparing || list.total === 0}
              onClick={() => void toPaper()}
            >
              {preparing ? '正在准备…' : '打印'}
            </button>
            <ListExport list={list} endpoint={statisticsApi.dailyExport} name="日报表" />
          </>
        }
      />
      {printed && (
        <DailyPrint
          printed={printed}
          columns={columns}
          bc={list.address.filters.bc_id}
          onDone={() => setPrinted(null)}
        />
      )}
      {wanted && <SiteDaysDrawer wanted={wanted} onClose={() => setWanted(null)} />}
    </div>
  )
}

/** All rows of the filter together, not of the page only. */
interface Summed {
  begun: boolean
  total: DailyFigures
  whole: { from: string; to: string } | null
}
/** Sites of which nothing is known yet: nobody has clocked in, and the night has not judged the day. */
const waitingOf = (r: DailyRow) => r.sites - r.worked - r.noWork - r.apart
/** The reason why figures of a day may still change. */
function openWords(r: DailyRow, begun: boolean): string {
  const today = dayOf(nowSeconds())
  if (r.day === today) return begun ? '进行中' : '未到上班时间'
  return r.day < today && waitingOf(r) > 0 ? '夜间还没统计' : ''
}
/** A day that is not over, or not judged yet, says so. */
const Day = ({ of, begun }: { of: DailyRow; begun: boolean }) => (
  <span title={of.day}>
    {of.day.slice(5)}
    <small className="quiet"> {openWords(of, begun)}</small>
  </span>
)
const Total = ({ of }: { of: Summed | undefined }) => {
  const t = of?.total
  return t ? (
    <span className="quiet sum">
      {of.whole ? `${of.whole.from.slice(5)} 至 ${of.whole.to.slice(5)} 合计` : '今天至今'}：应到 {t.due}{' '}
      人次，到 {t.attended}（{percent(attendRate(t))}），外援 {t.guests} · 报警 {t.alarms} 条，整改{' '}
      {percent(correctionRate(t))}
    </span>
  ) : null
}
