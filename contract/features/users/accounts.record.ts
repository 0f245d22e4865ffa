import { z } from 'zod'

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
  lastLogin: z.number().int().nullable(),
  /** Open sessions. */
  sessions: z.number().int(),
  /** Must choose a password of their own at the next sign-in. */
  mustChange: z.boolean(),
  totp: z.boolean(),
  /** Why the caller may not change this account; null when they may. */
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

/** What the log tells of an account. */
export const userLog = logged('用户', {
  nickname: '昵称',
  userName: '账号',
  bc_name: '分公司',
  stores: '门店',
  roles: '角色',
  post: ['岗位', principalPost],
  phone: '电话',
  status: ['状态', userStatus],
  totp: '动态验证码',
  ended: '结束的登录',
})
