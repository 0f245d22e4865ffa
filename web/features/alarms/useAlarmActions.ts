import { type AlarmAction, alarmActions } from '@zhuguan/contract/features/alarms/alarms.actions.ts'
import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import type { AlarmRow } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { hasAnyPermission } from '@zhuguan/contract/kit/permits.ts'

import { call } from '../../kit/api.ts'
import type { RowAction } from '../../kit/RowActions.tsx'
import { useActor } from '../../parts/session.ts'

/** What is asked before a command that needs more than a reason. */
export interface Asking {
  kind: 'assign' | 'cancel' | 'submit'
  alarms: AlarmRow[]
}
const SIMPLE: readonly AlarmAction[] = ['start', 'pass', 'back', 'dispute', 'reopen']
const ORDER: readonly AlarmAction[] = [
  'assign',
  'start',
  'submit',
  'pass',
  'back',
  'cancel',
  'dispute',
  'reopen',
]

/** The table of actions as buttons: what the person could never do is left out, what cannot be done now says why. */
export function useAlarmActions(ask: (a: Asking) => void) {
  const actor = useActor()
  return (alarm: AlarmRow): RowAction[] =>
    ORDER.filter((name) => hasAnyPermission(actor, alarmActions.needs(name))).map((name) => {
      const action = alarmActions.table[name]
      const base = { key: name, label: action.label, why: alarmActions.refusal(name, alarm, actor) }
      const one = { id: alarm.id, version: alarm.version }
      if (!SIMPLE.includes(name))
        return { ...base, open: () => ask({ kind: name as Asking['kind'], alarms: [alarm] }) }
      const reason = 'reason' in action
      return {
        ...base,
        reason,
        run: (text: string) =>
          call(alarmsApi[name as 'back'], { body: { ...one, ...(reason ? { reason: text } : {}) } as never }),
      }
    })
}
