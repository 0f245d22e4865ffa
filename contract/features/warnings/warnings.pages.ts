import { type Pages, type Rights } from '../../kit/page.ts'

export const warningPages = {
  WarningList: {
    path: '/owner/WarningList',
    title: '工期与质量预警',
    shell: 'base',
    systems: ['xc'],
    group: '/owner',
    keepAlive: true,
    at: 40,
  },
  OwnerProjectwarn: {
    path: '/OwnerProjectwarn',
    title: '工期预警',
    shell: 'base',
    systems: ['xc'],
    of: 'WarningList',
    dimension: 'owner',
    names: 'site_id',
  },
  OwnerQualitywarn: {
    path: '/OwnerQualitywarn',
    title: '质量预警',
    shell: 'base',
    systems: ['xc'],
    of: 'WarningList',
    dimension: 'owner',
    names: 'site_id',
  },
  /** What the cameras of the home have raised: its rows are the alarms'. */
  OwnerWarnrecord: {
    path: '/OwnerWarnrecord',
    title: '工地报警记录',
    shell: 'base',
    systems: ['xc'],
    of: 'AlarmEvent',
    dimension: 'owner',
    names: 'site_id',
  },
} satisfies Pages

const READERS = ['hq_ops', 'branch_gm', 'pm', 'steward', 'service'] as const
export const warningRights = {
  WarningList: {
    roles: [...READERS, 'order_clerk'],
    powers: {
      'warning:take': { title: '处理', roles: ['branch_gm', 'pm', 'steward', 'order_clerk'] },
      'warning:close': { title: '关闭', roles: ['branch_gm', 'pm'] },
      'warning:supervise': { title: '关闭重要和紧急的', roles: ['branch_gm'] },
      'warning:export': { title: '导出', roles: ['hq_ops', 'branch_gm', 'service'] },
    },
  },
  OwnerProjectwarn: { roles: READERS },
  OwnerQualitywarn: { roles: READERS },
  OwnerWarnrecord: { roles: READERS },
} satisfies Rights<typeof warningPages>
