import type { OnlineCamera } from '@zhuguan/contract/features/video/video.record.ts'
import { type KeyboardEvent, useState } from 'react'

import { Floating } from '../../kit/Floating.tsx'
import { dayOf, dayStart, full, lasting, nowSeconds } from '../../kit/time.ts'
import { bandState, bandTimes, bandWords, DayBand } from '../../parts/DayBand.tsx'
import { DeviceLink } from './DeviceLink.tsx'
import { hours, percent } from './words.ts'

const DAY = 86_400
/** So many days have room for the sign beside the figure. */
const WIDE = 14
type Day = OnlineCamera['days'][number]

/** When a camera was skewed on a day. */
function skewedOn({ skewed }: OnlineCamera, day: string) {
  const begin = dayStart(day)
  return skewed
    .map((s) => ({
      from: Math.max(s.from, begin),
      to: Math.min(s.to ?? nowSeconds(), begin + DAY),
    }))
    .filter((s) => s.to > s.from)
}
const wordsOf = (camera: OnlineCamera, day: Day): string[] => [
  ...day.bands.map((b) => bandWords(b, day.day)),
  ...skewedOn(camera, day.day).map((s) => `${bandTimes(s, day.day)} 摄像头偏移`),
]

const STEPS: Record<string, readonly [row: number, column: number]> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
}
const place = (row: number, column: number) => `${row}-${column}`

/** 11-20; where it is narrow 20, and the month's name on its first day. */
function headOf(day: string, wide: boolean): string {
  if (wide) return day.slice(5)
  return day.endsWith('-01') ? `${Number(day.slice(5, 7))}月` : day.slice(8)
}

/** A camera a row, a day a column: its bands, and how much of what was measured it was on line. */
export function CameraDays({ cameras }: { cameras: readonly OnlineCamera[] }) {
  const [told, setTold] = useState<{ camera: OnlineCamera; day: Day; at: DOMRect } | null>(null)
  const [current, setCurrent] = useState(place(0, 0))
  const days = cameras[0]!.days
  const hush = (day: Day) => setTold((is) => (is?.day === day ? null : is))
  // One stop of the Tab key for all days; from there the arrows go on.
  const step = (e: KeyboardEvent<HTMLElement>) => {
    const by = STEPS[e.key]
    const from = (e.target as HTMLElement).dataset.place?.split('-').map(Number)
    if (!by || !from) return
    e.preventDefault()
    const to = place(from[0]! + by[0], from[1]! + by[1])
    e.currentTarget.querySelector<HTMLElement>(`[data-place="${to}"]`)?.focus()
  }
  const today = dayOf(nowSeconds())
  const wide = days.length <= WIDE
  return (
    <div className="table-wrap vidicon-scroll">
      <table className={`vidicon-days${wide ? '' : ' many'}`}>
        <thead>
          <tr>
            <th scope="col">摄像头</th>
            <th scope="col" className="right">
              在线率
            </th>
            {days.map((d) => (
              <th key={d.day} scope="col" title={d.day === today ? `${d.day}，今天还没有过完` : d.day}>
                {d.day === today ? '今天' : headOf(d.day, wide)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={step}>
          {cameras.map((camera, row) => (
            <tr key={camera.id}>
              <th scope="row">
                <Camera camera={camera} />
              </th>
              <td className="right vidicon-rate">
                <b>{percent(camera.rate)}</b>
                <small title="测到在线或离线的时间">监测 {hours(camera.measured)}</small>
              </td>
              {camera.days.map((day, column) => {
                const own = place(row, column)
                const tell = (e: { currentTarget: HTMLElement }) =>
                  setTold({ camera, day, at: e.currentTarget.getBoundingClientRect() })
                const words = wordsOf(camera, day)
                return (
                  <td key={day.day}>
                    <span className="vidicon-day" aria-hidden="true">
                      {day.day.slice(5)}
                    </span>
                    <button
                      className="vidicon-cell"
                      data-place={own}
                      tabIndex={own === current ? 0 : -1}
                      aria-label={`${camera.sn} ${day.day} 在线率 ${percent(day.rate)}。${words.join('；')}`}
                      onFocus={(e) => {
                        setCurrent(own)
                        tell(e)
                      }}
                      onBlur={() => hush(day)}
                      onMouseEnter={tell}
                      // A press closes what floats: it is told again.
                      onClick={tell}
                      // What was pressed stays told until the focus goes on: a finger does not hover.
                      onMouseLeave={(e) => e.currentTarget !== document.activeElement && hush(day)}
                    >
                      <DayBand day={day.day} bands={day.bands} skewed={skewedOn(camera, day.day)} label="" />
                      <small>{wide || day.rate === null ? percent(day.rate) : Math.floor(day.rate)}</small>
                    </button>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {told && (
        <Floating
          key={`${told.camera.id} ${told.day.day}`}
          at={told.at}
          className="vidicon-told"
          onClose={() => setTold((is) => (is === told ? null : is))}
        >
          <Told camera={told.camera} day={told.day} />
        </Floating>
      )}
    </div>
  )
}

function Camera({ camera: c }: { camera: OnlineCamera }) {
  const notes = [
    c.outages > 0 && `离线 ${c.outages} 次`,
    c.frozen.times > 0 && `冻结 ${c.frozen.times} 次（${hours(c.frozen.minutes)}）`,
    c.skewed.length > 0 && `偏移 ${c.skewed.length} 次`,
    c.skewedChecks > 0 && `整洁度未判 ${c.skewedChecks} 次`,
    !c.here && '已不在这个工地',
  ].filter((note) => note !== false)
  return (
    <>
      <DeviceLink id={c.id} sn={c.sn} reachable={c.reachable} />
      <small>{notes.length > 0 ? notes.join(' · ') : c.model}</small>
    </>
  )
}

/** A day in words: a line a band. */
function Told({ camera, day }: { camera: OnlineCamera; day: Day }) {
  return (
    <>
      <p>
        <b>{camera.sn}</b> {day.day}
      </p>
      <p className="quiet">
        {day.rate === null
          ? '没有测到在线或离线'
          : `在线率 ${percent(day.rate)}，在线 ${hours(day.online)}，离线 ${hours(day.offline)}`}
        {day.unknown > 0 && `，未监测 ${hours(day.unknown)}`}
      </p>
      <ul>
        {day.bands.map((b) => (
          <li key={b.from}>
            <time title={full(b.from)}>{bandTimes(b, day.day)}</time> {bandState(b)}{' '}
            <small>{lasting(b.to - b.from)}</small>
          </li>
        ))}
        {skewedOn(camera, day.day).map((s) => (
          <li key={`s${s.from}`}>
            <time>{bandTimes(s, day.day)}</time> 摄像头偏移
          </li>
        ))}
      </ul>
    </>
  )
}
