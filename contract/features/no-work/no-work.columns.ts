import { code, codes, columnsOf, day, number, text, time } from '../../kit/columns.ts'
import { noWork, siteStage } from '../sites/sites.record.ts'
import type { noWorkApi } from './no-work.api.ts'
import { likelyCause, stopBall, stopReason } from './no-work.record.ts'

export const noWorkColumns = columnsOf<typeof noWorkApi.list>()({
  name: text('工地', 'ws_name', { sort: 'ws_name', fixed: true }),
  codes: codes('停工类型', 'noWork', noWork),
  run: number('停工天数', 'noWorkRun', { sort: 'noWorkRun' }),
  sum: number('累计天数', 'noWorkSum', { sort: 'noWorkSum', wide: true }),
  ball: code('球在谁手里', 'ball', stopBall),
  since: time('从何时起', 'since', { sort: 'since' }),
  reason: code('原因', 'reason', stopReason),
  until: day('原因到哪天', 'until', { only: 'file' }),
  likely: code('可能原因', 'likely', likelyCause, { only: 'file' }),
  missing: text('缺料订单', 'missing'),
  undecided: text('等业主决定', 'undecided'),
  last: time('最近出勤', 'lastAt'),
  remark: text('备注', 'remark'),
  manager: text('项目经理', 'managerName'),
  stage: code('当前阶段', 'stage', siteStage),
  bc: text('分公司', 'bc_name'),
  code: text('工地编号', 'code', { sort: 'code' }),
})
