import { z } from 'zod'

import { defineApi } from '../../kit/api.ts'
import { commaList, uuid } from '../../kit/paging.ts'
import { boardSpan, boardTotal } from './board-total.record.ts'

/** So many spans back, at most. */
const BACK = 24
export const boardsApi = defineApi({
  total: {
    method: 'POST',
    path: '/osmcore/api/board/total',
    title: '总看板',
    work: 'heavy',
    access: ['page:BoardTotal'],
    query: z.object({
      span: boardSpan.schema.default('month').meta({ title: '时间' }),
      back: z.coerce.number().int().min(0).max(BACK).default(0).meta({ title: '往前' }),
      bc_id: commaList(uuid).meta({ title: '分公司' }),
    }),
    data: boardTotal,
  },
})
