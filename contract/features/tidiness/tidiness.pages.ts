import { type Pages, type Rights } from '../../kit/page.ts'

export const tidinessPages = {
  Tidiness: {
    path: '/image/Tidiness',
    title: '整洁度检查',
    shell: 'base',
    systems: ['xc'],
    group: '/image',
    keepAlive: true,
    at: 20,
  },
} satisfies Pages

export const tidinessRights = {
  Tidiness: {
    roles: ['hq_ops', 'branch_gm', 'pm', 'steward', 'inspector'],
    powers: {
      'tidiness:judge': { title: '改判', roles: ['branch_gm', 'inspector'] },
      'tidiness:export': { title: '导出', roles: ['hq_ops', 'branch_gm', 'inspector'] },
    },
  },
} satisfies Rights<typeof tidinessPages>
