import { type Pages, type Rights } from '../../kit/page.ts'

export const statementPages = {
  StatementList: {
    path: '/order/StatementList',
    title: '对账单',
    shell: 'base',
    systems: ['jf'],
    group: '/order',
    keepAlive: true,
    at: 40,
  },
} satisfies Pages

export const statementRights = {
  StatementList: {
    roles: ['hq_ops', 'branch_gm', 'order_clerk', 'cashier', 'supplier', 'examiner'],
    powers: {
      'statement:edit': {
        title: '生成/发出对账单，加手工行',
        roles: ['branch_gm', 'order_clerk', 'cashier'],
      },
      'statement:confirm': { title: '确认/异议对账单', roles: ['branch_gm', 'supplier'] },
      'statement:pay': { title: '登记/冲销付款', roles: ['cashier'] },
      'statement:export': {
        title: '导出',
        roles: ['hq_ops', 'branch_gm', 'order_clerk', 'cashier', 'supplier'],
      },
    },
  },
} satisfies Rights<typeof statementPages>
