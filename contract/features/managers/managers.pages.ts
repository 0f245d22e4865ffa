import { type Pages, type Rights } from '../../kit/page.ts'

export const managerPages = {
  ManagerList: {
    path: '/worker/ManagerList',
    title: '管理人员',
    shell: 'base',
    systems: ['xc'],
    group: '/worker',
    keepAlive: true,
    at: 30,
  },
} satisfies Pages

export const managerRights = {
  ManagerList: {
    roles: ['hq_ops', 'branch_gm', 'inspector'],
    powers: {
      'manager:export': { title: '导出', roles: ['hq_ops', 'branch_gm'] },
    },
  },
} satisfies Rights<typeof managerPages>
