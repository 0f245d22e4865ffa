import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'
import { correctionStatus } from '../alarms/alarms.record.ts'

export const feedbackKind = defineCodes('feedbackKind', '反馈类型', {
  suggestion: ['suggestion', '建议'],
  complaint: ['complaint', '投诉'],
  praise: ['praise', '表扬'],
  repair: ['repair', '报修'],
})
export const feedbackLevel = defineCodes('feedbackLevel', '反馈等级', {
  normal: [1, '一般'],
  important: [2, '重要'],
  urgent: [3, '紧急'],
})
export type FeedbackLevel = (typeof feedbackLevel.values)[number]
export const feedbackAbout = defineCodes('feedbackAbout', '关于', {
  person: ['person', '人员'],
  goods: ['goods', '材料商品'],
  work: ['work', '施工'],
})
/** The way in which the owner said it; by the link they say it themselves. */
export const feedbackChannel = defineCodes('feedbackChannel', '反馈渠道', {
  phone: ['phone', '电话'],
  store: ['store', '到店'],
  wechat: ['wechat', '微信'],
  scene: ['scene', '现场'],
  other: ['other', '其他'],
  link: ['link', '业主链接'],
})
/** The way in which staff heard it. */
export const heardBy = feedbackChannel.schema
  .refine((channel) => channel !== feedbackChannel.code.link, {
    error: '业主链接里的反馈由业主自己提交',
  })
  .meta({ title: '渠道' })
/** The codes of correctionStatus, with words of their own. */
export const feedbackStatus = defineCodes('feedbackStatus', '反馈状态', {
  open: [1, '待受理'],
  handling: [2, '处理中'],
  closed: [3, '已结案'],
  cancelled: [4, '已取消'],
})
export const feedbackCause = defineCodes('feedbackCause', '反馈原因', {
  works: ['works', '施工'],
  goods: ['goods', '材料'],
  design: ['design', '设计'],
  service: ['service', '服务'],
  supplier: ['supplier', '商家'],
  other: ['other', '其他'],
})
export const feedbackPause = defineCodes('feedbackPause', '暂停原因', {
  owner: ['owner', '等业主'],
  third: ['third', '等第三方'],
})
export const feedbackCancel = defineCodes('feedbackCancel', '反馈取消原因', {
  repeated: ['repeated', '重复'],
  notOurs: ['notOurs', '非本公司'],
  withdrawn: ['withdrawn', '业主撤回'],
})
/** A line of the thread. */
export const feedbackAct = defineCodes('feedbackAct', '反馈记录', {
  enter: ['enter', '登记'],
  accept: ['accept', '受理'],
  answer: ['answer', '回复业主'],
  transfer: ['transfer', '转派'],
  raise: ['raise', '提高等级'],
  lower: ['lower', '降低等级'],
  escalate: ['escalate', '升级'],
  pause: ['pause', '暂停'],
  resume: ['resume', '恢复计时'],
  correct: ['correct', '开整改单'],
  close: ['close', '结案'],
  thank: ['thank', '致谢结案'],
  reopen: ['reopen', '重新打开'],
  cancel: ['cancel', '取消'],
  score: ['score', '满意度'],
  callback: ['callback', '回访'],
  release: ['release', '解除回避'],
})

const codedChild = z.object({
  id: z.string(),
  no: z.string(),
  problem: z.string(),
  correctionStatus: correctionStatus.schema,
  assigneeName: z.string(),
  dueAt: z.number().int().nullable(),
  version: z.number().int(),
})
export type FeedbackChild = z.output<typeof codedChild>

export const feedbackRow = z.object({
  id: z.string(),
  /** To be read out and written down: FK261124-00012. */
  no: z.string(),
  kind: feedbackKind.schema,
  level: feedbackLevel.schema,
  about: feedbackAbout.schema,
  about_id: z.string().nullable(),
  aboutName: z.string(),
  channel: feedbackChannel.schema,
  words: z.string(),
  site_id: z.string(),
  siteName: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  /** The home that it is about. */
  ownerName: z.string(),
  /** The home has another owner now: this one has no page on which to read an answer. */
  former: z.boolean(),
  status: feedbackStatus.schema,
  round: z.number().int(),
  assignee_id: z.string().nullable(),
  assigneeName: z.string(),
  enteredBy: z.string(),
  enteredAt: z.number().int(),
  /** First words of a person to the owner, in this round. */
  answeredAt: z.number().int().nullable(),
  answerDueAt: z.number().int().nullable(),
  closeDueAt: z.number().int().nullable(),
  /** The end of the clock that is read now: the first of those that run. */
  dueAt: z.number().int().nullable(),
  overdue: z.boolean(),
  pausedAt: z.number().int().nullable(),
  pausedUntil: z.number().int().nullable(),
  pauseFor: feedbackPause.schema.nullable(),
  pauseText: z.string(),
  /** Seconds from entering to its end or now, and how many of them it was paused. */
  gross: z.number().int(),
  paused: z.number().int(),
  /** Number of steps up the ladder it has gone, 0 to 3. */
  rung: z.number().int(),
  /** Answers to the owner: the second answer names how many it has seen. */
  answers: z.number().int(),
  /** Corrections of it that are not closed. */
  openChildren: z.number().int(),
  closedAt: z.number().int().nullable(),
  reopenUntil: z.number().int().nullable(),
  cause: feedbackCause.schema.nullable(),
  result: z.string(),
  score: z.number().int().nullable(),
  /** Typed by staff for the owner (代填): in no rate. */
  scoredBy: z.string(),
  calledBack: z.boolean(),
  /** Kept from the steward whom it is about, until somebody releases it. */
  hidden: z.boolean(),
  /** The promise that it objects to, and who answers for that. */
  promise_id: z.string().nullable(),
  promisor_id: z.string().nullable(),
  /** Nobody has judged that objection yet. */
  unjudged: z.boolean(),
  version: z.number().int(),
})
export type FeedbackRow = z.output<typeof feedbackRow>

export const feedbackDetail = feedbackRow.extend({
  pictures: z.array(z.string()),
  /** The owner of then, who may be called. */
  contact_id: z.string().nullable(),
  ownerPhone: z.string(),
  site: z.object({ code: z.string(), address: z.string(), manager: z.string(), steward: z.string() }),
  /** Another one that it repeats or follows. */
  of: z.object({ id: z.string(), no: z.string() }).nullable(),
  supervisors: z.array(z.object({ id: z.string(), name: z.string(), at: z.number().int() })),
  events: z.array(
    z.object({
      id: z.string(),
      at: z.number().int(),
      actor: z.string(),
      act: feedbackAct.schema,
      words: z.string(),
      pictures: z.array(z.string()),
    }),
  ),
  children: z.array(codedChild),
  /** From when and until when the home is that owner's; open where there is nothing. What stands beside is of then. */
  homeFrom: z.number().int().nullable(),
  homeTo: z.number().int().nullable(),
  openAlarms: z.number().int(),
  /** What was said before of the same home. */
  earlier: z.array(
    z.object({
      id: z.string(),
      no: z.string(),
      kind: feedbackKind.schema,
      status: feedbackStatus.schema,
      words: z.string(),
      enteredAt: z.number().int(),
    }),
  ),
})
export type FeedbackDetail = z.output<typeof feedbackDetail>

/** What the user log tells of it; never what the owner said. */
export const feedbackLog = logged('反馈', {
  no: '编号',
  site_id: ['工地', 'site'],
  kind: ['类型', feedbackKind],
  level: ['等级', feedbackLevel],
  status: ['状态', feedbackStatus],
  assignee_id: ['责任人', 'user'],
  pauseFor: ['暂停原因', feedbackPause],
  cause: ['原因分类', feedbackCause],
  cancelled: ['取消原因', feedbackCancel],
  score: '满意度',
  of: '关联编号',
})
