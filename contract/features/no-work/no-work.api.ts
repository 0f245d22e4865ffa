import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { seen } from '../../kit/fields.ts'
import { commaList, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { noWork } from '../sites/sites.record.ts'
import { NO_REASON, noWorkRow, stopReason } from './no-work.record.ts'

const query = listQuery(['noWorkRun', 'noWorkSum', 'code', 'ws_name'], {
  keyword,
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  noWork: commaList(noWork.schema).meta({ title: '停工类型' }),
  manager_id: optional(uuid).meta({ title: '项目经理' }),
  reason: commaList(z.union([z.literal(NO_REASON), stopReason.schema])).meta({ title: '原因' }),
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
      remark: z.string().trim().max(200).default('').meta({ title: '备注' }),
    }),
    data: nothing,
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
