import { code, columnsOf, drawn, number, text, time } from '../../kit/columns.ts'
import { workerType } from '../workers/trades.record.ts'
import type { violationsApi } from './violations.api.ts'
import { violationStatus, violationType } from './violations.record.ts'

export const violationColumns = columnsOf<typeof violationsApi.list>()({
  name: text('工人', 'w_name', { fixed: true }),
  w_id: text('工号', 'w_id', { only: 'file' }),
  trade: code('工种', 'w_type', workerType),
  site: text('工地', 'siteName'),
  bc: text('分公司', 'bc_name', { wide: true }),
  type: code('违规类型', 'type', violationType),
  at: time('时间', 'at', { sort: 'at' }),
  picture: drawn('证据'),
  by: text('登记人', 'enteredBy', { wide: true }),
  points: number('扣分', 'points', { sort: 'points' }),
  status: code('处理状态', 'status', violationStatus, { sort: 'status' }),
  remark: text('说明', 'remark', { only: 'file' }),
})
