import { defineActions } from '../../kit/actions.ts'
import { type Actor, hasPermission, waitsFor } from '../../kit/permits.ts'
import { type HandoverSheet, handoverState } from './handovers.record.ts'

const { asked, confirmed, waiting } = handoverState.code
export type HandoverStanding = Pick<
  HandoverSheet,
  'consultant_id' | 'consultantName' | 'state' | 'steward_id' | 'stewardName'
>

/** The steward alone, or whoever names the steward. */
function unlessSteward(h: HandoverStanding, actor: Actor): string | undefined {
  // Confirmed for nobody it would be lost on whoever comes.
  if (!h.steward_id) return '工地还没有项目管家，请先指定'
  if (waitsFor(actor, h.steward_id) || hasPermission(actor, 'site:edit')) return undefined
  return `由项目管家${h.stewardName}确认`
}
/** Whoever follows the customer, or leads the store. */
function unlessTheirs(h: HandoverStanding, actor: Actor): string | undefined {
  if (waitsFor(actor, h.consultant_id) || hasPermission(actor, 'customer:assign')) return undefined
  return `由顾问${h.consultantName || '（还没有）'}答复`
}

/** docs/states.md */
export const handoverActions = defineActions<HandoverStanding>()('state', handoverState, {
  confirm: {
    label: '确认交底',
    from: [waiting],
    to: confirmed,
    permission: 'handover:confirm',
    absent: unlessSteward,
  },
  ask: {
    label: '问顾问',
    from: [waiting],
    to: asked,
    permission: 'handover:confirm',
    asks: true,
    absent: unlessSteward,
  },
  answer: {
    label: '答复',
    from: [asked],
    to: waiting,
    permission: 'customer:follow',
    asks: true,
    absent: unlessTheirs,
  },
})
export type HandoverAction = (typeof handoverActions.names)[number]
