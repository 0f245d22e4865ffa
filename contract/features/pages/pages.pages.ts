import { type Pages, type Rights } from '../../kit/page.ts'

export const pagePages = {
  PageList: {
    path: '/system/PageList',
    title: '页面管理',
    shell: 'base',
    systems: ['jf'],
    group: '/system',
    keepAlive: true,
    at: 50,
  },
} satisfies Pages

export const pageRights = {
  PageList: {
    roles: [],
    powers: {
      'menu:edit': { title: '编辑菜单', roles: [] },
    },
  },
} satisfies Rights<typeof pagePages>
