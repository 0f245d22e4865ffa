import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { consentKind, consentState } from '../consents/consents.record.ts'
import { noticeKind } from '../consents/notices.record.ts'

/** Why something may be kept at all. */
export const keptGround = defineCodes('keptGround', '依据', {
  law: ['law', '法律要求保存'],
  contract: ['contract', '订立和履行合同需要'],
  consent: ['consent', '本人同意'],
  labour: ['labour', '用工管理'],
  safety: ['safety', '系统安全'],
  none: ['none', '不含个人信息'],
})
/** By which doors it may leave the house; there is no other. */
export const keptDoor = defineCodes('keptDoor', '离开系统的途径', {
  owner: ['owner', '业主页'],
  driver: ['driver', '司机链接'],
  customer: ['customer', '客户链接'],
  screen: ['screen', '门店屏幕'],
  robot: ['robot', '群机器人'],
  mail: ['mail', '邮件'],
  export: ['export', '导出'],
})

/** Days after which something goes; those of the second part a branch may shorten, down to the least beside it. */
export const KEPT_DAYS = {
  absences: 1_095,
  deviceEvents: 9,
  channelMessages: 30,
  customerLooks: 180,
  deliveryDays: 60,
  imports: 7,
  jobs: 90,
  mails: 30,
  notifications: 180,
  reminders: 400,
  remarks: 400,
  repeats: 2,
  screens: 400,
  sessions: 30,
  unnamed: 7,
  facePictures: 180,
  looks: 180,
  openings: 180,
  threads: 1_095,
  visitorPictures: 30,
} as const
export const LEAST_DAYS = {
  facePictures: 30,
  looks: 30,
  openings: 30,
  threads: 365,
  visitorPictures: 3,
} as const

/** One kind of record as people read it. */
export const keptRow = z.object({
  key: z.string(),
  title: z.string(),
  /** The person whose data it is; empty where it is nobody's. */
  whose: z.string(),
  /** Days; null where it stays as `until` says. */
  days: z.number().int().nullable(),
  until: z.string(),
  /** The setting that rules the days, where a branch may shorten them. */
  setting: z.string().nullable(),
  starts: z.string(),
  stops: z.string(),
  purpose: z.string(),
  ground: keptGround.schema,
  /** The pages and powers that see it, in words. */
  seen: z.array(z.string()),
  doors: z.array(keptDoor.schema),
})
export type KeptRow = z.output<typeof keptRow>
/** The time for which it is kept, in words. */
export const keptFor = (k: Pick<KeptRow, 'days' | 'until'>): string =>
  k.days === null ? k.until : `${k.days} 天`

/** Rows that a shorter value deletes in the coming night; `more`: at least so many. */
export const goingRow = z.object({
  key: z.string(),
  n: z.number().int(),
  more: z.boolean(),
  says: z.string(),
})
export type GoingRow = z.output<typeof goingRow>

const count = z.number().int()
export const personalRegister = z.object({
  from: z.string(),
  to: z.string(),
  kinds: z.array(keptRow),
  /** People by their newest answer. */
  consents: z.array(z.object({ kind: consentKind.schema, state: consentState.schema, n: count })),
  /** Records by the version of the notice that they name; without one nobody has said that it was given. */
  notices: z.array(z.object({ kind: noticeKind.schema, version: z.string(), n: count })),
  people: z.array(
    z.object({
      user_id: z.string(),
      nickname: z.string(),
      userName: z.string(),
      bc_name: z.string(),
      unmask: count,
      export: count,
      offHours: count,
    }),
  ),
})
export type PersonalRegister = z.output<typeof personalRegister>
