import { alarmType } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import {
  cannotPlay,
  filmFormat,
  markKind,
  pieceAt,
  type RecordingDay,
  type RecordingMark,
  type Stretch,
} from '@zhuguan/contract/features/recordings/recordings.record.ts'
import { type MouseEvent, useState } from 'react'

import { full } from '../../kit/time.ts'
import { playsHere } from '../../parts/video/film.ts'
import { type Cut, lastingOf } from './useClip.ts'

const HOUR = 3_600
const WHOLE = 24
export const HOURS = [WHOLE, 4, 1] as const
/** Ticks between the ends. */
const TICKS: Record<number, number> = { 24: 12, 4: 8, 1: 6 }
const clock = (second: number, long: boolean) => full(second).slice(11, long ? 19 : 16)
const wordsOf = (mark: RecordingMark) =>
  `${clock(mark.at, true)} ${mark.type ? alarmType.label(mark.type) : markKind.label(mark.kind)}`
const percent = (part: number) => `${(part * 100).toFixed(3)}%`

/** The meaning of a second of the day, where it is no picture. */
function wordsAt(day: RecordingDay, second: number): string {
  const piece = pieceAt(day.pieces, second)
  if (piece) return playsHere(piece) ? '' : ` ${cannotPlay(piece.format!)}`
  return day.spans.some((s) => s.from <= second && second < s.to) ? '' : ' 没有录像'
}
/** However short, it can be seen. */
const atLeast = ({ x, width }: { x: string; width: string }) => ({
  x,
  style: { width: `max(2px, ${width})` },
})

function anchorOf(part: number): 'start' | 'middle' | 'end' {
  if (part === 0) return 'start'
  return part === 1 ? 'end' : 'middle'
}

/** The day from its first second to its last, or the hours around the picture. */
export function DayLine({
  day,
  beside,
  cut,
  at,
  hours,
  onSeek,
}: {
  day: RecordingDay
  /** The camera that is seen beside it. */
  beside: RecordingDay | undefined
  /** What somebody has marked to take away or to hold. */
  cut: Cut
  at: number | null
  hours: number
  onSeek: (second: number) => void
}) {
  const [hover, setHover] = useState<number | null>(null)
  const end = day.from + WHOLE * HOUR
  const length = hours * HOUR
  const middle = at ?? day.spans[0]?.from ?? day.from
  // It stays where it is until the picture leaves it.
  const from =
    hours === WHOLE
      ? day.from
      : Math.min(day.from + Math.floor((middle - day.from) / length) * length, end - length)
  const part = (second: number) => (second - from) / length
  const across = (one: number, other: number) => {
    const [begins, ends] = [Math.max(0, part(one)), Math.min(1, part(other))]
    return { x: percent(begins), width: percent(Math.max(0, ends - begins)) }
  }
  const touches = (s: Stretch) => s.from < from + length && s.to > from
  const isIn = (second: number) => second >= from && second < from + length
  const second = (e: MouseEvent<HTMLElement>) => {
    const box = e.currentTarget.getBoundingClientRect()
    return Math.floor(from + Math.max(0, Math.min(0.99999, (e.clientX - box.left) / box.width)) * length)
  }
  const ticks = Array.from({ length: TICKS[hours]! + 1 }, (_, i) => i / TICKS[hours]!)
  return (
    <div className="day-line">
      <div
        className="day-track"
        role="slider"
        tabIndex={0}
        aria-label="一天的录像"
        aria-valuemin={day.from}
        aria-valuemax={end}
        aria-valuenow={Math.floor(middle)}
        aria-valuetext={full(Math.floor(middle))}
        onClick={(e) => onSeek(second(e))}
        onMouseMove={(e) => setHover(second(e))}
        onMouseLeave={() => setHover(null)}
      >
        <svg aria-hidden="true">
          {day.to < end && <rect className="day-ahead" {...across(day.to, end)} height="100%" />}
          {day.spans.filter(touches).map((s) => (
            <rect key={s.from} className="day-span" {...atLeast(across(s.from, s.to))} height="100%" />
          ))}
          <Unplayable day={day} touches={touches} across={across} />
          {day.holds.map((h) => (
            <rect key={h.id} className="day-held" {...across(h.from, h.to)} y="88%" height="12%" />
          ))}
          {(cut.from ?? cut.to) !== undefined && (
            <rect className="day-cut" {...across(cut.from ?? cut.to!, cut.to ?? cut.from!)} height="100%" />
          )}
          {day.marks
            .filter((m) => isIn(m.at))
            .map((m) => (
              <Mark key={`${m.kind} ${m.id ?? m.at}`} mark={m} x={percent(part(m.at))} onSeek={onSeek} />
            ))}
          {at !== null && isIn(at) && (
            <line className="day-now" x1={percent(part(at))} x2={percent(part(at))} y1="0" y2="100%" />
          )}
          {beside && (
            <text className="day-name" x="0.5em" y="1.2em">
              {day.deviceSn}
            </text>
          )}
          {hover !== null && (
            <text className="day-hover" x={percent(Math.min(0.94, Math.max(0.06, part(hover))))} y="58%">
              {clock(hover, true)}
              {wordsAt(day, hover)}
            </text>
          )}
        </svg>
      </div>
      {beside && (
        <div className="day-track is-beside" aria-hidden="true" onClick={(e) => onSeek(second(e))}>
          <svg>
            {beside.to < end && <rect className="day-ahead" {...across(beside.to, end)} height="100%" />}
            {beside.spans.filter(touches).map((s) => (
              <rect key={s.from} className="day-span" {...atLeast(across(s.from, s.to))} height="100%" />
            ))}
            <Unplayable day={beside} touches={touches} across={across} />
            {at !== null && isIn(at) && (
              <line className="day-now" x1={percent(part(at))} x2={percent(part(at))} y1="0" y2="100%" />
            )}
            <text className="day-name" x="0.5em" y="1.2em">
              {beside.deviceSn}
            </text>
          </svg>
        </div>
      )}
      <svg className="day-ticks" aria-hidden="true">
        {ticks.map((t) => (
          <text key={t} x={percent(t)} y="1.1em" textAnchor={anchorOf(t)}>
            {t === 1 && hours === WHOLE ? '24:00' : clock(from + t * length, false)}
          </text>
        ))}
      </svg>
      <Legend day={day} />
    </div>
  )
}

/** What was recorded and does not play here. */
const Unplayable = ({
  day,
  touches,
  across,
}: {
  day: RecordingDay
  touches: (s: Stretch) => boolean
  across: (one: number, other: number) => { x: string; width: string }
}) => (
  <>
    <defs>
      <pattern id="day-hatch" width="6" height="6" patternUnits="userSpaceOnUse">
        <path d="M0 6 6 0M-1 1 1 -1M5 7 7 5" />
      </pattern>
    </defs>
    {day.pieces
      .filter((p) => touches(p) && !playsHere(p))
      .map((p) => (
        <rect key={p.id} className="day-unplayable" {...atLeast(across(p.from, p.to))} height="100%" />
      ))}
  </>
)

function Mark({ mark, x, onSeek }: { mark: RecordingMark; x: string; onSeek: (second: number) => void }) {
  const isAlarm = mark.kind === markKind.code.alarm
  return (
    <text
      className={`day-mark ${isAlarm ? 'is-alarm' : 'is-clockin'}`}
      x={x}
      y={isAlarm ? '34%' : '84%'}
      onClick={(e) => {
        e.stopPropagation()
        onSeek(mark.at)
      }}
    >
      {isAlarm ? '▲' : '●'}
      <title>{wordsOf(mark)}</title>
    </text>
  )
}

function Legend({ day }: { day: RecordingDay }) {
  const unplayable = day.pieces.filter((p) => !playsHere(p))
  const alarms = day.marks.filter((m) => m.kind === markKind.code.alarm).length
  return (
    <p className="day-legend">
      <span>
        <i className="day-key recorded" />
        有录像 {lastingOf(day.seconds)}，{day.spans.length} 段
      </span>
      {unplayable.length > 0 && (
        <span>
          <i className="day-key unplayable" />
          浏览器放不了（{[...new Set(unplayable.map((p) => filmFormat.label(p.format!)))].join('、')}）{' '}
          {unplayable.length} 段
        </span>
      )}
      <span>
        <i className="day-key missing" />
        没有录像
      </span>
      <span>
        <b className="is-alarm">▲</b> 报警 {alarms}
      </span>
      <span>
        <b className="is-clockin">●</b> 打卡 {day.marks.length - alarms}
      </span>
      {day.spans.length > 0 && <span className="day-until">保留到 {day.keptUntil}</span>}
    </p>
  )
}
