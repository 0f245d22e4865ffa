import { type Pages, type Rights } from '../../kit/page.ts'

export const threadPages = {
  OwnerInteract: {
    path: '/OwnerInteract',
    title: '业主互动',
    shell: 'base',
    systems: ['xc'],
    of: 'OwnerList',
    dimension: 'owner',
    names: 'site_id',
  },
} satisfies Pages

export const threadRights = {
  OwnerInteract: {
    roles: ['hq_ops', 'branch_gm', 'pm', 'steward', 'service'],
    powers: {
      'thread:reply': { title: '回复/代录/转为', roles: ['branch_gm', 'pm', 'steward', 'service'] },
      'thread:templates': { title: '修改常用语', roles: ['branch_gm', 'service'] },
      'thread:export': { title: '导出', roles: ['hq_ops', 'branch_gm', 'service'] },
    },
  },
} satisfies Rights<typeof threadPages>
