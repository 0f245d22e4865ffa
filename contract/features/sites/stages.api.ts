import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { optionalReason, version } from '../../kit/fields.ts'
import { day, optional, uuid } from '../../kit/paging.ts'
import { siteStage } from './sites.record.ts'

const stage = siteStage.schema.meta({ title: '阶段' })

export const stagesApi = defineApi({
  /** Planned days of stages; a stage that is left out keeps its own. */
  plan: {
    method: 'POST',
    path: '/osmcore/api/site/stageplan',
    title: '阶段排期',
    access: ['site:stage'],
    body: z.object({
      id: uuid.meta({ title: '工地' }),
      version,
      stages: z
        .array(
          z.object({
            stage,
            plannedStart: day.meta({ title: '计划开始' }),
            plannedFinish: day.meta({ title: '计划完成' }),
          }),
        )
        .min(1, { error: '请至少排一个阶段' })
        .max(20)
        .meta({ title: '阶段' }),
    }),
    data: nothing,
  },
  /** Without a day: today. */
  change: {
    method: 'POST',
    path: '/osmcore/api/site/stagechange',
    title: '改变阶段',
    access: ['site:stage', 'site:accept'],
    body: z.object({
      id: uuid.meta({ title: '工地' }),
      version,
      stage,
      action: z.enum(['begin', 'accept', 'redo']).meta({ title: '动作' }),
      day: optional(day).meta({ title: '日期' }),
      reason: optionalReason,
    }),
    data: nothing,
  },
})
