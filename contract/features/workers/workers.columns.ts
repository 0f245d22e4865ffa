import { code, columnsOf, number, text } from '../../kit/columns.ts'
import { attendance } from '../attendance/attendance.record.ts'
import { workerType } from './trades.record.ts'
import type { workersApi } from './workers.api.ts'
import { faceState, workerSex, workerStatus } from './workers.record.ts'

export const workerColumns = columnsOf<typeof workersApi.list>()({
  w_id: text('工号', 'w_id', { sort: 'w_id', fixed: true }),
  name: text('姓名', 'w_name', { sort: 'w_name' }),
  type: code('工种', 'w_type', workerType, { sort: 'w_type' }),
  sex: code('性别', 'w_sex', workerSex),
  phone: text('联系方式', 'w_contact'),
  sites: text('所在工地', 'ws_names'),
  face: code('人脸', 'face', faceState),
  today: code('今日打卡', 'today', attendance),
  days: number('本月出勤天数', 'monthDays'),
  breaks: number('违规次数', 'breaks'),
  status: code('状态', 'status', workerStatus, { sort: 'status' }),
  team: text('班组', 'team'),
  bc: text('分公司', 'bc_name'),
})
