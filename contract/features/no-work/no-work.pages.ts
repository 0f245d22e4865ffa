import { type Pages, type Rights } from '../../kit/page.ts'

export const noWorkPages = {
  NoWork: {
    path: '/Site/NoWork',
    title: '停工预警',
    shell: 'base',
    systems: ['xc'],
    group: '/Site',
    keepAlive: true,
    at: 30,
  },
} satisfies Pages

export const noWorkRights = {
  NoWork: {
    roles: ['hq_ops', 'branch_gm', 'pm', 'steward', 'inspector'],
    powers: {
      'nowork:reason': { title: '登记原因', roles: ['branch_gm', 'pm', 'steward'] },
      'nowork:tell': { title: '通知经理', roles: ['hq_ops', 'branch_gm', 'pm'] },
      'nowork:export': { title: '导出', roles: ['hq_ops', 'branch_gm', 'pm'] },
    },
  },
} satisfies Rights<typeof noWorkPages>
