import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason, seen, typed } from '../../kit/fields.ts'
import { uuid } from '../../kit/paging.ts'
import { causeKind } from '../notifications/notifications.record.ts'
import { channelMaker, channelRow, messageRow } from './channels.record.ts'

const one = z.object({ id: uuid.meta({ title: '消息通道' }) })
const URL_FAULT = '地址应为 https:// 开头的网址'
const address = typed().max(500, { error: '地址最多 500 个字' })
const facts = {
  name: typed().min(2, { error: '请填名称（至少 2 个字）' }).max(40).meta({ title: '名称' }),
  secret: typed().max(200, { error: '密钥最多 200 个字' }).default('').meta({ title: '加签密钥' }),
  bc_id: uuid.nullable().default(null).meta({ title: '分公司' }),
  role: typed().max(40).default('').meta({ title: '角色' }),
  kinds: z
    .array(causeKind.schema)
    .min(1, { error: '请至少选一种事项' })
    .max(causeKind.values.length)
    .meta({ title: '事项' }),
}
const made = z.object({ id: z.string(), secret: z.string().nullable() })

export const channelsApi = defineApi({
  list: {
    method: 'POST',
    path: '/user/api/channel/list',
    title: '消息通道',
    access: ['channel:edit'],
    data: z.object({
      channels: z.array(channelRow),
      roles: z.array(z.object({ code: z.string(), name: z.string() })),
    }),
  },
  /** The secret of a webhook is made here and told this once. */
  add: {
    method: 'POST',
    path: '/user/api/channel/add',
    title: '新建消息通道',
    access: ['channel:edit'],
    body: z.object({
      maker: channelMaker.schema.meta({ title: '接收方' }),
      address: address.regex(/^https?:\/\/[^\s]+$/, { error: URL_FAULT }).meta({ title: '地址' }),
      ...facts,
    }),
    data: made,
  },
  /** Where it goes is told to nobody: left empty it stays, and so does its secret. `renew`: a webhook has a new one. */
  edit: {
    method: 'POST',
    path: '/user/api/channel/edit',
    title: '编辑消息通道',
    access: ['channel:edit'],
    body: z.object({
      ...seen('消息通道'),
      address: address
        .regex(/^(https?:\/\/[^\s]+)?$/, { error: URL_FAULT })
        .default('')
        .meta({ title: '新地址' }),
      ...facts,
      renew: z.boolean().default(false).meta({ title: '签名密钥' }),
    }),
    data: made,
  },
  stop: {
    method: 'POST',
    path: '/user/api/channel/stop',
    title: '停用消息通道',
    access: ['channel:edit'],
    body: z.object({ ...seen('消息通道'), reason }),
    data: nothing,
  },
  start: {
    method: 'POST',
    path: '/user/api/channel/start',
    title: '启用消息通道',
    access: ['channel:edit'],
    body: z.object({ ...seen('消息通道') }),
    data: nothing,
  },
  trial: {
    method: 'POST',
    path: '/user/api/channel/trial',
    title: '试发一条',
    access: ['channel:edit'],
    body: one,
    data: nothing,
  },
  /** The last ones, newest first. */
  messages: {
    method: 'POST',
    path: '/user/api/channel/messages',
    title: '通道的消息',
    access: ['channel:edit'],
    query: one,
    data: z.array(messageRow),
  },
  /** Sent again under the same number. */
  replay: {
    method: 'POST',
    path: '/user/api/channel/replay',
    title: '重发消息',
    access: ['channel:edit'],
    body: z.object({ id: uuid.meta({ title: '消息' }) }),
    data: nothing,
  },
})
