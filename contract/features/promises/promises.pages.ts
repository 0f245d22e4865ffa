import { type Pages, type Rights } from '../../kit/page.ts'

export const promisePages = {
  PromiseList: {
    path: '/owner/PromiseList',
    title: '承诺管理',
    shell: 'base',
    systems: ['xc'],
    group: '/owner',
    keepAlive: true,
    at: 30,
  },
  OwnerPromise: {
    path: '/OwnerPromise',
    title: '承诺',
    shell: 'base',
    systems: ['xc'],
    of: 'PromiseList',
    dimension: 'owner',
    names: 'site_id',
  },
} satisfies Pages

export const promiseRights = {
  PromiseList: {
    roles: ['hq_ops', 'branch_gm', 'pm', 'steward', 'service'],
    powers: {
      'promise:add': { title: '新增', roles: ['branch_gm', 'pm', 'steward', 'service'] },
      'promise:keep': { title: '兑现', roles: ['branch_gm', 'pm', 'steward', 'service'] },
      'promise:extend': { title: '延期', roles: ['branch_gm', 'pm', 'steward', 'service'] },
      'promise:object': { title: '代录异议', roles: ['branch_gm', 'steward', 'service'] },
      'promise:supervise': {
        title: '认定未兑现/撤回/裁定异议/第三次延期',
        roles: ['branch_gm', 'service'],
      },
      'promise:export': { title: '导出', roles: ['hq_ops', 'branch_gm', 'service'] },
    },
  },
  OwnerPromise: { roles: ['hq_ops', 'branch_gm', 'pm', 'steward', 'service'] },
} satisfies Rights<typeof promisePages>
