import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { seen } from '../../kit/fields.ts'
import { commaList, day, flag, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { noWork } from '../sites/sites.record.ts'
import { NO_REASON, noWorkRow, stopBall, stopChoices, stopReason } from './no-work.record.ts'

const query = listQuery(['noWorkRun', 'noWorkSum', 'since', 'code', 'ws_name'], {
  keyword,
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  noWork: commaList(noWork.schema).meta({ title: '停工类型' }),
  manager_id: optional(uuid).meta({ title: '项目经理' }),
  reason: commaList(z.union([z.literal(NO_REASON), stopReason.schema])).meta({ title: '原因' }),
  ball: commaList(stopBall.schema).meta({ title: '球在谁手里' }),
  /** People should be there today and nobody is: no day of rest, not blind, and nothing that only its day will end. */
  missed: flag.meta({ title: '今天该有人没人' }),
  /** Waits for an order of this batch. */
  batch: optional(z.string().trim().max(40)).meta({ title: '等同一批订单' }),
})
const one = seen('工地')

export const noWorkApi = defineApi({
  list: {
    method: 'POST',
    path: '/osmcore/api/nowork/list',
    title: '停工预警',
    access: ['page:NoWork'],
    query,
    data: paged(noWorkRow),
  },
  reason: {
    method: 'POST',
    path: '/osmcore/api/nowork/reason',
    title: '登记停工原因',
    access: ['nowork:reason'],
    body: z.object({
      ...one,
      reason: stopReason.schema.meta({ title: '原因' }),
      /** Left out: what the reason names says it, else its own number of days. */
      until: optional(day).meta({ title: '到哪天' }),
      order_id: optional(uuid).meta({ title: '在等哪张订单' }),
      question_id: optional(uuid).meta({ title: '等业主决定什么' }),
      remark: z.string().trim().max(200).default('').meta({ title: '备注' }),
    }),
    data: nothing,
  },
  /** While a reason is written: what it may name, and up to which day it would hold. */
  choices: {
    method: 'POST',
    path: '/osmcore/api/nowork/choices',
    title: '停工原因可以选什么',
    access: ['nowork:reason'],
    query: z.object({ id: one.id }),
    data: stopChoices,
  },
  tell: {
    method: 'POST',
    path: '/osmcore/api/nowork/tell',
    title: '通知项目经理',
    access: ['nowork:tell'],
    body: z.object(one),
    data: nothing,
  },
  export: {
    method: 'POST',
    path: '/osmcore/api/nowork/export',
    title: '导出停工预警',
    access: ['nowork:export'],
    query,
    data: nothing,
    raw: true,
  },
})
