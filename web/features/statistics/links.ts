import { hrefOf } from '../../kit/LinkTo.tsx'
import { dayStart } from '../../kit/time.ts'

const DAY = 86_400
type Filter = Record<string, string | undefined>

/** The list of attendance of those days: its total is the number of person-days. */
export const attendOf = (from: string, to: string, filter: Filter = {}) =>
  hrefOf('WorkerAttend', { from, to, attendance: '1', ...filter })
/** The alarms raised on those days. */
export const alarmsOf = (from: string, to: string, filter: Filter = {}) =>
  hrefOf('AlarmEvent', { from: dayStart(from), to: dayStart(to) + DAY, ...filter })
/** The patrols handed in on those days. */
export const patrolsOf = (from: string, to: string, filter: Filter = {}) =>
  hrefOf('PatrolRecord', { status: '2', from: dayStart(from), to: dayStart(to) + DAY, ...filter })
/** The complaints entered on those days. */
export const complaintsOf = (from: string, to: string, filter: Filter = {}) =>
  hrefOf('FeedbackList', { kind: 'complaint', from: dayStart(from), to: dayStart(to) + DAY, ...filter })
export const devicesOf = (filter: Filter) => hrefOf('DeviceList', filter)
export const noWorkOf = (filter: Filter) => hrefOf('NoWork', filter)
