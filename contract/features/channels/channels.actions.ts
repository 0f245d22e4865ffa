import { defineActions } from '../../kit/actions.ts'
import { type ChannelRow, channelState, messageState } from './channels.record.ts'

const { active, stopped } = channelState.code
const { dropped, givenUp, queued, sent } = messageState.code

export const channelActions = defineActions<Pick<ChannelRow, 'state'>>()('state', channelState, {
  stop: { label: '停用', from: [active], to: stopped, permission: 'channel:edit', reason: true },
  start: { label: '启用', from: [stopped], to: active, permission: 'channel:edit' },
})

/** What a person may do; that it arrives, is dropped or given up is the post office's to say. */
export const messageActions = defineActions<{ state: string }>()('state', messageState, {
  replay: { label: '重发', from: [sent, dropped, givenUp], to: queued, permission: 'channel:edit' },
})
