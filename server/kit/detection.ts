import type { DeviceEvent } from '@zhuguan/contract/features/devices/devices.events.ts'

/** One new event with the device that saw it; site and branch are where the device stood when it saw it. */
export interface Detection {
  device: {
    id: string
    sn: string
    tenant: string
    bc: string | null
    site: string | null
    since: number | null
  }
  event: DeviceEvent
  worker: { id: string; name: string } | undefined
  submission: number
}
export type Seen<K extends DeviceEvent['kind']> = Detection & {
  event: Extract<DeviceEvent, { kind: K }>
  device: { bc: string; site: string }
}

/** Events of one kind, from devices that stand on a site. */
export const seen = <K extends DeviceEvent['kind']>(all: readonly Detection[], kind: K): Seen<K>[] =>
  all.filter((d): d is Seen<K> => d.event.kind === kind && d.device.site !== null && d.device.bc !== null)
