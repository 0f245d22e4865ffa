import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { day, uuid } from '../../kit/paging.ts'
import { siteOnline } from './video.record.ts'

const query = z.object({
  site_id: uuid.meta({ title: '工地' }),
  from: day.meta({ title: '开始日期' }),
  to: day.meta({ title: '结束日期' }),
})

export const videoApi = defineApi({
  /** The states of a site's cameras while they stood there: at most 31 days, both included. */
  online: {
    method: 'POST',
    path: '/osmcore/api/video/online',
    title: '工地摄像头在线分析',
    access: ['page:SiteVidicon'],
    query,
    data: siteOnline,
  },
  outagesExport: {
    method: 'POST',
    path: '/osmcore/api/video/outagesexport',
    title: '导出摄像头离线记录',
    access: ['vidicon:export'],
    query,
    data: nothing,
    raw: true,
  },
})
