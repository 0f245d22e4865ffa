import type { Subsystem } from './features/session/session.record.ts'

export type Dimension = 'worker' | 'visitor' | 'site' | 'owner' | 'management'
export const DIMENSION_LABEL: Record<Dimension, string> = {
  worker: '工人',
  visitor: '访客',
  site: '工地',
  owner: '业主',
  management: '管理',
}

export interface Page {
  path: string
  title: string
  /** `base` has sidebar and header, `screen` opens full screen in its own tab, `open` needs no session. */
  shell: 'base' | 'screen' | 'open'
  /** Subsystems whose menu may hold it; empty for pages that every user has. */
  systems: readonly Subsystem[]
  /** The menu group it stands under; absent for hidden pages. */
  group?: string
  /** A hidden page goes with the page it is reached from: who has that one has this one. */
  of?: string
  dimension?: Dimension
  keepAlive?: boolean
}

const page = <const P extends Page>(p: P): Page => p

/** Menu groups by path: title, icon. `/data` is the group that opens DailyMonitor (spec section 2). */
export const GROUPS: Record<string, { name: string; title: string; icon: string; system: Subsystem }> = {
  '/Site': { name: 'Site', title: '工地管理', icon: 'site', system: 'xc' },
  '/worker': { name: 'worker', title: '工人管理', icon: 'worker', system: 'xc' },
  '/image': { name: 'image', title: '图像识别', icon: 'image', system: 'xc' },
  '/device': { name: 'device', title: '设备管理', icon: 'device', system: 'xc' },
  '/dataStatistics': { name: 'dataStatistics', title: '数据统计', icon: 'chart', system: 'xc' },
  '/data': { name: 'data', title: '数据', icon: 'board', system: 'xc' },
  '/system': { name: 'system', title: '系统管理', icon: 'gear', system: 'jf' },
}

/** Every screen that is built. The menu in the database is seeded from it; web/app/pages.tsx has a component for each name. */
export const PAGES = {
  Login: page({ path: '/login', title: '登录', shell: 'open', systems: [] }),
  Preview: page({ path: '/Preview', title: '工地预览', shell: 'open', systems: [] }),
  NotFound: page({ path: '/404', title: '页面不存在', shell: 'open', systems: [] }),
  NoAccess: page({ path: '/401', title: '无权访问', shell: 'open', systems: [] }),
  ServerError: page({ path: '/500', title: '服务器错误', shell: 'open', systems: [] }),
  HomeMaster: page({
    path: '/HomeMaster',
    title: '我想掌握的',
    shell: 'base',
    systems: ['xc'],
    keepAlive: true,
  }),
  SiteList: page({
    path: '/Site/SiteList',
    title: '工地列表',
    shell: 'base',
    systems: ['xc'],
    group: '/Site',
    keepAlive: true,
  }),
  SiteMap: page({
    path: '/Site/SiteMap',
    title: '工地地图',
    shell: 'base',
    systems: ['xc'],
    group: '/Site',
    keepAlive: true,
  }),
  SiteInfo: page({
    path: '/SiteInfo',
    title: '工地信息',
    shell: 'base',
    systems: ['xc'],
    of: 'SiteList',
    dimension: 'site',
  }),
  NoWork: page({
    path: '/Site/NoWork',
    title: '停工预警',
    shell: 'base',
    systems: ['xc'],
    group: '/Site',
    keepAlive: true,
  }),
  WorkerList: page({
    path: '/worker/WorkerList',
    title: '工人列表',
    shell: 'base',
    systems: ['xc'],
    group: '/worker',
    keepAlive: true,
  }),
  WorkerInfo: page({
    path: '/WorkerInfo',
    title: '工人基本信息',
    shell: 'base',
    systems: ['xc'],
    of: 'WorkerList',
    dimension: 'worker',
  }),
  WorkerAttend: page({
    path: '/worker/WorkerAttend',
    title: '工人考勤',
    shell: 'base',
    systems: ['xc'],
    group: '/worker',
    keepAlive: true,
  }),
  AlarmEvent: page({
    path: '/image/AlarmEvent',
    title: '报警事件管理',
    shell: 'base',
    systems: ['xc'],
    group: '/image',
    keepAlive: true,
  }),
  DeviceStatistics: page({
    path: '/device/DeviceStatistics',
    title: '设备统计',
    shell: 'base',
    systems: ['xc'],
    group: '/device',
    keepAlive: true,
  }),
  DeviceList: page({
    path: '/device/DeviceList',
    title: '设备列表',
    shell: 'base',
    systems: ['xc'],
    group: '/device',
    keepAlive: true,
  }),
  DeviceStock: page({
    path: '/device/DeviceStock',
    title: '设备库存',
    shell: 'base',
    systems: ['xc'],
    group: '/device',
    keepAlive: true,
  }),
  DeviceBindLog: page({
    path: '/device/DeviceBindLog',
    title: '绑定记录',
    shell: 'base',
    systems: ['xc'],
    group: '/device',
    keepAlive: true,
  }),
  AttendStatistics: page({
    path: '/dataStatistics/AttendStatistics',
    title: '考勤统计',
    shell: 'base',
    systems: ['xc'],
    group: '/dataStatistics',
    keepAlive: true,
  }),
  DailySheet: page({
    path: '/dataStatistics/DailySheet',
    title: '日报表',
    shell: 'base',
    systems: ['xc'],
    group: '/dataStatistics',
    keepAlive: true,
  }),
  DailyMonitor: page({
    path: '/data/DailyMonitor',
    title: '每日监控',
    shell: 'base',
    systems: ['xc'],
    group: '/data',
    keepAlive: true,
  }),
  CompanyList: page({
    path: '/system/CompanyList',
    title: '分公司管理',
    shell: 'base',
    systems: ['jf'],
    group: '/system',
    keepAlive: true,
  }),
  CompanyStore: page({
    path: '/system/CompanyStore',
    title: '门店管理',
    shell: 'base',
    systems: ['jf'],
    group: '/system',
    keepAlive: true,
  }),
  UserList: page({
    path: '/system/UserList',
    title: '用户管理',
    shell: 'base',
    systems: ['jf'],
    group: '/system',
    keepAlive: true,
  }),
  RoleList: page({
    path: '/system/RoleList',
    title: '角色管理',
    shell: 'base',
    systems: ['jf'],
    group: '/system',
    keepAlive: true,
  }),
  PageList: page({
    path: '/system/PageList',
    title: '页面管理',
    shell: 'base',
    systems: ['jf'],
    group: '/system',
    keepAlive: true,
  }),
  DeviceAdmin: page({
    path: '/system/DeviceAdmin',
    title: '设备台账',
    shell: 'base',
    systems: ['jf'],
    group: '/system',
    keepAlive: true,
  }),
  UserLog: page({
    path: '/system/UserLog',
    title: '操作日志',
    shell: 'base',
    systems: ['jf'],
    group: '/system',
    keepAlive: true,
  }),
  SetSelf: page({
    path: '/system/SetSelf',
    title: '自助设置',
    shell: 'base',
    systems: ['jf'],
    group: '/system',
    keepAlive: true,
  }),
} satisfies Record<string, Page>

export type PageName = keyof typeof PAGES

/** Defaults of the recently visited list (spec section 2); those a user cannot open are left out. */
export const RECENT_DEFAULT = [
  '/Site/SiteList',
  '/dataStatistics/AttendStatistics',
  '/device/DeviceStatistics',
  '/device/DeviceList',
  '/image/AlarmEvent',
  '/worker/WorkerAttend',
  '/dataStatistics/DailySheet',
] as const
