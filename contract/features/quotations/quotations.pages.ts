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
} satisfies Pages

export const quotationRights = {
  QuotationList: {
    roles: ['hq_ops', 'branch_gm', 'quoter', 'examiner', 'order_clerk'],
    powers: {
      'quotation:edit': { title: '新建/编辑/提交', roles: ['branch_gm', 'quoter'] },
      'quotation:discount': { title: '优惠/抹零', roles: ['branch_gm'] },
      'quotation:export': { title: '导出', roles: ['hq_ops', 'branch_gm', 'quoter'] },
      'contract:add': { title: '生成合同', roles: ['branch_gm', 'quoter'] },
      'customer:phone': { title: '查看客户电话', roles: ['branch_gm', 'quoter'] },
    },
  },
} satisfies Rights<typeof quotationPages>
