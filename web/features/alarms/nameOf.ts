import { type AlarmRow, alarmType } from '@zhuguan/contract/features/alarms/alarms.record.ts'

/** Its type, and how often it was seen. */
export const nameOf = (a: Pick<AlarmRow, 'type' | 'seen'>): string =>
  alarmType.label(a.type) + (a.seen > 1 ? ` ×${a.seen}` : '')
