import { code, columnsOf, day, number, text, time } from '../../kit/columns.ts'
import { siteStage } from '../sites/sites.record.ts'
import type { questionsApi } from './questions.api.ts'
import { questionState } from './questions.record.ts'

export const questionColumns = columnsOf<typeof questionsApi.list>()({
  words: text('问题', 'words', { fixed: true }),
  owner: text('业主', 'ownerName'),
  site: text('工地', 'siteName'),
  bc: text('分公司', 'bc_name', { wide: true }),
  neededBy: day('最晚答复', 'neededBy', { sort: 'neededBy' }),
  status: code('状态', 'state', questionState, { sort: 'state' }),
  late: number('逾期天数', 'lateDays'),
  stage: code('等它的阶段', 'stage', siteStage),
  estimate: text('估计费用', 'estimate'),
  answer: text('答复', 'answer'),
  asker: text('提问人', 'askerName'),
  asked: time('提问时间', 'askedAt', { sort: 'askedAt' }),
})
