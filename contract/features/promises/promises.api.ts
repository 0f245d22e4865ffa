import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { optionalReason, reason, seen, typed, uploaded, words } from '../../kit/fields.ts'
import { commaList, day, flag, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { heardBy } from '../feedback/feedback.record.ts'
import { principalPost } from '../users/users.record.ts'
import {
  contradiction,
  contradictionAnswer,
  promiseDetail,
  promiseRate,
  promiseRow,
  promiseState,
  promiseSubject,
} from './promises.record.ts'

const filters = {
  keyword,
  state: commaList(promiseState.schema).meta({ title: '状态' }),
  subject: commaList(promiseSubject.schema).meta({ title: '事项' }),
  author_id: optional(uuid).meta({ title: '承诺人' }),
  responsible_id: optional(uuid).meta({ title: '责任人' }),
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  site_id: optional(uuid).meta({ title: '工地' }),
  from: optional(day).meta({ title: '到期从' }),
  to: optional(day).meta({ title: '到期至' }),
  objected: flag.meta({ title: '有异议' }),
  id: optional(uuid).meta({ title: '承诺' }),
}
const query = listQuery(['madeAt', 'due', 'state'], filters)
const { id: _one, objected: _mark, state: _state, keyword: _words, ...counted } = filters
const one = seen('承诺')
const due = day.meta({ title: '到期' })
const content = typed()
  .min(2, { error: '请写明承诺了什么（至少 2 个字）' })
  .max(200, { error: '承诺内容最多 200 个字' })
  .meta({ title: '承诺内容' })
const site_id = uuid.meta({ title: '工地' })
const PAGES = ['page:PromiseList', 'page:OwnerPromise']

export const promisesApi = defineApi({
  list: {
    method: 'POST',
    path: '/osmcore/api/promise/list',
    title: '承诺管理',
    access: PAGES,
    query,
    data: paged(promiseRow),
  },
  details: {
    method: 'POST',
    path: '/osmcore/api/promise/details',
    title: '承诺详情',
    access: PAGES,
    query: z.object({ id: one.id }),
    data: promiseDetail,
  },
  /** How many were kept by the day first named, and by the day that stands now. */
  rates: {
    method: 'POST',
    path: '/osmcore/api/promise/rates',
    title: '承诺兑现率',
    access: PAGES,
    query: z.object(counted),
    data: z.object({ at: z.number().int(), first: promiseRate, present: promiseRate }),
  },
  /** While one is written: what it contradicts, and what is worth knowing of its day. */
  contradictions: {
    method: 'POST',
    path: '/osmcore/api/promise/contradictions',
    title: '日期不同的承诺',
    access: ['promise:add'],
    query: z.object({ site_id, subject: promiseSubject.schema.meta({ title: '事项' }), due }),
    data: z.object({ list: z.array(contradiction), notes: z.array(z.string()) }),
  },
  add: {
    method: 'POST',
    path: '/osmcore/api/promise/add',
    title: '登记承诺',
    access: ['promise:add'],
    body: z.object({
      site_id,
      subject: promiseSubject.schema.meta({ title: '事项' }),
      content,
      due,
      post: principalPost.schema.meta({ title: '由谁负责' }),
      /** The fate of each open one of the same subject with another date. */
      answers: z
        .array(
          z.object({
            id: uuid.meta({ title: '承诺' }),
            how: contradictionAnswer.schema.meta({ title: '另一条承诺' }),
            reason: optionalReason,
          }),
        )
        .max(50, { error: '最多 50 条' })
        .default([])
        .meta({ title: '日期不同的承诺' }),
    }),
    data: z.object({ id: z.string() }),
  },
  keep: {
    method: 'POST',
    path: '/osmcore/api/promise/keep',
    title: '兑现承诺',
    access: ['promise:keep'],
    body: z.object({
      ...one,
      pictures: z.array(uploaded).min(1, { error: '请至少上传一张照片' }).max(9).meta({ title: '照片' }),
      text: words('说明', 200),
    }),
    data: nothing,
  },
  extend: {
    method: 'POST',
    path: '/osmcore/api/promise/extend',
    title: '延期承诺',
    access: ['promise:extend'],
    body: z.object({ ...one, due: day.meta({ title: '新的到期' }), reason }),
    data: nothing,
  },
  object: {
    method: 'POST',
    path: '/osmcore/api/promise/object',
    title: '代录异议',
    access: ['promise:object'],
    body: z.object({ ...one, channel: heardBy, reason }),
    data: nothing,
  },
  uphold: {
    method: 'POST',
    path: '/osmcore/api/promise/uphold',
    title: '异议成立',
    access: ['promise:supervise'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  dismiss: {
    method: 'POST',
    path: '/osmcore/api/promise/dismiss',
    title: '驳回异议',
    access: ['promise:supervise'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  break: {
    method: 'POST',
    path: '/osmcore/api/promise/break',
    title: '认定未兑现',
    access: ['promise:supervise'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  withdraw: {
    method: 'POST',
    path: '/osmcore/api/promise/withdraw',
    title: '撤回承诺',
    access: ['promise:supervise'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  export: {
    method: 'POST',
    path: '/osmcore/api/promise/export',
    title: '导出承诺',
    access: ['promise:export'],
    query,
    data: nothing,
    raw: true,
  },
})
