import { deviceStatus, spanCause } from '@zhuguan/contract/features/devices/devices.record.ts'
import type {
  OnlineBand,
  OnlineCamera,
  OnlineFigures,
  Outage,
  SiteOnline,
} from '@zhuguan/contract/features/video/video.record.ts'

import { addDays, startOfDay } from '../../kit/shanghai.ts'
import { type CameraStay, type Moments, WATCHED_STATES, type WatchedSpan } from '../devices/watched.reads.ts'

const { online, spare, inStock } = deviceStatus.code
const MINUTE = 60

type Stay = CameraStay & { here: boolean; reachable: boolean }
export interface Seen {
  siteName: string
  days: { from: string; to: string }
  now: number
  stays: readonly Stay[]
  spans: readonly WatchedSpan[]
  unheard: readonly Moments[]
  skews: readonly { id: string; device: string; from: number; to: number | null }[]
  checks: ReadonlyMap<string, number>
}
/** A stretch in one state with its exact moments; null where nobody listened, `watched` where it then counts. */
interface Part extends Moments {
  state: WatchedSpan['state'] | null
  cause: string
  watched: boolean
}

/** The part that two times have in common. */
function common(a: Moments, b: Moments): Moments | null {
  const both = { from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) }
  return both.to > both.from ? both : null
}
const length = (m: Moments) => m.to - m.from

/** A stretch with the times cut out of it in which nobody listened. */
function cut(part: Part, unheard: readonly Moments[]): Part[] {
  const parts: Part[] = []
  let from = part.from
  for (const gap of unheard) {
    const silence = common(part, gap)
    if (!silence) continue
    if (silence.from > from) parts.push({ ...part, from, to: silence.from })
    parts.push({ ...silence, state: null, cause: '', watched: part.watched })
    from = silence.to
  }
  return from < part.to ? [...parts, { ...part, from }] : parts
}

/** Parts that follow each other and are the same, as one: nobody listening says nothing of what changed meanwhile. */
function joined(parts: readonly Part[]): Part[] {
  const all: Part[] = []
  for (const p of parts) {
    const last = all.at(-1)
    const goesOn = last && last.state === null && p.state === null && last.to === p.from
    if (goesOn && last.watched === p.watched) last.to = p.to
    else all.push({ ...p })
  }
  return all
}

function figuresOf(parts: readonly Part[]): OnlineFigures & { seconds: readonly [number, number, number] } {
  const of = (which: (p: Part) => boolean) =>
    parts.filter((p) => p.watched && which(p)).reduce((sum, p) => sum + length(p), 0)
  return figures(
    of((p) => p.state === online),
    of((p) => p.state !== null && p.state !== online),
    of((p) => p.state === null),
  )
}
function figures(on: number, off: number, unknown: number) {
  const minutes = (seconds: number) => Math.round(seconds / MINUTE)
  return {
    online: minutes(on),
    offline: minutes(off),
    unknown: minutes(unknown),
    measured: minutes(on) + minutes(off),
    rate: on + off > 0 ? Math.round((1000 * on) / (on + off)) / 10 : null,
    seconds: [on, off, unknown] as const,
  }
}
const bandOf = ({ state, cause, from, to }: Part): OnlineBand => ({
  state,
  cause,
  from: Math.floor(from),
  to: Math.floor(to),
})

const daysOf = ({ from, to }: { from: string; to: string }): string[] => {
  const days: string[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day)
  return days
}

/** Every outage of a stay that reaches into the days asked for, whole as far as the camera stood here. */
function outagesOf(stay: Stay, spans: readonly WatchedSpan[], period: Moments, now: number): Outage[] {
  return spans.flatMap((s) => {
    if (!WATCHED_STATES.includes(s.state) || s.state === online) return []
    const here = common({ from: s.from, to: s.to ?? now }, { from: stay.from, to: stay.to ?? now })
    if (!here || !common(here, period)) return []
    const left = stay.to !== null && stay.to <= (s.to ?? now)
    const lasts = s.to === null && !left
    const ended = left ? spanCause.code.unbound : s.next
    return [
      {
        device_id: stay.id,
        sn: stay.sn,
        reachable: stay.reachable,
        cause: s.cause,
        from: Math.floor(here.from),
        to: lasts ? null : Math.floor(here.to),
        minutes: Math.round(length(here) / MINUTE),
        endedBy: lasts ? null : ended,
      },
    ]
  })
}

/** The states of a site's cameras, reckoned from their states, their stays and the times that nobody listened. */
export function onlineOf(seen: Seen): SiteOnline {
  const { now, days } = seen
  const period = {
    from: startOfDay(days.from).getTime() / 1000,
    to: Math.min(now, startOfDay(addDays(days.to, 1)).getTime() / 1000),
  }
  const outages: Outage[] = []
  const cameras = [...new Set(seen.stays.map((s) => s.id))].map((id) => {
    const stays = seen.stays.filter((s) => s.id === id)
    const spans = seen.spans.filter((s) => s.device === id)
    const lost = stays.flatMap((stay) => outagesOf(stay, spans, period, now))
    outages.push(...lost)
    const skews = seen.skews.filter((s) => s.device === id)
    const frozen = lost.filter((o) => o.cause === spanCause.code.frozen)
    const parts = stays.flatMap((stay) =>
      spans
        .filter((s) => s.state !== spare && s.state !== inStock)
        .flatMap((s) => {
          const here = common({ from: s.from, to: s.to ?? now }, { from: stay.from, to: stay.to ?? now })
          const part = here && common(here, period)
          if (!part) return []
          const watched = WATCHED_STATES.includes(s.state)
          return cut({ ...part, state: s.state, cause: s.cause, watched }, seen.unheard)
        }),
    )
    const each = daysOf(days).map((day) => {
      const whole = {
        from: startOfDay(day).getTime() / 1000,
        to: startOfDay(addDays(day, 1)).getTime() / 1000,
      }
      const own = joined(
        parts.flatMap((p) => {
          const part = common(p, whole)
          return part ? [{ ...p, ...part }] : []
        }),
      )
      return { day, ...figuresOf(own), bands: own.map(bandOf).filter((b) => b.to > b.from) }
    })
    const last = stays.at(-1)!
    const frozenIn = parts.filter((p) => p.cause === spanCause.code.frozen).reduce((n, p) => n + length(p), 0)
    return {
      id,
      sn: last.sn,
      model: last.model,
      here: stays.some((s) => s.here),
      reachable: last.reachable,
      ...figuresOf(parts),
      outages: lost.length,
      frozen: { times: frozen.length, minutes: Math.round(frozenIn / MINUTE) },
      skewed: stays.flatMap((stay) =>
        skews.flatMap((s) => {
          const here = common({ from: s.from, to: s.to ?? now }, { from: stay.from, to: stay.to ?? now })
          if (!here || !common(here, period)) return []
          const lasts = s.to === null && (stay.to === null || stay.to > now)
          return [{ id: s.id, from: Math.floor(here.from), to: lasts ? null : Math.floor(here.to) }]
        }),
      ),
      skewedChecks: seen.checks.get(id) ?? 0,
      days: each,
    }
  })
  const sum = (n: 0 | 1 | 2) => cameras.reduce((all, c) => all + c.seconds[n], 0)
  return {
    siteName: seen.siteName,
    ...days,
    total: {
      ...figures(sum(0), sum(1), sum(2)),
      cameras: cameras.length,
      outages: outages.length,
      frozen: cameras.reduce((n, c) => n + c.frozen.times, 0),
      skewed: cameras.reduce((n, c) => n + c.skewed.length, 0),
    },
    cameras: cameras.toSorted(worstFirst),
    outages: outages.toSorted((a, b) => b.from - a.from || a.sn.localeCompare(b.sn)),
  }
}
const worstFirst = (a: OnlineCamera, b: OnlineCamera): number =>
  (a.rate ?? Infinity) - (b.rate ?? Infinity) || a.sn.localeCompare(b.sn)
