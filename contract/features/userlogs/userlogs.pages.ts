import { type Pages, type Rights } from '../../kit/page.ts'

export const userlogPages = {
  UserLog: {
    path: '/system/UserLog',
    title: '操作日志',
    shell: 'base',
    systems: ['jf'],
    group: '/system',
    keepAlive: true,
    at: 70,
  },
} satisfies Pages

export const userlogRights = {
  UserLog: {
    roles: ['hq_ops', 'branch_gm'],
    powers: {
      'log:verify': { title: '校验完整性', roles: [] },
      'log:export': { title: '导出', roles: ['branch_gm'] },
    },
  },
} satisfies Rights<typeof userlogPages>
