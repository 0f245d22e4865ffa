import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason, seen } from '../../kit/fields.ts'
import { day, uuid } from '../../kit/paging.ts'
import { consentAnswer, consentFields, consentRow } from '../consents/consents.record.ts'
import { homeVideoPage } from './grants.record.ts'

const contact_id = uuid.meta({ title: '联系人' })
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: '时间格式应为 08:00' })
const { how, answeredOn, proof } = consentFields

/** The people of a home who may look by their link: their consent, and the steward's grants. */
export const grantsApi = defineApi({
  home: {
    method: 'POST',
    path: '/osmcore/api/ownervideo/home',
    title: '业主视频授权',
    access: ['page:OwnerInfo'],
    query: z.object({ site_id: uuid.meta({ title: '工地' }) }),
    data: homeVideoPage,
  },
  /** One contact's answers, the newest first. */
  answers: {
    method: 'POST',
    path: '/osmcore/api/ownervideo/answers',
    title: '看现场的同意记录',
    access: ['page:OwnerInfo'],
    query: z.object({ contact_id }),
    data: z.array(consentRow),
  },
  /** Said to the steward, with what proves it. */
  answer: {
    method: 'POST',
    path: '/osmcore/api/ownervideo/answer',
    title: '登记看现场的答复',
    access: ['owner:video'],
    body: z.object({
      contact_id,
      answer: consentAnswer.schema.meta({ title: '本人答复' }),
      how,
      answeredOn,
      proof,
    }),
    data: nothing,
  },
  /** Whoever hears that somebody takes it back ends it at once. */
  withdraw: {
    method: 'POST',
    path: '/osmcore/api/ownervideo/withdraw',
    title: '撤回看现场的同意',
    access: ['owner:video', 'owner:link'],
    body: z.object({ contact_id, reason }),
    data: nothing,
  },
  /** Takes the place of what the contact has. */
  grant: {
    method: 'POST',
    path: '/osmcore/api/ownervideo/grant',
    title: '授权看现场',
    access: ['owner:video'],
    body: z.object({
      contact_id,
      cameras: z
        .array(uuid)
        .min(1, { error: '请至少选一台摄像头' })
        .max(20, { error: '最多 20 台摄像头' })
        .meta({ title: '摄像头' }),
      fromDay: day.meta({ title: '开始日期' }),
      toDay: day.meta({ title: '结束日期' }),
      from: time.meta({ title: '每天从' }),
      to: time.meta({ title: '每天到' }),
      /** What passes midnight belongs to the day on which it began. */
      nextDay: z.boolean().default(false).meta({ title: '到次日' }),
    }),
    data: z.object({ id: z.string() }),
  },
  stop: {
    method: 'POST',
    path: '/osmcore/api/ownervideo/stop',
    title: '停止授权',
    access: ['owner:video'],
    body: z.object({ ...seen('授权'), reason }),
    data: nothing,
  },
  resume: {
    method: 'POST',
    path: '/osmcore/api/ownervideo/resume',
    title: '恢复授权',
    access: ['owner:video'],
    body: z.object(seen('授权')),
    data: nothing,
  },
})
