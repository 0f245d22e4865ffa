import { code, columnsOf, day, joined, number, text, time } from '../../kit/columns.ts'
import { siteStage } from '../sites/sites.record.ts'
import type { warningsApi } from './warnings.api.ts'
import {
  warningBall,
  warningEnd,
  warningKind,
  warningLevel,
  warningRule,
  warningState,
} from './warnings.record.ts'

export const warningColumns = columnsOf<typeof warningsApi.list>()({
  kind: code('类型', 'kind', warningKind),
  name: text('工地', 'siteName', { fixed: true }),
  stage: code('阶段', 'stage', siteStage),
  rule: code('规则', 'rule', warningRule),
  deviation: number('偏差', 'deviation', { sort: 'deviation' }),
  level: code('等级', 'level', warningLevel, { sort: 'level' }),
  opened: time('产生时间', 'openedAt', { sort: 'openedAt' }),
  responsible: text('责任人', 'responsibleName'),
  status: code('状态', 'state', warningState),
  bc: text('分公司', 'bc_name', { wide: true }),
  about: text('内容', 'about', { only: 'file' }),
  planned: day('计划', 'planned', { only: 'file' }),
  baseline: number('比首次计划', 'baselineDeviation', { only: 'file' }),
  ball: code('轮到谁', 'ball', warningBall, { only: 'file' }),
  waits: text('在等什么', 'ballAbout', { only: 'file' }),
  until: day('处理到', 'until', { only: 'file' }),
  closed: time('关闭时间', 'closedAt', { sort: 'closedAt', only: 'file' }),
  end: code('关闭方式', 'end', warningEnd, { only: 'file' }),
})
/** On the owner's page of the schedule. */
export const scheduleColumns = columnsOf<typeof warningsApi.list>()({
  stage: code('阶段', 'stage', siteStage, { fixed: true }),
  planned: day('计划', 'planned'),
  actual: joined('实际', ['actualStart', 'actualFinish'], ' 至 '),
  deviation: number('偏差天数', 'deviation', { sort: 'deviation' }),
  level: code('等级', 'level', warningLevel, { sort: 'level' }),
  status: code('状态', 'state', warningState),
})
/** On the owner's page of the quality. */
export const qualityColumns = columnsOf<typeof warningsApi.list>()({
  rule: code('来源', 'rule', warningRule, { fixed: true }),
  about: text('问题', 'about'),
  level: code('等级', 'level', warningLevel, { sort: 'level' }),
  opened: time('产生时间', 'openedAt', { sort: 'openedAt' }),
  status: code('状态', 'state', warningState),
})
