import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { commaList, day, flag, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { payMethod } from './contracts.record.ts'
import { dueRow, dueWhen, flowKind, flowRow, flowState, flowTotals, flowType } from './receipts.record.ts'

const dueQuery = listQuery(['dueOn', 'open', 'amount', 'code', 'lateDays'], {
  keyword,
  bc_id: optional(uuid).meta({ title: '分公司' }),
  when: commaList(dueWhen.schema).meta({ title: '到期' }),
  unpaid: flag.meta({ title: '有欠款' }),
  overdue: flag.meta({ title: '逾期' }),
})
const flowFilters = {
  keyword,
  bc_id: optional(uuid).meta({ title: '分公司' }),
  type: commaList(flowType.schema).meta({ title: '类型' }),
  kind: commaList(flowKind.schema).meta({ title: '明细' }),
  method: commaList(payMethod.schema).meta({ title: '方式' }),
  state: commaList(flowState.schema).meta({ title: '状态' }),
  user_id: optional(uuid).meta({ title: '经手' }),
  from: optional(day).meta({ title: '日期从' }),
  to: optional(day).meta({ title: '日期至' }),
}
const flowQuery = listQuery(['paidOn', 'amount', 'code', 'at'], flowFilters)
const page = ['page:ReceiptList']

export const receiptsApi = defineApi({
  /** The instalments that customers have to pay, and when. */
  due: {
    method: 'POST',
    path: '/dsmcore/api/contract/duelist',
    title: '应收款',
    access: page,
    query: dueQuery,
    data: paged(dueRow),
  },
  exportDue: {
    method: 'POST',
    path: '/dsmcore/api/contract/dueexport',
    title: '导出应收款',
    access: ['contract:export'],
    query: dueQuery,
    data: nothing,
    raw: true,
  },
  flow: {
    method: 'POST',
    path: '/dsmcore/api/contract/flowlist',
    title: '收退款流水',
    access: page,
    query: flowQuery,
    data: paged(flowRow),
  },
  /** By way of payment, of the same rows. */
  totals: {
    method: 'POST',
    path: '/dsmcore/api/contract/flowtotals',
    title: '收退款合计',
    access: page,
    query: z.object(flowFilters),
    data: flowTotals,
  },
  exportFlow: {
    method: 'POST',
    path: '/dsmcore/api/contract/flowexport',
    title: '导出收退款流水',
    access: ['contract:export'],
    query: flowQuery,
    data: nothing,
    raw: true,
  },
})
