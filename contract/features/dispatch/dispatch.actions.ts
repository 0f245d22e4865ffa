import { defineActions } from '../../kit/actions.ts'
import { homeRefusal } from '../sites/homes.record.ts'
import { dispatchState, noteKind, type NoteRow } from './dispatch.record.ts'

const { cancelled, delivered, returned, shipped, waiting } = dispatchState.code
export type NoteStanding = Pick<NoteRow, 'state' | 'buyer' | 'receiver' | 'siteStatus' | 'open' | 'kind'>
const unlessSent = (n: NoteStanding) => {
  if (!n.open) return '订单已经结束，不能再发货'
  if (n.siteStatus === null) return undefined
  const home = { siteStatus: n.siteStatus, warrantyUntil: null }
  return homeRefusal(n.kind === noteKind.code.ship ? 'ship' : 'resend', home, '')
}

/** docs/states.md, dispatchActions; what the system does (inspected, fully returned) is no command. */
export const dispatchActions = defineActions<NoteStanding>()('state', dispatchState, {
  ship: {
    label: '发货',
    from: [waiting],
    to: shipped,
    permission: 'dispatch:ship',
    asks: true,
    absent: (n) => (n.receiver ? undefined : '由接单方发货'),
    unless: unlessSent,
  },
  cancel: { label: '取消', from: [waiting], to: cancelled, permission: 'dispatch:cancel', reason: true },
  deliver: { label: '确认送达', from: [shipped], to: delivered, permission: 'dispatch:deliver', asks: true },
  handOver: {
    label: '部分交货',
    from: [shipped],
    to: shipped,
    permission: 'dispatch:deliver',
    asks: true,
  },
  sendBack: {
    label: '整单退回',
    from: [shipped],
    to: returned,
    permission: 'dispatch:back',
    asks: true,
  },
})
