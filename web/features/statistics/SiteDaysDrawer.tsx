import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { siteDayState, type SiteDayRow } from '@zhuguan/contract/features/statistics/attend.record.ts'
import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { Drawer } from 'antd'
import { useState } from 'react'

import { callAddressed } from '../../kit/api.ts'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { ExportButton } from '../../kit/list/ExportButton.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { Pager } from '../../kit/list/Pager.tsx'
import { State, type Tone } from '../../kit/State.tsx'
import { short } from '../../kit/time.ts'
import { useActor } from '../../parts/session.ts'
import { Tidy } from '../../parts/Tidy.tsx'
import type { Wanted } from './DailySheetPage.tsx'
import { alarmsOf, attendOf } from './links.ts'

const TONE: Record<string, Tone> = {
  worked: 'ok',
  noWork: 'bad',
  rest: 'grey',
  unknown: 'wait',
  waiting: 'grey',
}

/** The sites behind a figure of the daily sheet; its total is the figure. */
export default function SiteDaysDrawer({ wanted, onClose }: { wanted: Wanted; onClose: () => void }) {
  const [page, setPage] = useState({ pageNo: 1, pageSize: 20 })
  const actor = useActor()
  const { day, bc_id } = wanted.row
  const filters = { from: day, to: day, ...(bc_id ? { bc_id } : {}), ...wanted.filter }
  const { data, error, refetch } = useQuery({
    queryKey: [statisticsApi.siteDays.path, filters, page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callAddressed(statisticsApi.siteDays, { ...filters, ...page }, signal),
  })
  return (
    <Drawer
      open
      title={`${wanted.row.day} ${wanted.row.bc_name} · ${wanted.title}`}
      size="min(920px, 100vw)"
      onClose={onClose}
      extra={
        hasPermission(actor, 'daily:export') && (
          <ExportButton endpoint={statisticsApi.siteDaysExport} filters={filters} name="工地日报" />
        )
      }
    >
      {error ? (
        <Failed error={error} again={() => void refetch()} />
      ) : (
        <>
          <div className="table-wrap" tabIndex={0} role="region" aria-label="工地日报表格" aria-busy={!data}>
            <table className="grid">
              <thead>
                <tr>
                  <th className="first">工地</th>
                  <th>当日情况</th>
                  <th className="right">应到</th>
                  <th className="right">实到</th>
                  <th>首次打卡</th>
                  <th>末次打卡</th>
                  <th className="right">新增报警</th>
                  <th>整洁度</th>
                  <th>项目经理</th>
                </tr>
              </thead>
              <tbody>
                {data?.list.map((s: SiteDayRow) => (
                  <tr key={s.id}>
                    <td className="first">
                      <LinkTo page="SiteInfo" query={{ id: s.site_id }}>
                        {s.ws_name}
                      </LinkTo>
                    </td>
                    <td>
                      <State tone={TONE[s.state] ?? 'grey'}>{siteDayState.label(s.state)}</State>
                    </td>
                    <td className="right">{s.expected}</td>
                    <td className="right">
                      <a href={attendOf(s.day, s.day, { site_id: s.site_id })}>{s.present - s.guests}</a>
                      {s.guests > 0 && <small className="quiet"> 外援 {s.guests}</small>}
                    </td>
                    <td>{short(s.firstAt)}</td>
                    <td>{short(s.lastAt)}</td>
                    <td className="right">
                      {s.alarms ? <a href={alarmsOf(s.day, s.day, { site_id: s.site_id })}>{s.alarms}</a> : 0}
                    </td>
                    <td>
                      <Tidy result={s.tidiness} />
                    </td>
                    <td>{s.managerName || '--'}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {data && data.totalCount > page.pageSize && (
            <Pager
              {...page}
              total={data.totalCount}
              onTurn={(pageNo, pageSize) => setPage({ pageNo, pageSize })}
            />
          )}
          {data && <p className="quiet">共 {data.totalCount} 个工地</p>}
        </>
      )}
    </Drawer>
  )
}
