import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { amount, measure } from '../../kit/decimals.ts'
import { typed, words } from '../../kit/fields.ts'
import { logged } from '../../kit/logged.ts'
import { numberless } from '../../kit/numberless.ts'
import { uuid } from '../../kit/paging.ts'
import { signingProgress } from '../contracts/contracts.record.ts'
import { customerPhone } from './customer-phone.record.ts'

const sources = defineCodes('customerSource', '来源', {
  walkIn: ['walkIn', '自然到店'],
  call: ['call', '来电'],
  online: ['online', '线上'],
  introduced: ['introduced', '老业主介绍'],
  channel: ['channel', '渠道'],
  event: ['event', '小区活动'],
  link: ['link', '分享留资'],
  other: ['other', '其他'],
})
/** The source of a customer: one of ours, or a word of the group's own, which is its own code and name. */
export const customerSource = {
  ...sources,
  schema: z.string().trim().min(1, { error: '请选择来源' }).max(20, { error: '来源最多 20 个字' }),
  label: (value: unknown): string =>
    sources.options.find((o) => o.value === value)?.label ?? (typeof value === 'string' ? value : '--'),
}
/** How far it has come, computed from what has happened; the last two are those of the contract. */
export const customerStep = defineCodes('customerStep', '进展', {
  fresh: [1, '新线索'],
  contacted: [2, '已联系'],
  met: [3, '已到店/量房'],
  quoted: [4, '已报价'],
  deposit: [5, '定金'],
  signed: [6, '已签约'],
})
export type CustomerStep = z.output<typeof customerStep.schema>
export const customerHeld = defineCodes('customerHeld', '归属', {
  pool: ['pool', '公海'],
  assigned: ['assigned', '跟进中'],
  lost: ['lost', '已流失'],
  merged: ['merged', '已合并'],
})
export const lostReason = defineCodes('lostReason', '流失原因', {
  price: ['price', '价格'],
  rival: ['rival', '选了别家'],
  givenUp: ['givenUp', '不装修了'],
  later: ['later', '暂不装修'],
  silent: ['silent', '联系不上'],
  far: ['far', '不在服务范围'],
  other: ['other', '其他'],
})
export const contactRelation = defineCodes('customerRelation', '关系', {
  spouse: ['spouse', '配偶'],
  family: ['family', '家人'],
  agent: ['agent', '代办人'],
  other: ['other', '其他'],
})
/** Lines of a customer's ledger. */
export const customerAct = defineCodes('customerAct', '经过', {
  enter: ['enter', '登记'],
  claim: ['claim', '认领'],
  assign: ['assign', '分配'],
  hand: ['hand', '转交'],
  back: ['back', '退回公海'],
  lose: ['lose', '流失'],
  revive: ['revive', '恢复跟进'],
  merge: ['merge', '合并'],
  refuse: ['refuse', '拒绝联系'],
  accept: ['accept', '可以联系'],
  own: ['own', '成为业主'],
  edit: ['edit', '修改'],
  left: ['left', '自己留了电话'],
})
/** The reason why a customer waits for somebody. */
export const customerWait = defineCodes('customerWait', '等我', {
  answer: ['answer', '新线索未联系'],
  overdue: ['overdue', '跟进已逾期'],
  today: ['today', '今天跟进'],
  deposit: ['deposit', '定金待签约'],
  back: ['back', '将退回公海'],
})

/** What a consultant asks others for: money and signatures are theirs. */
export const customerAsk = defineCodes('customerAsk', '请', {
  deposit: ['deposit', '收定金'],
  sign: ['sign', '签约'],
})

export const progressOf = (step: CustomerStep) => {
  const { begun, deposit, signed } = signingProgress.code
  if (step === customerStep.code.signed) return signed
  return step === customerStep.code.deposit ? deposit : begun
}

const named = (title: string) =>
  typed()
    .min(1, { error: `${title}不能为空` })
    .max(20, { error: `${title}最多 20 个字` })
    .meta({ title })
/** The customer of a quotation; signing makes an owner of them. */
export const customerFacts = z.object({
  bc_id: uuid.meta({ title: '分公司' }),
  /** Empty: of the branch itself. */
  store_id: uuid.nullable().default(null).meta({ title: '门店' }),
  name: named('客户').meta({ title: '客户' }),
  phone: customerPhone,
  source: customerSource.schema.default('other').meta({ title: '来源' }),
  community: numberless(words('小区', 40)),
  address: numberless(words('地址', 100)),
  area: measure('面积').nullable().default(null),
  budget: amount('预算').nullable().default(null),
  style: numberless(words('风格', 20)),
  /** The customer who brought them, in the caller's reach; only where the source is an introduction. */
  introducer_id: uuid.nullable().default(null).meta({ title: '介绍人' }),
  /** Empty: it waits in the pool of its store. */
  consultant_id: uuid.nullable().default(null).meta({ title: '顾问' }),
})
export type CustomerFacts = z.output<typeof customerFacts>

export const customerRow = z.object({
  id: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  store_id: z.string().nullable(),
  storeName: z.string(),
  name: z.string(),
  phone: z.string(),
  source: customerSource.schema,
  community: z.string(),
  address: z.string(),
  area: z.string().nullable(),
  budget: z.string().nullable(),
  style: z.string(),
  consultant_id: z.string().nullable(),
  consultantName: z.string(),
  /** The customer who brought them. */
  introducer_id: z.string().nullable(),
  introducerName: z.string(),
  held: customerHeld.schema,
  why: z.string(),
  step: customerStep.schema,
  signingProgress: signingProgress.schema,
  lostReason: lostReason.schema.nullable(),
  /** Does not want to be called or written to. */
  refuses: z.boolean(),
  /** Which wording they were told when their number was written down; empty: nobody told them yet. */
  notice: z.string(),
  createdAt: z.number().int(),
  followedAt: z.number().int().nullable(),
  nextAt: z.number().int().nullable(),
  /** A new one is answered until then. */
  answerDue: z.number().int().nullable(),
  /** It goes back to the pool then, unless it is followed up. */
  backDue: z.number().int().nullable(),
  /** Past its answer, or past its next follow-up. */
  overdue: z.boolean(),
  version: z.number().int(),
})
export type CustomerRow = z.output<typeof customerRow>

export const customerContact = z.object({
  id: z.string(),
  name: z.string(),
  relation: contactRelation.schema,
  phone: z.string(),
})
export const contactFacts = z.object({
  name: named('姓名'),
  relation: contactRelation.schema.meta({ title: '关系' }),
  phone: customerPhone,
})
/** One line of what has happened with a customer; `page` and `ref` are where it leads. */
export const customerLine = z.object({
  at: z.number().int(),
  kind: z.enum(['event', 'follow', 'quotation', 'contract', 'receipt', 'site']),
  title: z.string(),
  text: z.string(),
  actor: z.string(),
  ref: z.string().nullable(),
})
export type CustomerLine = z.output<typeof customerLine>
/** Number of homes of the community that stand at a stage: which homes these are is for those who see sites. */
export const nearSites = z.object({ stage: z.string(), n: z.number().int() })
export const likeCustomer = z.object({
  id: z.string(),
  name: z.string(),
  storeName: z.string(),
  consultantName: z.string(),
  why: z.string(),
})
export const customerDetail = customerRow.extend({
  contacts: z.array(customerContact),
  lines: z.array(customerLine),
  /** Homes of ours in the same community that are being built. */
  near: z.array(nearSites),
  /** The number of customers they brought, and how many of those have signed. */
  introduced: z.object({ n: z.number().int(), signed: z.number().int() }),
  /** Others of the branch that may be the same home. */
  alike: z.array(likeCustomer),
  /** The ones that were merged into this one. */
  merged: z.array(z.string()),
})
export type CustomerDetail = z.output<typeof customerDetail>

export const customerCard = z.object({
  id: z.string(),
  name: z.string(),
  community: z.string(),
  consultant_id: z.string().nullable(),
  consultantName: z.string(),
  step: customerStep.schema,
  nextAt: z.number().int().nullable(),
  overdue: z.boolean(),
  held: customerHeld.schema,
})
/** One that waits, and why. */
export const waitingCustomer = z.object({
  id: z.string(),
  wait: customerWait.schema,
  name: z.string(),
  community: z.string(),
  /** By when, or since when a deposit waits. */
  at: z.number().int(),
  text: z.string(),
  follow_id: z.string().nullable(),
})
export type WaitingCustomer = z.output<typeof waitingCustomer>

/** The log\'s names for the fields of a customer. */
export const customerLog = logged('客户', {
  name: ['客户', 'personal'],
  phone: ['电话', 'personal'],
  bc_id: ['分公司', 'company'],
  store_id: ['门店', 'store'],
  source: ['来源', customerSource],
  community: ['小区', 'personal'],
  address: ['地址', 'personal'],
  area: '面积',
  budget: '预算',
  style: '风格',
  consultant_id: ['顾问', 'user'],
  held: ['归属', customerHeld],
  why: ['缘由', 'personal'],
  lostReason: ['流失原因', lostReason],
  refuses: '拒绝联系',
  contact: ['联系人', 'personal'],
  relation: ['关系', contactRelation],
  merged: ['并入', 'personal'],
  notice: '告知版本',
  introducer: ['介绍人', 'personal'],
  known: '已登记的个数',
})
