import { dayStart } from '../../kit/time.ts'

const DAY = 86_400
const query = (values: Record<string, string | undefined>) =>
  new URLSearchParams(Object.entries(values).filter((e): e is [string, string] => !!e[1])).toString()

/** The list of attendance of those days: its total is the number of person-days. */
export const attendOf = (from: string, to: string, filter: Record<string, string | undefined> = {}) =>
  `#/worker/WorkerAttend?${query({ from, to, attendance: '1', ...filter })}`
/** The alarms raised on those days. */
export const alarmsOf = (from: string, to: string, filter: Record<string, string | undefined> = {}) =>
  `#/image/AlarmEvent?${query({ from: String(dayStart(from)), to: String(dayStart(to) + DAY), ...filter })}`
export const devicesOf = (filter: Record<string, string | undefined>) =>
  `#/device/DeviceList?${query(filter)}`
export const noWorkOf = (filter: Record<string, string | undefined>) => `#/Site/NoWork?${query(filter)}`
