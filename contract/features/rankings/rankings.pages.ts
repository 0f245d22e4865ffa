import { type Pages, type Rights } from '../../kit/page.ts'

export const rankingPages = {
  PatrolRank: {
    path: '/patrol/PatrolRank',
    title: '今日该巡',
    shell: 'base',
    systems: ['xc'],
    group: '/patrol',
    keepAlive: true,
    at: 35,
  },
} satisfies Pages

export const rankingRights = {
  PatrolRank: {
    roles: ['hq_ops', 'branch_gm', 'inspector'],
    powers: {
      'patrol:weights': { title: '设置权重', roles: ['branch_gm'] },
    },
  },
} satisfies Rights<typeof rankingPages>
