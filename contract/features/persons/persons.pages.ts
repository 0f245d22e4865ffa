import { type Pages, type Rights } from '../../kit/page.ts'

export const personPages = {
  PersonRequest: {
    path: '/owner/PersonRequest',
    title: '个人信息请求',
    shell: 'base',
    systems: ['xc'],
    group: '/owner',
    keepAlive: true,
    at: 95,
  },
} satisfies Pages

export const personRights = {
  PersonRequest: {
    roles: ['hq_ops', 'branch_gm', 'service'],
    powers: {
      'person:add': { title: '登记请求', roles: ['branch_gm', 'service'] },
      'person:verify': { title: '核实和驳回', roles: ['branch_gm', 'service'] },
      'person:execute': { title: '执行删除和汇总', roles: [] },
    },
  },
} satisfies Rights<typeof personPages>
