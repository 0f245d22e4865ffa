import { defineApi, nothing } from '../../kit/api.ts'
import { commaList, day, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { viewPurpose } from '../video/purposes.record.ts'
import { homeViewRow, lookRow } from './looks.record.ts'

const about = {
  site_id: uuid.meta({ title: '工地' }),
  keyword,
  from: optional(day).meta({ title: '开始日期' }),
  to: optional(day).meta({ title: '结束日期' }),
}
const looks = listQuery(['at', 'seconds'], about)
const views = listQuery(['at', 'seconds'], {
  ...about,
  purpose: commaList(viewPurpose.schema).meta({ title: '查看目的' }),
})

/** The person who watched a home: its own people by their links, and those of the company. */
export const looksApi = defineApi({
  looks: {
    method: 'POST',
    path: '/osmcore/api/ownervideo/looks',
    title: '业主看过的现场',
    access: ['page:OwnerVideoaccess'],
    query: looks,
    data: paged(lookRow),
  },
  looksExport: {
    method: 'POST',
    path: '/osmcore/api/ownervideo/looksexport',
    title: '导出业主观看记录',
    access: ['ownervideo:export'],
    query: looks,
    data: nothing,
    raw: true,
  },
  views: {
    method: 'POST',
    path: '/osmcore/api/ownervideo/views',
    title: '公司谁看过',
    access: ['page:OwnerVideoaccess'],
    query: views,
    data: paged(homeViewRow),
  },
  viewsExport: {
    method: 'POST',
    path: '/osmcore/api/ownervideo/viewsexport',
    title: '导出公司查看记录',
    access: ['ownervideo:export'],
    query: views,
    data: nothing,
    raw: true,
  },
})
