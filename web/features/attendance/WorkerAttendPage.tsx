import { attendanceApi } from '@zhuguan/contract/features/attendance/attendance.api.ts'
import {
  attendance,
  guest,
  type AttendanceRow,
  sourcesOf,
} from '@zhuguan/contract/features/attendance/attendance.record.ts'
import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useState } from 'react'

import { rowsBy } from '../../kit/ahead.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { CodeFilter, DayRangeFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLive } from '../../kit/live.ts'
import { Picture } from '../../kit/Picture.tsx'
import { RowActions } from '../../kit/RowActions.tsx'
import { usePhone } from '../../kit/usePhone.ts'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter, SiteFilter } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'
import { WorkerFilter } from '../../parts/workers.tsx'
import type { Missed } from './MakeupDrawer.tsx'
import { clockOf, punchColumns, StatusOf } from './punchColumns.tsx'

const MakeupDrawer = lazyPart(() => import('./MakeupDrawer.tsx'))
const PunchPanel = lazyPart(() => import('./PunchPanel.tsx'))

/** From the first punch to the last, where there are two. */
const stayOf = (a: AttendanceRow) =>
  clockOf(a.day, a.firstAt) +
  (a.count > 1 ? ` – ${clockOf(a.day, a.lastAt)} · ${a.hours?.toFixed(1)} 小时` : '')
/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(attendanceApi.list)

export default function WorkerAttendPage() {
  const list = useList(attendanceApi.list)
  const actor = useActor()
  const phone = usePhone()
  const [opened, setOpened] = useState<string | null>(null)
  const [missed, setMissed] = useState<Missed | null>(null)
  const refresh = () => void list.refresh()
  useLive(['attendance'], () => list.refresh())
  const { from, to } = list.address.filters
  const may = hasPermission(actor, 'attend:makeup')
  const shown = list.rows.find((r) => r.id === opened)
  const actionsOf = (row: AttendanceRow) => [
    {
      key: 'punches',
      label: '查看抓拍',
      why: row.count ? undefined : '这一天没有打卡',
      open: () => setOpened(row.id),
    },
    ...(may
      ? [
          {
            key: 'makeup',
            label: '补卡',
            open: () =>
              setMissed({
                worker: { id: row.worker_id, name: row.w_name },
                site: { id: row.site_id, name: row.siteName },
                day: row.day,
              }),
          },
        ]
      : []),
  ]
  return (
    <>
      <ListPage
        name="考勤"
        list={list}
        columns={punchColumns}
        onOpen={(row) => setOpened(row.id)}
        empty="今天还没有应到的工人。工地开工、工人派往工地之后，会出现在这里。"
        filters={
          <>
            <DayRangeFilter list={list} from="from" to="to" label={from || to ? '日期' : '日期：今天'} />
            <CodeFilter single list={list} field="attendance" label="打卡状态" options={attendance.options} />
            <CodeFilter single list={list} field="guest" label="应到/外援" options={guest.options} />
            <BranchFilter list={list} />
            <SiteFilter list={list} />
            <CodeFilter list={list} field="w_type" label="工种" options={workerType.options} />
            <WorkerFilter list={list} />
          </>
        }
        actions={
          <>
            <ListExport list={list} endpoint={attendanceApi.export} name="工人考勤" />
            {may && (
              <button
                className="button primary"
                onClick={() => setMissed({ worker: null, site: null, day: to ?? from ?? null })}
              >
                补卡
              </button>
            )}
          </>
        }
        actionsOf={actionsOf}
      >
        {phone && list.rows.length > 0 ? (
          <div className="shots">
            {list.rows.map((a) => (
              <button key={a.id} className="shot person-card" onClick={() => setOpened(a.id)}>
                {a.picture && (
                  <span>
                    <Picture plain picture={a.picture} caption={a.w_name} width={64} height={48} />
                  </span>
                )}
                <span className="grow">
                  <span className="ends">
                    <span>
                      <b>{a.w_name}</b> <span className="quiet">{workerType.label(a.w_type)}</span>
                    </span>
                    <StatusOf row={a} />
                  </span>
                  <small>{a.siteName}</small>
                  <small>
                    {a.day.slice(5)} {a.count ? `${stayOf(a)} · ${sourcesOf(a)}` : '没有打卡'}
                  </small>
                </span>
              </button>
            ))}
          </div>
        ) : undefined}
      </ListPage>
      {shown && (
        <PunchPanel
          row={shown}
          mayWithdraw={may}
          actions={<RowActions actions={actionsOf(shown).slice(1)} onDone={refresh} />}
          onDone={refresh}
          onClose={() => setOpened(null)}
        />
      )}
      {missed && <MakeupDrawer missed={missed} onClose={() => setMissed(null)} onDone={refresh} />}
    </>
  )
}
