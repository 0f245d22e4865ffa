import { code, columnsOf, names, text, time } from '../../kit/columns.ts'
import type { accountsApi } from './accounts.api.ts'
import { principalPost, userStatus } from './users.record.ts'

export const accountColumns = columnsOf<typeof accountsApi.list>()({
  userName: text('账号', 'userName', { sort: 'userName', fixed: true }),
  nickname: text('昵称', 'nickname', { sort: 'nickname' }),
  bc: text('分公司', 'bc_name'),
  stores: names('门店', 'stores'),
  post: code('岗位', 'post', principalPost),
  roles: names('角色', 'roles'),
  phone: text('电话', 'phone'),
  status: code('状态', 'status', userStatus, { sort: 'status' }),
  last: time('最近登录', 'lastLogin', { sort: 'lastLogin' }),
})
