import { defineActions } from '../../kit/actions.ts'
import { type TrustRow, trustState } from './trusts.record.ts'

const { alwaysNotify, alwaysReview, notify, review } = trustState.code

/** The decision of a person; 通知 and 需人工看 follow from the verdicts by themselves. */
export const trustActions = defineActions<Pick<TrustRow, 'state'>>()('state', trustState, {
  pinNotify: {
    label: '固定通知',
    from: [notify, review, alwaysReview],
    to: alwaysNotify,
    permission: 'alarm:pin',
    reason: true,
  },
  pinReview: {
    label: '固定需人工看',
    from: [notify, review, alwaysNotify],
    to: alwaysReview,
    permission: 'alarm:pin',
    reason: true,
  },
  unpin: {
    label: '取消固定',
    from: [alwaysNotify, alwaysReview],
    to: { [alwaysNotify]: notify, [alwaysReview]: review },
    permission: 'alarm:pin',
    reason: true,
  },
})
export type TrustAction = (typeof trustActions.names)[number]
