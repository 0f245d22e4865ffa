import { channelsApi } from '@zhuguan/contract/features/channels/channels.api.ts'

import { type Feature, serve } from '../../kit/serve.ts'
import {
  addChannel,
  channelMessages,
  editChannel,
  listChannels,
  replay,
  startChannel,
  stopChannel,
  tryChannel,
} from './channels.service.ts'

/** `webhookHosts`: inner addresses that the operator allows. */
export const channelsFeature = (deps: { secretKey: Buffer; webhookHosts: readonly string[] }): Feature =>
  serve(channelsApi, {
    list: (_input, call) => listChannels(call),
    add: ({ body }, call) => addChannel(call, { ...deps, hosts: deps.webhookHosts }, body),
    edit: ({ body }, call) => editChannel(call, { ...deps, hosts: deps.webhookHosts }, body),
    stop: ({ body }, call) => stopChannel(call, body),
    start: ({ body }, call) => startChannel(call, body),
    trial: ({ body }, call) => tryChannel(call, body.id),
    messages: ({ query }, call) => channelMessages(call, query.id),
    replay: ({ body }, call) => replay(call, body.id),
  })
