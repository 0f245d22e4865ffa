import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'
import { principalPost, userStatus } from './users.record.ts'

const named = z.object({ id: z.string(), name: z.string() })

export const accountRow = z.object({
  id: z.string(),
  userName: z.string(),
  nickname: z.string(),
  /** Middle digits hidden; the whole number comes with the details. */
  phone: z.string(),
  bc_id: z.string().nullable(),
  bc_name: z.string(),
  stores: z.array(named),
  post: principalPost.schema.nullable(),
  roles: z.array(named),
  status: userStatus.schema,
  /** The deputy and the last day of who is away today; else empty. */
  away: z.string(),
  lastLogin: z.number().int().nullable(),
  /** Open sessions. */
  sessions: z.number().int(),
  /** Must choose a password of their own at the next sign-in. */
  mustChange: z.boolean(),
  totp: z.boolean(),
  /** The reason why the caller may not change this account; null when they may. */
  why: z.string().nullable(),
  version: z.number().int(),
})
export type AccountRow = z.output<typeof accountRow>

export const accountSession = z.object({
  key: z.string(),
  openedAt: z.number().int(),
  expiresAt: z.number().int(),
  ip: z.string(),
  agent: z.string(),
  current: z.boolean(),
})
export const accountDetail = accountRow.extend({
  introduction: z.string(),
  /** Further branches, beside the one the person belongs to. */
  branches: z.array(z.object({ bc_id: z.string(), bc_name: z.string() })),
  openSessions: z.array(accountSession),
})
export type AccountDetail = z.output<typeof accountDetail>

/** Work that waits for one person alone and is handed to another when they leave. */
export const workKind = defineCodes('workKind', '未结的工作', {
  corrections: ['corrections', '整改'],
  feedback: ['feedback', '反馈与投诉'],
  sites: ['sites', '负责的工地'],
  promises: ['promises', '承诺'],
  receptions: ['receptions', '业主到访'],
  patrols: ['patrols', '巡检计划和任务'],
  retrievals: ['retrievals', '待收回的设备'],
  quotations: ['quotations', '报价草稿'],
  customers: ['customers', '跟进中的客户'],
})
export type WorkKind = (typeof workKind.values)[number]
const person = z.object({ id: z.string(), nickname: z.string() })
/** The fate of somebody's work when their account ends. */
export const leaving = z.object({
  work: z.array(
    z.object({
      kind: workKind.schema,
      count: z.number().int(),
      title: z.string(),
      link: z.string(),
      /** Who is likely meant, and everybody else who can take it. */
      successor: person.nullable(),
      people: z.array(person),
    }),
  ),
  /** What nobody else of the place could do, each a sentence. */
  alone: z.array(z.string()),
  /** What else ends with the account and is handed to nobody, each a sentence. */
  besides: z.array(z.string()),
})
export type Leaving = z.output<typeof leaving>

/** The log\'s names for the fields of an account. */
export const userLog = logged('用户', {
  nickname: ['昵称', 'personal'],
  userName: '账号',
  bc_name: '分公司',
  stores: '门店',
  roles: '角色',
  post: ['岗位', principalPost],
  phone: ['电话', 'personal'],
  status: ['状态', userStatus],
  totp: '动态验证码',
  newPlace: '从没用过的网络登录',
  ended: '结束的登录',
  handed: ['移交的工作', 'personal'],
  away: '不在',
  deputy: ['代班人', 'personal'],
})
