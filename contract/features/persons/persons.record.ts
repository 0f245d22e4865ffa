import { z } from 'zod'

import { type Code, defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'

/** A person's question about what we keep of them (docs/decisions/0660). */
export const personAsk = defineCodes('personAsk', '请求', {
  erase: ['erase', '删除'],
  collect: ['collect', '查阅复制'],
})
export const personKind = defineCodes('personKind', '什么人', {
  owner: ['owner', '业主或联系人'],
  customer: ['customer', '客户'],
  worker: ['worker', '工人'],
  visitor: ['visitor', '来访者'],
})
export type PersonKind = Code<typeof personKind>
export const personState = defineCodes('personState', '进度', {
  received: ['received', '收到'],
  verified: ['verified', '已核实'],
  restricted: ['restricted', '受限'],
  executed: ['executed', '已执行'],
  refused: ['refused', '驳回'],
})
/** The proof that it is this person who asks. */
export const personProof = defineCodes('personProof', '核实方式', {
  device: ['device', '本人已确认的手机'],
  paper: ['paper', '签字的书面材料'],
})
/** What keeps personal data for a time: when the last of them falls, the rest goes by itself. */
export const personBar = defineCodes('personBar', '暂不能删除的原因', {
  works: ['works', '工地还没有完工'],
  complaint: ['complaint', '投诉没有结案'],
  money: ['money', '合同款没有结清'],
  hold: ['hold', '录像因纠纷保留'],
  team: ['team', '还在工地上'],
})
export type PersonBar = Code<typeof personBar>
/** What is kept of people, as a person reads it who asks. */
export const personData = defineCodes('personData', '个人信息', {
  home: ['home', '业主和联系人资料'],
  device: ['device', '业主链接和设备'],
  thread: ['thread', '互动留言'],
  feedback: ['feedback', '反馈和投诉'],
  promise: ['promise', '承诺和待决定的问题'],
  reception: ['reception', '到访记录'],
  look: ['look', '看工地的记录'],
  consent: ['consent', '同意记录'],
  case: ['case', '案例'],
  site: ['site', '工地名称和时间线'],
  goods: ['goods', '订单和配送单上的联系人'],
  lead: ['lead', '客户资料和跟进'],
  opening: ['opening', '打开分享的记录'],
  worker: ['worker', '工人资料'],
  paper: ['paper', '证件'],
  face: ['face', '人脸和打卡照片'],
  attendance: ['attendance', '打卡和工时'],
  violation: ['violation', '违规记录'],
  visit: ['visit', '来访照片'],
  told: ['told', '通知、草稿和导入'],
  log: ['log', '操作日志'],
  contract: ['contract', '合同和收付款凭证'],
})
export type PersonData = Code<typeof personData>

/** Working days in which a request is answered. */
export const DUE_DAYS = 15
/** The word that stands in the place of a name that is gone. */
export const ERASED = '已删除'
export const RESTRICTED = '受限'
/** A worker's, whose hours stay under it. */
export const ERASED_WORKER = '已删除工人'
export const isForgotten = (name: string): boolean => [ERASED, RESTRICTED, ERASED_WORKER].includes(name)

export const personRow = z.object({
  id: z.string(),
  no: z.string(),
  ask: personAsk.schema,
  kind: personKind.schema,
  /** As asked; nothing any more once it is executed. */
  name: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  state: personState.schema,
  receivedAt: z.number().int(),
  receivedBy: z.string(),
  due: z.string(),
  late: z.boolean(),
  verified_id: z.string().nullable(),
  verifiedBy: z.string(),
  executedAt: z.number().int().nullable(),
  version: z.number().int(),
})
export type PersonRow = z.output<typeof personRow>

/** One kind of what is kept: how much of it, and why it stays where it does. */
export const personPlanLine = z.object({
  data: personData.schema,
  rows: z.number().int(),
  files: z.number().int(),
  bars: z.array(personBar.schema),
  /** The law by which it stays, with its end. */
  law: z.string(),
  /** It has gone. */
  gone: z.boolean(),
})
export type PersonPlanLine = z.output<typeof personPlanLine>
export const personDetail = personRow.extend({
  words: z.string(),
  proof: personProof.schema.nullable(),
  /** It was asked on a telephone of the person that we know. */
  byDevice: z.boolean(),
  paper: z.string().nullable(),
  verifiedAt: z.number().int().nullable(),
  executedBy: z.string(),
  refusedFor: z.string(),
  /** What would go and what would stay now; of an executed one what went. */
  plan: z.array(personPlanLine),
  /** Over what went, without values; empty before. */
  digest: z.string(),
})
export type PersonDetail = z.output<typeof personDetail>

/** Somebody whom a request may be about. */
export const personFound = z.object({
  kind: personKind.schema,
  id: z.string(),
  name: z.string(),
  phone: z.string(),
  about: z.string(),
  picture: z.string().nullable(),
})
export type PersonFound = z.output<typeof personFound>

export const personLog = logged('个人信息请求', {
  no: '编号',
  ask: ['请求', personAsk],
  kind: ['什么人', personKind],
  state: ['进度', personState],
  proof: ['核实方式', personProof],
  rows: '行数',
  files: '文件数',
  digest: '摘要',
})
