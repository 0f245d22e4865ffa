import { type Pages, type Rights } from '../../kit/page.ts'

export const contractPages = {
  ContractList: {
    path: '/contract/ContractList',
    title: '合同管理',
    shell: 'base',
    systems: ['jf'],
    group: '/contract',
    keepAlive: true,
    at: 10,
  },
  ReceiptList: {
    path: '/contract/ReceiptList',
    title: '收退款流水',
    shell: 'base',
    systems: ['jf'],
    group: '/contract',
    keepAlive: true,
    at: 20,
  },
  ContractDetail: {
    path: '/contract/ContractDetail',
    title: '合同详情',
    shell: 'base',
    systems: ['jf'],
    of: 'ContractList',
  },
} satisfies Pages

const readers = ['hq_ops', 'branch_gm', 'order_clerk', 'quoter', 'examiner', 'cashier'] as const
export const contractRights = {
  ContractList: {
    roles: readers,
    powers: {
      'contract:add': { title: '生成合同/附件', roles: ['branch_gm', 'quoter'] },
      'contract:pay': { title: '收款', roles: ['cashier'] },
      'contract:refund': { title: '申请退款', roles: ['cashier'] },
      'contract:sign': { title: '签约', roles: ['branch_gm'] },
      'contract:change': { title: '增减项变更', roles: ['branch_gm', 'quoter'] },
      'contract:void': { title: '作废/终止', roles: ['branch_gm'] },
      'contract:settle': { title: '竣工结算', roles: ['branch_gm'] },
      'contract:export': { title: '导出', roles: ['hq_ops', 'branch_gm', 'cashier'] },
    },
  },
  ContractDetail: { roles: readers },
  ReceiptList: { roles: ['hq_ops', 'branch_gm', 'cashier'] },
} satisfies Rights<typeof contractPages>
