import { createHmac } from 'node:crypto'

import {
  channelEvent,
  type ChannelEvent,
  type ChannelMaker,
} from '@zhuguan/contract/features/channels/channels.record.ts'
import { causeKind } from '@zhuguan/contract/features/notifications/notifications.record.ts'

import { dueWords } from '../deadlines/cause-due.reads.ts'

/** The words that are sent of a cause: never a name, a telephone, an address or a title that somebody wrote. */
export interface Sent {
  id: string
  event: ChannelEvent
  kind: string
  cause_id: string
  site: string | null
  siteCode: string | null
  link: string
  /** Until when there is time, in seconds; nothing where it has no clock. */
  due: number | null
  at: number
}
export interface Letter {
  address: string
  headers: Record<string, string>
  body: string
}
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

const linkOf = (publicUrl: string | null, link: string) =>
  publicUrl && link ? `\n${publicUrl.replace(/\/$/, '')}/#${link}` : ''

/** The words for a group: kind and site's number of one cause, or the number of each kind. */
export function wordsOf(messages: readonly Sent[], publicUrl: string | null, now: Date): string {
  const [only, ...others] = messages
  if (only!.event === channelEvent.code.trial)
    return `【筑管】这是一条试发消息，收到说明通道已接通${linkOf(publicUrl, '/')}`
  if (others.length === 0) {
    const where = only!.siteCode ? `，工地 ${only!.siteCode}` : ''
    const due = dueWords(only!.due, now.getTime() / 1_000)
    const until = due && `，${due}`
    return `【筑管】${causeKind.label(only!.kind)}等人处理${where}${until}${linkOf(publicUrl, only!.link)}`
  }
  const sums = new Map<string, number>()
  for (const { kind } of messages) sums.set(kind, (sums.get(kind) ?? 0) + 1)
  const told = [...sums].map(([kind, n]) => `${causeKind.label(kind)} ${n}`).join('，')
  return `【筑管】${messages.length} 件事等人处理：${told}${linkOf(publicUrl, '/')}`
}

const hmac = (key: string, text: string) => createHmac('sha256', key).update(text)

/** A message as the robots of each maker want it signed (docs/decisions/0631). */
function toRobot(
  maker: ChannelMaker,
  to: { address: string; secret: string },
  content: string,
  now: Date,
): Letter {
  const { address, secret } = to
  if (maker === 'dingtalk') {
    const url = new URL(address)
    if (secret) {
      const timestamp = String(now.getTime())
      url.searchParams.set('timestamp', timestamp)
      url.searchParams.set('sign', hmac(secret, `${timestamp}\n${secret}`).digest('base64'))
    }
    return {
      address: url.href,
      headers: JSON_TYPE,
      body: JSON.stringify({ msgtype: 'text', text: { content } }),
    }
  }
  if (maker === 'feishu') {
    const timestamp = String(Math.floor(now.getTime() / 1000))
    const signed = secret ? { timestamp, sign: hmac(`${timestamp}\n${secret}`, '').digest('base64') } : {}
    return {
      address,
      headers: JSON_TYPE,
      body: JSON.stringify({ ...signed, msg_type: 'text', content: { text: content } }),
    }
  }
  // The key in its address is all that proves who sends.
  return { address, headers: JSON_TYPE, body: JSON.stringify({ msgtype: 'text', text: { content } }) }
}

/** Ids and states, signed with the moment and the number, so that neither an old one nor another body passes. */
function toSystem(to: { address: string; secret: string }, m: Sent, now: Date): Letter {
  const trial = m.event === channelEvent.code.trial
  const body = JSON.stringify({
    id: m.id,
    event: trial ? 'trial' : `${m.kind}.${m.event}`,
    at: m.at,
    ...(trial ? {} : { kind: m.kind, cause: m.cause_id, site: m.site, state: m.event }),
  })
  const timestamp = String(Math.floor(now.getTime() / 1000))
  return {
    address: to.address,
    headers: {
      ...JSON_TYPE,
      'x-zhuguan-id': m.id,
      'x-zhuguan-timestamp': timestamp,
      'x-zhuguan-signature': `v1=${hmac(to.secret, `${m.id}.${timestamp}.${body}`).digest('hex')}`,
    },
    body,
  }
}

export interface Receiver {
  maker: ChannelMaker
  address: string
  secret: string
}
export const letterOf = (
  to: Receiver,
  messages: readonly Sent[],
  { now, publicUrl }: { now: Date; publicUrl: string | null },
): Letter =>
  to.maker === 'webhook'
    ? toSystem(to, messages[0]!, now)
    : toRobot(to.maker, to, wordsOf(messages, publicUrl, now), now)

const CODES: Readonly<Record<ChannelMaker, readonly string[]>> = {
  wecom: ['errcode'],
  dingtalk: ['errcode'],
  feishu: ['code', 'StatusCode'],
  webhook: [],
}
function readJson(text: string): Record<string, unknown> | undefined {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
/**
 * The reason why an answer is no receipt; nothing where it is one. A page of HTML is a wrong address, whatever its
 * status.
 */
export function refusalOf(
  maker: ChannelMaker,
  { status, type, text }: { status: number; type: string; text: string },
): string | undefined {
  if (status >= 300 && status < 400) return `对方转到别的地址（${status}），不跟随`
  if (status < 200 || status >= 300) return `对方回答 ${status}`
  if (/html/i.test(type) || /^\s*<(!doctype|html)/i.test(text)) return '对方回答的是网页，地址可能填错了'
  const codes = CODES[maker]
  if (codes.length === 0) return undefined
  const said = readJson(text)
  const code = codes.map((name) => said?.[name]).find((value) => value !== undefined)
  if (code === 0) return undefined
  return code === undefined
    ? '对方的回答看不懂，地址可能填错了'
    : `机器人拒绝：错误码 ${String(code).slice(0, 20)}`
}
