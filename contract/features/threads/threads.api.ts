import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason, typed, version } from '../../kit/fields.ts'
import { day, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { said, threadChannel } from './thread-page.record.ts'
import { MOST_TEMPLATES, threadDetail, threadMessage, threadOutcome } from './threads.record.ts'

const site_id = uuid.meta({ title: '工地' })
const query = listQuery(['at'], { site_id, keyword })
const home = z.object({ site_id })
/** The newest line that was seen before this one was sent: nobody speaks past another. */
const after = z.number({ error: '请刷新后再试' }).int().min(0).meta({ title: '已看到的最新一条' })
const { page: ON_PAGE } = threadChannel.code
const PAGE = ['page:OwnerInteract']
const REPLY = ['thread:reply']
const made = z.object({ id: z.string(), seq: z.number().int() })

/** The lines that a home and we say to each other. */
export const threadsApi = defineApi({
  list: {
    method: 'POST',
    path: '/osmcore/api/ownerinteract/list',
    title: '业主互动',
    access: PAGE,
    query,
    data: paged(threadMessage),
  },
  details: {
    method: 'POST',
    path: '/osmcore/api/ownerinteract/details',
    title: '业主互动概况',
    access: PAGE,
    query: home,
    data: threadDetail,
  },
  say: {
    method: 'POST',
    path: '/osmcore/api/ownerinteract/say',
    title: '回复业主留言',
    access: REPLY,
    body: home.extend({
      after,
      channel: threadChannel.schema.default(ON_PAGE).meta({ title: '怎样说的' }),
      ...said,
    }),
    data: made,
  },
  /** What somebody of the home said elsewhere, written down: it waits for an answer as if they had written it. */
  hear: {
    method: 'POST',
    path: '/osmcore/api/ownerinteract/hear',
    title: '代录业主的话',
    access: REPLY,
    body: home.extend({
      contact_id: optional(uuid).meta({ title: '谁说的' }),
      channel: threadChannel.schema
        .refine((channel) => channel !== ON_PAGE, { error: '业主在页面上写的不用代录' })
        .meta({ title: '渠道' }),
      ...said,
    }),
    data: made,
  },
  takeBack: {
    method: 'POST',
    path: '/osmcore/api/ownerinteract/takeback',
    title: '撤回留言',
    access: REPLY,
    body: z.object({ id: uuid.meta({ title: '留言' }) }),
    data: nothing,
  },
  silence: {
    method: 'POST',
    path: '/osmcore/api/ownerinteract/silence',
    title: '留言无需回复',
    access: REPLY,
    body: home.extend({ after, reason }),
    data: nothing,
  },
  /** What was made of a message is found from it. */
  become: {
    method: 'POST',
    path: '/osmcore/api/ownerinteract/become',
    title: '留言关联到记录',
    access: REPLY,
    body: z.object({
      id: uuid.meta({ title: '留言' }),
      kind: threadOutcome.schema.meta({ title: '转为' }),
      record_id: uuid.meta({ title: '记录' }),
    }),
    data: nothing,
  },
  /** Says that the caller is writing an answer, and who else is. */
  writing: {
    method: 'POST',
    path: '/osmcore/api/ownerinteract/writing',
    title: '正在回复业主',
    access: REPLY,
    body: home,
    data: z.array(z.string()),
  },
  saveTemplates: {
    method: 'POST',
    path: '/osmcore/api/ownerinteract/templates',
    title: '修改分公司常用语',
    access: ['thread:templates'],
    body: z.object({
      bc_id: uuid.meta({ title: '分公司' }),
      version,
      texts: z
        .array(typed().min(1).max(200, { error: '一条常用语最多 200 个字' }))
        .max(MOST_TEMPLATES, { error: `最多 ${MOST_TEMPLATES} 条常用语` })
        .meta({ title: '常用语' }),
    }),
    data: nothing,
  },
  /** What was said from one day to another as PDF, for a dispute; every time is in the log. */
  print: {
    method: 'POST',
    path: '/osmcore/api/ownerinteract/print',
    title: '打印业主互动',
    access: ['thread:export'],
    query: z.object({
      site_id,
      from: optional(day).meta({ title: '从' }),
      to: optional(day).meta({ title: '到' }),
    }),
    data: nothing,
    raw: true,
  },
  export: {
    method: 'POST',
    path: '/osmcore/api/ownerinteract/export',
    title: '导出业主互动',
    access: ['thread:export'],
    query,
    data: nothing,
    raw: true,
  },
})
