import { z } from 'zod'

import { defineApi } from '../../kit/api.ts'
import { optional } from '../../kit/paging.ts'
import { siteStage } from '../sites/sites.record.ts'
import { nearbyPlace, nearbyView, RADII } from './nearby.record.ts'

const PAGE = ['page:MapFieldboard']
const NAME = 50
const radius = z.coerce.number().refine((n): n is (typeof RADII)[number] => RADII.some((r) => r === n), {
  error: `只能选 ${RADII.join('、')} 米`,
})

export const nearbyApi = defineApi({
  /** Communities by a part of their name, the one that says it exactly first, then where most is built. */
  places: {
    method: 'POST',
    path: '/mkscore/api/nearby/places',
    title: '查找小区',
    access: PAGE,
    query: z.object({
      keyword: z.string().trim().min(1, { error: '请输入小区' }).max(NAME).meta({ title: '小区' }),
    }),
    data: z.array(nearbyPlace),
  },
  /** What the group builds and has built around a community. */
  around: {
    method: 'POST',
    path: '/mkscore/api/nearby/around',
    title: '周边工地',
    work: 'heavy',
    access: PAGE,
    query: z.object({
      community: z.string().min(1, { error: '请选择小区' }).max(NAME).meta({ title: '小区' }),
      /** Where none is said, the one where most homes of that community's name are. */
      city: z.string().max(NAME).default('').meta({ title: '城市' }),
      radius: radius.default(RADII[2]).meta({ title: '范围' }),
      stage: optional(siteStage.schema).meta({ title: '阶段' }),
      status: optional(z.enum(['building', 'finished', 'working'])).meta({ title: '状态' }),
      style: optional(z.string().max(NAME)).meta({ title: '风格' }),
    }),
    data: nearbyView,
  },
})
