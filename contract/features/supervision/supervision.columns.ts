import { code, columnsOf, flag, number, text, time } from '../../kit/columns.ts'
import { patrolKind } from '../patrols/patrols.record.ts'
import { siteStage } from '../sites/sites.record.ts'
import { principalPost } from '../users/users.record.ts'
import type { supervisionApi } from './supervision.api.ts'
import { evidence, visitResult } from './supervision.record.ts'

/**
 * Times are whole seconds in the file; the page says them in words. What belongs together is one cell of the page and
 * two columns of the file: all of it stands side by side on a wide window.
 */
export const peopleColumns = columnsOf<typeof supervisionApi.people>()({
  name: text('姓名', 'nickname', { sort: 'nickname', fixed: true }),
  post: code('岗位', 'post', principalPost),
  oldest: time('最久没办', 'oldestAt', { sort: 'oldestAt' }),
  open: number('没办的', 'open', { sort: 'open' }),
  rank: number('名次', 'rank', { sort: 'rank' }),
  judged: number('计入记录', 'judged', { only: 'file' }),
  bad: number('没做好的', 'bad', { wide: true }),
  expected: number('同类工地预期', 'expected', { only: 'file' }),
  sites: number('在管工地', 'sites', { sort: 'sites' }),
  homes: number('期间带过', 'homes', { only: 'file' }),
  planned: number('应巡检', 'planned', { only: 'file' }),
  patrolled: number('已巡检', 'patrolled', { wide: true }),
  missed: number('没巡检', 'missed', { sort: 'missed' }),
  answered: number('首次回复', 'answered'),
  answerP50: number('回复中位（秒）', 'answerP50', { only: 'file' }),
  answerP90: number('回复九成（秒）', 'answerP90', { only: 'file' }),
  responded: number('开始整改', 'responded', { wide: true }),
  responseP50: number('开始中位（秒）', 'responseP50', { only: 'file' }),
  responseP90: number('开始九成（秒）', 'responseP90', { only: 'file' }),
  corrected: number('完成整改', 'corrected'),
  correctionP50: number('完成中位（秒）', 'correctionP50', { only: 'file' }),
  correctionP90: number('完成九成（秒）', 'correctionP90', { only: 'file' }),
  late: number('超期整改', 'late', { sort: 'late' }),
  complaints: number('投诉', 'complaints', { sort: 'complaints' }),
  perTen: number('每十工地投诉', 'perTen', { sort: 'perTen', wide: true }),
  firstDue: number('到期承诺（最初）', 'firstDue', { only: 'file' }),
  firstBroken: number('没兑现承诺', 'firstBroken'),
  presentDue: number('到期承诺（现在）', 'presentDue', { only: 'file' }),
  presentBroken: number('没兑现（按现在日期）', 'presentBroken', { only: 'file' }),
  done: number('办好预警', 'done', { wide: true }),
  replanned: number('改期消除', 'replanned'),
  byHand: number('人工关闭', 'byHand', { wide: true }),
  stopped: flag('账号已停用', 'isStopped', { only: 'file' }),
})
export const recordColumns = columnsOf<typeof supervisionApi.records>()({
  kind: code('记录', 'kind', evidence),
  title: text('内容', 'title', { fixed: true }),
  site: text('工地', 'siteName'),
  stage: code('当时阶段', 'stage', siteStage),
  since: time('从', 'since', { sort: 'since' }),
  at: time('到', 'at', { sort: 'at' }),
  took: number('用时（秒）', 'took', { sort: 'took' }),
})
export const visitColumns = columnsOf<typeof supervisionApi.visits>()({
  by: text('管理人员', 'inspectorName', { fixed: true }),
  site: text('工地', 'siteName'),
  bc: text('分公司', 'bc_name', { wide: true }),
  at: time('时间', 'at', { sort: 'at' }),
  kind: code('类型', 'kind', patrolKind),
  result: code('结果', 'result', visitResult),
  score: number('得分', 'score', { wide: true }),
  problems: number('问题数', 'problems', { sort: 'problems' }),
  number: text('编号', 'number', { only: 'file' }),
})
