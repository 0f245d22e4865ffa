import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { measure, percent, price, quantity } from '../../kit/decimals.ts'
import { typed, words } from '../../kit/fields.ts'
import { logged } from '../../kit/logged.ts'
import { day, optional, uuid } from '../../kit/paging.ts'

/** A version of a package; a published one never changes. */
export const packageStatus = defineCodes('packageStatus', '状态', {
  draft: [1, '草稿'],
  published: [2, '已发布'],
  stopped: [3, '停用'],
})
export const roomKind = defineCodes('roomKind', '房间', {
  whole: ['whole', '全屋'],
  living: ['living', '客餐厅'],
  bedroom: ['bedroom', '卧室'],
  kitchen: ['kitchen', '厨房'],
  bath: ['bath', '卫生间'],
  balcony: ['balcony', '阳台'],
  other: ['other', '其他'],
})
/** The base that the quantity of an item grows with. */
export const quantityBase = defineCodes('quantityBase', '用量依据', {
  floor: ['floor', '每㎡地面'],
  wall: ['wall', '每㎡墙面'],
  perimeter: ['perimeter', '每米周长'],
  room: ['room', '每间'],
  piece: ['piece', '每件'],
  fixed: ['fixed', '固定数量'],
})
export const MOST_ITEMS = 300
export const MOST_ALTERNATIVES = 10

const product = uuid.meta({ title: '商品' })
/** Instead of the item, and what a unit of it costs more. */
export const alternativeFacts = z.object({
  product_id: product,
  difference: price('每单位加价'),
})
export const itemFacts = z.object({
  room: roomKind.schema.meta({ title: '房间' }),
  product_id: product,
  base: quantityBase.schema.meta({ title: '用量依据' }),
  factor: quantity('用量'),
  waste: percent('损耗 %').default('0'),
  /** The value of a unit to who does not want it; the product's where none is said. */
  removalPrice: optional(price('减项单价')).meta({ title: '减项单价' }),
  alternatives: z
    .array(alternativeFacts)
    .max(MOST_ALTERNATIVES, { error: `可换商品最多 ${MOST_ALTERNATIVES} 个` })
    .default([])
    .meta({ title: '可换商品' }),
})
export type ItemFacts = z.output<typeof itemFacts>
export const packageName = typed()
  .min(2, { error: '套餐名称至少 2 个字' })
  .max(30, { error: '套餐名称最多 30 个字' })
  .meta({ title: '套餐' })
/** Empty: of the whole group. */
export const packageBranch = uuid.nullable().default(null).meta({ title: '分公司' })
export const packageFacts = z.object({
  bc_id: packageBranch,
  name: packageName,
  perSquareMetre: price('每平米价'),
  leastArea: measure('起装面积').default('0'),
  from: day.meta({ title: '有效期从' }),
  to: day.nullable().default(null).meta({ title: '有效期至' }),
  remark: words('说明', 300),
  items: z
    .array(itemFacts)
    .max(MOST_ITEMS, { error: `一个套餐最多 ${MOST_ITEMS} 项` })
    .meta({ title: '套餐内容' }),
})
export type PackageFacts = z.output<typeof packageFacts>

export const packageRow = z.object({
  id: z.string(),
  bc_id: z.string().nullable(),
  bc_name: z.string(),
  name: z.string(),
  /** The number of its versions. */
  number: z.number().int(),
  perSquareMetre: z.string(),
  leastArea: z.string(),
  items: z.number().int(),
  from: z.string(),
  to: z.string().nullable(),
  /** Published and past its last day. */
  expired: z.boolean(),
  status: packageStatus.schema,
  /** A draft of its next version, where there is one. */
  draft: z.boolean(),
  /** Quotations under way whose newest version is made of this one. */
  quotations: z.number().int(),
  changedBy: z.string(),
  changedAt: z.number().int(),
  version: z.number().int(),
})
export type PackageRow = z.output<typeof packageRow>
export const packageItem = z.object({
  id: z.string(),
  room: roomKind.schema,
  product_id: z.string(),
  code: z.string(),
  name: z.string(),
  /** Brand, model and measures. */
  detail: z.string(),
  unit: z.string(),
  category: z.string(),
  /** It can still be chosen: on the shelf, with a price. */
  sold: z.boolean(),
  base: quantityBase.schema,
  factor: z.string(),
  waste: z.string(),
  removalPrice: z.string().nullable(),
  alternatives: z.array(
    z.object({
      product_id: z.string(),
      name: z.string(),
      detail: z.string(),
      difference: z.string(),
      sold: z.boolean(),
    }),
  ),
})
export type PackageItem = z.output<typeof packageItem>
export const packageDetail = packageRow.omit({ items: true }).extend({
  remark: z.string(),
  items: z.array(packageItem),
})
export type PackageDetail = z.output<typeof packageDetail>

/** The log\'s names for the fields of a package. */
export const packageLog = logged('套餐', {
  name: '套餐',
  number: '版本',
  bc_id: ['分公司', 'company'],
  perSquareMetre: '每平米价',
  leastArea: '起装面积',
  from: '有效期从',
  to: '有效期至',
  remark: '说明',
  items: '项数',
  status: ['状态', packageStatus],
})
