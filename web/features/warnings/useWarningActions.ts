import { warningActions } from '@zhuguan/contract/features/warnings/warnings.actions.ts'
import { warningsApi } from '@zhuguan/contract/features/warnings/warnings.api.ts'
import { type WarningRow, warningRule } from '@zhuguan/contract/features/warnings/warnings.record.ts'

import { actionsOf } from '../../kit/actionsOf.ts'
import { call } from '../../kit/api.ts'
import type { RowAction } from '../../kit/RowActions.tsx'
import { useActor } from '../../parts/session.ts'

/** What this person may do to a warning. */
export function useWarningActions(take: (w: WarningRow) => void): (w: WarningRow) => RowAction[] {
  const actor = useActor()
  return (w) =>
    actionsOf(warningActions, w, actor, {
      take: { open: () => take(w) },
      close: {
        confirm: `关闭 ${w.siteName} 的“${warningRule.label(w.rule)}”：原因还在时，升级以前不再提醒，请写明理由`,
        run: (reason) => call(warningsApi.close, { body: { id: w.id, version: w.version, reason } }),
      },
    })
}
