import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { amount, isSome, percent, somePaid } from '../../kit/decimals.ts'
import { typed } from '../../kit/fields.ts'
import { logged } from '../../kit/logged.ts'
import { day, uuid } from '../../kit/paging.ts'
import { told } from '../consents/notices.record.ts'
import { productKind } from '../products/products.record.ts'
import { bridgeSteps, contractAttribute } from '../quotations/quotations.record.ts'
import { attribute } from '../quotations/quotations.sum.ts'
import { siteStage, siteStatus } from '../sites/sites.record.ts'
import { changeDocument } from './changes.record.ts'

/** The progress of the signature; what became of it afterwards is its state. */
export const signingProgress = defineCodes('signingProgress', '签约进度', {
  begun: [1, '默认'],
  deposit: [2, '定金'],
  signed: [3, '已签约'],
})
export const contractState = defineCodes('contractState', '合同状态', {
  live: ['live', '有效'],
  finishing: ['finishing', '竣工结算中'],
  settled: ['settled', '已结清'],
  void: ['void', '作废'],
  ending: ['ending', '终止中'],
  ended: ['ended', '已终止'],
})
export const payMethod = defineCodes('payMethod', '收付方式', {
  cash: ['cash', '现金'],
  card: ['card', '刷卡'],
  transfer: ['transfer', '转账'],
  wechat: ['wechat', '微信'],
  alipay: ['alipay', '支付宝'],
  other: ['other', '其他'],
})
/** Why money came in: paid, kept of a deposit that was given back, or moved here from another contract. */
export const receiptKind = defineCodes('receiptKind', '收款类型', {
  deposit: ['deposit', '定金'],
  payment: ['payment', '收款'],
  kept: ['kept', '留用'],
  moved: ['moved', '转入'],
})
export const refundKind = defineCodes('refundKind', '退款类型', {
  deposit: ['deposit', '退定'],
  refund: ['refund', '退款'],
  moved: ['moved', '转出'],
})
export const refundStatus = defineCodes('refundStatus', '退款状态', {
  waiting: [1, '待审核'],
  approved: [2, '已通过'],
  rejected: [3, '已驳回'],
  withdrawn: [4, '已撤回'],
})
export const contractFileKind = defineCodes('contractFileKind', '附件类型', {
  signed: ['signed', '签约文件'],
  kept: ['kept', '留用凭证'],
  final: ['final', '竣工结算单'],
  other: ['other', '其他'],
})
/** The papers of a contract that the customer keeps. */
export const contractPaper = defineCodes('contractPaper', '单据', {
  contract: ['contract', '合同'],
  bill: ['bill', '竣工结算单'],
})
export const MOST_INSTALMENTS = 12
export const MOST_FILES = 20

const words = (what: string, most: number) =>
  typed()
    .max(most, { error: `${what}最多 ${most} 个字` })
    .meta({ title: what })
export const receiptFacts = z.object({
  amount: somePaid('收款金额'),
  method: payMethod.schema.meta({ title: '收付方式' }),
  paidOn: day.meta({ title: '收款日期' }),
  payer: words('付款人', 20).min(1, { error: '付款人不能为空' }),
  remark: words('备注', 200).default(''),
})
export type ReceiptFacts = z.output<typeof receiptFacts>
export const refundFacts = z.object({
  /** Of a deposit that is given back: all of it, with what is kept of it. */
  amount: somePaid('退款金额'),
  kept: amount('留用金额').default('0'),
  keptReason: words('留用原因', 200).default(''),
  method: payMethod.schema.meta({ title: '收付方式' }),
  payee: words('收款人', 20).min(1, { error: '收款人不能为空' }),
  /** Not paid out, but moved to this contract. */
  to_id: uuid.nullable().default(null).meta({ title: '转入合同' }),
})
export type RefundFacts = z.output<typeof refundFacts>
export const instalmentFacts = z.object({
  name: words('期次', 20).min(1, { error: '期次名称不能为空' }),
  /** Due when this stage really starts; empty: when it is signed. */
  stage: siteStage.schema.nullable().default(null).meta({ title: '到期阶段' }),
  percent: percent('比例 %').refine(isSome, { error: '比例应大于 0；不收的一期请删去' }),
})
export type InstalmentFacts = z.output<typeof instalmentFacts>
/** Facts of a contract that begins. */
export const FIRST_PLAN: readonly InstalmentFacts[] = [
  { name: '首期', stage: null, percent: '30' },
  { name: '水电', stage: 'plumbing', percent: '30' },
  { name: '瓦工', stage: 'tiling', percent: '30' },
  { name: '尾款', stage: 'handover', percent: '10' },
]
const date = (what: string) => day.nullable().default(null).meta({ title: what })
/** The amount that the customer holds back until a day, when everything else is paid. */
export const billFacts = z.object({
  warranty: amount('质保金').default('0'),
  warrantyOn: day.nullable().default(null).meta({ title: '质保金到期日' }),
  remark: words('说明', 500).default(''),
})
export const billSignFacts = z.object({
  signer: words('客户签字人', 20).min(1, { error: '客户签字人不能为空' }),
  ours: words('我方签字人', 20).min(1, { error: '我方签字人不能为空' }),
  signedOn: day.meta({ title: '签字日期' }),
})
export const signFacts = z.object({
  signer: words('签约人', 20).min(1, { error: '签约人不能为空' }),
  signedOn: day.meta({ title: '签约日期' }),
  /** A site that is there already, without a contract; without it one is made. */
  site_id: uuid.nullable().default(null).meta({ title: '已有工地' }),
  ws_name: words('工地名称', 60).default(''),
  address: words('地址', 120).default(''),
  plannedStart: date('计划开工'),
  plannedFinish: date('计划完工'),
  told,
})

const decimal = z.string()
export const contractRow = z.object({
  id: z.string(),
  code: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  store_id: z.string().nullable(),
  storeName: z.string(),
  customer_id: z.string(),
  customerName: z.string(),
  quotation_id: z.string(),
  site_id: z.string().nullable(),
  ws_name: z.string(),
  siteStatus: siteStatus.schema.nullable(),
  packageName: z.string(),
  area: decimal,
  /** The signed version and the approved changes; before it is signed, the version that it was made from. */
  total: decimal,
  paid: decimal,
  /** Fallen due and not paid. */
  owed: decimal,
  /** The part of that which is older than the branch allows. */
  overdue: decimal,
  /** The amount that we owe the customer: received beyond what the contract, or its settlement, comes to. */
  back: decimal,
  /** The day on which the first of what is not paid fell due. */
  dueOn: z.string().nullable(),
  /** The amount when it was terminated; the amount that was signed stands beside it. */
  endValue: decimal.nullable(),
  signingProgress: signingProgress.schema,
  state: contractState.schema,
  signedOn: z.string().nullable(),
  /** Approved ones. */
  changes: z.number().int(),
  /** It was asked to be void, and nobody has judged that. */
  voidAsked: z.boolean(),
  /** A refund waits to be judged. */
  refunding: z.boolean(),
  /** The final bill is there, and both have signed it. */
  billed: z.boolean(),
  billSigned: z.boolean(),
  /** What the customer still has to pay of the warranty money that was held back; null where none is. */
  warrantyOpen: decimal.nullable(),
  /** The margin of the signed version, and of what really was ordered; null for who may not read costs. */
  quotedMargin: decimal.nullable(),
  realMargin: decimal.nullable(),
  version: z.number().int(),
})
export type ContractRow = z.output<typeof contractRow>

export const contractItem = z.object({
  id: z.string(),
  line_id: z.string().nullable(),
  /** The change that brought it; nothing of what was signed. */
  change_id: z.string().nullable(),
  changeCode: z.string(),
  attribute: attribute.schema,
  contractAttribute: contractAttribute.schema,
  room: z.string(),
  product_id: z.string().nullable(),
  code: z.string(),
  name: z.string(),
  detail: z.string(),
  unit: z.string(),
  kind: productKind.schema,
  stage: siteStage.schema.nullable(),
  receiverName: z.string(),
  /** The items that the customer pays, and the part of each that no change has taken. */
  quantity: decimal,
  left: decimal,
  /** The same in whole packs: what is ordered. */
  ordered: decimal,
  orderedLeft: decimal,
  price: decimal,
  packagePrice: decimal.nullable(),
  removalPrice: decimal.nullable(),
  cost: decimal.nullable(),
  amount: decimal,
  remark: z.string(),
})
export type ContractItem = z.output<typeof contractItem>
export const contractReceipt = z.object({
  id: z.string(),
  code: z.string(),
  kind: receiptKind.schema,
  amount: decimal,
  method: payMethod.schema,
  paidOn: z.string(),
  payer: z.string(),
  remark: z.string(),
  by: z.string(),
  at: z.number().int(),
})
export type ContractReceipt = z.output<typeof contractReceipt>
export const contractRefund = z.object({
  id: z.string(),
  code: z.string(),
  kind: refundKind.schema,
  amount: decimal,
  kept: decimal,
  keptReason: z.string(),
  method: payMethod.schema,
  payee: z.string(),
  reason: z.string(),
  /** The contract that it is moved to. */
  toCode: z.string(),
  status: refundStatus.schema,
  by_id: z.string(),
  by: z.string(),
  at: z.number().int(),
  judged: z.string(),
  version: z.number().int(),
})
export type ContractRefund = z.output<typeof contractRefund>
export const contractInstalment = z.object({
  id: z.string(),
  name: z.string(),
  stage: siteStage.schema.nullable(),
  percent: decimal.nullable(),
  /** An approved change is one of its own. */
  change_id: z.string().nullable(),
  amount: decimal,
  /** The day on which it fell due, and the last one that is in time. */
  dueOn: z.string().nullable(),
  lastDay: z.string().nullable(),
  /** What of it is paid: money counts for the earliest first. */
  covered: decimal,
  /** The customer holds it back until its day. */
  warranty: z.boolean(),
  overdue: z.boolean(),
})
export type ContractInstalment = z.output<typeof contractInstalment>
export const contractFile = z.object({
  id: z.string(),
  key: z.string(),
  name: z.string(),
  kind: contractFileKind.schema,
  by: z.string(),
  at: z.number().int(),
})
export type ContractFile = z.output<typeof contractFile>
/** Work and money that are still open when a contract ends. */
export const settlement = z.object({
  reason: z.string(),
  by: z.string(),
  at: z.number().int(),
  /** The value of the work that was done. */
  value: decimal,
  /** Above 0 the customer pays it, below 0 it is given back. */
  balance: decimal,
  /** Not retrieved yet. */
  devices: z.number().int(),
  /** Not settled yet. */
  pieces: z.number().int(),
  closedAt: z.number().int().nullable(),
})
export type Settlement = z.output<typeof settlement>
/** The value of a finished home, and the part of it that is still to be paid. */
export const finalBill = z.object({
  finishedOn: z.string().nullable(),
  warranty: decimal,
  warrantyOn: z.string().nullable(),
  /** Without the warranty money: above 0 the customer pays it, below 0 it is given back. */
  balance: decimal,
  billedAt: z.number().int().nullable(),
  billedBy: z.string(),
  remark: z.string(),
  signer: z.string(),
  ours: z.string(),
  signedOn: z.string().nullable(),
  closedAt: z.number().int().nullable(),
})
export type FinalBill = z.output<typeof finalBill>
/** The real cost of a home; nothing of it for who may not read costs. */
export const realised = z.object({
  /** What stands accepted of its orders, as merchants are owed it. */
  goods: decimal,
  /** Lines that are no goods, as they were quoted. */
  others: decimal,
  /** Lines whose cost nobody has said. */
  uncosted: z.number().int(),
  untaxed: decimal,
  /** Of goods that are still on their way or not ordered nothing is in it. */
  waiting: z.number().int(),
})
export const contractDetail = contractRow.extend({
  quotationCode: z.string(),
  phone: z.string(),
  community: z.string(),
  address: z.string(),
  signer: z.string(),
  signedBy: z.string(),
  /** The version of the notice that was given with the signature; empty: nobody said so. */
  notice: z.string(),
  /** Numbers of the quotation's versions: at the deposit, and signed. */
  depositNumber: z.number().int().nullable(),
  signedNumber: z.number().int().nullable(),
  due: decimal,
  /** Days after a payment falls due in which it is in time. */
  payDays: z.number().int(),
  taxPercent: decimal,
  tax: decimal,
  /** From the package to what was signed; nothing before. */
  bridge: bridgeSteps.nullable(),
  items: z.array(contractItem),
  receipts: z.array(contractReceipt),
  refunds: z.array(contractRefund),
  instalments: z.array(contractInstalment),
  changeList: z.array(changeDocument),
  files: z.array(contractFile),
  settlement: settlement.nullable(),
  /** From the day on which its home is finished. */
  bill: finalBill.nullable(),
  realised: realised.nullable(),
  voidReason: z.string(),
})
export type ContractDetail = z.output<typeof contractDetail>

/** The log\'s names for the fields of a contract. */
export const contractLog = logged('合同', {
  code: '合同号',
  customer: ['客户', 'personal'],
  quotation: '报价单',
  bc_id: ['分公司', 'company'],
  store_id: ['门店', 'store'],
  site_id: ['工地', 'site'],
  total: '合同额',
  signingProgress: ['签约进度', signingProgress],
  state: ['合同状态', contractState],
  receipt: '收款单',
  refund: '退款单',
  change: '变更单',
  amount: '金额',
  kept: '留用金额',
  method: ['收付方式', payMethod],
  paidOn: '收款日期',
  payer: ['付款人', 'personal'],
  payee: ['收款人', 'personal'],
  to: '转入合同',
  signer: ['签约人', 'personal'],
  notice: '告知版本',
  signedOn: '签约日期',
  number: '报价版本',
  items: '项数',
  plan: ['付款计划', { name: '', stage: ['到期', siteStage], percent: '%' }],
  value: '结算金额',
  warranty: '质保金',
  warrantyOn: '质保金到期日',
  balance: '应补/应退',
  ours: ['我方签字人', 'personal'],
  file: ['附件', 'personal'],
})
