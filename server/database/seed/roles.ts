import type { PageName } from '@zhuguan/contract/pages.ts'

export interface SeedRole {
  code: string
  name: string
  scope: 'tenant' | 'branches' | 'stores' | 'ownSites'
  pages: readonly PageName[]
  powers: readonly string[]
}

const REPORTS: readonly PageName[] = [
  'NoWork',
  'DeviceStatistics',
  'AttendStatistics',
  'DailySheet',
  'DailyMonitor',
]
const WORKERS: readonly PageName[] = ['WorkerList', 'WorkerInfo']
const ADMIN: readonly PageName[] = [
  'CompanyList',
  'CompanyStore',
  'UserList',
  'RoleList',
  'PageList',
  'DeviceAdmin',
  'UserLog',
  'SetSelf',
]
const STOCK: readonly PageName[] = ['DeviceStock', 'DeviceBindLog']
const ALL: readonly PageName[] = [
  'HomeMaster',
  'SiteList',
  'SiteMap',
  'SiteInfo',
  ...WORKERS,
  'WorkerAttend',
  'AlarmEvent',
  'DeviceList',
  ...REPORTS,
]
const TELL = ['nowork:reason', 'nowork:tell', 'nowork:export', 'statistics:export', 'daily:export'] as const
const SITES: readonly PageName[] = ['HomeMaster', 'SiteList', 'SiteMap', 'SiteInfo']
const REVIEW = ['alarm:assign', 'alarm:review', 'alarm:cancel', 'alarm:export'] as const

/** Roles of people.md over the pages that exist. */
export const SEED_ROLES: readonly SeedRole[] = [
  {
    code: 'admin',
    name: '系统管理员',
    scope: 'tenant',
    pages: [...ALL, ...STOCK, ...ADMIN],
    powers: ['*:*:*'],
  },
  {
    code: 'hq_ops',
    name: '集团运营',
    scope: 'tenant',
    pages: [...ALL, ...STOCK, 'CompanyList', 'UserLog'],
    powers: [
      'site:export',
      'worker:export',
      'worker:unmask',
      'attend:export',
      'alarm:export',
      'device:export',
      'nowork:tell',
      'nowork:export',
      'statistics:export',
      'daily:export',
    ],
  },
  {
    code: 'branch_gm',
    name: '分公司总经理',
    scope: 'branches',
    pages: [...ALL, ...STOCK, 'CompanyStore', 'UserList', 'UserLog', 'SetSelf'],
    powers: [
      'store:add',
      'store:edit',
      'store:delete',
      'user:add',
      'user:import',
      'user:edit',
      'user:state',
      'user:password',
      'user:session',
      'user:export',
      'settings:edit',
      'log:export',
      'site:bind',
      'alarm:correct',
      'alarm:supervise',
      'site:add',
      'site:edit',
      'site:state',
      'site:stage',
      'site:accept',
      'site:import',
      'site:export',
      'worker:add',
      'worker:edit',
      'worker:import',
      'worker:send',
      'worker:face',
      'worker:phone',
      'worker:unmask',
      'worker:export',
      'attend:makeup',
      'attend:export',
      ...REVIEW,
      ...TELL,
      'device:export',
      'device:live',
    ],
  },
  {
    code: 'pm',
    name: '项目经理',
    scope: 'ownSites',
    pages: ALL,
    powers: [
      'site:state',
      'site:stage',
      'site:export',
      'site:bind',
      'worker:send',
      'worker:face',
      'worker:unmask',
      'attend:makeup',
      'attend:export',
      ...REVIEW,
      ...TELL,
      'alarm:correct',
      'device:live',
    ],
  },
  {
    code: 'steward',
    name: '项目管家',
    scope: 'ownSites',
    pages: [...SITES, ...WORKERS, 'WorkerAttend', 'AlarmEvent', 'NoWork', 'DailyMonitor'],
    powers: ['site:accept', 'worker:unmask', 'alarm:correct', 'alarm:review', 'nowork:reason'],
  },
  { code: 'inspector', name: '巡检员', scope: 'branches', pages: ALL, powers: [...REVIEW, 'device:live'] },
  {
    code: 'device_keeper',
    name: '设备管理员',
    scope: 'branches',
    pages: [...SITES, 'DeviceList', 'DeviceStatistics', ...STOCK, 'DeviceAdmin'],
    powers: [
      'site:bind',
      'device:bind',
      'device:stock',
      'device:distribute',
      'device:secret',
      'device:edit',
      'device:delete',
      'device:export',
      'device:live',
    ],
  },
  { code: 'order_clerk', name: '下单员', scope: 'branches', pages: SITES, powers: [] },
  { code: 'supplier', name: '接单商家', scope: 'stores', pages: ['HomeMaster'], powers: [] },
  { code: 'acceptor', name: '验收员', scope: 'branches', pages: SITES, powers: ['site:accept'] },
  { code: 'quoter', name: '报价员', scope: 'stores', pages: SITES, powers: [] },
  { code: 'examiner', name: '审核员', scope: 'branches', pages: SITES, powers: [] },
  { code: 'sales', name: '营销顾问', scope: 'stores', pages: SITES, powers: [] },
  { code: 'service', name: '客服', scope: 'branches', pages: [...SITES, 'AlarmEvent'], powers: [] },
]
