import { type Pages, type Rights } from '../../kit/page.ts'

export const visitorPages = {
  VisitorList: {
    path: '/image/VisitorList',
    title: '陌生人来访',
    shell: 'base',
    systems: ['xc'],
    group: '/image',
    keepAlive: true,
    at: 40,
  },
  VisitorVisit: {
    path: '/VisitorVisit',
    title: '陌生人来访',
    shell: 'base',
    systems: ['xc'],
    of: 'VisitorList',
    dimension: 'visitor',
    names: 'near',
  },
} satisfies Pages

export const visitorRights = {
  VisitorList: {
    roles: ['hq_ops', 'branch_gm', 'pm', 'steward', 'inspector'],
    powers: {
      'visitor:mark': { title: '标记身份/通知管家', roles: ['branch_gm', 'pm', 'steward'] },
      'visitor:export': { title: '导出', roles: ['hq_ops', 'branch_gm'] },
    },
  },
  VisitorVisit: { roles: ['hq_ops', 'branch_gm', 'pm', 'steward', 'inspector'] },
} satisfies Rights<typeof visitorPages>
