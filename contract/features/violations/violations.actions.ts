import { defineActions } from '../../kit/actions.ts'
import type { Actor } from '../../kit/permits.ts'
import { type ViolationRow, violationStatus } from './violations.record.ts'

const { handled, objected, open, upheld, withdrawn } = violationStatus.code
export type ViolationState = Pick<ViolationRow, 'status' | 'entered_id' | 'handled_id' | 'objected_id'>

/** Nobody judges an objection to what they did themselves, or their own. */
function unlessConcerned(violation: ViolationState, actor: Actor): string | undefined {
  if (violation.objected_id === actor.id) return '申诉的人不能裁定自己的申诉，请由他人裁定'
  return violation.handled_id === actor.id || violation.entered_id === actor.id
    ? '登记或处理的人不能裁定申诉，请由他人裁定'
    : undefined
}

/** docs/states.md */
export const violationActions = defineActions<ViolationState>()('status', violationStatus, {
  handle: {
    label: '处理',
    from: [open],
    to: handled,
    permission: 'violation:handle',
    reason: true,
  },
  object: {
    label: '申诉',
    from: [open],
    to: objected,
    permission: 'violation:object',
    reason: true,
  },
  uphold: {
    label: '维持',
    from: [objected],
    to: upheld,
    permission: 'violation:handle',
    reason: true,
    unless: unlessConcerned,
  },
  withdraw: {
    label: '撤销',
    from: [objected],
    to: withdrawn,
    permission: 'violation:handle',
    reason: true,
    unless: unlessConcerned,
  },
})
export type ViolationAction = (typeof violationActions.names)[number]
