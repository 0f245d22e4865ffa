import { z } from 'zod'
import { defineApi, nothing } from '../../kit/api.ts'
import { uuid } from '../../kit/paging.ts'
import { passwordHash, permissionInfo, profile } from './session.record.ts'

const companyEntry = z.object({ bc_id: z.string(), bc_name: z.string() })

export const sessionApi = defineApi({
  login: {
    method: 'POST',
    path: '/user/system/auth/login',
    title: '登录',
    access: 'public',
    body: z.object({ username: z.string().trim().min(1, { error: '请输入账号' }).max(50).meta({ title: '账号' }), password: passwordHash.meta({ title: '密码' }) }),
    data: z.object({ token: z.string(), tenant_id: z.string() }),
  },
  logout: { method: 'POST', path: '/user/system/auth/logout', title: '退出登录', access: 'signedIn', data: nothing },
  permissionInfo: { method: 'GET', path: '/user/system/auth/get-permission-info', title: '权限与菜单', access: 'signedIn', data: permissionInfo },
  userdata: { method: 'POST', path: '/user/api/user/userdata', title: '个人资料', access: 'signedIn', data: profile },
  companylist: { method: 'GET', path: '/user/system/company/companylist', title: '分公司（含全部）', access: 'signedIn', data: z.array(companyEntry) },
  companylistprebc: { method: 'GET', path: '/user/system/company/companylistprebc', title: '可分配的分公司', access: 'signedIn', data: z.array(companyEntry) },
  updatePassword: {
    method: 'PUT',
    path: '/user/system/user/profile/update-password',
    title: '修改密码',
    access: 'signedIn',
    body: z.object({ user_id: uuid.meta({ title: '用户' }), oldPassword: passwordHash.meta({ title: '原密码' }), newPassword: passwordHash.meta({ title: '新密码' }) }),
    data: nothing,
  },
})
