import {
  CLOCK_SKEW_SECONDS,
  DEVICE_EVENT_KINDS,
  type DeviceEvent,
  deviceEvent,
  LATE_SECONDS,
  MAX_EVENTS,
} from '@zhuguan/contract/features/devices/devices.events.ts'

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
  if (e.kind === 'recording' && e.from > e.to) return 'from'
  return undefined
}

/** Body → events of this device, each judged by itself; one bad event does not lose the others (device-protocol.md). */
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
    const odd = read.success ? oddField(read.data, seconds + CLOCK_SKEW_SECONDS) : undefined
    const reason = !read.success
      ? (DEVICE_EVENT_KINDS as readonly unknown[]).includes((item as { kind?: unknown } | null)?.kind)
        ? `字段不正确：${read.error.issues[0]?.path.join('.') ?? ''}`
        : '不认识的事件类型'
      : !writable(read.data)
        ? '含有不能保存的字符'
        : read.data.at > seconds + CLOCK_SKEW_SECONDS
          ? '时间在未来'
          : odd
            ? `字段不正确：${odd}`
            : !history && read.data.at < seconds - LATE_SECONDS
              ? '超过 7 天，不再接收'
              : read.data.kind !== 'heartbeat' && !device.site
                ? '设备未绑定工地'
                : undefined
    if (reason || !read.success) rejected.push({ id, reason: reason ?? '' })
    else events.push(read.data)
  }
  return { events, rejected }
}
