import { code, codes, columnsOf, day, flag, joined, number, share, text } from '../../kit/columns.ts'
import type { sitesApi } from './sites.api.ts'
import { noWork, siteStage, siteStatus, tidinessLevel } from './sites.record.ts'

export const siteColumns = columnsOf<typeof sitesApi.list>()({
  code: text('工地编号', 'code', { sort: 'code', fixed: true }),
  name: text('工地名称', 'ws_name', { sort: 'ws_name' }),
  status: code('状态', 'status', siteStatus, { sort: 'status' }),
  lived: flag('有人居住', 'livedIn', { only: 'file' }),
  stage: code('当前阶段', 'stage', siteStage),
  progress: number('进度%', 'progress', { sort: 'progress' }),
  alarms: number('未办结报警', 'openAlarms', { sort: 'openAlarms' }),
  nowork: codes('连续无人施工', 'noWork', noWork, { sort: 'noWorkRun' }),
  run: number('停工天数', 'noWorkRun', { only: 'file' }),
  owner: text('业主', 'ownerName'),
  store: text('门店', 'storeName'),
  manager: text('项目经理', 'managerName'),
  steward: text('项目管家', 'stewardName'),
  devices: share('设备在线', 'devicesOnline', 'devicesTotal'),
  tidy: code('整洁度', 'tidiness', tidinessLevel, { sort: 'tidiness' }),
  place: joined('小区/地址', ['community', 'address']),
  start: day('开工日期', 'startDate', { sort: 'startDate' }),
  finish: day('计划完工', 'plannedFinish', { sort: 'plannedFinish' }),
  bc: text('分公司', 'bc_name'),
})
