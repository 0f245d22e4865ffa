import { type TimelineEvent, timelineKind } from '@zhuguan/contract/features/timeline/timeline.api.ts'

import { dayOf } from '../../kit/time.ts'

/** One line of the timeline: an event, or many of the same kind one after the other. */
export interface Line {
  key: string
  events: readonly TimelineEvent[]
}
export interface TimelineDay {
  day: string
  count: number
  lines: readonly Line[]
}
/** A machine's repeated words; from so many on they are one line. */
const REPEATING: ReadonlySet<string> = new Set([timelineKind.code.clockin, timelineKind.code.device])
const FOLD_FROM = 3

/** Events by their day, newest first; runs of what repeats become one line. */
export function daysOf(events: readonly TimelineEvent[]): TimelineDay[] {
  const days: { day: string; runs: TimelineEvent[][] }[] = []
  for (const event of events) {
    const day = dayOf(event.at)
    let last = days.at(-1)
    if (last?.day !== day) days.push((last = { day, runs: [] }))
    const run = last.runs.at(-1)
    if (run && run[0]!.kind === event.kind && REPEATING.has(event.kind)) run.push(event)
    else last.runs.push([event])
  }
  return days.map(({ day, runs }) => ({
    day,
    count: runs.flat().length,
    lines: runs.flatMap((run) =>
      run.length >= FOLD_FROM
        ? [{ key: run[0]!.id, events: run }]
        : run.map((event) => ({ key: event.id, events: [event] })),
    ),
  }))
}

const MOST_NAMES = 3
/** A run of events in a few words. */
export function runText(events: readonly TimelineEvent[]): string {
  const names = [...new Set(events.map((e) => e.actor).filter(Boolean))]
  const named = names.slice(0, MOST_NAMES).join('、')
  const more = names.length > MOST_NAMES ? ` 等 ${names.length} ` : ''
  const clockin = events[0]!.kind === timelineKind.code.clockin
  return clockin
    ? `打卡 ${events.length} 次：${named}${more && `${more}人`}`
    : `设备状态 ${events.length} 次变化：${named}${more && `${more}台`}`
}

const DAY = 86_400
const LEAST_DAYS = 14
/** Every day up to today with how much happened on it; days without anything are there too. */
export function everyDay(
  perDay: readonly { day: string; count: number }[],
  now: number,
): { day: string; count: number }[] {
  const counts = new Map(perDay.map((d) => [d.day, d.count]))
  const first = Math.min(
    perDay[0] ? Date.parse(perDay[0].day) : Infinity,
    Date.parse(dayOf(now - (LEAST_DAYS - 1) * DAY)),
  )
  const many = Math.round((Date.parse(dayOf(now)) - first) / (DAY * 1000)) + 1
  return Array.from({ length: many }, (_, i) => {
    const day = new Date(first + i * DAY * 1000).toISOString().slice(0, 10)
    return { day, count: counts.get(day) ?? 0 }
  })
}
