import { channelsApi } from '@zhuguan/contract/features/channels/channels.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const channelsExamples = examplesOf(channelsApi, (r) => ({
  add: {
    body: {
      maker: 'dingtalk',
      name: '报警群',
      address: 'https://oapi.dingtalk.com/robot/send?access_token=example',
      secret: 'SEC1',
      bc_id: r.bc_id,
      kinds: ['alarm'],
    },
  },
  edit: {
    body: {
      id: r.channel,
      version: 0,
      name: '报警和整改',
      address: 'https://example.com/hook',
      bc_id: r.bc_id,
      kinds: ['alarm', 'correction'],
    },
  },
  stop: { body: { id: r.channel, version: 0, reason: '试试看' } },
  start: { body: { id: r.channel, version: 0 } },
  trial: { body: { id: r.channel } },
  messages: { query: { id: r.channel } },
  replay: { body: { id: r.channelMessage } },
}))
