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
  LogisticsList: {
    path: '/dispatch/LogisticsList',
    title: '物流跟踪',
    shell: 'base',
    systems: ['jf'],
    group: '/dispatch',
    keepAlive: true,
    at: 20,
  },
  ArrivalCalendar: {
    path: '/dispatch/ArrivalCalendar',
    title: '到货日历',
    shell: 'base',
    systems: ['jf'],
    group: '/dispatch',
    keepAlive: true,
    at: 30,
  },
} satisfies Pages

export const dispatchRights = {
  DispatchList: {
    roles: ['hq_ops', 'branch_gm', 'order_clerk', 'acceptor', 'pm', 'steward', 'supplier'],
    powers: {
      'dispatch:add': { title: '新建发货单', roles: ['branch_gm', 'order_clerk', 'supplier'] },
      'dispatch:ship': { title: '发货', roles: ['branch_gm', 'supplier'] },
      'dispatch:cancel': { title: '取消', roles: ['branch_gm', 'order_clerk', 'supplier'] },
      // The driver, the store and the site confirm it, not who ordered (docs/states.md).
      'dispatch:deliver': {
        title: '确认送达',
        roles: ['branch_gm', 'acceptor', 'pm', 'steward', 'supplier'],
      },
      'dispatch:back': { title: '整单退回', roles: ['branch_gm', 'order_clerk', 'supplier'] },
      'dispatch:export': { title: '导出', roles: ['hq_ops', 'branch_gm', 'order_clerk', 'supplier'] },
    },
  },
  LogisticsList: {
    roles: ['hq_ops', 'branch_gm', 'order_clerk', 'acceptor', 'pm', 'steward', 'supplier'],
    powers: {
      'logistics:node': { title: '更新节点', roles: ['branch_gm', 'order_clerk', 'supplier'] },
      'logistics:sign': { title: '签收', roles: ['branch_gm', 'supplier'] },
      'logistics:export': { title: '导出', roles: ['hq_ops', 'branch_gm', 'order_clerk', 'supplier'] },
      'carrier:edit': { title: '管理承运商接口', roles: [] },
    },
  },
  ArrivalCalendar: {
    roles: ['hq_ops', 'branch_gm', 'order_clerk', 'acceptor', 'pm', 'steward', 'supplier'],
    powers: {
      'dispatch:plan': { title: '改到货日期', roles: ['branch_gm', 'order_clerk', 'supplier'] },
    },
  },
} satisfies Rights<typeof dispatchPages>
