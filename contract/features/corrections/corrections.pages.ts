import { type Pages, type Rights } from '../../kit/page.ts'

export const correctionPages = {
  Correction: {
    path: '/patrol/Correction',
    title: '整改单',
    shell: 'base',
    systems: ['xc'],
    group: '/patrol',
    keepAlive: true,
    at: 40,
  },
} satisfies Pages

export const correctionRights = {
  Correction: {
    roles: ['hq_ops', 'branch_gm', 'pm', 'steward', 'inspector'],
    powers: {
      'correction:assign': { title: '指派', roles: ['branch_gm', 'pm', 'inspector'] },
      'correction:correct': { title: '整改', roles: ['branch_gm', 'pm', 'steward'] },
      'correction:review': { title: '复核', roles: ['branch_gm', 'pm', 'steward', 'inspector'] },
      'correction:cancel': { title: '取消', roles: ['branch_gm', 'pm', 'inspector'] },
      'correction:supervise': { title: '取消整改/重新打开', roles: ['branch_gm'] },
      'correction:urge': { title: '催办', roles: ['hq_ops', 'branch_gm', 'pm', 'inspector'] },
      'correction:export': { title: '导出', roles: ['hq_ops', 'branch_gm', 'pm', 'inspector'] },
    },
  },
} satisfies Rights<typeof correctionPages>
