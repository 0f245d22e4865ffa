import { z } from 'zod'

import { defineApi } from '../../kit/api.ts'
import { optional, uuid } from '../../kit/paging.ts'
import { settingsOfBranch } from './settings.record.ts'

/** Without a branch: the group's own values. */
const bcId = optional(uuid).meta({ title: '分公司' })
export const settingsApi = defineApi({
  selectByBcId: {
    method: 'POST',
    path: '/dsmcore/api/setSelf/selectByBcId',
    title: '自助设置',
    access: ['page:SetSelf'],
    form: true,
    body: z.object({ bcId }),
    data: settingsOfBranch,
  },
  /** null gives a setting back to what it inherits. */
  update: {
    method: 'POST',
    path: '/dsmcore/api/setSelf/update',
    title: '修改设置',
    access: ['settings:edit'],
    form: true,
    body: z.object({
      bcId,
      values: z.record(z.string(), z.unknown()).meta({ title: '设置' }),
      /** What stood there when they were read: who is not the last to have seen it saves nothing. */
      seen: z.record(z.string(), z.unknown()).optional().meta({ title: '改之前的设置' }),
    }),
    /** What is saved and yet not as it should be, each a sentence. */
    data: z.object({ warnings: z.array(z.string()) }),
  },
})
