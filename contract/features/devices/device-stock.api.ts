import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason, version } from '../../kit/fields.ts'
import { commaList, day, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import {
  BIND_ACTIONS,
  bindLogRow,
  MAX_STOCK,
  newSerialNumber,
  serialNumber,
  stockRow,
} from './device-stock.record.ts'
import { devicesApi } from './devices.api.ts'
import { deviceRow, deviceType } from './devices.record.ts'

const id = uuid.meta({ title: '设备' })
const remark = z.string().trim().max(200).default('').meta({ title: '备注' })
const list = <T extends z.ZodType>(item: T) =>
  z.preprocess(
    (v) => (typeof v === 'string' ? v.split(/[\s,，;；]+/).filter(Boolean) : v),
    z
      .array(item)
      .min(1, { error: '至少一个' })
      .max(MAX_STOCK, { error: `一次最多 ${MAX_STOCK} 个` }),
  )
const refused = z.array(z.object({ sn: z.string(), why: z.string() }))
const logQuery = listQuery(['at', 'sn'], {
  keyword,
  action: commaList(z.enum(BIND_ACTIONS)).meta({ title: '动作' }),
  device_id: optional(uuid).meta({ title: '设备' }),
  site_id: optional(uuid).meta({ title: '工地' }),
  from: optional(day).meta({ title: '开始日期' }),
  to: optional(day).meta({ title: '结束日期' }),
})

export const deviceStockApi = defineApi({
  list: {
    method: 'POST',
    path: '/dsmcore/api/device/list',
    title: '设备台账',
    access: ['page:DeviceAdmin', 'page:DeviceStock'],
    query: devicesApi.list.query,
    data: paged(deviceRow),
  },
  /** New devices; each secret is told this once. Serial numbers on the books already are named and left alone. */
  stock: {
    method: 'POST',
    path: '/dsmcore/api/device/stock',
    title: '设备入库',
    access: ['device:stock'],
    form: true,
    body: z.object({
      type: deviceType.schema.meta({ title: '类型' }),
      model: z.string().trim().min(1, { error: '请填写型号' }).max(40).meta({ title: '型号' }),
      bc_id: optional(uuid).meta({ title: '分公司' }),
      sns: list(newSerialNumber).meta({ title: '序列号' }),
      remark,
    }),
    data: z.object({ added: z.array(z.object({ sn: z.string(), secret: z.string() })), refused }),
  },
  /** To a branch: from stock, or from another branch while nothing is bound. */
  distribution: {
    method: 'POST',
    path: '/dsmcore/api/device/distribution',
    title: '分配设备',
    access: ['device:distribute'],
    form: true,
    body: z.object({
      ids: list(uuid).meta({ title: '设备' }),
      bc_id: uuid.meta({ title: '分公司' }),
      remark,
    }),
    data: z.object({ done: z.number().int(), refused }),
  },
  /** By serial number (typed or scanned): bind to a site, unbind, or put another in its place there. */
  bindaction: {
    method: 'POST',
    path: '/dsmcore/api/device/bindaction',
    title: '绑定/解绑/更换设备',
    access: ['device:bind'],
    form: true,
    body: z.object({
      action: z.enum(['bind', 'unbind', 'replace']).meta({ title: '动作' }),
      sn: serialNumber.meta({ title: '序列号' }),
      site_id: optional(uuid).meta({ title: '工地' }),
      with: optional(serialNumber).meta({ title: '新设备' }),
      remark,
    }),
    data: nothing,
  },
  /** For good; those that cannot go yet are named, the others go. */
  scrap: {
    method: 'POST',
    path: '/osmcore/api/device/scrap',
    title: '批量报废设备',
    access: ['device:delete'],
    body: z.object({ ids: list(uuid).meta({ title: '设备' }), remark: reason }),
    data: z.object({ done: z.number().int(), refused }),
  },
  deldevice: {
    method: 'POST',
    path: '/dsmcore/api/device/deldevice',
    title: '报废设备',
    access: ['device:delete'],
    form: true,
    body: z.object({
      id,
      version,
      remark: reason,
    }),
    data: nothing,
  },
  updatedevice: {
    method: 'POST',
    path: '/dsmcore/api/device/updatedevice',
    title: '编辑设备',
    access: ['device:edit'],
    form: true,
    body: z.object({
      id,
      version,
      model: z.string().trim().min(1, { error: '请填写型号' }).max(40).meta({ title: '型号' }),
      remark,
    }),
    data: nothing,
  },
  secret: {
    method: 'POST',
    path: '/dsmcore/api/device/secret',
    title: '更换设备密钥',
    access: ['device:secret'],
    form: true,
    body: z.object({ id, version }),
    data: z.object({ sn: z.string(), secret: z.string() }),
  },
  totals: {
    method: 'POST',
    path: '/osmcore/api/device/stocktotals',
    title: '设备库存',
    access: ['page:DeviceStock'],
    query: listQuery(['model', 'type', 'inStock', 'spare', 'bound', 'faulty', 'total'], {
      type: commaList(deviceType.schema).meta({ title: '类型' }),
      model: optional(z.string().max(40)).meta({ title: '型号' }),
      bc_id: commaList(uuid).meta({ title: '分公司' }),
    }),
    data: paged(stockRow),
  },
  bindlog: {
    method: 'POST',
    path: '/osmcore/api/device/bindlog',
    title: '绑定记录',
    access: ['page:DeviceBindLog', 'page:DeviceStock'],
    query: logQuery,
    data: paged(bindLogRow),
  },
  bindlogExport: {
    method: 'POST',
    path: '/osmcore/api/device/bindlogexport',
    title: '导出绑定记录',
    access: ['device:export'],
    query: logQuery,
    data: nothing,
    raw: true,
  },
})
