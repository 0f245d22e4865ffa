import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { words } from '../../kit/fields.ts'
import { logged } from '../../kit/logged.ts'
import { uuid } from '../../kit/paging.ts'

export const previewState = defineCodes('previewState', '预览状态', {
  draft: ['draft', '草稿'],
  sent: ['sent', '已发送'],
  revised: ['revised', '发送后改过'],
  ended: ['ended', '已结束'],
})
export const previewItemKind = defineCodes('previewItemKind', '内容', {
  case: ['case', '案例'],
  site: ['site', '附近工地'],
  package: ['package', '套餐'],
  quotation: ['quotation', '报价单'],
})
/** The most for one preview; nobody looks at more on a telephone. */
export const MOST_ITEMS = 20

export const previewItem = z.object({
  kind: previewItemKind.schema.meta({ title: '内容' }),
  target_id: uuid.meta({ title: '内容' }),
})
export type PreviewItem = z.output<typeof previewItem>

export const previewFacts = z.object({
  title: words('标题', 30),
  words: words('想说的话', 200),
  items: z
    .array(previewItem)
    .max(MOST_ITEMS, { error: `最多放 ${MOST_ITEMS} 项` })
    .meta({ title: '内容' }),
})
export type PreviewFacts = z.output<typeof previewFacts>

/** Something that could be put in, or that was. */
export const previewChoice = z.object({
  kind: previewItemKind.schema,
  target_id: z.string(),
  title: z.string(),
  detail: z.string(),
})
export type PreviewChoice = z.output<typeof previewChoice>

export const previewRow = z.object({
  id: z.string(),
  title: z.string(),
  bc_id: z.string(),
  store_id: z.string().nullable(),
  customer_id: z.string(),
  customerName: z.string(),
  maker_id: z.string(),
  makerName: z.string(),
  state: previewState.schema,
  items: z.number().int(),
  openings: z.number().int(),
  changedAt: z.number().int(),
  version: z.number().int(),
})
export type PreviewRow = z.output<typeof previewRow>

export const previewDetail = previewRow.omit({ items: true }).extend({
  words: z.string(),
  community: z.string(),
  items: z.array(previewChoice.extend({ droppedFor: z.string() })),
})
export type PreviewDetail = z.output<typeof previewDetail>

export const previewLog = logged('客户预览', {
  title: ['标题', 'personal'],
  customer: ['客户', 'personal'],
  state: ['预览状态', previewState],
  items: '项数',
  words: ['想说的话', 'personal'],
  dropped: '失效的内容',
})
