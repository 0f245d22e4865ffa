import { attendanceApi } from '@zhuguan/contract/features/attendance/attendance.api.ts'
import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'

import { serve } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { dayColumn, sendWorkbook, timeColumn, word } from '../exports/exports.service.ts'
import { attendancePage, attendanceRows, HOURS, punchesOf } from './attendance.queries.ts'
import { makeUp, withdraw } from './makeup.service.ts'

export const attendanceFeature = serve(attendanceApi, {
  list: ({ query }, call) =>
    call.read((tx) => attendancePage(tx, call.user.scope, query, shanghaiDay(call.now()))),
  punches: ({ query }, call) => call.read((tx) => punchesOf(tx, call.user.scope, query)),
  makeup: ({ body }, call) => call.write((tx) => makeUp(tx, call, body)),
  withdraw: ({ body }, call) => call.write((tx) => withdraw(tx, call, body)),
  export: ({ query }, call) =>
    sendWorkbook(call, '工人考勤', {
      ...attendanceRows(call.user.scope, query, shanghaiDay(call.now())),
      columns: [
        dayColumn('日期', 'k.day'),
        ['工号', 'p.w_id'],
        ['工人', 'p.w_name'],
        ['工种', word('p.w_type', workerType)],
        ['分公司', 'c.bc_name'],
        ['工地', 'w.ws_name'],
        timeColumn('首次打卡', 'k.first_at'),
        timeColumn('末次打卡', 'k.last_at'),
        ['工时', HOURS, 'number'],
        ['打卡次数', 'k.count', 'number'],
        [
          '来源',
          `CASE WHEN k.count = 0 THEN '' WHEN k.makeups = 0 THEN '人脸' WHEN k.makeups = k.count THEN '补卡'
             ELSE '人脸、补卡' END`,
        ],
        ['状态', `CASE WHEN k.count > 0 THEN '已打卡' ELSE '未打卡' END`],
      ],
    }),
})
