import { examineActions } from '@zhuguan/contract/features/examine/examine.actions.ts'
import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import { examineKind, type ExamineRow } from '@zhuguan/contract/features/examine/examine.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'

import { actionsOf } from '../../kit/actionsOf.ts'
import { call } from '../../kit/api.ts'
import type { RowAction } from '../../kit/RowActions.tsx'
import { useActor } from '../../parts/session.ts'

/** What this person may do to a request; `barred`: why they in particular may not judge it. */
export function useExamineActions(): (r: ExamineRow, barred?: string) => RowAction[] {
  const actor = useActor()
  return (r, barred = '') => {
    const { id, version, hash } = r
    const what = `${examineKind.label(r.kind)} ${r.number}`
    const amount = r.amount === null ? '' : `，金额 ${grouped(r.amount)} 元`
    const actions = actionsOf(examineActions, r, actor, {
      pass: {
        note: true,
        confirm: `通过 ${what}${amount}？通过以后不能收回。`,
        run: (reason) => call(examineApi.pass, { body: { id, version, hash, reason } }),
      },
      reject: {
        confirm: `驳回 ${what}：提交人会看到原因，修改后可以再次提交。请写明原因`,
        run: (reason) => call(examineApi.reject, { body: { id, version, hash, reason } }),
      },
    })
    return barred ? actions.map((a) => ({ ...a, why: a.why ?? barred })) : actions
  }
}
