import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { plainPhone, reason, seen } from '../../kit/fields.ts'
import { commaList, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { accountDetail, accountRow, leaving, workKind } from './accounts.record.ts'
import { principalPost, userStatus } from './users.record.ts'

const query = listQuery(['userName', 'nickname', 'lastLogin', 'status'], {
  keyword,
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  role_id: commaList(uuid).meta({ title: '角色' }),
  post: commaList(principalPost.schema).meta({ title: '岗位' }),
  status: optional(userStatus.schema).meta({ title: '状态' }),
})
const facts = {
  userName: z
    .string()
    .trim()
    .regex(/^[A-Za-z][A-Za-z0-9_.-]{1,31}$/, { error: '账号用字母、数字和 . _ -，字母开头，2-32 位' })
    .meta({ title: '账号' }),
  nickname: z.string().trim().min(2, { error: '昵称至少 2 个字' }).max(20).meta({ title: '昵称' }),
  phone: z
    .string()
    .overwrite(plainPhone)
    .regex(/^(1\d{10})?$/, { error: '电话应为 11 位手机号' })
    .default('')
    .meta({ title: '电话' }),
  bc_id: optional(uuid).meta({ title: '分公司' }),
  branches: commaList(uuid).meta({ title: '兼管分公司' }),
  stores: commaList(uuid).meta({ title: '门店' }),
  post: optional(principalPost.schema).meta({ title: '岗位' }),
  roles: commaList(uuid).meta({ title: '角色' }),
}
const one = seen('用户')
/** Who takes what waits for somebody who leaves, and that what nobody else could do was read. */
const handing = {
  successors: z
    .array(z.object({ kind: workKind.schema, user_id: uuid.meta({ title: '接手人' }) }))
    .refine((all) => new Set(all.map((s) => s.kind)).size === all.length, {
      error: '同一种工作只能选一位接手人',
    })
    .default([])
    .meta({ title: '接手人' }),
  confirmed: z.boolean().default(false).meta({ title: '已知道没有别人能办' }),
}
/** Shown once; whoever gets it must choose their own at the first sign-in. */
const firstPassword = z.object({ id: z.string(), password: z.string() })

export const accountsApi = defineApi({
  list: {
    method: 'POST',
    path: '/dsmcore/api/user/userlist',
    title: '用户列表',
    access: ['page:UserList'],
    query,
    data: paged(accountRow),
  },
  details: {
    method: 'POST',
    path: '/dsmcore/api/user/userdetails',
    title: '用户详情',
    access: ['user:edit', 'user:session'],
    query: z.object({ id: one.id }),
    data: accountDetail,
  },
  add: {
    method: 'POST',
    path: '/dsmcore/api/user/adduser',
    title: '新增用户',
    access: ['user:add'],
    form: true,
    body: z.object(facts),
    data: firstPassword,
  },
  edit: {
    method: 'POST',
    path: '/dsmcore/api/user/edituser',
    title: '编辑用户',
    access: ['user:edit'],
    form: true,
    body: z.object({ ...facts, ...one, ...handing }),
    data: nothing,
  },
  del: {
    method: 'POST',
    path: '/dsmcore/api/user/deluser',
    title: '删除用户',
    access: ['user:delete'],
    form: true,
    body: z.object({
      ...one,
      reason,
      ...handing,
    }),
    data: nothing,
  },
  state: {
    method: 'POST',
    path: '/dsmcore/api/user/state',
    title: '停用/启用用户',
    access: ['user:state'],
    form: true,
    body: z.object({ ...one, status: userStatus.schema.meta({ title: '状态' }), ...handing }),
    data: nothing,
  },
  /** What is open of somebody, and who could take it. */
  leaving: {
    method: 'POST',
    path: '/dsmcore/api/user/leaving',
    title: '停用前的工作',
    access: ['user:state', 'user:delete', 'user:edit'],
    query: z.object({ id: one.id }),
    data: leaving,
  },
  resetPassword: {
    method: 'POST',
    path: '/dsmcore/api/user/resetpassword',
    title: '重置密码',
    access: ['user:password'],
    form: true,
    body: z.object(one),
    data: firstPassword,
  },
  /** All sessions of somebody, or the one that `key` names. */
  endSessions: {
    method: 'POST',
    path: '/dsmcore/api/user/endsessions',
    title: '强制下线',
    access: ['user:session'],
    form: true,
    body: z.object({
      id: one.id,
      key: optional(z.string().regex(/^[0-9a-f]{16}$/, { error: '登录编号不正确' })).meta({ title: '登录' }),
    }),
    data: z.object({ ended: z.number().int() }),
  },
  export: {
    method: 'POST',
    path: '/dsmcore/api/user/export',
    title: '导出用户',
    access: ['user:export'],
    query,
    data: nothing,
    raw: true,
  },
})
