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
import { followUpsApi } from '@zhuguan/contract/features/customers/follow-ups.api.ts'
import {
  followKind,
  type FollowRow,
  followState,
} from '@zhuguan/contract/features/customers/follow-ups.record.ts'
import type { AddressOf } from '@zhuguan/contract/kit/api.ts'
import { useMemo, useRef, useState } from 'react'

import { callAddressed } from '../../kit/api.ts'
import { Floating } from '../../kit/Floating.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { message } from '../../kit/notices.ts'
import { type RowAction, RowActions } from '../../kit/RowActions.tsx'
import { clock, dayOf, dayStart, full, nowSeconds } from '../../kit/time.ts'
import { usePhone } from '../../kit/usePhone.ts'

import '@fullcalendar/react/skeleton.css'
import '@fullcalendar/react/themes/classic/theme.css'
import '@fullcalendar/react/themes/classic/palette.css'

const { planned } = followState.code
const MONTH = 'dayGridMonth'
const DAY_MS = 86_400_000
const today = () => dayOf(nowSeconds())
const firstOf = (day: string) => `${day.slice(0, 8)}01`
const dayBefore = (day: string) => new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10)
const rowIn = (event: EventClickInfo['event']) => event.extendedProps.row as FollowRow

function toneOf(row: FollowRow): string {
  if (row.overdue) return 'bad'
  return row.state === planned ? 'wait' : 'grey'
}

/** Follow-ups on their days; what is planned is dragged to another one, at its hour. */
export default function FollowCalendar({
  filters,
  mark,
  actionsOf,
  onMove,
  onDone,
}: {
  filters: AddressOf<typeof followUpsApi.list>
  mark: number
  actionsOf: (follow: FollowRow) => RowAction[]
  onMove: (follow: FollowRow, to: number) => void
  onDone: () => void
}) {
  const phone = usePhone()
  const calendar = useRef<CalendarRef>(null)
  const [shown, setShown] = useState<{ from: string; to: string; title: string } | null>(null)
  const [picked, setPicked] = useState<{ row: FollowRow; at: DOMRect } | null>(null)
  const { bc_id, kind, state, user_id } = filters
  const { data, error, refetch } = useQuery({
    queryKey: [followUpsApi.calendar.path, shown?.from, shown?.to, bc_id, kind, state, user_id, mark],
    enabled: shown !== null,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      callAddressed(
        followUpsApi.calendar,
        { from: shown!.from, to: shown!.to, bc_id, kind, state, user_id },
        signal,
      ),
  })
  const events = useMemo(
    () =>
      (data?.list ?? []).map((row) => ({
        id: row.id,
        title: `${clock(row.at)} ${row.customerName}`,
        start: dayOf(row.at),
        allDay: true,
        startEditable: actionsOf(row).some((a) => a.key === 'move'),
        className: `follow-chip ${toneOf(row)}`,
        extendedProps: { row },
      })),
    [data],
  )
  const onDates = ({ endStr, startStr, view }: DatesSetInfo) =>
    setShown({ from: startStr.slice(0, 10), to: dayBefore(endStr.slice(0, 10)), title: view.title })
  /** What was dragged stands where it was until the new hour is confirmed. */
  function onDrop({ event, revert }: EventDropInfo) {
    const row = rowIn(event)
    const day = event.startStr.slice(0, 10)
    revert()
    const to = dayStart(day) + (row.at - dayStart(dayOf(row.at)))
    if (day < today()) message.error('计划的时间已经过去')
    else onMove(row, Math.max(to, nowSeconds()))
  }
  const api = () => calendar.current!.getApi()
  return (
    <section className="follow-calendar" aria-label="跟进日历">
      <div className="list-bar">
        <button className="button" aria-label="往前" onClick={() => api().prev()}>
          ‹
        </button>
        <button className="button" onClick={() => api().gotoDate(phone ? today() : firstOf(today()))}>
          今天
        </button>
        <button className="button" aria-label="往后" onClick={() => api().next()}>
          ›
        </button>
        <h2 aria-live="polite">{shown?.title}</h2>
        {data?.more && <span className="quiet">太多了，只显示前 {data.list.length} 条，请按顾问筛选</span>}
      </div>
      {error && <Failed error={error} again={() => void refetch()} />}
      <div className="follow-calendar-box">
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
          dayMaxEvents={3}
          noEventsContent="这几天没有跟进"
          events={events}
          eventDurationEditable={false}
          eventContent={({ event }) => (
            <span className="follow-event">
              {event.title} <small>{followKind.label(rowIn(event).kind)}</small>
            </span>
          )}
          moreLinkText={(n) => `另外 ${n} 条`}
          eventClick={({ el, event }) => setPicked({ row: rowIn(event), at: el.getBoundingClientRect() })}
          eventDrop={onDrop}
          datesSet={onDates}
        />
      </div>
      {picked && (
        <Floating at={picked.at} className="arrival-float" onClose={() => setPicked(null)}>
          <p>
            <LinkTo page="CustomerInfo" query={{ id: picked.row.customer_id }}>
              {picked.row.customerName}
            </LinkTo>{' '}
            {followKind.label(picked.row.kind)} · {followState.label(picked.row.state)}
          </p>
          <p className="quiet">
            {full(picked.row.at)} {picked.row.userName}
          </p>
          {picked.row.content && <p>{picked.row.content}</p>}
          {picked.row.result && <p>{picked.row.result}</p>}
          <RowActions
            actions={actionsOf(picked.row)}
            onDone={() => {
              setPicked(null)
              onDone()
            }}
          />
        </Floating>
      )}
    </section>
  )
}
