import { code, columnsOf, drawn, number, text, time } from '../../kit/columns.ts'
import type { visitorsApi } from './visitors.api.ts'
import { visitIdentity, visitState } from './visitors.record.ts'

export const visitColumns = columnsOf<typeof visitorsApi.list>()({
  picture: drawn('抓拍'),
  name: text('工地', 'siteName', { fixed: true }),
  bc: text('分公司', 'bc_name'),
  device: text('设备', 'deviceSn'),
  at: time('时间', 'at', { sort: 'at' }),
  stay: number('停留（分钟）', 'minutes', { sort: 'seconds' }),
  identity: code('身份', 'identity', visitIdentity),
  worker: text('工人', 'w_name', { only: 'file' }),
  remark: text('说明', 'remark', { only: 'file' }),
  status: code('处理', 'state', visitState),
  by: text('处理人', 'handledBy', { wide: true }),
  handled: time('处理时间', 'handledAt', { only: 'file' }),
})
