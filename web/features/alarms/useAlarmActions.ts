import { alarmActions } from '@zhuguan/contract/features/alarms/alarms.actions.ts'
import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { type AlarmRow, alarmType } from '@zhuguan/contract/features/alarms/alarms.record.ts'

import { actionsOf } from '../../kit/actionsOf.ts'
import { call } from '../../kit/api.ts'
import type { RowAction } from '../../kit/RowActions.tsx'
import { useActor } from '../../parts/session.ts'

/** What is asked before a command that needs more than a reason. */
export interface Asking {
  kind: 'assign' | 'cancel' | 'submit'
  alarms: AlarmRow[]
}

/** What this person may do to an alarm. */
export function useAlarmActions(ask: (a: Asking) => void): (alarm: AlarmRow) => RowAction[] {
  const actor = useActor()
  return (alarm) => {
    const what = `${alarm.siteName} 的${alarmType.label(alarm.type)}报警`
    const one = { id: alarm.id, version: alarm.version }
    const drawer = (kind: Asking['kind']) => ({ open: () => ask({ kind, alarms: [alarm] }) })
    return actionsOf(alarmActions, alarm, actor, {
      assign: drawer('assign'),
      start: { run: () => call(alarmsApi.start, { body: one }) },
      submit: drawer('submit'),
      pass: { run: () => call(alarmsApi.pass, { body: one }) },
      back: {
        confirm: `退回 ${what}：请写明哪里没有改好`,
        run: (reason) => call(alarmsApi.back, { body: { ...one, reason } }),
      },
      dispute: {
        confirm: `申诉 ${what}：请写明为什么不是问题`,
        run: (reason) => call(alarmsApi.dispute, { body: { ...one, reason } }),
      },
      cancel: drawer('cancel'),
      reopen: {
        confirm: `重新打开 ${what}：请写明原因`,
        run: (reason) => call(alarmsApi.reopen, { body: { ...one, reason } }),
      },
    })
  }
}
