import { type Pages, type Rights } from '../../kit/page.ts'

export const workerPages = {
  WorkerList: {
    path: '/worker/WorkerList',
    title: '工人列表',
    shell: 'base',
    systems: ['xc'],
    group: '/worker',
    keepAlive: true,
    at: 10,
  },
  WorkerInfo: {
    path: '/WorkerInfo',
    title: '工人基本信息',
    shell: 'base',
    systems: ['xc'],
    of: 'WorkerList',
    dimension: 'worker',
  },
  ProjectExperience: {
    path: '/ProjectExperience',
    title: '非管理人员项目经历',
    shell: 'base',
    systems: ['xc'],
    of: 'WorkerList',
    dimension: 'worker',
    names: 'worker_id',
    leaders: false,
  },
  WorkerMap: {
    path: '/WorkerMap',
    title: '工人地图',
    shell: 'base',
    systems: ['xc'],
    of: 'WorkerList',
    dimension: 'worker',
    names: 'worker_id',
  },
} satisfies Pages

export const workerRights = {
  WorkerList: {
    roles: ['hq_ops', 'branch_gm', 'pm', 'steward', 'inspector'],
    powers: {
      'worker:add': { title: '新增', roles: ['branch_gm'] },
      'worker:edit': { title: '编辑/停用', roles: ['branch_gm'] },
      'worker:send': { title: '派往/撤离工地', roles: ['branch_gm', 'pm'] },
      'worker:face': { title: '人脸与同意', roles: ['branch_gm', 'pm', 'steward'] },
      'worker:document': { title: '证件', roles: ['branch_gm', 'pm'] },
      'worker:phone': { title: '显示完整电话', roles: ['branch_gm'] },
      'worker:unmask': { title: '逐个查看电话', roles: ['hq_ops', 'branch_gm', 'pm', 'steward'] },
      'worker:import': { title: '导入', roles: ['branch_gm'] },
      'worker:export': { title: '导出', roles: ['hq_ops', 'branch_gm'] },
    },
  },
  WorkerInfo: {
    roles: ['hq_ops', 'branch_gm', 'pm', 'steward', 'inspector'],
  },
  ProjectExperience: {
    roles: ['hq_ops', 'branch_gm', 'pm', 'steward', 'inspector'],
  },
  WorkerMap: {
    roles: ['hq_ops', 'branch_gm', 'pm', 'steward', 'inspector'],
  },
} satisfies Rights<typeof workerPages>
