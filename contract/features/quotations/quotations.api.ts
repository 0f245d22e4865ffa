import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason, seen } from '../../kit/fields.ts'
import { commaList, day, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import {
  lineFixed,
  quotationContent,
  quotationDetail,
  quotationRow,
  quotationStatus,
  quotationSum,
} from './quotations.record.ts'

const query = listQuery(['code', 'changedAt', 'total', 'validUntil'], {
  keyword,
  status: commaList(quotationStatus.schema).meta({ title: '审核状态' }),
  bc_id: optional(uuid).meta({ title: '分公司' }),
  quoter_id: optional(uuid).meta({ title: '报价员' }),
  package_id: optional(uuid).meta({ title: '套餐' }),
  from: optional(day).meta({ title: '修改日期从' }),
  to: optional(day).meta({ title: '修改日期至' }),
})
const one = seen('报价单')
const id = uuid.meta({ title: '报价单' })
/** One of its versions; the newest where none is named. */
const version = z.object({
  id,
  number: optional(z.coerce.number().int().min(1).max(9999)).meta({ title: '版本' }),
})
const made = z.object({ id: z.string(), code: z.string() })
const file = { query: version, data: nothing, raw: true } as const

export const quotationsApi = defineApi({
  list: {
    method: 'POST',
    path: '/dsmcore/api/quotation/list',
    title: '报价单',
    access: ['page:QuotationList'],
    query,
    data: paged(quotationRow),
  },
  details: {
    method: 'POST',
    path: '/dsmcore/api/quotation/details',
    title: '报价内容',
    access: ['page:QuotationList'],
    query: version,
    data: quotationDetail,
  },
  add: {
    method: 'POST',
    path: '/dsmcore/api/quotation/add',
    title: '新建报价单',
    access: ['quotation:edit'],
    long: true,
    body: z.object({ customer_id: uuid.meta({ title: '客户' }), content: quotationContent }),
    data: made,
  },
  /** All of the draft, from who has seen this version of it. */
  save: {
    method: 'POST',
    path: '/dsmcore/api/quotation/save',
    title: '保存报价单',
    access: ['quotation:edit'],
    long: true,
    body: z.object({ ...one, customer_id: uuid.meta({ title: '客户' }), content: quotationContent }),
    data: z.object({
      version: z.number().int(),
      at: z.number().int(),
      sum: quotationSum,
      lines: z.array(lineFixed),
    }),
  },
  /** Another quotation with what this version holds, as a draft. */
  copy: {
    method: 'POST',
    path: '/dsmcore/api/quotation/copy',
    title: '复制报价单',
    access: ['quotation:edit'],
    body: z.object({
      id,
      number: z.number().int().min(1).max(9999).optional().meta({ title: '版本' }),
      customer_id: uuid.meta({ title: '客户' }),
    }),
    data: made,
  },
  submit: {
    method: 'POST',
    path: '/dsmcore/api/quotation/submit',
    title: '提交审核',
    access: ['quotation:edit'],
    body: z.object(one),
    data: nothing,
  },
  withdraw: {
    method: 'POST',
    path: '/dsmcore/api/quotation/withdraw',
    title: '撤回报价单',
    access: ['quotation:edit'],
    body: z.object(one),
    data: nothing,
  },
  revise: {
    method: 'POST',
    path: '/dsmcore/api/quotation/revise',
    title: '修改为新版本',
    access: ['quotation:edit'],
    body: z.object(one),
    data: nothing,
  },
  void: {
    method: 'POST',
    path: '/dsmcore/api/quotation/void',
    title: '作废报价单',
    access: ['quotation:edit'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  /** Says that the caller has it open; answers who else has. */
  editing: {
    method: 'POST',
    path: '/dsmcore/api/quotation/editing',
    title: '正在编辑的人',
    access: ['quotation:edit'],
    body: z.object({ id, leaving: z.boolean().default(false).meta({ title: '离开' }) }),
    data: z.object({
      others: z.array(z.object({ nickname: z.string(), since: z.number().int() })),
      /** Of the draft: who has an older one sees that it has changed. */
      version: z.number().int(),
      changedBy: z.string(),
    }),
  },
  sheet: {
    method: 'POST',
    path: '/dsmcore/api/quotation/sheet',
    title: '报价单 Excel',
    access: ['page:QuotationList'],
    ...file,
  },
  /** As it leaves the house; costs are in none of them. */
  pdf: {
    method: 'POST',
    path: '/dsmcore/api/quotation/pdf',
    title: '报价单 PDF',
    access: ['page:QuotationList'],
    ...file,
  },
  export: {
    method: 'POST',
    path: '/dsmcore/api/quotation/export',
    title: '导出报价单',
    access: ['quotation:export'],
    query,
    data: nothing,
    raw: true,
  },
})
