import { type Pages, type Rights } from '../../kit/page.ts'

export const casePages = {
  CaseList: {
    path: '/case/CaseList',
    title: '案例管理',
    shell: 'base',
    systems: ['yx'],
    group: '/case',
    keepAlive: true,
    at: 10,
  },
  CaseField: {
    path: '/CaseFieldView',
    title: '案例工地',
    shell: 'screen',
    systems: ['yx'],
    group: '/case',
    at: 20,
  },
} satisfies Pages

const keepers = ['branch_gm', 'steward'] as const
export const caseRights = {
  CaseList: {
    roles: ['hq_ops', 'branch_gm', 'steward', 'service'],
    powers: {
      'case:add': { title: '从工地生成', roles: keepers },
      'case:edit': { title: '编辑图文/征求和登记授权', roles: keepers },
      'case:mask': { title: '照片打码', roles: ['branch_gm', 'steward', 'service'] },
      'case:release': { title: '放行照片', roles: ['branch_gm', 'service'] },
      'case:publish': { title: '上架/下架', roles: ['branch_gm'] },
      'case:export': { title: '导出', roles: ['hq_ops', 'branch_gm'] },
    },
  },
  CaseField: { roles: ['hq_ops', 'branch_gm', 'steward', 'quoter', 'sales'] },
} satisfies Rights<typeof casePages>
