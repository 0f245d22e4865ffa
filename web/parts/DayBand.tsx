import { deviceStatus, spanCause } from '@zhuguan/contract/features/devices/devices.record.ts'

import { dayStart, lasting, short } from '../kit/time.ts'

import './bands.css'

const DAY = 86_400
const { faulty, notEnabled, offline, online } = deviceStatus.code
/** The states of a device on a site; in a box it has none of them here. */
const SHOWN: Record<number, string> = {
  [online]: 'band-online',
  [offline]: 'band-offline',
  [notEnabled]: 'band-waiting',
  [faulty]: 'band-faulty',
}
const UNKNOWN = 'band-unknown'
const SKEWED = 'band-skewed'

/** A stretch of a day; its state is null where no server listened. */
export interface Band {
  state: number | null
  cause: string
  from: number
  to: number
}
export const isShown = ({ state }: Band): boolean => state === null || state in SHOWN

/** 08:00 – 24:00, of the day in which it begins. */
export function bandTimes({ from, to }: Pick<Band, 'from' | 'to'>, day: string): string {
  const clock = (at: number) => (at === dayStart(day) + DAY ? '24:00' : short(at).slice(6))
  return `${clock(from)} – ${clock(to)}`
}
export const bandState = ({ state, cause }: Band): string =>
  state === null ? '未监测' : `${deviceStatus.label(state)}（${spanCause.label(cause)}）`
/** One band in words: its times, its state and why, how long it lasted. */
export const bandWords = (band: Band, day: string): string =>
  `${bandTimes(band, day)} ${bandState(band)}，${lasting(band.to - band.from)}`

/** A day from 00:00 to 24:00; under it, when the camera was skewed. */
export function DayBand({
  day,
  bands,
  skewed = [],
  label,
  titles = false,
}: {
  day: string
  bands: readonly Band[]
  skewed?: readonly Pick<Band, 'from' | 'to'>[]
  /** Empty where what is around it tells it in words. */
  label: string
  /** Each band tells of itself under the pointer. */
  titles?: boolean
}) {
  const begin = dayStart(day)
  return (
    <svg
      className="day-band"
      viewBox={`0 0 ${DAY} 10`}
      preserveAspectRatio="none"
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      {bands.filter(isShown).map((b) => (
        <rect
          key={`${b.from} ${b.state}`}
          className={b.state === null ? UNKNOWN : SHOWN[b.state]}
          x={b.from - begin}
          width={b.to - b.from}
          height="10"
        >
          {titles && <title>{bandWords(b, day)}</title>}
        </rect>
      ))}
      {skewed.map((s) => (
        <rect key={s.from} className={SKEWED} x={s.from - begin} width={s.to - s.from} y="7" height="3" />
      ))}
    </svg>
  )
}

/** The meaning of the colours, in words. */
export const BandLegend = ({ skewed = false, children }: { skewed?: boolean; children: string }) => (
  <p className="quiet band-legend">
    {[online, offline, notEnabled, faulty].map((state) => (
      <span key={state}>
        <i className={SHOWN[state]} /> {deviceStatus.label(state)}
      </span>
    ))}
    <span title="没有服务器在运行，设备是否在线不得而知，不计入在线率">
      <i className={UNKNOWN} /> 未监测
    </span>
    {skewed && (
      <span>
        <i className={SKEWED} /> 摄像头偏移
      </span>
    )}
    <span>{children}</span>
  </p>
)
