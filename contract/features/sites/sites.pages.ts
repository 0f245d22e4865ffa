import { allBut, type Pages, type Rights } from '../../kit/page.ts'

export const sitePages = {
  SiteList: {
    path: '/Site/SiteList',
    title: '工地列表',
    shell: 'base',
    systems: ['xc'],
    group: '/Site',
    keepAlive: true,
    at: 10,
  },
  SiteMap: {
    path: '/Site/SiteMap',
    title: '工地地图',
    shell: 'base',
    systems: ['xc'],
    group: '/Site',
    keepAlive: true,
    at: 20,
  },
  SiteInfo: {
    path: '/SiteInfo',
    title: '工地信息',
    shell: 'base',
    systems: ['xc'],
    of: 'SiteList',
    dimension: 'site',
  },
} satisfies Pages

export const siteRights = {
  SiteList: {
    roles: allBut('supplier'),
    powers: {
      'site:add': { title: '新增', roles: ['branch_gm'] },
      'site:edit': { title: '编辑', roles: ['branch_gm'] },
      'site:state': { title: '开工/完工/终止', roles: ['branch_gm', 'pm'] },
      'site:bind': { title: '绑定设备', roles: ['branch_gm', 'pm', 'device_keeper'] },
      'site:import': { title: '导入', roles: ['branch_gm'] },
      'site:address': {
        title: '查看详细地址',
        roles: [
          'branch_gm',
          'pm',
          'steward',
          'inspector',
          'acceptor',
          'device_keeper',
          'order_clerk',
          'quoter',
        ],
      },
      'site:export': { title: '导出', roles: ['hq_ops', 'branch_gm', 'pm'] },
    },
  },
  SiteMap: {
    roles: allBut('supplier'),
  },
  SiteInfo: {
    roles: allBut('supplier'),
    powers: {
      'site:stage': { title: '阶段排期/开始', roles: ['branch_gm', 'pm'] },
      'site:accept': { title: '阶段验收/返工', roles: ['branch_gm', 'steward', 'acceptor'] },
      'site:lived': { title: '登记有人居住', roles: ['branch_gm', 'pm', 'steward'] },
      'handover:read': { title: '看销售交底', roles: ['hq_ops', 'branch_gm', 'pm', 'steward', 'service'] },
      'handover:confirm': { title: '确认销售交底/问顾问', roles: ['branch_gm', 'steward'] },
      'site:phone': { title: '查看业主电话', roles: ['hq_ops', 'branch_gm', 'pm', 'steward', 'service'] },
    },
  },
} satisfies Rights<typeof sitePages>
