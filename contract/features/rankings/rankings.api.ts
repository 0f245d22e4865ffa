import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason as because, version } from '../../kit/fields.ts'
import { commaList, day, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import {
  LEAST_WEIGHT,
  MOST_WEIGHT,
  rankReason,
  rankRow,
  weightedReason,
  weightsOfBranch,
} from './rankings.record.ts'

const query = listQuery(['rank'], {
  keyword,
  /** Defaults to today. */
  day: optional(day).meta({ title: '日期' }),
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  site_id: optional(uuid).meta({ title: '工地' }),
  reason: commaList(rankReason.schema).meta({ title: '原因' }),
})
const one = {
  bc_id: uuid.meta({ title: '分公司' }),
  kind: weightedReason.schema.meta({ title: '依据' }),
  version,
  reason: because,
}

export const rankingsApi = defineApi({
  list: {
    method: 'POST',
    path: '/osmcore/api/patrol/ranklist',
    title: '今日该巡',
    access: ['page:PatrolRank'],
    query,
    data: paged(rankRow),
  },
  weights: {
    method: 'POST',
    path: '/osmcore/api/patrol/weights',
    title: '依据和权重',
    access: ['page:PatrolRank'],
    query: z.object({ bc_id: uuid.meta({ title: '分公司' }) }),
    data: weightsOfBranch,
  },
  /** By hand: it stays and does not learn. */
  setWeight: {
    method: 'POST',
    path: '/osmcore/api/patrol/setweight',
    title: '设置权重',
    access: ['patrol:weights'],
    body: z.object({
      ...one,
      weight: z.coerce
        .number({ error: '权重应为数字' })
        .min(LEAST_WEIGHT, { error: `权重至少 ${LEAST_WEIGHT}` })
        .max(MOST_WEIGHT, { error: `权重最多 ${MOST_WEIGHT}` })
        .meta({ title: '权重' }),
    }),
    data: nothing,
  },
  /** It learns again. */
  freeWeight: {
    method: 'POST',
    path: '/osmcore/api/patrol/freeweight',
    title: '恢复学习',
    access: ['patrol:weights'],
    body: z.object(one),
    data: nothing,
  },
  export: {
    method: 'POST',
    path: '/osmcore/api/patrol/rankexport',
    title: '导出今日该巡',
    access: ['patrol:export'],
    query,
    data: nothing,
    raw: true,
  },
})
