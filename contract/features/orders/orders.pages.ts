import { type Pages, type Rights } from '../../kit/page.ts'

export const orderPages = {
  OrderPlan: {
    path: '/order/OrderPlan',
    title: '待下单',
    shell: 'base',
    systems: ['jf'],
    group: '/order',
    keepAlive: true,
    at: 10,
  },
  OrderList: {
    path: '/order/OrderList',
    title: '订单列表',
    shell: 'base',
    systems: ['jf'],
    group: '/order',
    keepAlive: true,
    at: 20,
  },
  ReceiveOrder: {
    path: '/order/ReceiveOrder',
    title: '接单',
    shell: 'base',
    systems: ['jf'],
    group: '/order',
    keepAlive: true,
    at: 30,
  },
  OrderDetail: {
    path: '/order/OrderDetail',
    title: '订单详情',
    shell: 'base',
    systems: ['jf'],
    of: 'OrderList',
  },
  OrderUnits: {
    path: '/system/OrderUnits',
    title: '公司订单',
    shell: 'base',
    systems: ['jf'],
    group: '/system',
    keepAlive: true,
    at: 25,
  },
} satisfies Pages

const readers = ['hq_ops', 'branch_gm', 'order_clerk', 'acceptor', 'cashier', 'pm', 'steward'] as const
export const orderRights = {
  OrderPlan: {
    roles: ['hq_ops', 'branch_gm', 'order_clerk', 'pm'],
    powers: { 'order:place': { title: '下单/撤回/释放', roles: ['branch_gm', 'order_clerk'] } },
  },
  OrderList: {
    roles: [...readers, 'supplier'],
    powers: {
      'order:answer': { title: '申请和答复撤销/结束剩余', roles: ['branch_gm', 'order_clerk', 'supplier'] },
      'order:amount': {
        title: '查看采购金额',
        roles: ['hq_ops', 'branch_gm', 'order_clerk', 'cashier', 'supplier'],
      },
      'order:export': { title: '导出', roles: ['hq_ops', 'branch_gm', 'order_clerk', 'cashier'] },
      'order:ready': { title: '可以到货', roles: ['branch_gm', 'pm', 'steward'] },
    },
  },
  OrderDetail: { roles: [...readers, 'supplier'] },
  ReceiveOrder: {
    roles: ['branch_gm', 'supplier'],
    powers: { 'order:receive': { title: '接单/拒单/拆单', roles: ['branch_gm', 'supplier'] } },
  },
  OrderUnits: { roles: ['hq_ops', 'branch_gm', 'order_clerk', 'cashier'] },
} satisfies Rights<typeof orderPages>
