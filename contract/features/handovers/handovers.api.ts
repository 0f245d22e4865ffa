import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason, seen, typed } from '../../kit/fields.ts'
import { numberless } from '../../kit/numberless.ts'
import { day, uuid } from '../../kit/paging.ts'
import { promiseSubject } from '../promises/promises.record.ts'
import { principalPost } from '../users/users.record.ts'
import { customerBrief, handoverSheet } from './handovers.record.ts'

const one = seen('交底单')
const customer_id = uuid.meta({ title: '客户' })
/** In the consultant's words, as long as a paragraph. */
const told = (title: string) =>
  numberless(typed().max(500, { error: `${title}最多 500 个字` }))
    .default('')
    .meta({ title })
const said = (title: string, most: number) =>
  numberless(
    typed()
      .min(2, { error: `请写明${title}（至少 2 个字）` })
      .max(most, { error: `${title}最多 ${most} 个字` }),
  ).meta({ title })
const path = (verb: string) => `/mkscore/api/handover/${verb}` as const

export const handoversApi = defineApi({
  /** What is known of a customer for the site, and what signatures have made of it. */
  brief: {
    method: 'POST',
    path: path('brief'),
    title: '给工地的交底',
    access: ['page:CustomerList'],
    query: z.object({ customer_id }),
    data: customerBrief,
  },
  write: {
    method: 'POST',
    path: path('write'),
    title: '填写交底',
    access: ['customer:follow'],
    body: z.object({
      customer_id,
      version: one.version,
      taste: told('喜好'),
      people: told('家里的人'),
      fears: told('担心的事'),
      given: told('答应送的'),
    }),
    data: nothing,
  },
  promise: {
    method: 'POST',
    path: path('promise'),
    title: '登记签约前的承诺',
    access: ['customer:follow'],
    body: z.object({
      customer_id,
      subject: promiseSubject.schema.meta({ title: '事项' }),
      content: said('承诺内容', 200),
      due: day.meta({ title: '到期' }),
      post: principalPost.schema.meta({ title: '由谁负责' }),
    }),
    data: z.object({ id: z.string() }),
  },
  withdraw: {
    method: 'POST',
    path: path('withdraw'),
    title: '撤回签约前的承诺',
    access: ['customer:follow'],
    body: z.object({ ...seen('承诺'), reason: numberless(reason) }),
    data: nothing,
  },
  /** The sheet of a site; none where nobody signed in this system. */
  ofSite: {
    method: 'POST',
    path: path('site'),
    title: '工地的交底单',
    access: ['handover:read'],
    query: z.object({ site_id: uuid.meta({ title: '工地' }) }),
    data: z.object({ sheet: handoverSheet.nullable() }),
  },
  confirm: {
    method: 'POST',
    path: path('confirm'),
    title: '确认交底',
    access: ['handover:confirm'],
    body: z.object(one),
    data: nothing,
  },
  ask: {
    method: 'POST',
    path: path('ask'),
    title: '交底问顾问',
    access: ['handover:confirm'],
    body: z.object({ ...one, text: said('问题', 300) }),
    data: nothing,
  },
  answer: {
    method: 'POST',
    path: path('answer'),
    title: '答复交底问题',
    access: ['customer:follow'],
    body: z.object({ ...one, text: said('答复', 500) }),
    data: nothing,
  },
})
