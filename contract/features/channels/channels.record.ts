import { z } from 'zod'

import { type Code, defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'
import { causeKind } from '../notifications/notifications.record.ts'

/** A receiver: a robot in a group of one of these chat applications, or another system by a signed webhook. */
export const channelMaker = defineCodes('channelMaker', '接收方', {
  wecom: ['wecom', '企业微信群机器人'],
  dingtalk: ['dingtalk', '钉钉群机器人'],
  feishu: ['feishu', '飞书群机器人'],
  webhook: ['webhook', '其他系统 Webhook'],
})
export type ChannelMaker = Code<typeof channelMaker>
/** Those who listen to robots; the address of any other is the operator's to allow. */
export const MAKER_HOSTS: Readonly<Record<ChannelMaker, string | null>> = {
  wecom: 'qyapi.weixin.qq.com',
  dingtalk: 'oapi.dingtalk.com',
  feishu: 'open.feishu.cn',
  webhook: null,
}
export const channelState = defineCodes('channelState', '通道状态', {
  active: ['active', '启用'],
  stopped: ['stopped', '已停用'],
})
/** The event in the life of a cause. */
export const channelEvent = defineCodes('channelEvent', '消息', {
  waiting: ['waiting', '等人处理'],
  settled: ['settled', '已处理'],
  trial: ['trial', '试发'],
})
export type ChannelEvent = Code<typeof channelEvent>
export const messageState = defineCodes('messageState', '送达', {
  queued: ['queued', '待发送'],
  sent: ['sent', '已送达'],
  dropped: ['dropped', '不再发送'],
  givenUp: ['givenUp', '已放弃'],
})

export const channelRow = z.object({
  id: z.string(),
  name: z.string(),
  maker: channelMaker.schema,
  /** The host it goes to; the rest of the address is a secret. */
  host: z.string(),
  /** The branch whose causes it hears; nothing: the whole group. */
  bc_id: z.string().nullable(),
  bc_name: z.string(),
  /** Only what somebody of this role is told; empty: of any. */
  role: z.string(),
  roleName: z.string(),
  kinds: z.array(causeKind.schema),
  state: channelState.schema,
  /** The reason why it is stopped. */
  why: z.string(),
  by: z.string(),
  at: z.number().int(),
  version: z.number().int(),
  waiting: z.number().int(),
  /** Since when nothing arrives; nothing where the last message did. */
  failingSince: z.number().int().nullable(),
  sentAt: z.number().int().nullable(),
})
export type ChannelRow = z.output<typeof channelRow>

export const messageRow = z.object({
  id: z.string(),
  event: channelEvent.schema,
  kind: causeKind.schema.nullable(),
  state: messageState.schema,
  at: z.number().int(),
  tries: z.number().int(),
  /** When it is tried next. */
  next: z.number().int().nullable(),
  sentAt: z.number().int().nullable(),
  /** Number of causes that went in the same message. */
  together: z.number().int(),
  /** The receiver's last answer, or the reason why there was none. */
  said: z.string(),
})

/** The user log\'s names for the fields of a channel. */
export const channelLog = logged('消息通道', {
  name: '名称',
  maker: ['接收方', channelMaker],
  host: '地址',
  /** That address or secret are others; never which. */
  way: '地址和密钥',
  bc_id: ['分公司', 'company'],
  role: '角色',
  kinds: '事项',
  state: ['状态', channelState],
  message: '消息编号',
})
