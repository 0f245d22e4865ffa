import { type Pages, type Rights } from '../../kit/page.ts'

export const quotationPages = {
  QuotationList: {
    path: '/package/QuotationList',
    title: '报价单',
    shell: 'base',
    systems: ['jf'],
    group: '/package',
    keepAlive: true,
    at: 30,
  },
  QuotationEdit: {
    path: '/package/QuotationEdit',
    title: '报价编辑',
    shell: 'base',
    systems: ['jf'],
    of: 'QuotationList',
    keepAlive: true,
  },
} satisfies Pages

const readers = ['hq_ops', 'branch_gm', 'quoter', 'examiner', 'order_clerk'] as const
export const quotationRights = {
  QuotationList: {
    roles: readers,
    powers: {
      'quotation:edit': { title: '新建/编辑/提交', roles: ['branch_gm', 'quoter'] },
      'quotation:discount': { title: '优惠/抹零', roles: ['branch_gm'] },
      'quotation:export': { title: '导出', roles: ['hq_ops', 'branch_gm', 'quoter'] },
      'customer:phone': { title: '查看客户电话', roles: ['branch_gm', 'quoter'] },
    },
  },
  QuotationEdit: { roles: readers },
} satisfies Rights<typeof quotationPages>
