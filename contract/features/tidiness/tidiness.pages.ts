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
  CleanChange: {
    path: '/CleanChange',
    title: '工地整洁度变化',
    shell: 'base',
    systems: ['xc'],
    of: 'Tidiness',
    dimension: 'worker',
    names: 'worker_id',
    leaders: true,
  },
} satisfies Pages

const READERS = ['hq_ops', 'branch_gm', 'pm', 'steward', 'inspector'] as const

export const tidinessRights = {
  Tidiness: {
    roles: READERS,
    powers: {
      'tidiness:judge': { title: '改判', roles: ['branch_gm', 'inspector'] },
      'tidiness:correct': { title: '生成整改', roles: ['branch_gm', 'pm', 'inspector'] },
      'tidiness:export': { title: '导出', roles: ['hq_ops', 'branch_gm', 'inspector'] },
    },
  },
  CleanChange: { roles: READERS },
} satisfies Rights<typeof tidinessPages>
