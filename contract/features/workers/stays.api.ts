import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { day, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { stayRow, stayState, trackPoint } from './stays.record.ts'

const worker_id = uuid.meta({ title: '工人' })
const query = listQuery(['enteredOn', 'days', 'score'], {
  worker_id,
  site_id: optional(uuid).meta({ title: '工地' }),
  stay: optional(stayState.schema).meta({ title: '在场' }),
})

export const staysApi = defineApi({
  list: {
    method: 'POST',
    path: '/osmcore/api/worker/experience',
    title: '项目经历',
    access: ['page:ProjectExperience'],
    query,
    data: paged(stayRow),
  },
  export: {
    method: 'POST',
    path: '/osmcore/api/worker/experienceexport',
    title: '导出项目经历',
    access: ['worker:export'],
    query,
    data: nothing,
    raw: true,
  },
  /** Places where somebody clocked in on a day, in the order of the day. */
  track: {
    method: 'POST',
    path: '/osmcore/api/worker/track',
    title: '工人地图',
    access: ['page:WorkerMap'],
    query: z.object({ worker_id, day: day.meta({ title: '日期' }) }),
    data: z.array(trackPoint),
  },
})
