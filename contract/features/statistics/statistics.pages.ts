import { type Pages, type Rights } from '../../kit/page.ts'

export const statisticsPages = {
  DeviceStatistics: {
    path: '/device/DeviceStatistics',
    title: '设备统计',
    shell: 'base',
    systems: ['xc'],
    group: '/device',
    keepAlive: true,
    at: 10,
  },
  AttendStatistics: {
    path: '/dataStatistics/AttendStatistics',
    title: '考勤统计',
    shell: 'base',
    systems: ['xc'],
    group: '/dataStatistics',
    keepAlive: true,
    at: 10,
  },
  DailySheet: {
    path: '/dataStatistics/DailySheet',
    title: '日报表',
    shell: 'base',
    systems: ['xc'],
    group: '/dataStatistics',
    keepAlive: true,
    at: 20,
  },
  AlarmStatistics: {
    path: '/dataStatistics/AlarmStatistics',
    title: '报警统计',
    shell: 'base',
    systems: ['xc'],
    group: '/dataStatistics',
    keepAlive: true,
    at: 30,
  },
  PatrolStatistics: {
    path: '/dataStatistics/PatrolStatistics',
    title: '巡检统计',
    shell: 'base',
    systems: ['xc'],
    group: '/dataStatistics',
    keepAlive: true,
    at: 40,
  },
  DailyMonitor: {
    path: '/data/DailyMonitor',
    title: '每日监控',
    shell: 'base',
    systems: ['xc'],
    group: '/data',
    keepAlive: true,
    at: 10,
  },
  DataV: {
    path: '/DataView',
    title: '数据大屏',
    shell: 'screen',
    systems: ['xc'],
    group: '/data',
    at: 20,
  },
} satisfies Pages

export const statisticsRights = {
  DeviceStatistics: {
    roles: ['hq_ops', 'branch_gm', 'pm', 'inspector', 'device_keeper'],
  },
  AttendStatistics: {
    roles: ['hq_ops', 'branch_gm', 'pm', 'inspector'],
    powers: {
      'statistics:export': { title: '导出', roles: ['hq_ops', 'branch_gm', 'pm'] },
    },
  },
  DailySheet: {
    roles: ['hq_ops', 'branch_gm', 'pm', 'inspector'],
    powers: {
      'daily:export': { title: '导出', roles: ['hq_ops', 'branch_gm', 'pm'] },
    },
  },
  AlarmStatistics: {
    roles: ['hq_ops', 'branch_gm', 'pm'],
    powers: {
      'alarmfigures:export': { title: '导出', roles: ['hq_ops', 'branch_gm', 'pm'] },
    },
  },
  PatrolStatistics: {
    roles: ['hq_ops', 'branch_gm', 'pm', 'inspector'],
    powers: {
      'patrolfigures:export': { title: '导出', roles: ['hq_ops', 'branch_gm', 'inspector'] },
    },
  },
  DailyMonitor: {
    roles: ['hq_ops', 'branch_gm', 'pm', 'steward', 'inspector'],
  },
  DataV: { roles: ['hq_ops', 'branch_gm'] },
} satisfies Rights<typeof statisticsPages>
