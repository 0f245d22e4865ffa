import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { amount } from '../../kit/decimals.ts'
import { optionalReason, reason, seen } from '../../kit/fields.ts'
import { commaList, flag, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { examineDetail, examineKind, examineRow, examineState, MOST_AT_ONCE } from './examine.record.ts'

const query = listQuery(['submittedAt', 'amount', 'dueAt', 'kind'], {
  keyword,
  kind: commaList(examineKind.schema).meta({ title: '类型' }),
  examineState: commaList(examineState.schema).meta({ title: '状态' }),
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  todo: flag.meta({ title: '待我审核' }),
  overdue: flag.meta({ title: '是否超时' }),
  id: optional(uuid).meta({ title: '审核' }),
  object_id: optional(uuid).meta({ title: '单据' }),
  ids: commaList(uuid).meta({ title: '指定审核' }),
})
/** What was seen, and of what. */
const one = {
  ...seen('审核'),
  hash: z
    .string()
    .trim()
    .min(1)
    .max(100, { error: '内容标识不正确，请刷新后再试' })
    .meta({ title: '内容标识' }),
}

export const examineApi = defineApi({
  list: {
    method: 'POST',
    path: '/dsmcore/api/examine/list',
    title: '审核中心',
    access: ['page:ExamineList'],
    query,
    data: paged(examineRow),
  },
  /** Opened by who may judge it, the server remembers that they have seen it. */
  details: {
    method: 'POST',
    path: '/dsmcore/api/examine/details',
    title: '审核详情',
    access: ['page:ExamineList'],
    query: z.object({ id: uuid.meta({ title: '审核' }) }),
    data: examineDetail,
  },
  pass: {
    method: 'POST',
    path: '/dsmcore/api/examine/pass',
    title: '审核通过',
    access: ['examine:judge'],
    body: z.object({
      ...one,
      reason: optionalReason,
      /** The sum of a disputed damage, when it is not none. */
      amount: amount('判定金额').nullable().default(null),
    }),
    data: nothing,
  },
  reject: {
    method: 'POST',
    path: '/dsmcore/api/examine/reject',
    title: '审核驳回',
    access: ['examine:judge'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  /** Approves the eligible ones and names the others. */
  batch: {
    method: 'POST',
    path: '/dsmcore/api/examine/batch',
    title: '批量通过',
    access: ['examine:judge'],
    body: z.object({
      some: z
        .array(z.object(one))
        .min(1, { error: '请先选择要通过的单据' })
        .max(MOST_AT_ONCE, { error: `一次最多 ${MOST_AT_ONCE} 条` })
        .meta({ title: '单据' }),
    }),
    data: z.object({
      done: z.number().int(),
      skipped: z.array(z.object({ id: z.string(), why: z.string() })),
    }),
  },
  export: {
    method: 'POST',
    path: '/dsmcore/api/examine/export',
    title: '导出审核',
    access: ['examine:export'],
    query,
    data: nothing,
    raw: true,
  },
})
