import { type Pages, type Rights } from '../../kit/page.ts'

export const userPages = {
  UserList: {
    path: '/system/UserList',
    title: '用户管理',
    shell: 'base',
    systems: ['jf'],
    group: '/system',
    keepAlive: true,
    at: 30,
  },
} satisfies Pages

export const userRights = {
  UserList: {
    roles: ['branch_gm'],
    powers: {
      'user:add': { title: '新增', roles: ['branch_gm'] },
      'user:edit': { title: '编辑', roles: ['branch_gm'] },
      'user:state': { title: '停用/启用', roles: ['branch_gm'] },
      'user:password': { title: '重置密码', roles: ['branch_gm'] },
      'user:session': { title: '强制下线', roles: ['branch_gm'] },
      'user:delete': { title: '删除', roles: [] },
      'user:import': { title: '导入', roles: ['branch_gm'] },
      'user:export': { title: '导出', roles: ['branch_gm'] },
    },
  },
} satisfies Rights<typeof userPages>
