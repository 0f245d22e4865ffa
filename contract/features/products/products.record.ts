import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { price, quantity } from '../../kit/decimals.ts'
import { typed, uploaded, words } from '../../kit/fields.ts'
import { logged } from '../../kit/logged.ts'
import { uuid } from '../../kit/paging.ts'
import { siteStage } from '../sites/sites.record.ts'

/** Only goods are ordered, shipped and accepted; work is done with its stage, fees are only paid. */
export const productKind = defineCodes('productKind', '类别', {
  main: ['main', '主材'],
  auxiliary: ['auxiliary', '辅料'],
  work: ['work', '人工'],
  fee: ['fee', '费用'],
})
export const isGoods = (kind: string): boolean =>
  kind === productKind.code.main || kind === productKind.code.auxiliary
export const productStatus = defineCodes('productStatus', '状态', { on: [1, '上架'], off: [2, '下架'] })
/** Categories stand in at most so many levels. */
export const CATEGORY_LEVELS = 3
export const MOST_LEAD_DAYS = 365

const receiver = uuid.nullable().default(null).meta({ title: '商家' })
const stage = siteStage.schema.nullable().default(null).meta({ title: '施工阶段' })
const leadDays = z
  .number({ error: '备货天数应为数字' })
  .int({ error: '备货天数应为整数' })
  .min(0, { error: '备货天数不能小于 0' })
  .max(MOST_LEAD_DAYS, { error: `备货天数最多 ${MOST_LEAD_DAYS} 天` })
  .nullable()
  .default(null)
  .meta({ title: '备货天数' })

/** The values of a category for its products that say nothing themselves. */
export const categoryFacts = z.object({
  parent_id: uuid.nullable().default(null).meta({ title: '上级品类' }),
  name: typed()
    .min(1, { error: '品类名称不能为空' })
    .max(20, { error: '品类名称最多 20 个字' })
    .meta({ title: '品类' }),
  stage,
  receiver_id: receiver,
  leadDays,
})
export const categoryRow = z.object({
  id: z.string(),
  parent_id: z.string().nullable(),
  name: z.string(),
  /** Its own; nothing where the category above says it. */
  stage: siteStage.schema.nullable(),
  receiver_id: z.string().nullable(),
  receiverName: z.string(),
  leadDays: z.number().int().nullable(),
  products: z.number().int(),
  version: z.number().int(),
})
export type CategoryRow = z.output<typeof categoryRow>

export const productFacts = z.object({
  /** Without a code one is made. */
  code: typed()
    .regex(/^[A-Za-z0-9-]{0,30}$/, { error: '编码只能是字母、数字和短横线，最多 30 位' })
    // What is given by counting is not taken by typing: the next number would be taken already.
    .refine((v) => !/^SP\d{9,}$/i.test(v), { error: '编码里 SP 加年份和序号的由系统生成，请换一个，或不填' })
    .transform((v) => v.toUpperCase())
    .default('')
    .meta({ title: '编码' }),
  /** Empty: of the whole group. */
  bc_id: uuid.nullable().default(null).meta({ title: '分公司' }),
  name: typed()
    .min(2, { error: '名称至少 2 个字' })
    .max(60, { error: '名称最多 60 个字' })
    .meta({ title: '名称' }),
  kind: productKind.schema.meta({ title: '类别' }),
  category_id: uuid.meta({ title: '品类' }),
  brand: words('品牌', 30),
  model: words('型号', 60),
  spec: words('规格', 60),
  unit: typed()
    .min(1, { error: '单位不能为空' })
    .max(10, { error: '单位最多 10 个字' })
    .meta({ title: '单位' }),
  receiver_id: receiver,
  stage,
  leadDays,
  /** Goods come in packs of so many units. */
  pack: quantity('每包数量').nullable().default(null),
  least: quantity('起订量').nullable().default(null),
  removalPrice: price('减项单价').nullable().default(null),
  picture: uploaded.nullable().default(null),
})
const decimal = z.string()
export const productRow = z.object({
  id: z.string(),
  code: z.string(),
  bc_id: z.string().nullable(),
  bc_name: z.string(),
  name: z.string(),
  kind: productKind.schema,
  category_id: z.string(),
  /** With the categories above it: 主材 / 瓷砖. */
  category: z.string(),
  brand: z.string(),
  model: z.string(),
  spec: z.string(),
  unit: z.string(),
  /** Its own, or its category's. */
  receiver_id: z.string().nullable(),
  receiverName: z.string(),
  stage: siteStage.schema.nullable(),
  leadDays: z.number().int().nullable(),
  pack: decimal.nullable(),
  least: decimal.nullable(),
  removalPrice: decimal.nullable(),
  picture: z.string().nullable(),
  /** In force today; null for who may not read costs, and where nobody has said it. */
  cost: decimal.nullable(),
  price: decimal.nullable(),
  /** So many branches have a price of their own, where there is none for whom it is shown. */
  pricedIn: z.number().int(),
  /** Another price begins on this day. */
  nextFrom: z.string().nullable(),
  status: productStatus.schema,
  version: z.number().int(),
})
export type ProductRow = z.output<typeof productRow>
/** What is said of goods beside their name. */
export const wordsOfProduct = (p: Pick<ProductRow, 'brand' | 'model' | 'spec'>): string =>
  [p.brand, p.model, p.spec].filter((part) => part !== '').join(' ')
/** Its own value, where the row says the one in force. */
export const productDetail = productRow.extend({
  own: z.object({
    receiver_id: z.string().nullable(),
    stage: siteStage.schema.nullable(),
    leadDays: z.number().int().nullable(),
  }),
})
export type ProductDetail = z.output<typeof productDetail>

/** A price from a day on; prices are only added, never changed. */
export const priceRow = z.object({
  id: z.string(),
  /** Empty: of every branch that has none of its own. */
  bc_id: z.string().nullable(),
  bc_name: z.string(),
  from: z.string(),
  price: decimal,
  cost: decimal.nullable(),
  reason: z.string(),
  by: z.string(),
  at: z.number().int(),
  /** It is the one in force today in the branch that was asked about. */
  now: z.boolean(),
})
export type PriceRow = z.output<typeof priceRow>

/** The log\'s names for the fields of a product and of a category. */
export const productLog = logged('商品', {
  name: '名称',
  code: '编码',
  bc_id: ['分公司', 'company'],
  kind: ['类别', productKind],
  category: '品类',
  brand: '品牌',
  model: '型号',
  spec: '规格',
  unit: '单位',
  receiver: '商家',
  stage: ['施工阶段', siteStage],
  leadDays: '备货天数',
  pack: '每包数量',
  least: '起订量',
  removalPrice: '减项单价',
  picture: '图片',
  status: ['状态', productStatus],
  was: '原售价',
  price: '售价',
  cost: '成本价',
  from: '生效日期',
})
export const categoryLog = logged('品类', {
  name: '品类',
  parent: '上级品类',
  stage: ['施工阶段', siteStage],
  receiver: '商家',
  leadDays: '备货天数',
})
