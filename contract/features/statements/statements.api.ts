import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason, seen } from '../../kit/fields.ts'
import { commaList, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import {
  chargeFacts,
  disputeReason,
  month,
  objections,
  paymentFacts,
  statementDetail,
  statementPreview,
  statementRow,
  statementState,
} from './statements.record.ts'

const query = listQuery(['code', 'month'], {
  keyword,
  bc_id: optional(uuid).meta({ title: '分公司' }),
  receiver_id: optional(uuid).meta({ title: '商家' }),
  month: optional(month),
  state: commaList(statementState.schema).meta({ title: '状态' }),
  ids: commaList(uuid).meta({ title: '指定对账单' }),
})
const one = seen('对账单')
const made = z.object({ id: z.string(), code: z.string() })

export const statementsApi = defineApi({
  list: {
    method: 'POST',
    path: '/dsmcore/api/statement/list',
    title: '对账单',
    access: ['page:StatementList'],
    query,
    data: paged(statementRow),
  },
  export: {
    method: 'POST',
    path: '/dsmcore/api/statement/export',
    title: '导出对账单',
    access: ['statement:export'],
    query,
    data: nothing,
    raw: true,
  },
  details: {
    method: 'POST',
    path: '/dsmcore/api/statement/details',
    title: '对账单详情',
    access: ['page:StatementList'],
    query: z.object({ id: uuid.meta({ title: '对账单' }) }),
    data: statementDetail,
  },
  /** As both stamp it. */
  pdf: {
    method: 'POST',
    path: '/dsmcore/api/statement/pdf',
    title: '对账单 PDF',
    access: ['page:StatementList'],
    query: z.object({ id: uuid.meta({ title: '对账单' }) }),
    data: nothing,
    raw: true,
  },
  /** A month as it stands, whether or not a statement was made of it. */
  preview: {
    method: 'POST',
    path: '/dsmcore/api/statement/preview',
    title: '本月往来',
    access: ['order:amount'],
    query: z.object({
      receiver_id: uuid.meta({ title: '商家' }),
      bc_id: optional(uuid).meta({ title: '分公司' }),
      month,
    }),
    data: statementPreview,
  },
  /** A month that is over; without a branch it is of the whole group. */
  add: {
    method: 'POST',
    path: '/dsmcore/api/statement/add',
    title: '生成对账单',
    access: ['statement:edit'],
    body: z.object({
      receiver_id: uuid.meta({ title: '商家' }),
      bc_id: uuid.nullable().default(null).meta({ title: '分公司' }),
      month,
    }),
    data: made,
  },
  send: {
    method: 'POST',
    path: '/dsmcore/api/statement/send',
    title: '发出对账单',
    access: ['statement:edit'],
    body: z.object(one),
    data: nothing,
  },
  recall: {
    method: 'POST',
    path: '/dsmcore/api/statement/recall',
    title: '撤回对账单',
    access: ['statement:edit'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  drop: {
    method: 'POST',
    path: '/dsmcore/api/statement/drop',
    title: '作废对账单',
    access: ['statement:edit'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  revise: {
    method: 'POST',
    path: '/dsmcore/api/statement/revise',
    title: '修改对账单',
    access: ['statement:edit'],
    body: z.object(one),
    data: nothing,
  },
  agree: {
    method: 'POST',
    path: '/dsmcore/api/statement/agree',
    title: '确认对账单',
    access: ['statement:confirm'],
    body: z.object(one),
    data: nothing,
  },
  dispute: {
    method: 'POST',
    path: '/dsmcore/api/statement/dispute',
    title: '对账单异议',
    access: ['statement:confirm'],
    body: z.object({ ...one, lines: objections, reason: disputeReason }),
    data: nothing,
  },
  pay: {
    method: 'POST',
    path: '/dsmcore/api/statement/pay',
    title: '登记付款',
    access: ['statement:pay'],
    body: paymentFacts.extend(one),
    data: made,
  },
  reverse: {
    method: 'POST',
    path: '/dsmcore/api/statement/reverse',
    title: '冲销付款',
    access: ['statement:pay'],
    body: z.object({ ...seen('付款单'), reason }),
    data: nothing,
  },
  /** A line by hand: a line of the ledger once an examiner has approved it. */
  charge: {
    method: 'POST',
    path: '/dsmcore/api/statement/charge',
    title: '加手工行',
    access: ['statement:edit'],
    body: chargeFacts,
    data: made,
  },
  withdrawCharge: {
    method: 'POST',
    path: '/dsmcore/api/statement/withdrawcharge',
    title: '撤回手工行',
    access: ['statement:edit'],
    body: z.object({ ...seen('手工行'), reason }),
    data: nothing,
  },
})
