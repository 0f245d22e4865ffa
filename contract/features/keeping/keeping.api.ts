import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { day, optional, uuid } from '../../kit/paging.ts'
import { goingRow, keptRow, personalRegister } from './keeping.record.ts'

/** Without a branch: the group's own values. */
const bcId = optional(uuid).meta({ title: '分公司' })
export const keepingApi = defineApi({
  kinds: {
    method: 'POST',
    path: '/dsmcore/api/setSelf/kept',
    title: '保存期限',
    access: ['page:SetSelf'],
    body: z.object({ bcId }),
    data: z.array(keptRow),
  },
  /** Rows that the coming night deletes with these days, before anybody saves them. */
  foresee: {
    method: 'POST',
    path: '/dsmcore/api/setSelf/foresee',
    title: '缩短保存期限会删除多少',
    work: 'heavy',
    access: ['settings:edit'],
    body: z.object({
      bcId,
      values: z.record(z.string().max(40), z.number().int().nullable()).meta({ title: '设置' }),
    }),
    data: z.array(goingRow),
  },
  register: {
    method: 'POST',
    path: '/dsmcore/api/personalRegister/select',
    title: '个人信息登记',
    work: 'heavy',
    access: ['page:PersonalRegister'],
    query: z.object({
      from: optional(day).meta({ title: '开始日期' }),
      to: optional(day).meta({ title: '结束日期' }),
    }),
    data: personalRegister,
  },
  export: {
    method: 'POST',
    path: '/dsmcore/api/personalRegister/export',
    title: '导出个人信息登记',
    access: ['register:export'],
    data: nothing,
    raw: true,
  },
})
