import { code, columnsOf, day, number, text, time } from '../../kit/columns.ts'
import type { deviceStockApi } from './device-stock.api.ts'
import type { devicesApi } from './devices.api.ts'
import { bindStatus, deviceStatus, deviceType, spanCause } from './devices.record.ts'

export const deviceColumns = columnsOf<typeof devicesApi.list>()({
  sn: text('序列号', 'sn', { sort: 'sn', fixed: true }),
  type: code('类型', 'type', deviceType, { sort: 'type' }),
  model: text('型号', 'model', { sort: 'model' }),
  bc: text('分公司', 'bc_name'),
  bind: code('绑定状态', 'bindStatus', bindStatus),
  site: text('工地', 'siteName'),
  status: code('设备状态', 'deviceStatus', deviceStatus, { sort: 'deviceStatus' }),
  cause: code('状态原因', 'cause', spanCause, { only: 'file' }),
  rate: number('在线率%', 'onlineRate'),
  retrieval: day('待回收', 'retrieveBy'),
  signal: number('信号%', 'signal', { sort: 'signal' }),
  seen: time('最近心跳', 'lastSeen', { sort: 'lastSeen' }),
  firmware: text('固件', 'firmware', { sort: 'firmware' }),
  remark: text('备注', 'remark'),
})

export const bindLogColumns = columnsOf<typeof deviceStockApi.bindlog>()({
  sn: text('设备', 'sn', { sort: 'sn', fixed: true }),
  type: code('类型', 'type', deviceType),
  action: text('动作', 'action'),
  site: text('工地', 'siteName'),
  actor: text('操作人', 'actor'),
  at: time('时间', 'at', { sort: 'at' }),
  remark: text('备注', 'remark'),
})
