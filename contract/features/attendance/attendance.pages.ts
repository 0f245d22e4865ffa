import { type Pages, type Rights } from '../../kit/page.ts'

export const attendancePages = {
  WorkerAttend: {
    path: '/worker/WorkerAttend',
    title: '工人考勤',
    shell: 'base',
    systems: ['xc'],
    group: '/worker',
    keepAlive: true,
    at: 20,
  },
  SiteAttendance: {
    path: '/SiteAttendance',
    title: '非管理人员考勤',
    shell: 'base',
    systems: ['xc'],
    of: 'SiteList',
    dimension: 'site',
    names: 'site_id',
  },
} satisfies Pages

export const attendanceRights = {
  WorkerAttend: {
    roles: ['hq_ops', 'branch_gm', 'pm', 'steward', 'inspector'],
    powers: {
      'attend:makeup': { title: '补卡', roles: ['branch_gm', 'pm'] },
      'attend:export': { title: '导出', roles: ['hq_ops', 'branch_gm', 'pm'] },
    },
  },
  SiteAttendance: {
    roles: ['hq_ops', 'branch_gm', 'pm', 'steward', 'inspector'],
  },
} satisfies Rights<typeof attendancePages>
