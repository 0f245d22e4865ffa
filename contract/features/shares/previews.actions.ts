import { defineActions } from '../../kit/actions.ts'
import { type PreviewRow, previewState } from './previews.record.ts'

const { draft, ended, revised, sent } = previewState.code
type State = Pick<PreviewRow, 'state'>

/** docs/states.md */
export const previewActions = defineActions<State>()('state', previewState, {
  edit: { label: '修改', from: [draft], to: draft, permission: 'preview:edit', asks: true },
  /** What was sent shows it at once. */
  revise: { label: '修改', from: [sent, revised], to: revised, permission: 'preview:edit', asks: true },
  send: { label: '发送', from: [draft, sent, revised], to: sent, permission: 'preview:edit', asks: true },
  end: {
    label: '结束',
    from: [draft, sent, revised],
    to: ended,
    permission: 'preview:edit',
    reason: true,
  },
})
