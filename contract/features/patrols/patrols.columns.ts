import { code, columnsOf, number, text, time } from '../../kit/columns.ts'
import { tidinessResult } from '../sites/sites.record.ts'
import type { patrolsApi } from './patrols.api.ts'
import { patrolKind, patrolPlace, patrolStatus } from './patrols.record.ts'

export const patrolColumns = columnsOf<typeof patrolsApi.list>()({
  name: text('编号', 'number', { fixed: true }),
  kind: code('类型', 'kind', patrolKind),
  site: text('工地', 'siteName'),
  bc: text('分公司', 'bc_name', { wide: true }),
  by: text('巡检人', 'inspectorName'),
  begun: time('开始时间', 'begunAt', { only: 'file' }),
  at: time('时间', 'submittedAt', { sort: 'at' }),
  place: code('定位', 'place', patrolPlace, { only: 'file' }),
  distance: number('定位偏差', 'distance', { sort: 'distance' }),
  score: number('得分', 'score', { sort: 'score' }),
  problems: number('问题数', 'problems', { sort: 'problems' }),
  unfixed: number('未整改', 'unfixed'),
  template: text('模板', 'templateName', { wide: true }),
  plan: text('计划', 'planName', { wide: true }),
  tidiness: code('整洁度', 'tidiness', tidinessResult),
  device: text('摄像头', 'deviceSn'),
  status: code('状态', 'status', patrolStatus, { sort: 'status' }),
})
