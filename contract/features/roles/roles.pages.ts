import { type Pages, type Rights } from '../../kit/page.ts'

export const rolePages = {
  RoleList: {
    path: '/system/RoleList',
    title: '角色管理',
    shell: 'base',
    systems: ['jf'],
    group: '/system',
    keepAlive: true,
    at: 40,
  },
} satisfies Pages

export const roleRights = {
  RoleList: {
    roles: [],
    powers: {
      'role:add': { title: '新增', roles: [] },
      'role:edit': { title: '编辑', roles: [] },
      'role:delete': { title: '删除', roles: [] },
    },
  },
} satisfies Rights<typeof rolePages>
