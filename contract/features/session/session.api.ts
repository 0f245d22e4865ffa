import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { optional, uuid } from '../../kit/paging.ts'
import { passwordHash, permissionInfo, profile, totpCode } from './session.record.ts'

const companyEntry = z.object({ bc_id: z.string(), bc_name: z.string() })

const ticket = z.string().min(1).max(4_000)

export const sessionApi = defineApi({
  login: {
    method: 'POST',
    path: '/user/system/auth/login',
    title: '登录',
    access: 'public',
    work: 'signIn',
    body: z.object({
      username: z.string().trim().min(1, { error: '请输入账号' }).max(50).meta({ title: '账号' }),
      password: passwordHash.meta({ title: '密码' }),
      code: optional(totpCode).meta({ title: '动态验证码' }),
      /** From a sign-in with a company account that opens no account yet: this password sign-in links the two. */
      ticket: ticket.optional().meta({ title: '企业账号凭据' }),
    }),
    data: z.object({ token: z.string(), tenant_id: z.string() }),
  },
  ssoBegin: {
    method: 'POST',
    path: '/user/system/auth/sso-begin',
    title: '企业账号登录',
    access: 'public',
    work: 'provider',
    data: z.object({ url: z.string() }),
  },
  ssoFinish: {
    method: 'POST',
    path: '/user/system/auth/sso-finish',
    title: '企业账号登录',
    access: 'public',
    work: 'provider',
    body: z.object({
      code: z.string().min(1).max(2_000).optional().meta({ title: '授权码' }),
      state: z.string().min(1).max(500).optional().meta({ title: '登录编号' }),
      /** The second step of an account with a second factor: what the first step answered, and the code. */
      ticket: ticket.optional().meta({ title: '企业账号凭据' }),
      totp: optional(totpCode).meta({ title: '动态验证码' }),
    }),
    data: z.object({ token: z.string(), tenant_id: z.string() }),
  },
  totpBegin: {
    method: 'POST',
    path: '/user/system/auth/totp-begin',
    title: '开启动态验证码',
    access: 'signedIn',
    data: z.object({ secret: z.string(), uri: z.string(), ticket: z.string() }),
  },
  totpConfirm: {
    method: 'POST',
    path: '/user/system/auth/totp-confirm',
    title: '确认动态验证码',
    access: 'signedIn',
    body: z.object({
      ticket: z.string().min(1).max(1_000).meta({ title: '凭据' }),
      code: totpCode.meta({ title: '动态验证码' }),
      /** A code of the secret in force, where there is one. */
      current: optional(totpCode).meta({ title: '原来的动态验证码' }),
    }),
    data: nothing,
  },
  totpOff: {
    method: 'POST',
    path: '/user/system/auth/totp-off',
    title: '关闭动态验证码',
    access: 'signedIn',
    body: z.object({ code: totpCode.meta({ title: '动态验证码' }) }),
    data: nothing,
  },
  logout: {
    method: 'POST',
    path: '/user/system/auth/logout',
    title: '退出登录',
    access: 'signedIn',
    data: nothing,
  },
  permissionInfo: {
    method: 'GET',
    path: '/user/system/auth/get-permission-info',
    title: '权限与菜单',
    access: 'signedIn',
    packed: true,
    data: permissionInfo,
  },
  userdata: {
    method: 'POST',
    path: '/user/api/user/userdata',
    title: '个人资料',
    access: 'signedIn',
    data: profile,
  },
  companylist: {
    method: 'GET',
    path: '/user/system/company/companylist',
    title: '分公司（含全部）',
    access: 'signedIn',
    data: z.array(companyEntry),
  },
  companylistprebc: {
    method: 'GET',
    path: '/user/system/company/companylistprebc',
    title: '可分配的分公司',
    access: 'signedIn',
    data: z.array(companyEntry),
  },
  updatePassword: {
    method: 'PUT',
    path: '/user/system/user/profile/update-password',
    title: '修改密码',
    says: '密码已修改，请用新密码登录',
    access: 'signedIn',
    work: 'signIn',
    body: z.object({
      user_id: uuid.meta({ title: '用户' }),
      oldPassword: passwordHash.meta({ title: '原密码' }),
      newPassword: passwordHash.meta({ title: '新密码' }),
    }),
    data: nothing,
  },
})
