import { type Pages, type Rights } from '../../kit/page.ts'

export const videoPages = {
  SiteVidicon: {
    path: '/SiteVidicon',
    title: '工地摄像头在线分析',
    shell: 'base',
    systems: ['xc'],
    of: 'DeviceList',
    dimension: 'site',
    names: 'site_id',
  },
} satisfies Pages

export const videoRights = {
  SiteVidicon: {
    roles: ['hq_ops', 'branch_gm', 'pm', 'inspector', 'device_keeper'],
    powers: {
      'vidicon:export': { title: '导出', roles: ['hq_ops', 'branch_gm', 'inspector', 'device_keeper'] },
    },
  },
} satisfies Rights<typeof videoPages>
