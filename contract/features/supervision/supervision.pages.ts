import { type Pages, type Rights } from '../../kit/page.ts'

export const supervisionPages = {
  ManageSupervise: {
    path: '/ManageSupervise',
    title: '管理监督',
    shell: 'base',
    systems: ['xc'],
    of: 'ManagerList',
    dimension: 'management',
  },
  ManageMap: {
    path: '/ManageMap',
    title: '管理地图',
    shell: 'base',
    systems: ['xc'],
    of: 'ManagerList',
    dimension: 'management',
  },
  ManageInspect: {
    path: '/ManageInspect',
    title: '管理巡查',
    shell: 'base',
    systems: ['xc'],
    of: 'ManagerList',
    dimension: 'management',
  },
} satisfies Pages

/** Superiors and those whom it is about; who does not supervise sees themselves. */
const READERS = ['hq_ops', 'branch_gm', 'pm', 'steward'] as const
export const supervisionRights = {
  ManageSupervise: {
    roles: READERS,
    powers: {
      'manage:supervise': { title: '看下属的监督、地图和巡查', roles: ['hq_ops', 'branch_gm'] },
      // Who gives others a role has all of its rights.
      'manage:remark': { title: '对自己的指标写说明', roles: ['branch_gm', 'pm', 'steward'] },
      'manage:export': { title: '导出', roles: READERS },
    },
  },
  ManageMap: { roles: READERS },
  ManageInspect: { roles: READERS },
} satisfies Rights<typeof supervisionPages>
