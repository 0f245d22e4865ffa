import { useQuery } from '@tanstack/react-query'
import { attendanceApi } from '@zhuguan/contract/features/attendance/attendance.api.ts'
import { attendance, guest } from '@zhuguan/contract/features/attendance/attendance.record.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { CodeFilter, DayRangeFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLive } from '../../kit/live.ts'
import { NoSubject } from '../../kit/NoSubject.tsx'
import { ListExport } from '../../parts/listButtons.tsx'
import { WorkerFilter } from '../../parts/workers.tsx'
import { punchColumns } from './punchColumns.tsx'

const PunchPanel = lazyPart(() => import('./PunchPanel.tsx'))
const columns = punchColumns.filter((c) => c.key !== 'site' && c.key !== 'bc')

/** People at one site, day by day. */
export default function SiteAttendancePage() {
  const list = useList(attendanceApi.list, { about: 'site_id' })
  const { site_id, from, to } = list.address.filters
  const [opened, setOpened] = useState<string | null>(null)
  const { data: site } = useQuery({
    queryKey: [sitesApi.details.path, site_id],
    enabled: !!site_id,
    queryFn: ({ signal }) => call(sitesApi.details, { query: { id: site_id! } }, signal),
  })
  useLive(['attendance'], () => list.refresh(), { only: (e) => e.site_id === site_id })
  if (!site_id) return <NoSubject what="工地" from="工地信息" />
  const shown = list.rows.find((r) => r.id === opened)
  return (
    <>
      <ListPage
        name="考勤"
        list={list}
        columns={columns}
        onOpen={(row) => setOpened(row.id)}
        empty="这几天没有应到的工人，也没有人打卡。"
        filters={
          <>
            <b className="about">{site?.ws_name}</b>
            <DayRangeFilter list={list} from="from" to="to" label={from || to ? '日期' : '日期：今天'} />
            <CodeFilter single list={list} field="attendance" label="打卡状态" options={attendance.options} />
            <CodeFilter single list={list} field="guest" label="应到/外援" options={guest.options} />
            <CodeFilter list={list} field="w_type" label="工种" options={workerType.options} />
            <WorkerFilter list={list} />
          </>
        }
        actions={<ListExport list={list} endpoint={attendanceApi.export} name="工地考勤" />}
      />
      {shown && (
        <PunchPanel
          row={shown}
          mayWithdraw={false}
          actions={null}
          onDone={() => void list.refresh()}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}
