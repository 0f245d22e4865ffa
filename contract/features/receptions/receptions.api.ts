import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason, seen, typed, words } from '../../kit/fields.ts'
import { commaList, day, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { score } from '../../kit/score.ts'
import { receptionPurpose, receptionRow, receptionState, scoreRate } from './receptions.record.ts'

const query = listQuery(['at', 'state'], {
  site_id: uuid.meta({ title: '工地' }),
  state: commaList(receptionState.schema).meta({ title: '状态' }),
})
const site_id = uuid.meta({ title: '工地' })
const time = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: '时间应为 14:30 的样子' })
  .meta({ title: '时间' })
const command = z.object(seen('到访'))

export const receptionsApi = defineApi({
  list: {
    method: 'POST',
    path: '/osmcore/api/ownervisit/list',
    title: '业主到访',
    access: ['page:OwnerVisit'],
    query,
    data: paged(receptionRow),
  },
  /** The other plans on that site, or for that host, within an hour of the time. */
  beside: {
    method: 'POST',
    path: '/osmcore/api/ownervisit/beside',
    title: '同时的到访',
    access: ['reception:edit'],
    query: z.object({
      site_id,
      host_id: optional(uuid).meta({ title: '接待人' }),
      day: day.meta({ title: '日期' }),
      time,
    }),
    data: z.array(
      z.object({ id: z.string(), at: z.number().int(), siteName: z.string(), hostName: z.string() }),
    ),
  },
  add: {
    method: 'POST',
    path: '/osmcore/api/ownervisit/add',
    title: '登记到访',
    access: ['reception:edit'],
    body: z.object({
      site_id,
      purpose: receptionPurpose.schema.meta({ title: '目的' }),
      host_id: uuid.meta({ title: '接待人' }),
      /** Left out: they are there now, unasked. */
      day: optional(day).meta({ title: '日期' }),
      time: optional(time).meta({ title: '时间' }),
      remark: words('说明', 200),
    }),
    data: z.object({ id: z.string() }),
  },
  arrive: {
    method: 'POST',
    path: '/osmcore/api/ownervisit/arrive',
    title: '到访已到',
    access: ['reception:edit'],
    body: command,
    data: nothing,
  },
  host: {
    method: 'POST',
    path: '/osmcore/api/ownervisit/host',
    title: '改接待人',
    access: ['reception:edit'],
    body: command.extend({ host_id: uuid.meta({ title: '接待人' }) }),
    data: nothing,
  },
  finish: {
    method: 'POST',
    path: '/osmcore/api/ownervisit/finish',
    title: '完成到访',
    access: ['reception:edit'],
    /** The reason is the record: what was shown, said and agreed. */
    body: command.extend({ reason }),
    data: nothing,
  },
  miss: {
    method: 'POST',
    path: '/osmcore/api/ownervisit/miss',
    title: '到访未到',
    access: ['reception:edit'],
    body: command.extend({ reason }),
    data: nothing,
  },
  cancel: {
    method: 'POST',
    path: '/osmcore/api/ownervisit/cancel',
    title: '取消到访',
    access: ['reception:edit'],
    body: command.extend({ reason }),
    data: nothing,
  },
  /** The owner's words by telephone or at the site. */
  score: {
    method: 'POST',
    path: '/osmcore/api/ownervisit/score',
    title: '代填到访满意度',
    access: ['reception:edit'],
    body: command.extend({ score, words: words('业主的话', 200) }),
    data: nothing,
  },
  callback: {
    method: 'POST',
    path: '/osmcore/api/ownervisit/callback',
    title: '记录到访回访',
    access: ['feedback:supervise'],
    body: command.extend({
      words: typed()
        .min(2, { error: '请写明回访结果（至少 2 个字）' })
        .max(200, { error: '回访结果最多 200 个字' })
        .meta({ title: '回访结果' }),
    }),
    data: nothing,
  },
  /** The home's own scores, and beside them those of the branch's homes that the caller sees. */
  rates: {
    method: 'POST',
    path: '/osmcore/api/ownervisit/rates',
    title: '到访满意率',
    access: ['page:OwnerVisit'],
    query: z.object({ site_id }),
    data: z.object({ at: z.number().int(), home: scoreRate, branch: scoreRate }),
  },
  export: {
    method: 'POST',
    path: '/osmcore/api/ownervisit/export',
    title: '导出到访',
    access: ['reception:export'],
    query,
    data: nothing,
    raw: true,
  },
})
