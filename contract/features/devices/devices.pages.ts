import { type Pages, type Rights } from '../../kit/page.ts'

export const devicePages = {
  DeviceList: {
    path: '/device/DeviceList',
    title: '设备列表',
    shell: 'base',
    systems: ['xc'],
    group: '/device',
    keepAlive: true,
    at: 20,
  },
  DeviceInfo: {
    path: '/DeviceInfo',
    title: '设备信息',
    shell: 'base',
    systems: ['xc'],
    of: 'DeviceList',
  },
  DeviceStock: {
    path: '/device/DeviceStock',
    title: '设备库存',
    shell: 'base',
    systems: ['xc'],
    group: '/device',
    keepAlive: true,
    at: 30,
  },
  DeviceBindLog: {
    path: '/device/DeviceBindLog',
    title: '绑定记录',
    shell: 'base',
    systems: ['xc'],
    group: '/device',
    keepAlive: true,
    at: 40,
  },
  DeviceAdmin: {
    path: '/system/DeviceAdmin',
    title: '设备台账',
    shell: 'base',
    systems: ['jf'],
    group: '/system',
    keepAlive: true,
    at: 60,
  },
} satisfies Pages

export const deviceRights = {
  DeviceList: {
    roles: ['hq_ops', 'branch_gm', 'pm', 'inspector', 'device_keeper'],
    powers: {
      'device:bind': { title: '绑定/解绑', roles: ['device_keeper'] },
      'device:edit': { title: '编辑', roles: ['device_keeper'] },
      'device:delete': { title: '报废', roles: ['device_keeper'] },
      'device:export': { title: '导出', roles: ['hq_ops', 'branch_gm', 'device_keeper'] },
      'device:live': {
        title: '实时预览',
        roles: ['branch_gm', 'pm', 'steward', 'inspector', 'device_keeper'],
      },
    },
  },
  DeviceInfo: {
    roles: ['hq_ops', 'branch_gm', 'pm', 'inspector', 'device_keeper'],
  },
  DeviceStock: {
    roles: ['hq_ops', 'branch_gm', 'device_keeper'],
    powers: {
      'device:stock': { title: '入库', roles: ['device_keeper'] },
      'device:distribute': { title: '分配/调拨', roles: ['device_keeper'] },
    },
  },
  DeviceBindLog: {
    roles: ['hq_ops', 'branch_gm', 'device_keeper'],
  },
  DeviceAdmin: {
    roles: ['device_keeper'],
    powers: {
      'device:secret': { title: '更换密钥', roles: ['device_keeper'] },
    },
  },
} satisfies Rights<typeof devicePages>
