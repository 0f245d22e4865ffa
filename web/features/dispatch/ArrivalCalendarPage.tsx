import FullCalendar, {
  type CalendarRef,
  type DatesSetInfo,
  type EventClickInfo,
  type EventDropInfo,
} from '@fullcalendar/react'
import dayGrid from '@fullcalendar/react/daygrid'
import interaction from '@fullcalendar/react/interaction'
import agenda from '@fullcalendar/react/list'
import zh from '@fullcalendar/react/locales/zh-cn'
import classic from '@fullcalendar/react/themes/classic'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { dispatchState } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import { tripsApi } from '@zhuguan/contract/features/dispatch/trips.api.ts'
import type { ArrivalRow } from '@zhuguan/contract/features/dispatch/trips.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useMemo, useRef, useState } from 'react'

import { call } from '../../kit/api.ts'
import { Floating } from '../../kit/Floating.tsx'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useFilters } from '../../kit/list/useFilters.ts'
import { useLive } from '../../kit/live.ts'
import { message } from '../../kit/notices.ts'
import { clock, dayOf, nowSeconds } from '../../kit/time.ts'
import { usePhone } from '../../kit/usePhone.ts'
import { BranchFilter, SiteFilter } from '../../parts/places.tsx'
import { useActor, useMayReach } from '../../parts/session.ts'
import { ArrivalCard, ArrivalEntry } from './Arrival.tsx'
import { toneOf } from './noteStates.tsx'
import { useNotesAnew } from './useNotesAnew.ts'

import '@fullcalendar/react/skeleton.css'
import '@fullcalendar/react/themes/classic/theme.css'
import '@fullcalendar/react/themes/classic/palette.css'
import './arrivals.css'

const ReplanDrawer = lazyPart(() => import('./ReplanDrawer.tsx'))
const { shipped, waiting } = dispatchState.code
const MONTH = 'dayGridMonth'
const VIEWS = [
  [MONTH, '月'],
  ['dayGridWeek', '周'],
] as const
const today = () => dayOf(nowSeconds())
const firstOf = (day: string) => `${day.slice(0, 8)}01`
const DAY_MS = 86_400_000
const dayBefore = (day: string) => new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10)
const rowIn = (event: EventClickInfo['event']) => event.extendedProps.row as ArrivalRow

interface Shown {
  from: string
  to: string
  title: string
  view: string
}
/** Goods on the days on which they are to arrive. */
export default function ArrivalCalendarPage() {
  const list = useFilters<typeof tripsApi.arrivals>()
  const { bc_id, site_id } = list.address.filters
  const actor = useActor()
  const mayPlan = hasPermission(actor, 'dispatch:plan')
  const maySites = useMayReach('SiteList')
  const phone = usePhone()
  const calendar = useRef<CalendarRef>(null)
  const [shown, setShown] = useState<Shown | null>(null)
  const [picked, setPicked] = useState<{ row: ArrivalRow; at: DOMRect } | null>(null)
  const [moving, setMoving] = useState<{ of: ArrivalRow; to: string } | null>(null)
  const again = useNotesAnew()
  const { from, to } = shown ?? {}
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [tripsApi.arrivals.path, from, to, bc_id, site_id],
    enabled: list.active && shown !== null,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(tripsApi.arrivals, { query: { from: from!, to: to!, bc_id, site_id } }, signal),
  })
  useLive(['dispatch', 'order'], () => refetch())
  const mayMove = (a: ArrivalRow) => mayPlan && (a.state === waiting || a.state === shipped)
  const events = useMemo(
    () =>
      (data?.list ?? []).map((row) => ({
        id: row.id,
        title: `${row.ws_name} ${row.names}`,
        start: row.plannedOn,
        allDay: true,
        startEditable: mayMove(row),
        className: `arrival-event ${toneOf(row)}`,
        extendedProps: { row },
      })),
    [data, mayPlan],
  )
  const onDates = ({ startStr, endStr, view }: DatesSetInfo) =>
    setShown({
      from: startStr.slice(0, 10),
      to: dayBefore(endStr.slice(0, 10)),
      title: view.title,
      view: view.type,
    })
  /** What was dragged stands where it was until the reason is given. */
  function onDrop({ event, revert }: EventDropInfo) {
    const [row, day] = [rowIn(event), event.startStr.slice(0, 10)]
    revert()
    if (day < today()) message.error('到货日期不能早于今天')
    else setMoving({ of: row, to: day })
  }
  const api = () => calendar.current!.getApi()
  // The calendar scrolls to the row of its date: a month stands on its first day, so that it opens at its top.
  const goToday = () => (shown?.view === MONTH ? api().gotoDate(firstOf(today())) : api().today())
  function goView(view: string) {
    if (!shown || view === shown.view) return
    const isNow = shown.from <= today() && today() <= shown.to
    const other = shown.view === MONTH ? undefined : shown.from
    const day = isNow ? today() : other
    api().changeView(view, day && view === MONTH ? firstOf(day) : day)
  }
  return (
    <section className="card arrivals" aria-busy={isFetching}>
      <div className="list-bar">
        <button className="button" aria-label="往前" onClick={() => api().prev()}>
          ‹
        </button>
        <button className="button" onClick={goToday}>
          今天
        </button>
        <button className="button" aria-label="往后" onClick={() => api().next()}>
          ›
        </button>
        <h2 aria-live="polite">{shown?.title}</h2>
        <BranchFilter single list={list} />
        {maySites && <SiteFilter list={list} />}
        <Sum of={data?.list} at={data?.at} />
        {!phone && (
          <span className="arrivals-views" role="group" aria-label="按月或按周">
            {VIEWS.map(([view, name]) => (
              <button
                key={view}
                className="button"
                aria-pressed={shown?.view === view}
                onClick={() => goView(view)}
              >
                {name}
              </button>
            ))}
          </span>
        )}
      </div>
      {error && <Failed error={error} again={() => void refetch()} />}
      <div className="arrivals-box">
        <FullCalendar
          ref={calendar}
          plugins={[dayGrid, interaction, agenda, classic]}
          locale={zh}
          timeZone="Asia/Shanghai"
          initialView={phone ? 'listWeek' : MONTH}
          initialDate={phone ? today() : firstOf(today())}
          headerToolbar={false}
          height="100%"
          firstDay={1}
          fixedWeekCount={false}
          dayMaxEvents={shown?.view === MONTH ? 3 : false}
          noEventsContent="这几天没有要到的货"
          events={events}
          eventDurationEditable={false}
          eventContent={({ event, view }) => <ArrivalEntry of={rowIn(event)} whole={view.type !== MONTH} />}
          moreLinkText={(n) => `另外 ${n} 张`}
          eventClick={({ el, event }) => setPicked({ row: rowIn(event), at: el.getBoundingClientRect() })}
          eventDrop={onDrop}
          datesSet={onDates}
        />
      </div>
      {picked && (
        <Floating at={picked.at} className="arrival-float" onClose={() => setPicked(null)}>
          <ArrivalCard
            of={picked.row}
            onReplan={
              mayMove(picked.row)
                ? () => {
                    setMoving({ of: picked.row, to: picked.row.plannedOn })
                    setPicked(null)
                  }
                : undefined
            }
          />
        </Floating>
      )}
      {moving && <ReplanDrawer {...moving} onClose={() => setMoving(null)} onDone={again} />}
    </section>
  )
}

/** How much comes, and how much of it is late or better came on another day. */
function Sum({ of, at }: { of: readonly ArrivalRow[] | undefined; at: number | undefined }) {
  if (!of || at === undefined) return null
  const late = of.filter((a) => a.late).length
  const clashing = of.filter((a) => a.clashes.length > 0).length
  return (
    <span className="arrivals-sum quiet">
      <span>{of.length} 张</span>
      {late > 0 && <span className="is-late">逾期 {late} 张</span>}
      {clashing > 0 && <span className="is-clashing">有冲突 {clashing} 张</span>}
      <span>{clock(at)} 的数据</span>
    </span>
  )
}
