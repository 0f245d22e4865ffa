import { type Pages, type Rights } from '../../kit/page.ts'

export const receptionPages = {
  OwnerVisit: {
    path: '/OwnerVisit',
    title: '业主到访',
    shell: 'base',
    systems: ['xc'],
    of: 'OwnerList',
    dimension: 'owner',
    names: 'site_id',
  },
} satisfies Pages

export const receptionRights = {
  OwnerVisit: {
    roles: ['hq_ops', 'branch_gm', 'pm', 'steward', 'service'],
    powers: {
      'reception:edit': { title: '登记/完成到访', roles: ['branch_gm', 'pm', 'steward', 'service'] },
      'reception:export': { title: '导出到访', roles: ['hq_ops', 'branch_gm', 'service'] },
    },
  },
} satisfies Rights<typeof receptionPages>
