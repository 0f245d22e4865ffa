import { defineActions } from '../../kit/actions.ts'
import { type CaseRow, caseState } from './cases.record.ts'

const { asked, candidate, consented, published, withdrawn } = caseState.code
export type CaseStanding = Pick<CaseRow, 'state' | 'missing'>

/** docs/states.md */
export const caseActions = defineActions<CaseStanding>()('state', caseState, {
  edit: { label: '编辑图文', from: [candidate], to: candidate, permission: 'case:edit', asks: true },
  ask: {
    label: '征求业主同意',
    from: [candidate],
    to: asked,
    permission: 'case:edit',
    asks: true,
    unless: (c) => c.missing || undefined,
  },
  revise: {
    label: '收回征求',
    from: [asked, consented],
    to: candidate,
    permission: 'case:edit',
    reason: true,
  },
  withdraw: {
    label: '登记撤回同意',
    from: [asked, consented, published],
    to: withdrawn,
    permission: 'case:edit',
    reason: true,
  },
  publish: {
    label: '上架',
    from: [consented],
    to: published,
    permission: 'case:publish',
    unless: (c) => c.missing || undefined,
  },
  takeDown: { label: '下架', from: [published], to: consented, permission: 'case:publish', reason: true },
})
export type CaseAction = (typeof caseActions.names)[number]
