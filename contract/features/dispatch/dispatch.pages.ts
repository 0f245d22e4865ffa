import { type Pages, type Rights } from '../../kit/page.ts'

export const dispatchPages = {
  DispatchList: {
    path: '/dispatch/DispatchList',
    title: '发货单',
    shell: 'base',
    systems: ['jf'],
    group: '/dispatch',
    keepAlive: true,
    at: 10,
  },
} satisfies Pages

export const dispatchRights = {
  DispatchList: {
    roles: ['hq_ops', 'branch_gm', 'order_clerk', 'acceptor', 'pm', 'steward', 'supplier'],
    powers: {
      'dispatch:add': { title: '新建发货单', roles: ['branch_gm', 'order_clerk', 'supplier'] },
      'dispatch:ship': { title: '发货', roles: ['branch_gm', 'supplier'] },
      'dispatch:cancel': { title: '取消', roles: ['branch_gm', 'order_clerk', 'supplier'] },
      'dispatch:deliver': {
        title: '确认送达',
        roles: ['branch_gm', 'order_clerk', 'acceptor', 'pm', 'steward', 'supplier'],
      },
      'dispatch:back': { title: '整单退回', roles: ['branch_gm', 'order_clerk', 'supplier'] },
      'dispatch:export': { title: '导出', roles: ['hq_ops', 'branch_gm', 'order_clerk', 'supplier'] },
    },
  },
} satisfies Rights<typeof dispatchPages>
