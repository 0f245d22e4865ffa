import { type Pages, type Rights } from '../../kit/page.ts'

export const keepingPages = {
  PersonalRegister: {
    path: '/system/PersonalRegister',
    title: '个人信息登记',
    shell: 'base',
    systems: ['jf'],
    group: '/system',
    keepAlive: true,
    at: 75,
  },
} satisfies Pages

export const keepingRights = {
  PersonalRegister: {
    roles: ['hq_ops'],
    powers: { 'register:export': { title: '导出', roles: ['hq_ops'] } },
  },
} satisfies Rights<typeof keepingPages>
