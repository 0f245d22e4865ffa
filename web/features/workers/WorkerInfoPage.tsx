import { useQuery } from '@tanstack/react-query'
import { attendance } from '@zhuguan/contract/features/attendance/attendance.record.ts'
import { noticeWords } from '@zhuguan/contract/features/consents/notices.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import { leadsSites, workerType } from '@zhuguan/contract/features/workers/trades.record.ts'
import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import {
  type Membership,
  type WorkerDetail,
  workerSex,
  workerStatus,
} from '@zhuguan/contract/features/workers/workers.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'
import { type ReactNode, useState } from 'react'

import { recordBy } from '../../kit/ahead.ts'
import { call } from '../../kit/api.ts'
import { ChartCard } from '../../kit/chart/ChartCard.tsx'
import { HeatCalendar } from '../../kit/chart/charts.tsx'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useLive } from '../../kit/live.ts'
import { NoSubject } from '../../kit/NoSubject.tsx'
import { usePage, usePageName, useParam } from '../../kit/page.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { RowActions } from '../../kit/RowActions.tsx'
import { State } from '../../kit/State.tsx'
import { dayOf, full, nowSeconds, short } from '../../kit/time.ts'
import { LogLink } from '../../parts/LogLink.tsx'
import { PhoneOf } from '../../parts/PhoneOf.tsx'
import { useActor } from '../../parts/session.ts'
import { Documents } from './Documents.tsx'
import { Faces } from './Faces.tsx'
import { Score } from './Score.tsx'
import { workerActionsOf } from './workerActionsOf.ts'
import type { Opened } from './WorkerDrawers.tsx'

import './workers.css'

const WorkerDrawers = lazyPart(() => import('./WorkerDrawers.tsx'))
const SPAN_DAYS = 180
const DAY = 86_400

/** Fetched when a link to the record is pressed. */
export const ahead = recordBy(workersApi.details)

export default function WorkerInfoPage() {
  const id = useParam('id') ?? ''
  const actor = useActor()
  const [opened, setOpened] = useState<Opened | null>(null)
  const {
    data: worker,
    error,
    refetch,
  } = useQuery({
    queryKey: [workersApi.details.path, id],
    enabled: id !== '',
    queryFn: ({ signal }) => call(workersApi.details, { query: { id } }, signal),
  })
  usePageName(worker?.w_name)
  const again = () => void refetch()
  useLive(['worker', 'attendance'], () => refetch())
  if (!id) return <NoSubject what="工人" from="工人列表" />
  if (error) return <Failed error={error} again={again} />
  if (!worker) return <div className="page-wait" aria-busy="true" />
  const now = worker.sites.filter((s) => s.leftOn === null)
  const before = worker.sites.filter((s) => s.leftOn !== null)
  return (
    <>
      <Card
        worker={worker}
        actions={<RowActions actions={workerActionsOf(worker, actor, setOpened)} onDone={again} shown={4} />}
      />
      <div className="two">
        <Calendar worker={worker} />
        <div>
          <Faces worker={worker} open={setOpened} onDone={again} />
          <Documents worker={worker} />
          <section className="card section">
            <h2>
              所在工地 <small>{now.length} 个</small> <LogLink object="worker" id={worker.id} />
            </h2>
            {now.length === 0 && <p className="quiet">现在不在工地。</p>}
            <Stays stays={now} worker={worker.id} />
          </section>
          {before.length > 0 && (
            <section className="card section">
              <h2>
                离开的工地 <small>{before.length} 个</small>
              </h2>
              <Stays stays={before} worker={worker.id} />
            </section>
          )}
        </div>
      </div>
      {opened && <WorkerDrawers {...opened} onClose={() => setOpened(null)} onDone={again} />}
    </>
  )
}

function Card({ worker, actions }: { worker: WorkerDetail; actions: ReactNode }) {
  const { last } = worker
  return (
    <section className="card section">
      <h2 className="worker-name">
        <span>{worker.w_name}</span>{' '}
        <State tone={worker.status === workerStatus.code.active ? 'ok' : 'grey'}>
          {workerStatus.label(worker.status)}
        </State>
        {worker.today !== null && (
          <State
            tone={worker.today === attendance.code.present ? 'ok' : 'wait'}
          >{`今日${attendance.label(worker.today)}`}</State>
        )}
        <span className="chart-tools">{actions}</span>
      </h2>
      <div className="worker-facts">
        {worker.w_face && (
          <Picture picture={worker.w_face} caption={`${worker.w_name} 的人脸`} width={96} height={96} />
        )}
        <Facts>
          <Fact name="工号">{worker.w_id}</Fact>
          <Fact name="工种">{workerType.label(worker.w_type)}</Fact>
          <Fact name="分公司">{worker.bc_name}</Fact>
          {leadsSites(worker) && <Fact name="对应账号">{worker.account?.nickname}</Fact>}
          <Fact name="班组">{worker.team}</Fact>
          <Fact name="告知书">{noticeWords(worker.notice)}</Fact>
          <Fact name="性别">{workerSex.label(worker.w_sex)}</Fact>
          <Fact name="联系方式">
            <PhoneOf worker={worker} />
          </Fact>
          <Fact name="本月出勤">
            <LinkTo
              page="WorkerAttend"
              query={{ worker_id: worker.id, from: monthStart(), to: dayOf(nowSeconds()), attendance: '1' }}
            >
              {worker.monthDays} 天
            </LinkTo>
          </Fact>
          <Fact name="评分">
            {worker.score && (
              <LinkTo page="ProjectExperience" query={{ worker_id: worker.id }}>
                <Score mean={worker.score.mean} />（{worker.score.n} 次）
              </LinkTo>
            )}
          </Fact>
          <Fact name="违规">
            <LinkTo page="BreakRecord" query={{ worker_id: worker.id }}>
              {worker.breaks} 次
            </LinkTo>
          </Fact>
          <Fact name="最近打卡">
            {last && (
              <>
                <span title={full(last.at)}>{short(last.at)}</span>{' '}
                <LinkTo page="SiteInfo" query={{ id: last.site_id }}>
                  {last.ws_name}
                </LinkTo>
              </>
            )}
          </Fact>
        </Facts>
      </div>
    </section>
  )
}
const monthStart = () => `${dayOf(nowSeconds()).slice(0, 7)}-01`

const Stays = ({ stays, worker }: { stays: Membership[]; worker: string }) =>
  stays.map((s) => (
    <p key={`${s.site_id}${s.enteredOn}`} className="stay">
      <LinkTo page="SiteInfo" query={{ id: s.site_id }}>
        {s.ws_name}
      </LinkTo>
      <small>
        {s.enteredOn} 至 {s.leftOn ?? '今'}
        {s.siteStatus !== siteStatus.code.building && ` · ${siteStatus.label(s.siteStatus)}`}
      </small>
      <LinkTo
        className="end"
        page="WorkerAttend"
        query={{
          worker_id: worker,
          site_id: s.site_id,
          from: s.enteredOn,
          to: s.leftOn ?? dayOf(nowSeconds()),
          attendance: '1',
        }}
      >
        出勤 {s.days} 天
      </LinkTo>
    </p>
  ))

/** Half a year of days; a day opens the punches behind it. */
function Calendar({ worker }: { worker: WorkerDetail }) {
  const page = usePage()
  const to = dayOf(nowSeconds())
  const from = dayOf(nowSeconds() - (SPAN_DAYS - 1) * DAY)
  const query = useQuery({
    queryKey: [workersApi.calendar.path, worker.id, from, to],
    queryFn: ({ signal }) => call(workersApi.calendar, { query: { id: worker.id, from, to } }, signal),
  })
  const known = query.data ?? []
  const came = known.filter((d) => d.came)
  const hours = came.reduce((sum, d) => sum + (d.hours ?? 0), 0)
  const once = came.filter((d) => d.hours === null).length
  const byDay = new Map(known.map((d) => [d.day, d]))
  const days = Array.from({ length: SPAN_DAYS }, (_, i) =>
    dayOf(nowSeconds() - (SPAN_DAYS - 1 - i) * DAY),
  ).map((day) => {
    const d = byDay.get(day)
    return { day, value: d?.came ? (d.hours ?? 0) : null }
  })
  return (
    <ChartCard
      title="出勤日历"
      note={`近 ${SPAN_DAYS} 天`}
      of={query}
      empty={query.data && came.length === 0 && '这半年没有打卡记录。'}
    >
      <HeatCalendar
        label={`${worker.w_name} 每天的工时`}
        days={days}
        unit="小时"
        onPick={({ index }) =>
          page.go(
            linkTo('WorkerAttend', { worker_id: worker.id, from: days[index]!.day, to: days[index]!.day }),
          )
        }
      />
      <p className="quiet came">
        出勤 {came.length} 天，合计 {Math.round(hours)} 小时；应到未到 {known.length - came.length} 天
        {once > 0 && `；${once} 天只打了一次卡，工时不明`}。点一天看当天的打卡。
      </p>
    </ChartCard>
  )
}
