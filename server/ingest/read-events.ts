import {
  CLOCK_SKEW_SECONDS,
  DEVICE_EVENT_KINDS,
  type DeviceEvent,
  deviceEvent,
  LATE_SECONDS,
  MAX_EVENTS,
} from '@zhuguan/contract/features/devices/devices.events.ts'
import { LONGEST_RECORDING_S } from '@zhuguan/contract/features/recordings/recordings.record.ts'

import { Refused } from '../kit/refuse.ts'
import type { KnownDevice } from './device-book.ts'

/** PostgreSQL keeps neither NUL nor half a surrogate pair; half a pair would even come back changed, and look like a duplicate. */
const writable = (v: unknown): boolean =>
  typeof v === 'string'
    ? v.isWellFormed() && !v.includes('\0')
    : typeof v !== 'object' || v === null || Object.values(v).every(writable)
const LONGEST_STAY = 86_400

/** What the schema cannot say: every time an event names has come, a stretch ends after it began. */
function oddField(e: DeviceEvent, latest: number): string | undefined {
  if (e.kind === 'heartbeat' && (e.frameAt ?? 0) > latest) return 'frameAt'
  if (e.kind === 'visitor' && e.seconds > LONGEST_STAY) return 'seconds'
  if (e.kind === 'recording' && e.to > latest) return 'to'
  if (e.kind === 'recording' && (e.from >= e.to || e.to - e.from > LONGEST_RECORDING_S)) return 'from'
  return undefined
}

/** The reason why an item is no event of the protocol. */
function unreadable(item: unknown, field: string): string {
  const kind = (item as { kind?: unknown } | null)?.kind
  const known = (DEVICE_EVENT_KINDS as readonly unknown[]).includes(kind)
  return known ? `字段不正确：${field}` : '不认识的事件类型'
}

/** The reason why an event that reads well is not taken from this device at this second. */
function unwelcome(
  event: DeviceEvent,
  device: KnownDevice,
  seconds: number,
  history: boolean,
): string | undefined {
  const latest = seconds + CLOCK_SKEW_SECONDS
  if (!writable(event)) return '含有不能保存的字符'
  if (event.at > latest) return '时间在未来'
  const odd = oddField(event, latest)
  if (odd) return `字段不正确：${odd}`
  if (!history && event.at < seconds - LATE_SECONDS) return '超过 7 天，不再接收'
  return undefined
}

/** Body → events of this device, each judged by itself; one bad event does not lose the others. */
export function readEvents(
  raw: Buffer,
  device: KnownDevice,
  now: Date,
  history: boolean,
): { events: DeviceEvent[]; rejected: { id: string; reason: string }[] } {
  let body: unknown
  try {
    body = JSON.parse(raw.toString('utf8'))
  } catch {
    throw new Refused('内容不是 JSON', 400, 400)
  }
  const list = (body as { events?: unknown } | null)?.events
  if (!Array.isArray(list)) throw new Refused('缺少 events', 400, 400)
  if (list.length > MAX_EVENTS) throw new Refused(`一次最多 ${MAX_EVENTS} 条`, 413, 413)
  const seconds = Math.floor(now.getTime() / 1000)
  const events: DeviceEvent[] = []
  const rejected: { id: string; reason: string }[] = []
  for (const item of list) {
    const id = String((item as { id?: unknown } | null)?.id ?? '')
      .slice(0, 64)
      .toWellFormed()
    const read = deviceEvent.safeParse(item)
    const reason = read.success
      ? unwelcome(read.data, device, seconds, history)
      : unreadable(item, read.error.issues[0]?.path.join('.') ?? '')
    if (read.success && !reason) events.push(read.data)
    else rejected.push({ id, reason: reason ?? '' })
  }
  return { events, rejected }
}
