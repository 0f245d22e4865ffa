import type { Asked } from '@zhuguan/contract/links.ts'

import { hrefOf } from '../../kit/LinkTo.tsx'
import { dayStart } from '../../kit/time.ts'

const DAY = 86_400
type Filter = Record<string, string | undefined>

/** The list of attendance of those days: its total is the number of person-days. */
export const attendOf = (from: string, to: string, filter: Filter = {}) =>
  hrefOf('WorkerAttend', { from, to, attendance: '1', ...filter })
/** The alarms raised on those days. */
export const alarmsOf = (from: string, to: string, filter: Asked<'AlarmEvent'> = {}) =>
  hrefOf('AlarmEvent', { from: dayStart(from), to: dayStart(to) + DAY, ...filter })
/** The patrols handed in on those days. */
export const patrolsOf = (from: string, to: string, filter: Asked<'PatrolRecord'> = {}) =>
  hrefOf('PatrolRecord', { status: '2', from: dayStart(from), to: dayStart(to) + DAY, ...filter })
/** The complaints entered on those days. */
export const complaintsOf = (from: string, to: string, filter: Filter = {}) =>
  hrefOf('FeedbackList', { kind: 'complaint', from: dayStart(from), to: dayStart(to) + DAY, ...filter })
export const devicesOf = (filter: Filter) => hrefOf('DeviceList', filter)
export const noWorkOf = (filter: Filter) => hrefOf('NoWork', filter)
/** The alarms whose correction was verified on those days. */
export const correctedOf = (from: string, to: string, filter: Asked<'AlarmEvent'> = {}) =>
  hrefOf('AlarmEvent', { correctionStatus: '3', closedFrom: from, closedTo: to, ...filter })
/** The occurrences of plans whose window ended on those days. */
export const tasksOf = (from: string, to: string, filter: Asked<'PatrolRecord'> = {}) =>
  hrefOf('PatrolRecord', { view: 'tasks', closesFrom: from, closesTo: to, ...filter })

/** Days and what is counted on them: what stands in the address, what is over, how far the curve by days goes. */
export interface Days {
  /** The first and the last day of what is counted together. */
  from: string
  to: string
  /** All days that are drawn, without a gap. */
  days: string[]
  /** The last of them is not over. */
  running: boolean
}
export function daysOf(
  asked: { from: string; to: string; whole: { from: string; to: string } | null; begun: boolean },
  today: string,
): Days {
  const { whole, begun } = asked
  const counted = whole ?? asked
  const running = begun && asked.to >= today && asked.from <= today
  const last = running ? today : counted.to
  const days: string[] = []
  for (let at = Date.parse(asked.from); at <= Date.parse(last); at += DAY * 1000)
    days.push(new Date(at).toISOString().slice(0, 10))
  return { from: counted.from, to: counted.to, days, running }
}
