import { useInfiniteQuery } from '@tanstack/react-query'
import { correctionStatus } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import {
  logType,
  timelineApi,
  type TimelineEvent,
  timelineKind,
} from '@zhuguan/contract/features/timeline/timeline.api.ts'
import type { PageName } from '@zhuguan/contract/pages.ts'
import { useState } from 'react'

import { callAddressed } from '../../kit/api.ts'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useFilters } from '../../kit/list/useFilters.ts'
import { useLive } from '../../kit/live.ts'
import { Picture } from '../../kit/Picture.tsx'
import { State, type Tone } from '../../kit/State.tsx'
import { dayOf, dayStart, full, nowSeconds, short } from '../../kit/time.ts'
import { useMayOpen } from '../../parts/session.ts'
import { Scrubber } from './Scrubber.tsx'
import { daysOf, type Line, runText } from './timelineDays.ts'

import './timeline.css'

const DAY = 86_400
const WEEKDAYS = '日一二三四五六'
const TONE: Record<number, Tone> = {
  [correctionStatus.code.open]: 'bad',
  [correctionStatus.code.correcting]: 'wait',
  [correctionStatus.code.corrected]: 'ok',
}
/** Each mark has a colour of its own, beside its word. */
const MARK: Record<string, string> = {
  smoking: 'mark bad',
  noclothes: 'mark bad',
  cameraproblem: 'mark grey',
  excellent: 'mark ok',
  good: 'mark wait',
  poor: 'mark bad',
}
const clock = (at: number) => short(at).slice(6)
function dayText(day: string): string {
  const weekday = `周${WEEKDAYS[new Date(day).getUTCDay()]}`
  return day === dayOf(nowSeconds()) ? `今天 ${weekday}` : `${day.slice(5)} ${weekday}`
}

/** Everything that happened on the site, newest first, day by day; its kinds stand in the address. */
export function Timeline({ site }: { site: string }) {
  const page = useFilters<typeof timelineApi.list>()
  const asked = page.address.filters.kinds ?? ''
  const kinds = asked ? asked.split(',') : []
  const marked = page.address.filters.marks ?? ''
  const marks = marked ? marked.split(',') : []
  const [day, setDay] = useState<string | null>(null)
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetching } = useInfiniteQuery({
    queryKey: [timelineApi.list.path, site, asked, marked, day],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam }) =>
      callAddressed(
        timelineApi.list,
        {
          site_id: site,
          kinds,
          marks,
          before: pageParam,
          ...(day ? { from: dayStart(day), to: dayStart(day) + DAY } : {}),
        },
        signal,
      ),
    getNextPageParam: (last) => last.next ?? undefined,
  })
  useLive(
    ['site', 'alarm', 'correction', 'device', 'attendance', 'tidiness', 'order', 'dispatch', 'goods'],
    () => refetch(),
    {
      only: (e) => e.site_id === site,
    },
  )
  const days = daysOf(data?.pages.flatMap((p) => p.list) ?? [])
  const perDay = data?.pages[0]?.perDay ?? []
  const toggle = (field: 'kinds' | 'marks', chosen: readonly string[], value: string) => {
    const next = chosen.includes(value) ? chosen.filter((k) => k !== value) : [...chosen, value]
    page.filter([field, next.join(',') || undefined])
  }
  return (
    <section className="card section">
      <h2>
        时间线
        {day && (
          <button className="text-button right" onClick={() => setDay(null)}>
            只看 {day.slice(5)}，看全部
          </button>
        )}
      </h2>
      <Scrubber perDay={perDay} day={day} onChoose={setDay} />
      <div className="chips">
        {timelineKind.options.map((k) => (
          <button
            key={k.value}
            className={`chip${kinds.includes(k.value) ? ' on' : ''}`}
            aria-pressed={kinds.includes(k.value)}
            onClick={() => toggle('kinds', kinds, k.value)}
          >
            {k.label}
          </button>
        ))}
        <small className="quiet">标记</small>
        {logType.options.map((k) => (
          <button
            key={k.value}
            className={`chip${marks.includes(k.value) ? ' on' : ''}`}
            aria-pressed={marks.includes(k.value)}
            onClick={() => toggle('marks', marks, k.value)}
          >
            {k.label}
          </button>
        ))}
      </div>
      {error && <Failed error={error} again={() => void refetch()} />}
      {data && days.length === 0 && <p className="quiet">这段时间没有事件。</p>}
      <div className="days" data-gallery>
        {days.map((d) => (
          <section key={d.day}>
            <h3>{dayText(d.day)}</h3>
            <ol className="log events">
              {d.lines.map((line) => (
                <Entry key={line.key} line={line} />
              ))}
            </ol>
          </section>
        ))}
      </div>
      {hasNextPage && (
        <button className="button older" disabled={isFetching} onClick={() => void fetchNextPage()}>
          {isFetching ? '正在读取…' : '更早的事件'}
        </button>
      )}
    </section>
  )
}

/** An event, or a run of them behind one line that opens. */
function Entry({ line: { events } }: { line: Line }) {
  const [open, setOpen] = useState(false)
  const [first] = events as [TimelineEvent]
  if (events.length === 1) return <Event event={first} />
  return (
    <>
      <li>
        <small title={`${full(events.at(-1)!.at)} 至 ${full(first.at)}`}>
          {clock(events.at(-1)!.at)}–{clock(first.at)}
        </small>
        <button className="text-button run" aria-expanded={open} onClick={() => setOpen(!open)}>
          {runText(events)}
        </button>
      </li>
      {open && events.map((e) => <Event key={e.id} event={e} inner />)}
    </>
  )
}

function Event({ event: e, inner = false }: { event: TimelineEvent; inner?: boolean }) {
  const mayAlarm = useMayOpen('AlarmEvent')
  const mayTidiness = useMayOpen('Tidiness')
  const mayCorrect = useMayOpen('Correction')
  const ofAlarm = e.kind === timelineKind.code.alarm
  const ofCorrection = e.kind === timelineKind.code.correction
  const ofTidiness = e.kind === timelineKind.code.tidiness
  const shown: PageName | false =
    (ofAlarm && mayAlarm && 'AlarmEvent') ||
    (ofCorrection && mayCorrect && 'Correction') ||
    (ofTidiness && mayTidiness && 'Tidiness')
  return (
    <li className={inner ? 'inner' : undefined}>
      <small title={full(e.at)}>{clock(e.at)}</small>
      <small>{timelineKind.label(e.kind)}</small>
      <span>
        {shown && e.ref_id ? (
          <LinkTo page={shown} query={{ id: e.ref_id }}>
            {e.title}
          </LinkTo>
        ) : (
          e.title
        )}
        {e.actor && !e.title.includes(e.actor) && <small> {e.actor}</small>}
      </span>
      {e.mark && <small className={MARK[e.mark]}>{logType.label(e.mark)}</small>}
      {e.kind === timelineKind.code.alarm && e.state !== null && (
        <State tone={TONE[e.state] ?? 'grey'}>{correctionStatus.label(e.state)}</State>
      )}
      {e.picture && (
        <Picture picture={e.picture} caption={`${e.title} ${full(e.at)}`} width={80} height={46} />
      )}
    </li>
  )
}
