import { z } from 'zod'

import { defineApi } from '../../kit/api.ts'
import { optional } from '../../kit/paging.ts'
import { siteStage } from '../sites/sites.record.ts'
import {
  casesAway,
  FARTHEST_BESIDE,
  nearbyPlace,
  nearbyView,
  RADII,
  TYPED_POINT,
  workingNow,
} from './nearby.record.ts'

const PAGE = ['page:MapFieldboard']
/** Whoever shows cases in a store says where the customer lives, too. */
const SHOWN = ['page:CaseField']
const NAME = 50
/** Where no community is said, it is the store of whoever asks. */
const middle = {
  community: optional(z.string().max(NAME)).meta({ title: '小区' }),
  city: z.string().max(NAME).default('').meta({ title: '城市' }),
}
const radius = z.coerce.number().refine((n): n is (typeof RADII)[number] => RADII.some((r) => r === n), {
  error: `只能选 ${RADII.join('、')} 米`,
})

const beside = z.coerce
  .number()
  .int()
  .min(-FARTHEST_BESIDE, { error: '离小区太远了' })
  .max(FARTHEST_BESIDE, { error: '离小区太远了' })
  .default(0)
export const nearbyApi = defineApi({
  /** Communities by a part of their name, the one that says it exactly first, then where most is built. */
  places: {
    method: 'POST',
    path: '/mkscore/api/nearby/places',
    title: '查找小区',
    access: [...PAGE, ...SHOWN],
    query: z.object({
      keyword: z.string().trim().min(1, { error: '请输入小区' }).max(NAME).meta({ title: '小区' }),
    }),
    data: z.array(nearbyPlace),
  },
  /** The homes that the group builds and has built around a community. */
  around: {
    method: 'POST',
    path: '/mkscore/api/nearby/around',
    title: '周边工地',
    work: 'heavy',
    access: PAGE,
    query: z.object({
      community: z.string().max(NAME).default('').meta({ title: '小区' }),
      /** Where none is said, the one where most homes of that community's name are. */
      city: z.string().max(NAME).default('').meta({ title: '城市' }),
      /** A point beside that community, in metres. */
      east: beside.meta({ title: '往东' }),
      north: beside.meta({ title: '往北' }),
      /** Or a point alone: longitude and latitude. */
      point: optional(z.string().regex(TYPED_POINT, { error: '请按“经度,纬度”输入' })).meta({ title: '点' }),
      radius: radius.default(RADII[2]).meta({ title: '范围' }),
      stage: optional(siteStage.schema).meta({ title: '阶段' }),
      status: optional(z.enum(['building', 'finished', 'working'])).meta({ title: '状态' }),
      style: optional(z.string().max(NAME)).meta({ title: '风格' }),
    }),
    data: nearbyView,
  },
  /** The nearest cases of homes in which somebody works today. */
  now: {
    method: 'POST',
    path: '/mkscore/api/nearby/now',
    title: '现在有人施工的案例',
    access: SHOWN,
    query: z.object(middle),
    data: workingNow,
  },
  /** The way to being shown in a store, for each case. */
  cases: {
    method: 'POST',
    path: '/mkscore/api/nearby/cases',
    title: '案例的距离',
    access: SHOWN,
    query: z.object(middle),
    data: casesAway,
  },
})
