import { type AlarmRow, alarmType } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { alarmActions } from '@zhuguan/contract/features/corrections/corrections.actions.ts'

import type { RowAction } from '../../kit/RowActions.tsx'
import { type AskKind, useCorrecting } from '../../parts/useCorrecting.ts'

export interface Asking {
  kind: AskKind
  alarms: AlarmRow[]
}

/** What this person may do to an alarm. */
export function useAlarmActions(ask: (a: Asking) => void): (alarm: AlarmRow) => RowAction[] {
  const correcting = useCorrecting<AlarmRow>((kind, alarm) => ask({ kind, alarms: [alarm] }))
  return (alarm) =>
    correcting(alarm, {
      machine: alarmActions,
      what: `${alarm.siteName} 的${alarmType.label(alarm.type)}报警`,
    })
}
