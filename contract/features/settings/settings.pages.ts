import { type Pages, type Rights } from '../../kit/page.ts'

export const settingPages = {
  SetSelf: {
    path: '/system/SetSelf',
    title: '自助设置',
    shell: 'base',
    systems: ['jf'],
    group: '/system',
    keepAlive: true,
    at: 80,
  },
} satisfies Pages

export const settingRights = {
  SetSelf: {
    roles: ['branch_gm'],
    powers: {
      'settings:edit': { title: '修改', roles: ['branch_gm'] },
      'channel:edit': { title: '管理消息通道', roles: [] },
    },
  },
} satisfies Rights<typeof settingPages>
