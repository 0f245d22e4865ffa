import { type Pages, type Rights } from '../../kit/page.ts'

export const packagePages = {
  PackageList: {
    path: '/package/PackageList',
    title: '套餐管理',
    shell: 'base',
    systems: ['jf'],
    group: '/package',
    keepAlive: true,
    at: 20,
  },
} satisfies Pages

export const packageRights = {
  PackageList: {
    roles: ['hq_ops', 'branch_gm', 'order_clerk', 'quoter', 'examiner'],
    powers: {
      'package:edit': { title: '新增/编辑/复制', roles: ['branch_gm', 'order_clerk'] },
      'package:publish': { title: '发布/停用', roles: ['branch_gm'] },
      'package:export': { title: '导出', roles: ['hq_ops', 'branch_gm', 'order_clerk'] },
    },
  },
} satisfies Rights<typeof packagePages>
