import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { percent, price, quantity } from '../../kit/decimals.ts'
import { typed, words } from '../../kit/fields.ts'
import { uuid } from '../../kit/paging.ts'
import { productKind } from '../products/products.record.ts'
import { contractAttribute } from '../quotations/quotations.record.ts'
import { attribute } from '../quotations/quotations.sum.ts'
import { siteStage } from '../sites/sites.record.ts'

/** A change document; what was approved is only reversed by another. */
export const changeStatus = defineCodes('changeStatus', '变更状态', {
  draft: [1, '草稿'],
  waiting: [2, '待审核'],
  approved: [3, '已通过'],
  rejected: [4, '已驳回'],
  dropped: [5, '已作废'],
})
/** What a change may do to a contract: everything but to bring a package. */
export const changeAttribute = defineCodes('changeAttribute', '属性', {
  adjusted: [2, '部分调整'],
  added: [3, '增项'],
  removed: [4, '减项'],
})
export const MOST_CHANGE_LINES = 200

/**
 * An adjustment and a removal point at an item of the contract; what is added or put in its place is a product of the
 * catalogue, or said in words.
 */
export const changeLineFacts = z.object({
  attribute: changeAttribute.schema.meta({ title: '属性' }),
  item_id: uuid.nullable().default(null).meta({ title: '合同项' }),
  product_id: uuid.nullable().default(null).meta({ title: '商品' }),
  name: words('名称', 60),
  detail: words('规格', 150),
  unit: words('单位', 10),
  kind: productKind.schema.default('main').meta({ title: '类别' }),
  stage: siteStage.schema.nullable().default(null).meta({ title: '施工阶段' }),
  quantity: quantity('数量'),
  waste: percent('损耗 %').default('0'),
  /** The quantity of a unit; for a removal the item's counts. */
  price: price('单价').default('0'),
  remark: words('备注', 200),
})
export type ChangeLineFacts = z.output<typeof changeLineFacts>
export const changeFacts = z.object({
  reason: typed()
    .min(2, { error: '请写明变更原因（至少 2 个字）' })
    .max(200, { error: '变更原因最多 200 个字' })
    .meta({ title: '变更原因' }),
  lines: z
    .array(changeLineFacts)
    .min(1, { error: '变更单里还没有内容' })
    .max(MOST_CHANGE_LINES, { error: `一张变更单最多 ${MOST_CHANGE_LINES} 行` })
    .meta({ title: '变更内容' }),
})
export type ChangeFacts = z.output<typeof changeFacts>

const decimal = z.string()
export const changeLine = z.object({
  id: z.string(),
  attribute: attribute.schema,
  contractAttribute: contractAttribute.schema,
  item_id: z.string().nullable(),
  /** The record that it points at, in words. */
  itemName: z.string(),
  product_id: z.string().nullable(),
  code: z.string(),
  name: z.string(),
  detail: z.string(),
  unit: z.string(),
  kind: productKind.schema,
  stage: siteStage.schema.nullable(),
  /** Without waste, and what the customer pays. */
  quantity: decimal,
  waste: decimal,
  priced: decimal,
  price: decimal,
  /** The value that it is changed from, a unit. */
  before: decimal.nullable(),
  /** The price that the catalogue asked. */
  listPrice: decimal.nullable(),
  amount: decimal,
  remark: z.string(),
})
export type ChangeLine = z.output<typeof changeLine>
export const changeDocument = z.object({
  id: z.string(),
  code: z.string(),
  status: changeStatus.schema,
  reason: z.string(),
  amount: decimal,
  by_id: z.string(),
  by: z.string(),
  at: z.number().int(),
  judged: z.string(),
  /** When it was approved or refused. */
  judgedAt: z.number().int().nullable(),
  lines: z.array(changeLine),
  version: z.number().int(),
})
export type ChangeDocument = z.output<typeof changeDocument>
