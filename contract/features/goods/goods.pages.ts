import { type Pages, type Rights } from '../../kit/page.ts'

export const goodsPages = {
  AcceptanceList: {
    path: '/check/AcceptanceList',
    title: '验收单',
    shell: 'base',
    systems: ['jf'],
    group: '/check',
    keepAlive: true,
    at: 10,
  },
  ChangeGoods: {
    path: '/check/ChangeGoods',
    title: '退换补货',
    shell: 'base',
    systems: ['jf'],
    group: '/check',
    keepAlive: true,
    at: 20,
  },
} satisfies Pages

const readers = ['hq_ops', 'branch_gm', 'order_clerk', 'acceptor', 'pm', 'steward'] as const
export const goodsRights = {
  AcceptanceList: {
    roles: readers,
    powers: {
      'accept:do': { title: '验收', roles: ['branch_gm', 'acceptor', 'pm', 'steward'] },
      'accept:export': { title: '导出', roles: ['hq_ops', 'branch_gm', 'order_clerk', 'acceptor'] },
    },
  },
  ChangeGoods: {
    roles: [...readers, 'supplier', 'examiner'],
    powers: {
      'change:add': {
        title: '申请/撤回退换补',
        roles: ['branch_gm', 'order_clerk', 'acceptor', 'pm', 'steward'],
      },
      'change:export': {
        title: '导出',
        roles: ['hq_ops', 'branch_gm', 'order_clerk', 'acceptor', 'supplier'],
      },
    },
  },
} satisfies Rights<typeof goodsPages>
