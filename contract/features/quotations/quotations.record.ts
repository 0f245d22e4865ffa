import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { amount, measure, percent, price, quantity } from '../../kit/decimals.ts'
import { typed, words } from '../../kit/fields.ts'
import { logged } from '../../kit/logged.ts'
import { day, uuid } from '../../kit/paging.ts'
import { examineState } from '../examine/examine.record.ts'
import { roomKind } from '../packages/packages.record.ts'
import { productKind } from '../products/products.record.ts'
import { siteStage } from '../sites/sites.record.ts'
import { attribute } from './quotations.sum.ts'

/** A quotation; what is submitted of it is judged by the examine centre. */
export const quotationStatus = defineCodes('quotationStatus', '审核状态', {
  draft: [1, '草稿'],
  waiting: [2, '待审核'],
  approved: [3, '已通过'],
  rejected: [4, '已驳回'],
  contracted: [5, '已生成合同'],
  void: [6, '已作废'],
})
export const contractAttribute = defineCodes('contractAttribute', '合同属性', {
  standard: [1, '标准项'],
  special: [2, '非标项'],
})
export const discountKind = defineCodes('discountKind', '优惠', {
  offer: ['offer', '优惠'],
  rounding: ['rounding', '抹零'],
})
export const MOST_LINES = 1000
export const MOST_ROOMS = 40
export const MOST_DISCOUNTS = 10
export const DEFAULT_TAX = '3'
/** Days for which a new quotation is good. */
export const VALID_DAYS = 30

const id = uuid.meta({ title: '行号' })

export const roomFacts = z.object({
  id,
  name: typed()
    .min(1, { error: '房间名称不能为空' })
    .max(20, { error: '房间名称最多 20 个字' })
    .meta({ title: '房间' }),
  kind: roomKind.schema.meta({ title: '房间类型' }),
  floor: measure('地面面积'),
  perimeter: measure('周长').default('0'),
  height: measure('层高').default('0'),
  openings: measure('门窗面积').default('0'),
})
export type RoomFacts = z.output<typeof roomFacts>

/** A clerk's words about a line. Of a standard one the product says the rest, of a special one the line itself. */
export const lineFacts = z.object({
  id,
  room_id: uuid.nullable().default(null).meta({ title: '房间' }),
  attribute: attribute.schema.meta({ title: '属性' }),
  contractAttribute: contractAttribute.schema.meta({ title: '合同属性' }),
  /** The item of the package that it is, changes or leaves out. */
  item_id: uuid.nullable().default(null).meta({ title: '套餐项' }),
  product_id: uuid.nullable().default(null).meta({ title: '商品' }),
  name: words('名称', 60),
  detail: words('规格', 150),
  unit: words('单位', 10),
  kind: productKind.schema.default('main').meta({ title: '类别' }),
  stage: siteStage.schema.nullable().default(null).meta({ title: '施工阶段' }),
  receiver_id: uuid.nullable().default(null).meta({ title: '商家' }),
  quantity: quantity('数量'),
  waste: percent('损耗 %').default('0'),
  price: price('单价'),
  /** The special line's own value; of a standard one the product's counts. Left out it stays what it is. */
  cost: price('成本单价').nullable().optional(),
  /** An alternative that nobody has chosen counts nowhere. */
  counts: z.boolean().default(true).meta({ title: '计入合计' }),
  remark: words('备注', 200),
})
export type LineFacts = z.output<typeof lineFacts>

export const discountFacts = z.object({
  id,
  kind: discountKind.schema.meta({ title: '优惠' }),
  amount: amount('优惠金额'),
  reason: typed()
    .min(2, { error: '优惠要写明理由（至少 2 个字）' })
    .max(100, { error: '理由最多 100 个字' })
    .meta({ title: '理由' }),
})
export type DiscountFacts = z.output<typeof discountFacts>

const list = <T extends z.ZodType>(item: T, most: number, what: string) =>
  z
    .array(item)
    .max(most, { error: `${what}最多 ${most} 行` })
    .default([])
    .meta({ title: what })
/** All that somebody writes into a version. */
export const quotationContent = z.object({
  package_id: uuid.nullable().default(null).meta({ title: '套餐' }),
  area: measure('面积'),
  taxPercent: percent('税率 %').default(DEFAULT_TAX),
  validUntil: day.meta({ title: '有效期至' }),
  remark: words('说明', 500),
  rooms: list(roomFacts, MOST_ROOMS, '房间'),
  lines: list(lineFacts, MOST_LINES, '报价项'),
  discounts: list(discountFacts, MOST_DISCOUNTS, '优惠'),
})
export type QuotationContent = z.output<typeof quotationContent>

const decimal = z.string()
/** What the server knows of a line: the product's words and prices, the package's, and the cost for who may read it. */
export const lineFixed = z.object({
  id: z.string(),
  /** The product's; nothing where it is special. */
  code: z.string(),
  name: z.string(),
  detail: z.string(),
  unit: z.string(),
  kind: productKind.schema,
  stage: siteStage.schema.nullable(),
  receiver_id: z.string().nullable(),
  receiverName: z.string(),
  pack: decimal.nullable(),
  /** The price that the catalogue asks. */
  listPrice: decimal.nullable(),
  /** The item that stands in the package. */
  packagePrice: decimal.nullable(),
  removalPrice: decimal.nullable(),
  cost: decimal.nullable(),
  /** It can still be sold: on the shelf, with a price. */
  sold: z.boolean(),
})
export type LineFixed = z.output<typeof lineFixed>
export const quotationLine = lineFacts.omit({ cost: true }).extend(lineFixed.shape).extend({
  room_id: z.string().nullable(),
  priced: decimal,
  ordered: decimal,
  amount: decimal,
})
export type QuotationLine = z.output<typeof quotationLine>

export const bridgeSteps = z.object({
  package: decimal,
  removed: decimal,
  adjusted: decimal,
  added: decimal,
  discount: decimal,
  total: decimal,
})
/** Costs and margin are null for who may not read them; `uncosted` lines leave no margin. */
export const quotationSum = bridgeSteps.extend({
  tax: decimal,
  perSquareMetre: decimal.nullable(),
  /** By how much lines are sold under the list, and how many; it is in their amounts already. */
  below: decimal,
  belowLines: z.number().int(),
  cost: decimal.nullable(),
  uncosted: z.number().int().nullable(),
  margin: decimal.nullable(),
})
export type QuotationSum = z.output<typeof quotationSum>

export const quotationRow = z.object({
  id: z.string(),
  code: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  store_id: z.string().nullable(),
  storeName: z.string(),
  customer_id: z.string(),
  customerName: z.string(),
  community: z.string(),
  area: decimal,
  packageName: z.string(),
  total: decimal,
  margin: decimal.nullable(),
  below: decimal,
  belowLines: z.number().int(),
  status: quotationStatus.schema,
  /** The number of its newest version. */
  number: z.number().int(),
  validUntil: z.string(),
  expired: z.boolean(),
  quoter_id: z.string(),
  quoterName: z.string(),
  changedAt: z.number().int(),
  /** A contract is made of it; later versions may follow until that is signed. */
  contract_id: z.string().nullable(),
  signed: z.boolean(),
  version: z.number().int(),
})
export type QuotationRow = z.output<typeof quotationRow>

export const quotationVersion = z.object({
  id: z.string(),
  number: z.number().int(),
  total: decimal,
  /** Nothing where it has not been submitted. */
  examineState: examineState.schema.nullable(),
  withdrawn: z.boolean(),
  submittedBy: z.string(),
  submittedAt: z.number().int().nullable(),
  judgedBy: z.string(),
  judgedAt: z.number().int().nullable(),
  reason: z.string(),
})
export type QuotationVersion = z.output<typeof quotationVersion>

export const quotationDetail = quotationRow.extend({
  /** The version that is shown. */
  version_id: z.string(),
  shown: z.number().int(),
  /** Submitted once: it never changes. */
  frozen: z.boolean(),
  phone: z.string(),
  address: z.string(),
  consultantName: z.string(),
  package: z
    .object({
      id: z.string(),
      name: z.string(),
      number: z.number().int(),
      perSquareMetre: decimal,
      leastArea: decimal,
      /** It can no longer be sold, in words; nothing while it can. */
      ended: z.string(),
      /** A later version of it that is sold. */
      newer: z.object({ id: z.string(), number: z.number().int() }).nullable(),
    })
    .nullable(),
  taxPercent: decimal,
  remark: z.string(),
  rooms: z.array(roomFacts),
  lines: z.array(quotationLine),
  discounts: z.array(discountFacts),
  sum: quotationSum,
  versions: z.array(quotationVersion),
  voidReason: z.string(),
})
export type QuotationDetail = z.output<typeof quotationDetail>

/** The log\'s names for the fields of a quotation. */
export const quotationLog = logged('报价单', {
  code: '编号',
  number: '版本',
  quoter_id: ['报价员', 'user'],
  customer: ['客户', 'personal'],
  bc_id: ['分公司', 'company'],
  store_id: ['门店', 'store'],
  package: '套餐',
  area: '面积',
  lines: '行数',
  discount: '优惠',
  total: '总价',
  validUntil: '有效期至',
  status: ['审核状态', quotationStatus],
})
