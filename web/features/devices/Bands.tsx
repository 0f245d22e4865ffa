import { type DeviceSpan, deviceStatus } from '@zhuguan/contract/features/devices/devices.record.ts'

import { dayOf, dayStart, nowSeconds } from '../../kit/time.ts'
import { type Band, BandLegend, DayBand, isShown } from '../../parts/DayBand.tsx'

const DAY = 86_400
const DAYS = 14
const { faulty, offline, online } = deviceStatus.code
const WATCHED: readonly number[] = [online, offline, faulty]
type Times = Pick<Band, 'from' | 'to'>

/** The part of some bands that lies inside a time. */
const inside = <B extends Times>(bands: readonly B[], { from, to }: Times): B[] =>
  bands
    .map((b) => ({ ...b, from: Math.max(b.from, from), to: Math.min(b.to, to) }))
    .filter((b) => b.to > b.from)
const sum = (bands: readonly Times[]) => bands.reduce((n, b) => n + b.to - b.from, 0)

/** Each day of two weeks as a band from 00:00 to 24:00: when the device was on line, and when not and why. */
export function Bands({ spans, unheard }: { spans: readonly DeviceSpan[]; unheard: readonly Times[] }) {
  const now = nowSeconds()
  const days = Array.from({ length: DAYS }, (_, i) => dayOf(now - i * DAY))
  const all = spans.map((s): Band => ({ ...s, to: s.to ?? now }))
  return (
    <div className="bands">
      {days.map((day) => {
        const whole = { from: dayStart(day), to: dayStart(day) + DAY }
        const parts = inside(all, whole).filter(isShown)
        // What nobody heard counts for nothing, whatever the device was before.
        const heard = (b: Band) => b.to - b.from - sum(inside(unheard, b))
        const total = (states: readonly number[]) =>
          parts.filter((b) => b.state !== null && states.includes(b.state)).reduce((n, b) => n + heard(b), 0)
        const measured = total(WATCHED)
        const silence = parts.flatMap((p) =>
          inside(unheard, p).map((u): Band => ({ ...u, state: null, cause: '' })),
        )
        return (
          <div key={day} className="band-day">
            <span>{day.slice(5)}</span>
            <DayBand day={day} bands={[...parts, ...silence]} label={`${day} 的在线情况`} titles />
            <small>{measured > 0 ? `${Math.round((total([online]) / measured) * 100)}%` : '--'}</small>
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
      <BandLegend>右边是那天在线的时间占比，停在库房、未启用和未监测的时间不算</BandLegend>
    </div>
  )
}
