import { type Pages, type Rights } from '../../kit/page.ts'

export const alarmPages = {
  AlarmEvent: {
    path: '/image/AlarmEvent',
    title: '报警事件管理',
    shell: 'base',
    systems: ['xc'],
    group: '/image',
    keepAlive: true,
    at: 10,
  },
} satisfies Pages

export const alarmRights = {
  AlarmEvent: {
    roles: ['hq_ops', 'branch_gm', 'pm', 'steward', 'inspector', 'service'],
    powers: {
      'alarm:assign': { title: '指派', roles: ['branch_gm', 'pm', 'inspector'] },
      'alarm:correct': { title: '整改', roles: ['branch_gm', 'pm', 'steward'] },
      'alarm:review': { title: '复核', roles: ['branch_gm', 'pm', 'steward', 'inspector'] },
      'alarm:cancel': { title: '取消', roles: ['branch_gm', 'pm', 'inspector'] },
      'alarm:supervise': { title: '取消整改/重新打开', roles: ['branch_gm'] },
      'alarm:export': { title: '导出', roles: ['hq_ops', 'branch_gm', 'pm', 'inspector'] },
    },
  },
} satisfies Rights<typeof alarmPages>
