import { actionsOfSource, urgeRefusal } from '@zhuguan/contract/features/corrections/corrections.actions.ts'
import { correctionsApi } from '@zhuguan/contract/features/corrections/corrections.api.ts'
import type { CorrectionRow } from '@zhuguan/contract/features/corrections/corrections.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import { call } from '../../kit/api.ts'
import type { RowAction } from '../../kit/RowActions.tsx'
import { nowSeconds } from '../../kit/time.ts'
import { useActor } from '../../parts/session.ts'
import { type AskKind, useCorrecting } from '../../parts/useCorrecting.ts'

export interface Asking {
  kind: AskKind
  correction: CorrectionRow
}

/** What this person may do to a correction; alarms go by their own rights. */
export function useCorrectionActions(ask: (a: Asking) => void): (correction: CorrectionRow) => RowAction[] {
  const actor = useActor()
  const correcting = useCorrecting<CorrectionRow>((kind, correction) => ask({ kind, correction }))
  const mayUrge = hasPermission(actor, 'correction:urge')
  return (c) => {
    const own = correcting(c, {
      machine: actionsOfSource(c.source),
      what: `${c.siteName} 的“${c.problem}”`,
    })
    if (!mayUrge || c.closedAt !== null || c.assignee_id === actor.id) return own
    const urge: RowAction = {
      key: 'urge',
      label: '催办',
      why: urgeRefusal(c, nowSeconds()),
      reason: false,
      run: () => call(correctionsApi.urge, { body: { id: c.id, version: c.version } }),
    }
    return [...own, urge]
  }
}
