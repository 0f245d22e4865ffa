import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { punchDirection, punchSource } from '@zhuguan/contract/features/attendance/attendance.record.ts'
import { staysApi } from '@zhuguan/contract/features/workers/stays.api.ts'
import type { TrackPoint } from '@zhuguan/contract/features/workers/stays.record.ts'
import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import { distanceText, metres } from '@zhuguan/contract/kit/places.ts'
import { useMemo, useState } from 'react'

import { recordBy } from '../../kit/ahead.ts'
import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { hrefOf } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useLive } from '../../kit/live.ts'
import MapBox from '../../kit/map/MapBox.tsx'
import type { Kind } from '../../kit/map/signs.ts'
import { NoSubject } from '../../kit/NoSubject.tsx'
import { usePage, useParam } from '../../kit/page.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { dayOf, full, lasting, nowSeconds, short } from '../../kit/time.ts'

import './workers.css'

const DayPicker = lazyPart(() => import('../../kit/form/DayPicker.tsx'))
const KINDS: readonly Kind[] = [{ shape: 'circle', tone: 'ok', label: '打卡的工地' }]
const NOTHING: readonly number[] = []
const DAY = 86_400
/** The map counts in millionths. */
const DEGREE = 1_000_000

/** Sites of a day in the order in which they were reached, each with its times. */
interface Stop {
  site: string
  name: string
  place: { lng: number; lat: number } | null
  punches: TrackPoint[]
}
function stopsOf(track: readonly TrackPoint[]): Stop[] {
  const stops: Stop[] = []
  for (const p of track) {
    const last = stops.at(-1)
    if (last?.site === p.site_id) last.punches.push(p)
    else
      stops.push({
        site: p.site_id,
        name: p.ws_name,
        place: p.lng === null || p.lat === null ? null : { lng: p.lng, lat: p.lat },
        punches: [p],
      })
  }
  return stops
}

/** Fetched when a link to the record is pressed. */
export const ahead = recordBy(workersApi.details)

/** The places of a worker on a day, by their clock-ins: the map, and the way in its order. */
export default function WorkerMapPage() {
  const page = usePage()
  const id = useParam('worker_id') ?? ''
  const today = dayOf(nowSeconds())
  const [picked, setPicked] = useState<number | null>(null)
  const { data: worker } = useQuery({
    queryKey: [workersApi.details.path, id],
    enabled: id !== '',
    queryFn: ({ signal }) => call(workersApi.details, { query: { id } }, signal),
  })
  // Without a day the last one on which they clocked in.
  const last = worker?.last ? dayOf(worker.last.at) : today
  const day = useParam('day') ?? last
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: [staysApi.track.path, id, day],
    enabled: !!worker,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(staysApi.track, { query: { worker_id: id, day } }, signal),
  })
  useLive(['attendance'], () => refetch())
  const stops = useMemo(() => stopsOf(data ?? []), [data])
  const placed = useMemo(() => stops.filter((s) => s.place), [stops])
  const points = useMemo(
    () => ({
      lng: placed.map((s) => Math.round(s.place!.lng * DEGREE)),
      lat: placed.map((s) => Math.round(s.place!.lat * DEGREE)),
      kind: new Uint8Array(placed.length),
    }),
    [placed],
  )
  const names = useMemo(
    () => new Map(placed.map((s, i) => [i, `${stops.indexOf(s) + 1} ${s.name}`])),
    [placed],
  )
  if (!id) return <NoSubject what="工人" from="工人基本信息" />
  if (error) return <Failed error={error} again={() => void refetch()} />
  const to = (other: string) => page.go(`${page.path}?worker_id=${id}&day=${other}`, { replace: true })
  const move = (days: number) => to(dayOf(Date.parse(`${day}T04:00:00Z`) / 1_000 + days * DAY))
  return (
    <section className="card list map-page" aria-busy={isFetching}>
      <div className="list-bar">
        <b className="about">{worker?.w_name}</b>
        <button className="button" onClick={() => move(-1)}>
          前一天
        </button>
        <DayPicker label="日期" day={day} to={today} onPick={to} />
        <button className="button" disabled={day >= today} onClick={() => move(1)}>
          后一天
        </button>
        <span className="quiet grow">{data && sumOf(stops, data.length)}</span>
      </div>
      <div className="map-body">
        <MapBox
          label={`${worker?.w_name ?? '工人'} ${day} 打卡的地方`}
          kinds={KINDS}
          points={data ? points : undefined}
          about={`${id} ${day}`}
          chosen={picked === null ? NOTHING : [picked]}
          pulses={NOTHING}
          names={names}
          area={undefined}
          drawing={false}
          moving={null}
          focus={null}
          describe={(mark) => names.get(mark.i) ?? `${mark.count} 次`}
          onPick={(ids) => setPicked(ids[0] ?? null)}
          onArea={() => {}}
          onMove={() => {}}
          onView={() => {}}
        />
        <ol className="track">
          {stops.map((s, i) => (
            <li
              key={`${s.site}${s.punches[0]!.at}`}
              className={placed[picked ?? -1] === s ? 'on' : undefined}
              onClick={() => setPicked(placed.indexOf(s) < 0 ? null : placed.indexOf(s))}
            >
              <a href={hrefOf('SiteInfo', { id: s.site })}>
                {i + 1} {s.name}
              </a>
              {!s.place && <small> 还没有标注位置</small>}
              {s.punches.map((p) => (
                <p key={p.at}>
                  <span title={full(p.at)}>{short(p.at).slice(6)}</span> {punchDirection.label(p.direction)}{' '}
                  <small>{punchSource.label(p.source)}</small>
                  {p.picture && (
                    <Picture
                      picture={p.picture}
                      caption={`${worker?.w_name} ${full(p.at)}`}
                      width={54}
                      height={30}
                    />
                  )}
                </p>
              ))}
            </li>
          ))}
          {data && stops.length === 0 && <li className="quiet">这一天没有打卡。</li>}
        </ol>
      </div>
    </section>
  )
}

/** From when to when, over how many sites, and how far apart they lie. */
function sumOf(stops: readonly Stop[], punches: number): string {
  if (punches === 0) return '这一天没有打卡'
  const all = stops.flatMap((s) => s.punches)
  const [first, last] = [all[0]!.at, all.at(-1)!.at]
  const places = stops.map((s) => s.place).filter((p) => p !== null)
  const way = places.slice(1).reduce((sum, p, i) => sum + metres(places[i]!, p), 0)
  return [
    `${short(first).slice(6)} – ${short(last).slice(6)}`,
    last > first && lasting(last - first),
    `打卡 ${punches} 次`,
    `${new Set(stops.map((s) => s.site)).size} 个工地`,
    way > 0 && `工地之间直线 ${distanceText(way)}`,
  ]
    .filter(Boolean)
    .join(' · ')
}
