import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason, seen, typed, uploaded } from '../../kit/fields.ts'
import { commaList, day, flag, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { score } from '../../kit/score.ts'
import {
  feedbackAbout,
  feedbackCancel,
  feedbackCause,
  feedbackDetail,
  feedbackKind,
  feedbackLevel,
  feedbackPause,
  feedbackRow,
  feedbackStatus,
  heardBy,
} from './feedback.record.ts'

const instant = optional(z.coerce.number({ error: '时间应为秒数' }).int())
const query = listQuery(['enteredAt', 'dueAt', 'level', 'status'], {
  keyword,
  kind: commaList(feedbackKind.schema).meta({ title: '类型' }),
  level: commaList(feedbackLevel.schema).meta({ title: '等级' }),
  status: commaList(feedbackStatus.schema).meta({ title: '状态' }),
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  site_id: optional(uuid).meta({ title: '工地' }),
  assignee_id: optional(uuid).meta({ title: '责任人' }),
  manager_id: optional(uuid).meta({ title: '项目负责人' }),
  overdue: flag.meta({ title: '是否超期' }),
  callback: flag.meta({ title: '待回访' }),
  from: instant.meta({ title: '开始时间' }),
  to: instant.meta({ title: '结束时间' }),
  id: optional(uuid).meta({ title: '反馈' }),
})
const one = seen('反馈')
const said = (title: string, most = 500) =>
  typed()
    .min(2, { error: `请写明${title}（至少 2 个字）` })
    .max(most, { error: `${title}最多 ${most} 个字` })
    .meta({ title })
const person = uuid.meta({ title: '责任人' })
const pictures = z.array(uploaded).max(9, { error: '最多 9 张照片' }).default([]).meta({ title: '照片' })
const PAGES = ['page:FeedbackList', 'page:OwnerFeedback']
const ACCEPT = ['feedback:accept']
const HANDLE = ['feedback:handle']
const SUPERVISE = ['feedback:supervise']

/** Feedback of owners, and what becomes of it. */
export const feedbackApi = defineApi({
  list: {
    method: 'POST',
    path: '/osmcore/api/feedback/list',
    title: '反馈与投诉列表',
    access: PAGES,
    query,
    data: paged(feedbackRow),
  },
  details: {
    method: 'POST',
    path: '/osmcore/api/feedback/details',
    title: '反馈详情',
    access: PAGES,
    query: z.object({ id: one.id }),
    data: feedbackDetail,
  },
  enter: {
    method: 'POST',
    path: '/osmcore/api/feedback/enter',
    title: '登记反馈',
    access: ['feedback:enter'],
    body: z.object({
      site_id: uuid.meta({ title: '工地' }),
      kind: feedbackKind.schema.meta({ title: '类型' }),
      level: feedbackLevel.schema.meta({ title: '等级' }),
      about: feedbackAbout.schema.meta({ title: '关于' }),
      about_id: optional(uuid).meta({ title: '关于谁' }),
      channel: heardBy,
      words: said('反馈内容', 1000),
      pictures,
      /** An earlier one that it follows, too late to be opened again. */
      of_id: optional(uuid).meta({ title: '关联的反馈' }),
      /** When it was said, of what is written down later: whoever had the home then has said it. */
      said_at: optional(z.number().int().min(0)).meta({ title: '什么时候说的' }),
    }),
    data: z.object({ id: z.string(), no: z.string() }),
  },
  accept: {
    method: 'POST',
    path: '/osmcore/api/feedback/accept',
    title: '受理反馈',
    access: ACCEPT,
    body: z.object({ ...one, level: feedbackLevel.schema.meta({ title: '等级' }), assignee_id: person }),
    data: nothing,
  },
  /** What was said to the owner. */
  answer: {
    method: 'POST',
    path: '/osmcore/api/feedback/answer',
    title: '回复业主',
    access: HANDLE,
    body: z.object({
      id: one.id,
      /** How many answers were read before this one was sent: the second does not speak past the first. */
      answers: z.number().int().min(0).meta({ title: '已看到的回复' }),
      words: said('对业主说的话'),
      pictures,
    }),
    data: nothing,
  },
  transfer: {
    method: 'POST',
    path: '/osmcore/api/feedback/transfer',
    title: '转派反馈',
    access: HANDLE,
    body: z.object({ ...one, assignee_id: person, reason }),
    data: nothing,
  },
  raise: {
    method: 'POST',
    path: '/osmcore/api/feedback/raise',
    title: '提高反馈等级',
    access: HANDLE,
    body: z.object({ ...one, level: feedbackLevel.schema.meta({ title: '等级' }), reason }),
    data: nothing,
  },
  lower: {
    method: 'POST',
    path: '/osmcore/api/feedback/lower',
    title: '降低反馈等级',
    access: SUPERVISE,
    body: z.object({ ...one, level: feedbackLevel.schema.meta({ title: '等级' }), reason }),
    data: nothing,
  },
  escalate: {
    method: 'POST',
    path: '/osmcore/api/feedback/escalate',
    title: '升级反馈',
    access: HANDLE,
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  pause: {
    method: 'POST',
    path: '/osmcore/api/feedback/pause',
    title: '暂停反馈的计时',
    access: HANDLE,
    body: z.object({
      ...one,
      pauseFor: feedbackPause.schema.meta({ title: '等谁' }),
      /** 等业主: what the owner is asked. 等第三方: who and for what. */
      reason: said('等什么', 200),
      until: optional(day).meta({ title: '等到哪一天' }),
    }),
    data: nothing,
  },
  resume: {
    method: 'POST',
    path: '/osmcore/api/feedback/resume',
    title: '恢复反馈的计时',
    access: HANDLE,
    body: z.object(one),
    data: nothing,
  },
  correct: {
    method: 'POST',
    path: '/osmcore/api/feedback/correct',
    title: '由反馈开整改单',
    access: HANDLE,
    body: z.object({
      ...one,
      problem: said('要整改的问题', 100),
      assignee_id: uuid.meta({ title: '整改人' }),
      due: optional(day).meta({ title: '整改到哪一天' }),
    }),
    data: z.object({ id: z.string() }),
  },
  close: {
    method: 'POST',
    path: '/osmcore/api/feedback/close',
    title: '反馈结案',
    access: HANDLE,
    body: z.object({
      ...one,
      cause: feedbackCause.schema.meta({ title: '原因分类' }),
      result: said('处理结果'),
    }),
    data: nothing,
  },
  thank: {
    method: 'POST',
    path: '/osmcore/api/feedback/thank',
    title: '致谢结案',
    access: ACCEPT,
    body: z.object({ ...one, words: said('对业主说的话') }),
    data: nothing,
  },
  cancel: {
    method: 'POST',
    path: '/osmcore/api/feedback/cancel',
    title: '取消反馈',
    access: SUPERVISE,
    body: z.object({
      ...one,
      cause: feedbackCancel.schema.meta({ title: '取消原因' }),
      reason,
      of_id: optional(uuid).meta({ title: '与哪一条重复' }),
      /** Of its open corrections each is in one of the two. */
      cancelled: z.array(uuid).max(50).default([]).meta({ title: '一并取消的整改单' }),
      kept: z.array(uuid).max(50).default([]).meta({ title: '保留的整改单' }),
    }),
    data: nothing,
  },
  reopen: {
    method: 'POST',
    path: '/osmcore/api/feedback/reopen',
    title: '重新打开反馈',
    access: SUPERVISE,
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  score: {
    method: 'POST',
    path: '/osmcore/api/feedback/score',
    title: '代填满意度',
    access: HANDLE,
    body: z.object({
      ...one,
      score,
      words: typed().max(200, { error: '业主的话最多 200 个字' }).default('').meta({ title: '业主的话' }),
    }),
    data: nothing,
  },
  callback: {
    method: 'POST',
    path: '/osmcore/api/feedback/callback',
    title: '记录回访',
    access: SUPERVISE,
    body: z.object({ ...one, words: said('回访结果') }),
    data: nothing,
  },
  release: {
    method: 'POST',
    path: '/osmcore/api/feedback/release',
    title: '解除对管家的回避',
    access: SUPERVISE,
    body: z.object(one),
    data: nothing,
  },
  /** The whole case as PDF, for a dispute; every time is in the log. */
  dossier: {
    method: 'POST',
    path: '/osmcore/api/feedback/dossier',
    title: '导出反馈卷宗',
    access: ['feedback:dossier'],
    query: z.object({ id: one.id }),
    data: nothing,
    raw: true,
  },
  export: {
    method: 'POST',
    path: '/osmcore/api/feedback/export',
    title: '导出反馈与投诉',
    access: ['feedback:export'],
    query,
    data: nothing,
    raw: true,
  },
})
