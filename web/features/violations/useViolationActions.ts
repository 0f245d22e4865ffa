import { violationActions } from '@zhuguan/contract/features/violations/violations.actions.ts'
import { violationsApi } from '@zhuguan/contract/features/violations/violations.api.ts'
import { type ViolationRow, violationType } from '@zhuguan/contract/features/violations/violations.record.ts'

import { actionsOf } from '../../kit/actionsOf.ts'
import { call } from '../../kit/api.ts'
import type { RowAction } from '../../kit/RowActions.tsx'
import { useActor } from '../../parts/session.ts'

/** What this person may do to a violation. */
export function useViolationActions(): (violation: ViolationRow) => RowAction[] {
  const actor = useActor()
  return (v) => {
    const what = `${v.w_name}的${violationType.label(v.type)}`
    const one = { id: v.id, version: v.version }
    return actionsOf(violationActions, v, actor, {
      handle: {
        confirm: `处理${what}：请写明怎样处理的`,
        run: (reason) => call(violationsApi.handle, { body: { ...one, reason } }),
      },
      object: {
        confirm: `申诉${what}：请写明为什么不应记违规，由他人裁定`,
        run: (reason) => call(violationsApi.object, { body: { ...one, reason } }),
      },
      uphold: {
        confirm: `维持${what}：请写明理由`,
        run: (reason) => call(violationsApi.uphold, { body: { ...one, reason } }),
      },
      withdraw: {
        confirm: `撤销${what}：不再计入工人的违规，请写明理由`,
        run: (reason) => call(violationsApi.withdraw, { body: { ...one, reason } }),
      },
    })
  }
}
