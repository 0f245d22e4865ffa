import { caseActions } from '@zhuguan/contract/features/cases/cases.actions.ts'
import { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'
import { type CaseRow, caseState } from '@zhuguan/contract/features/cases/cases.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import { actionsOf } from '../../kit/actionsOf.ts'
import { call } from '../../kit/api.ts'
import type { RowAction } from '../../kit/RowActions.tsx'
import { useActor } from '../../parts/session.ts'

export interface Asking {
  kind: 'answer' | 'ask' | 'edit'
  of: CaseRow
}

/** What this person may do to a case. */
export function useCaseActions(ask: (a: Asking) => void): (k: CaseRow) => RowAction[] {
  const actor = useActor()
  const mayEdit = hasPermission(actor, 'case:edit')
  return (k) => {
    const one = { id: k.id, version: k.version }
    const answer: RowAction[] =
      k.state === caseState.code.asked && mayEdit
        ? [{ key: 'answer', label: '登记业主答复', open: () => ask({ kind: 'answer', of: k }) }]
        : []
    return [
      ...answer,
      ...actionsOf(caseActions, k, actor, {
        edit: { open: () => ask({ kind: 'edit', of: k }) },
        ask: { open: () => ask({ kind: 'ask', of: k }) },
        revise: {
          confirm: `收回对“${k.title}”的征求：业主已经给的同意作废，改好后要重新征求`,
          run: (reason) => call(casesApi.revise, { body: { ...one, reason } }),
        },
        withdraw: {
          confirm: `业主撤回对“${k.title}”的同意：马上不再公开，不能恢复。请写明谁、怎样告诉您的`,
          run: (reason) => call(casesApi.withdraw, { body: { ...one, reason } }),
        },
        publish: {
          confirm: `上架“${k.title}”：按业主同意的内容和场合公开`,
          run: () => call(casesApi.publish, { body: one }),
        },
        takeDown: {
          confirm: `下架“${k.title}”：马上不再公开，业主的同意不变，可以再上架`,
          run: (reason) => call(casesApi.takeDown, { body: { ...one, reason } }),
        },
      }),
    ]
  }
}
