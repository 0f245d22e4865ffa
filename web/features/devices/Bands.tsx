import {
  type DeviceSpan,
  deviceStatus,
  spanCause,
} from '@zhuguan/contract/features/devices/devices.record.ts'

import { dayOf, dayStart, lasting, nowSeconds, short } from '../../kit/time.ts'

import './device.css'

const DAY = 86_400
const DAYS = 14
const { faulty, notEnabled, offline, online } = deviceStatus.code
/** What a device on a site can be; in a box it is nothing here. */
const SHOWN: Record<number, string> = {
  [online]: 'band-online',
  [offline]: 'band-offline',
  [notEnabled]: 'band-waiting',
  [faulty]: 'band-faulty',
}

/** Each day of two weeks as a band from 00:00 to 24:00: when the device was on line, and when not and why. */
export function Bands({ spans }: { spans: readonly DeviceSpan[] }) {
  const now = nowSeconds()
  const days = Array.from({ length: DAYS }, (_, i) => dayOf(now - i * DAY))
  return (
    <div className="bands">
      {days.map((day) => {
        const from = dayStart(day)
        const parts = spans
          .map((s) => ({ ...s, begin: Math.max(s.from, from), end: Math.min(s.to ?? now, from + DAY) }))
          .filter((s) => s.end > s.begin && SHOWN[s.state])
        const on = parts.filter((s) => s.state === online).reduce((sum, s) => sum + s.end - s.begin, 0)
        const all = parts.reduce((sum, s) => sum + s.end - s.begin, 0)
        return (
          <div key={day} className="band-day">
            <span>{day.slice(5)}</span>
            <svg
              viewBox={`0 0 ${DAY} 10`}
              preserveAspectRatio="none"
              role="img"
              aria-label={`${day} 的在线情况`}
            >
              {parts.map((s) => (
                <rect
                  key={s.begin}
                  className={SHOWN[s.state]}
                  x={s.begin - from}
                  width={s.end - s.begin}
                  height="10"
                >
                  <title>{titleOf(s, s.end === from + DAY)}</title>
                </rect>
              ))}
            </svg>
            <small>{all > 0 ? `${Math.round((on / all) * 100)}%` : '--'}</small>
          </div>
        )
      })}
      <p className="band-hours" aria-hidden="true">
        <span>0 时</span>
        <span>6 时</span>
        <span>12 时</span>
        <span>18 时</span>
        <span>24 时</span>
      </p>
      <p className="quiet band-legend">
        {[online, offline, notEnabled, faulty].map((state) => (
          <span key={state}>
            <i className={SHOWN[state]} /> {deviceStatus.label(state)}
          </span>
        ))}
        <span>右边是那天在线的时间占比，停在库房的时间不算</span>
      </p>
    </div>
  )
}
const clock = (at: number) => short(at).slice(6)
function titleOf(s: DeviceSpan & { begin: number; end: number }, toMidnight: boolean): string {
  const times = `${clock(s.begin)} – ${toMidnight ? '24:00' : clock(s.end)}`
  return `${times} ${deviceStatus.label(s.state)}（${spanCause.label(s.cause)}），${lasting(s.end - s.begin)}`
}
