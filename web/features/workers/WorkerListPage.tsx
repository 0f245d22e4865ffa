import { attendance } from '@zhuguan/contract/features/attendance/attendance.record.ts'
import { documentState } from '@zhuguan/contract/features/workers/documents.record.ts'
import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'
import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import { workerColumns } from '@zhuguan/contract/features/workers/workers.columns.ts'
import {
  faceState,
  type WorkerRow,
  workerSex,
  workerStatus,
} from '@zhuguan/contract/features/workers/workers.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { linkTo } from '@zhuguan/contract/links.ts'
import { useState } from 'react'

import { rowsBy } from '../../kit/ahead.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { hrefOf, LinkTo } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLive } from '../../kit/live.ts'
import { usePage } from '../../kit/page.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { State } from '../../kit/State.tsx'
import { usePhone } from '../../kit/usePhone.ts'
import { Granted } from '../../parts/granted.tsx'
import { ListExport, ListImport } from '../../parts/listButtons.tsx'
import { PhoneOf } from '../../parts/PhoneOf.tsx'
import { BranchFilter, SiteFilter } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'
import { faceActionsOf } from './faceActionsOf.ts'
import { FaceState } from './FaceState.tsx'
import { workerActionsOf } from './workerActionsOf.ts'
import type { Opened } from './WorkerDrawers.tsx'

const load = () => import('@zhuguan/contract/features/workers/workers.import.ts').then((m) => m.workersImport)

const WorkerDrawers = lazyPart(() => import('./WorkerDrawers.tsx'))

const TodayOf = ({ row }: { row: WorkerRow }) =>
  row.today === null ? (
    <span className="quiet">--</span>
  ) : (
    <State tone={row.today === attendance.code.present ? 'ok' : 'wait'}>{attendance.label(row.today)}</State>
  )
const columns = columnsOf<typeof workersApi.list>()(workerColumns, {
  phone: (k) => <PhoneOf worker={k} />,
  sites: (k) => <span title={k.ws_names}>{k.ws_names || '--'}</span>,
  face: (k) =>
    k.face === faceState.code.kept ? (
      <Picture picture={k.w_face} caption={`${k.w_name} 的人脸`} width={30} height={30} />
    ) : (
      <FaceState worker={k} />
    ),
  today: (k) => <TodayOf row={k} />,
  days: (k) => (
    <>
      {k.monthDays} <small>天</small>
    </>
  ),
  breaks: (k) =>
    k.breaks ? (
      <LinkTo page="BreakRecord" query={{ worker_id: k.id }}>
        {k.breaks}
      </LinkTo>
    ) : (
      0
    ),
  status: (k) => (
    <State tone={k.status === workerStatus.code.active ? 'ok' : 'grey'}>{workerStatus.label(k.status)}</State>
  ),
})

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(workersApi.list)

export default function WorkerListPage() {
  const list = useList(workersApi.list)
  const page = usePage()
  const actor = useActor()
  const phone = usePhone()
  const [opened, setOpened] = useState<Opened | null>(null)
  const refresh = () => void list.refresh()
  useLive(['worker', 'attendance', 'violation'], () => list.refresh())
  const may = (label: string) => hasPermission(actor, label)
  return (
    <>
      <ListPage
        name="工人"
        list={list}
        columns={columns}
        linkTo={(k) => hrefOf('WorkerInfo', { id: k.id })}
        empty={may('worker:add') ? '还没有工人。点“新增”登记第一位。' : '您能看到的工地上还没有工人。'}
        filters={
          <>
            <KeywordFilter
              list={list}
              placeholder={may('worker:phone') ? '工号、姓名、电话' : '工号、姓名'}
            />
            <CodeFilter single list={list} field="today" label="今日打卡" options={attendance.options} />
            <CodeFilter list={list} field="w_type" label="工种" options={workerType.options} />
            <SiteFilter list={list} />
            <BranchFilter list={list} />
            <CodeFilter single list={list} field="w_sex" label="性别" options={workerSex.options} />
            <CodeFilter list={list} field="face" label="人脸" options={faceState.options} />
            <CodeFilter single list={list} field="document" label="证件" options={documentState.options} />
            <CodeFilter list={list} field="status" label="状态" options={workerStatus.options} />
          </>
        }
        actions={
          <>
            <ListExport list={list} endpoint={workersApi.export} name="工人" />
            <ListImport list={list} needs="worker:import" load={load} />
            <Granted needs="worker:add">
              <button className="button primary" onClick={() => setOpened({ kind: 'edit', worker: null })}>
                新增
              </button>
            </Granted>
          </>
        }
        actionsOf={(k) => [...workerActionsOf(k, actor, setOpened), ...faceActionsOf(k, actor, setOpened)]}
      >
        {phone && list.rows.length > 0 ? (
          <div className="shots">
            {list.rows.map((k) => (
              <button
                key={k.id}
                className="shot person-card"
                onClick={() => page.go(linkTo('WorkerInfo', { id: k.id }))}
              >
                {k.w_face && (
                  <span>
                    <Picture plain picture={k.w_face} caption={k.w_name} width={48} height={48} />
                  </span>
                )}
                <span className="grow">
                  <span className="ends">
                    <span>
                      <b>{k.w_name}</b>{' '}
                      <span className="quiet">
                        {workerType.label(k.w_type)} · {k.w_id}
                      </span>
                    </span>
                    <TodayOf row={k} />
                  </span>
                  <small>{k.ws_names || '不在工地'}</small>
                  <small>
                    本月出勤 {k.monthDays} 天{k.breaks > 0 && ` · 违规 ${k.breaks} 次`}
                    {k.face !== faceState.code.kept && ` · 人脸${faceState.label(k.face)}`}
                  </small>
                </span>
              </button>
            ))}
          </div>
        ) : undefined}
      </ListPage>
      {opened && <WorkerDrawers {...opened} onClose={() => setOpened(null)} onDone={refresh} />}
    </>
  )
}
