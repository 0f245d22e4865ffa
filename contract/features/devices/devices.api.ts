import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { commaList, flag, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { told } from '../consents/notices.record.ts'
import {
  bindStatus,
  deviceBinding,
  deviceDetail,
  deviceRow,
  deviceSpan,
  deviceStatus,
  deviceType,
} from './devices.record.ts'

/** 0 全部 is accepted in the filter and means no filter. */
const statusFilter = z.preprocess(
  (v) => (v === '0' || v === 0 ? undefined : v),
  commaList(deviceStatus.schema),
)
const query = listQuery(['sn', 'type', 'model', 'deviceStatus', 'lastSeen', 'signal', 'firmware'], {
  keyword,
  type: commaList(deviceType.schema).meta({ title: '类型' }),
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  site_id: optional(uuid).meta({ title: '工地' }),
  bindStatus: optional(bindStatus.schema).meta({ title: '绑定状态' }),
  deviceStatus: statusFilter.meta({ title: '设备状态' }),
  firmware: optional(z.string().max(40)).meta({ title: '固件' }),
  retrieval: flag.meta({ title: '待回收' }),
  ids: commaList(uuid).meta({ title: '指定设备' }),
})
const command = {
  id: uuid.meta({ title: '设备' }),
  version: z.number().int().min(0),
  remark: z.string().trim().max(200).default('').meta({ title: '备注' }),
}

export const devicesApi = defineApi({
  list: {
    method: 'POST',
    path: '/osmcore/api/device/list',
    title: '设备列表',
    access: ['page:DeviceList'],
    query,
    data: paged(deviceRow),
  },
  details: {
    method: 'POST',
    path: '/osmcore/api/device/details',
    title: '设备信息',
    access: ['page:DeviceInfo'],
    query: z.object({ id: uuid }),
    data: deviceDetail,
  },
  history: {
    method: 'POST',
    path: '/osmcore/api/device/history',
    title: '设备历史',
    access: ['page:DeviceInfo', 'page:DeviceList', 'page:SiteInfo'],
    query: z.object({ id: uuid }),
    data: z.object({
      spans: z.array(deviceSpan),
      bindings: z.array(deviceBinding),
      /** When no server listened, of the last weeks: how the device was then, nobody knows. */
      unheard: z.array(z.object({ from: z.number().int(), to: z.number().int() })),
    }),
  },
  /** Devices that lie spare in the branch of a site, for whoever binds devices there. */
  spares: {
    method: 'POST',
    path: '/osmcore/api/device/spares',
    title: '备用设备',
    access: ['device:bind', 'site:bind'],
    query: z.object({ site_id: uuid.meta({ title: '工地' }) }),
    data: z.array(deviceRow.pick({ id: true, sn: true, type: true, model: true, version: true })),
  },
  bind: {
    method: 'POST',
    path: '/osmcore/api/device/bind',
    title: '绑定设备',
    access: ['device:bind', 'site:bind'],
    body: z.object({ ...command, site_id: uuid.meta({ title: '工地' }), told }),
    data: nothing,
  },
  change: {
    method: 'POST',
    path: '/osmcore/api/device/change',
    title: '改变设备状态',
    access: ['device:bind', 'device:edit', 'device:delete'],
    body: z.object({
      ...command,
      action: z.enum(['unbind', 'fault', 'repair', 'recover', 'enable', 'remove']).meta({ title: '动作' }),
    }),
    data: nothing,
  },
  export: {
    method: 'POST',
    path: '/osmcore/api/device/export',
    title: '导出设备',
    access: ['device:export'],
    query,
    data: nothing,
    raw: true,
  },
})
