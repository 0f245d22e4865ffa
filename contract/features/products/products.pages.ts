import { type Pages, type Rights } from '../../kit/page.ts'

export const productPages = {
  ProductList: {
    path: '/package/ProductList',
    title: '商品库',
    shell: 'base',
    systems: ['jf'],
    group: '/package',
    keepAlive: true,
    at: 10,
  },
} satisfies Pages

const keepers = ['branch_gm', 'order_clerk'] as const
export const productRights = {
  ProductList: {
    roles: ['hq_ops', 'branch_gm', 'order_clerk', 'quoter', 'examiner'],
    powers: {
      'product:add': { title: '新增', roles: keepers },
      'product:edit': { title: '编辑', roles: keepers },
      'product:price': { title: '调价', roles: ['branch_gm'] },
      'product:shelf': { title: '上下架', roles: keepers },
      'product:category': { title: '品类', roles: [] },
      'product:cost': { title: '查看成本和毛利', roles: ['hq_ops', 'branch_gm', 'order_clerk', 'examiner'] },
      'product:import': { title: '导入', roles: keepers },
      'product:export': { title: '导出', roles: ['hq_ops', ...keepers] },
    },
  },
} satisfies Rights<typeof productPages>
