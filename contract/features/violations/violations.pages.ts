import { type Pages, type Rights } from '../../kit/page.ts'

export const violationPages = {
  BreakList: {
    path: '/image/BreakList',
    title: '违规记录',
    shell: 'base',
    systems: ['xc'],
    group: '/image',
    keepAlive: true,
    at: 30,
  },
  BreakRecord: {
    path: '/BreakRecord',
    title: '违规记录',
    shell: 'base',
    systems: ['xc'],
    of: 'BreakList',
    dimension: 'worker',
    names: 'worker_id',
  },
  SiteBreak: {
    path: '/SiteBreak',
    title: '违规与整洁度',
    shell: 'base',
    systems: ['xc'],
    of: 'BreakList',
    dimension: 'site',
    names: 'site_id',
  },
} satisfies Pages

export const violationRights = {
  BreakList: {
    roles: ['hq_ops', 'branch_gm', 'pm', 'steward', 'inspector'],
    powers: {
      'violation:add': { title: '新增', roles: ['branch_gm', 'pm', 'inspector'] },
      'violation:handle': { title: '处理/裁定申诉', roles: ['branch_gm', 'pm', 'inspector'] },
      'violation:object': { title: '申诉', roles: ['branch_gm', 'pm', 'steward'] },
      'violation:export': { title: '导出', roles: ['hq_ops', 'branch_gm'] },
    },
  },
  BreakRecord: { roles: ['hq_ops', 'branch_gm', 'pm', 'steward', 'inspector'] },
  SiteBreak: { roles: ['hq_ops', 'branch_gm', 'pm', 'steward', 'inspector'] },
} satisfies Rights<typeof violationPages>
