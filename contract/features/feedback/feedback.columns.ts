import { code, columnsOf, number, text, time } from '../../kit/columns.ts'
import type { feedbackApi } from './feedback.api.ts'
import {
  feedbackAbout,
  feedbackCause,
  feedbackChannel,
  feedbackKind,
  feedbackLevel,
  feedbackStatus,
} from './feedback.record.ts'

export const feedbackColumns = columnsOf<typeof feedbackApi.list>()({
  no: text('编号', 'no', { fixed: true }),
  kind: code('类型', 'kind', feedbackKind),
  level: code('等级', 'level', feedbackLevel, { sort: 'level' }),
  status: code('状态', 'status', feedbackStatus, { sort: 'status' }),
  due: time('截止', 'dueAt', { sort: 'dueAt' }),
  owner: text('业主', 'ownerName'),
  site: text('工地', 'siteName'),
  words: text('内容', 'words'),
  assignee: text('责任人', 'assigneeName'),
  score: number('满意度', 'score'),
  bc: text('分公司', 'bc_name', { wide: true }),
  at: time('登记时间', 'enteredAt', { sort: 'enteredAt', wide: true }),
  about: code('关于', 'about', feedbackAbout, { only: 'file' }),
  channel: code('渠道', 'channel', feedbackChannel, { only: 'file' }),
  by: text('登记人', 'enteredBy', { only: 'file' }),
  closed: time('结案时间', 'closedAt', { only: 'file' }),
  cause: code('原因分类', 'cause', feedbackCause, { only: 'file' }),
  scored: text('满意度代填人', 'scoredBy', { only: 'file' }),
})
