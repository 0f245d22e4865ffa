import type { DeviceEvent } from '@zhuguan/contract/features/devices/devices.events.ts'

export interface NamedFile {
  key: string
  /** The kind that it has to be. */
  kind: 'picture' | 'clip'
}
/** The files that an event names. */
export function filesNamed(event: DeviceEvent): NamedFile[] {
  const named: NamedFile[] = []
  if ('picture' in event && event.picture) named.push({ key: event.picture, kind: 'picture' })
  if ('clip' in event && event.clip) named.push({ key: event.clip, kind: 'clip' })
  if ('file' in event && event.file) named.push({ key: event.file, kind: 'clip' })
  return named
}
