import { z } from 'zod'

import { type Code, defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'
import { messageState } from '../channels/channels.record.ts'
import { causeKind, type CauseKind } from '../notifications/notifications.record.ts'

/** The way in which somebody hears of a kind of cause; the bell has all of them. */
export const noticeWay = defineCodes('noticeWay', '怎么告诉我', {
  now: ['now', '马上发邮件'],
  digest: ['digest', '每天汇总'],
  bell: ['bell', '只在通知里'],
})
export type NoticeWay = Code<typeof noticeWay>
export const mailEvent = defineCodes('mailEvent', '邮件', {
  told: ['told', '通知'],
  digest: ['digest', '每日汇总'],
})

/** What cannot wait for tomorrow morning, where somebody has chosen nothing. */
const AT_ONCE: readonly CauseKind[] = ['alarm', 'feedback', 'question', 'thread', 'homeDevice']
export const usualWay = (kind: CauseKind): NoticeWay =>
  AT_ONCE.includes(kind) ? noticeWay.code.now : noticeWay.code.digest
/** The hour of the daily digest, where somebody has chosen none. */
export const USUAL_HOUR = 8
/** A code for a new address: so many minutes, and so many tries. */
export const CODE_MINUTES = 30
export const CODE_TRIES = 5

export const noticeRules = z.object({
  ways: z.array(z.object({ kind: causeKind.schema, way: noticeWay.schema })),
  /** Only these sites; empty: all of them. */
  sites: z.array(z.object({ id: z.string(), name: z.string() })),
  /** HH:MM of Shanghai; both empty: no quiet hours. */
  quietFrom: z.string(),
  quietTo: z.string(),
  /** The hour of the digest. */
  hour: z.number().int(),
  version: z.number().int(),
})
export const mailRow = z.object({
  id: z.string(),
  event: mailEvent.schema,
  kind: causeKind.schema.nullable(),
  state: messageState.schema,
  at: z.number().int(),
  sentAt: z.number().int().nullable(),
  /** Number of causes that went in the same mail. */
  together: z.number().int(),
  /** The reason why it did not go, or that it did. */
  said: z.string(),
})
export const myMail = z.object({
  /** Whether this installation has a mail server. */
  configured: z.boolean(),
  /** The address of the mail; empty: there is none. */
  address: z.string(),
  /** An address whose code has not been typed yet. */
  asked: z.string(),
  /** The reason why nothing arrives there. */
  trouble: z.string(),
  rules: noticeRules,
  /** The last ones, newest first. */
  mails: z.array(mailRow),
})
export type MyMail = z.output<typeof myMail>

/** What the user log tells of somebody's own messages; an address in parts only. */
export const mailLog = logged('消息设置', {
  mail: ['邮箱', 'personal'],
  ways: '怎么告诉我',
  sites: '工地',
  quiet: '免打扰',
  hour: '汇总时间',
})
