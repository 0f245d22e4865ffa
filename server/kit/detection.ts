import type { DeviceEvent } from '@zhuguan/contract/features/devices/devices.events.ts'

/** One new event with the device that saw it; site and branch are where the device stood when it saw it. */
export interface Detection {
  device: {
    id: string
    sn: string
    type: string
    tenant: string
    bc: string | null
    site: string | null
    since: number | null
  }
  event: DeviceEvent
  /** The id of the worker whom it names. */
  worker: string | undefined
  submission: number
}
export type Seen<K extends DeviceEvent['kind']> = Detection & {
  event: Extract<DeviceEvent, { kind: K }>
  device: { bc: string; site: string }
}

/** Events of one kind, from devices that stand on a site. */
export const seen = <K extends DeviceEvent['kind']>(all: readonly Detection[], kind: K): Seen<K>[] =>
  all.filter((d): d is Seen<K> => d.event.kind === kind && d.device.site !== null && d.device.bc !== null)

/**
 * Two values for one statement: the rows of all detections, and apart from them, once each, what those of one device at
 * one place have in common. `d` joins the two.
 */
export function byDevice<D extends Detection>(
  all: readonly D[],
  row: (detection: D) => object,
  shared: (detection: D) => object,
): [rows: string, devices: string] {
  const places = new Map<string, number>()
  const devices: object[] = []
  const rows = all.map((detection) => {
    const key = `${detection.device.id}${detection.device.site}`
    let d = places.get(key)
    if (d === undefined) {
      places.set(key, (d = devices.length))
      devices.push({ d, ...shared(detection) })
    }
    return { d, ...row(detection) }
  })
  return [JSON.stringify(rows), JSON.stringify(devices)]
}
