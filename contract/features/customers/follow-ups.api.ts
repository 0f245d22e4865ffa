import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason as anyReason, seen, typed, words } from '../../kit/fields.ts'
import { numberless } from '../../kit/numberless.ts'
import { commaList, day, flag, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { followKind, followRow, followState } from './follow-ups.record.ts'

/** So many a calendar shows at once. */
export const MOST_PLANNED = 500

const filters = {
  keyword,
  kind: commaList(followKind.schema).meta({ title: '方式' }),
  state: commaList(followState.schema).meta({ title: '状态' }),
  user_id: optional(uuid).meta({ title: '顾问' }),
  customer_id: optional(uuid).meta({ title: '客户' }),
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  from: optional(day).meta({ title: '时间从' }),
  to: optional(day).meta({ title: '时间至' }),
  overdue: flag.meta({ title: '是否逾期' }),
}
const query = listQuery(['at', 'closedAt'], filters)
const one = seen('跟进')
const PAGES = ['page:FollowUp', 'page:CustomerList']
const path = (verb: string) => `/mkscore/api/followup/${verb}` as const
/** A moment, whole seconds since 1970. */
const moment = (title: string) =>
  z
    .number({ error: `${title}应为时间` })
    .int()
    .min(1_000_000_000, { error: `${title}不正确` })
    .max(9_999_999_999, { error: `${title}不正确` })
    .meta({ title })
const reason = numberless(anyReason)
const content = numberless(
  typed().min(2, { error: '请写明内容（至少 2 个字）' }).max(500, { error: '内容最多 500 个字' }),
).meta({ title: '内容' })
/** The next one, planned with the same hand. */
const next = z
  .object({
    kind: followKind.schema.meta({ title: '下次方式' }),
    at: moment('下次时间'),
    content: numberless(words('下次内容', 500)),
  })
  .nullable()
  .default(null)
  .meta({ title: '下次跟进' })
const kind = followKind.schema.meta({ title: '方式' })
const customer_id = uuid.meta({ title: '客户' })

export const followUpsApi = defineApi({
  list: {
    method: 'POST',
    path: path('list'),
    title: '跟进计划',
    access: PAGES,
    query,
    data: paged(followRow),
  },
  /** Follow-ups that are planned and done in some days, for a calendar. */
  calendar: {
    method: 'POST',
    path: path('calendar'),
    title: '跟进日历',
    access: PAGES,
    query: z.object({
      from: day.meta({ title: '从' }),
      to: day.meta({ title: '至' }),
      user_id: filters.user_id,
      bc_id: filters.bc_id,
      kind: filters.kind,
      state: filters.state,
    }),
    data: z.object({ list: z.array(followRow), more: z.boolean() }),
  },
  /** How many wait today, are overdue, come this week: of who asks with these filters. */
  counts: {
    method: 'POST',
    path: path('counts'),
    title: '跟进数量',
    access: PAGES,
    query: z.object({ user_id: filters.user_id, bc_id: filters.bc_id }),
    data: z.object({
      at: z.number().int(),
      overdue: z.number().int(),
      today: z.number().int(),
      week: z.number().int(),
    }),
  },
  /** The consultant's other appointments within an hour of a moment, and whether nobody works that day. */
  clashes: {
    method: 'POST',
    path: path('clashes'),
    title: '同一时间的跟进',
    access: ['customer:follow'],
    query: z.object({ customer_id, at: z.coerce.number().int().meta({ title: '时间' }), id: optional(uuid) }),
    data: z.object({ notes: z.array(z.string()) }),
  },
  /** Something was done; the next one is planned with it. */
  add: {
    method: 'POST',
    path: path('add'),
    title: '登记跟进',
    access: ['customer:follow'],
    body: z.object({
      customer_id,
      kind,
      at: moment('时间'),
      content,
      result: numberless(words('结果', 500)),
      next,
    }),
    data: z.object({ id: z.string() }),
  },
  plan: {
    method: 'POST',
    path: path('plan'),
    title: '计划跟进',
    access: ['customer:follow'],
    body: z.object({ customer_id, kind, at: moment('时间'), content: numberless(words('内容', 500)) }),
    data: z.object({ id: z.string() }),
  },
  done: {
    method: 'POST',
    path: path('done'),
    title: '完成跟进',
    access: ['customer:follow'],
    body: z.object({ ...one, at: moment('时间'), result: content.meta({ title: '结果' }), next }),
    data: nothing,
  },
  move: {
    method: 'POST',
    path: path('move'),
    title: '跟进改期',
    access: ['customer:follow'],
    body: z.object({ ...one, at: moment('时间') }),
    data: nothing,
  },
  cancel: {
    method: 'POST',
    path: path('cancel'),
    title: '取消跟进',
    access: ['customer:follow'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  export: {
    method: 'POST',
    path: path('export'),
    title: '导出跟进',
    access: ['customer:export'],
    query,
    data: nothing,
    raw: true,
  },
})
