import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason, seen, typed, uploaded, words } from '../../kit/fields.ts'
import { commaList, day, flag, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { siteStage } from '../sites/sites.record.ts'
import { questionRow, questionState } from './questions.record.ts'

/** An owner's answer: one of the options, by its place, or words where there are none. */
export const answerFacts = {
  choice: z.number().int().min(1).max(6).nullable().default(null).meta({ title: '选项' }),
  words: words('答复', 200),
}
const MOST_PICTURES = 9
const pictures = z.array(uploaded).max(MOST_PICTURES, { error: `最多 ${MOST_PICTURES} 张照片` })
const site_id = uuid.meta({ title: '工地' })
const one = seen('问题')
const query = listQuery(['neededBy', 'askedAt', 'state'], {
  keyword,
  site_id: optional(uuid).meta({ title: '工地' }),
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  state: commaList(questionState.schema).meta({ title: '状态' }),
  late: flag.meta({ title: '已逾期' }),
  id: optional(uuid).meta({ title: '问题' }),
})

export const questionsApi = defineApi({
  list: {
    method: 'POST',
    path: '/osmcore/api/question/list',
    title: '待业主决定',
    access: ['page:OwnerInfo'],
    query,
    data: paged(questionRow),
  },
  /** While one is written: what is worth knowing of its day, and which stages of the plan may wait for it. */
  foresee: {
    method: 'POST',
    path: '/osmcore/api/question/foresee',
    title: '询问业主前的提示',
    access: ['question:ask'],
    query: z.object({
      site_id,
      neededBy: optional(day).meta({ title: '最晚答复' }),
      stage: optional(siteStage.schema).meta({ title: '等它的阶段' }),
    }),
    data: z.object({ notes: z.array(z.string()), stages: z.array(siteStage.schema) }),
  },
  ask: {
    method: 'POST',
    path: '/osmcore/api/question/ask',
    title: '询问业主',
    access: ['question:ask'],
    body: z.object({
      site_id,
      words: typed()
        .min(2, { error: '请写明要业主决定什么（至少 2 个字）' })
        .max(200, { error: '问题最多 200 个字' })
        .meta({ title: '问题' }),
      options: z
        .array(
          typed()
            .min(1, { error: '选项不能是空的' })
            .max(60, { error: '选项最多 60 个字' })
            .meta({ title: '选项' }),
        )
        .max(6, { error: '最多 6 个选项' })
        .default([])
        .meta({ title: '选项' }),
      neededBy: day.meta({ title: '最晚答复' }),
      stage: siteStage.schema.nullable().default(null).meta({ title: '等它的阶段' }),
      pictures: pictures.default([]).meta({ title: '照片' }),
      costs: z.boolean().default(false).meta({ title: '会改变费用' }),
      estimate: words('估计费用', 60),
      /** What was asked before and is asked anew. */
      again: z.object(one).nullable().default(null).meta({ title: '原来的问题' }),
    }),
    data: z.object({ id: z.string() }),
  },
  record: {
    method: 'POST',
    path: '/osmcore/api/question/record',
    title: '代录业主答复',
    access: ['question:ask'],
    body: z.object({
      ...one,
      contact_id: uuid.meta({ title: '答复人' }),
      ...answerFacts,
      pictures: pictures.min(1, { error: '请上传业主答复的凭证，例如聊天截图' }).meta({ title: '凭证' }),
    }),
    data: nothing,
  },
  withdraw: {
    method: 'POST',
    path: '/osmcore/api/question/withdraw',
    title: '撤回询问',
    access: ['question:ask'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  export: {
    method: 'POST',
    path: '/osmcore/api/question/export',
    title: '导出待业主决定',
    access: ['owner:export'],
    query,
    data: nothing,
    raw: true,
  },
})
