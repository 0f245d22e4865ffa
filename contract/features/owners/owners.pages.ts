import { type Pages, type Rights } from '../../kit/page.ts'

export const ownerPages = {
  OwnerList: {
    path: '/owner/OwnerList',
    title: '业主列表',
    shell: 'base',
    systems: ['xc'],
    group: '/owner',
    keepAlive: true,
    at: 10,
  },
  OwnerInfo: {
    path: '/OwnerInfo',
    title: '业主信息',
    shell: 'base',
    systems: ['xc'],
    of: 'OwnerList',
    dimension: 'owner',
    names: 'site_id',
  },
  OwnerVideoaccess: {
    path: '/OwnerVideoaccess',
    title: '视频观看记录',
    shell: 'base',
    systems: ['xc'],
    of: 'OwnerList',
    dimension: 'owner',
    names: 'site_id',
  },
} satisfies Pages

export const ownerRights = {
  OwnerList: {
    roles: ['hq_ops', 'branch_gm', 'pm', 'steward', 'service'],
    powers: {
      'owner:edit': { title: '新增/编辑联系人', roles: ['branch_gm', 'pm', 'steward', 'service'] },
      'owner:change': { title: '更换业主', roles: ['branch_gm'] },
      'owner:link': { title: '业主链接与设备', roles: ['branch_gm', 'steward', 'service'] },
      'owner:phone': {
        title: '查看完整电话',
        roles: ['hq_ops', 'branch_gm', 'pm', 'steward', 'service'],
      },
      'owner:export': { title: '导出', roles: ['hq_ops', 'branch_gm', 'service'] },
    },
  },
  OwnerInfo: {
    roles: ['hq_ops', 'branch_gm', 'pm', 'steward', 'service'],
    powers: {
      'owner:video': { title: '授权/停止看现场、登记同意', roles: ['branch_gm', 'steward'] },
      'question:ask': {
        title: '询问业主/代录答复/撤回',
        roles: ['branch_gm', 'pm', 'steward', 'service'],
      },
    },
  },
  OwnerVideoaccess: {
    roles: ['hq_ops', 'branch_gm', 'pm', 'steward', 'service'],
    powers: {
      'ownervideo:export': { title: '导出观看记录', roles: ['hq_ops', 'branch_gm', 'service'] },
    },
  },
} satisfies Rights<typeof ownerPages>
